package expr

import (
	"testing"

	"analyzer/columnar/number"
)

// TestWeeksAreReadAsWritten checks that strptime finds each day by its week and weekday, however
// strftime counts weeks.
func TestWeeksAreReadAsWritten(t *testing.T) {
	for _, text := range []string{"%Y %U %w", "%Y %U %a", "%Y %W %u", "%A %W %Y", "%y/%-W/%w", "%G-W%V-%u", "%a %V %G", "%Y %j"} {
		f, _, err := parseForm(text)
		if err == nil {
			err = f.checkReadable()
		}
		if err != nil {
			t.Fatal(err)
		}
		for day := number.DayOf(1999, 12, 1); day < number.DayOf(2030, 2, 1); day++ {
			written := f.append(nil, day*number.Day)
			if micros, ok := f.read(written); !ok || micros != day*number.Day {
				t.Fatalf("%s: day %d is written %q, and read as %d, %v", text, day, written, micros/number.Day, ok)
			}
		}
	}
}
