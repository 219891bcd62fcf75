package size

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	tests := map[string]int64{
		"0": 0, "65536": 65536, "1b": 1, "256MiB": 256 << 20, "256mib": 256 << 20, "64m": 64 << 20, "64 M": 64 << 20, " 2k ": 2048,
		"1GB": 1e9, "1.5GB": 15e8, "1.5 gib": 3 << 29, "0.5kB": 500, "1tb": 1e12, "1T": 1 << 40, ".5k": 512,
	}
	for text, want := range tests {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "12Q", "1e", "-1", "-5MiB", "+5", "nan", "inf", "0x10", "1_000", "1 2", "99999999TB", "9223372036854775807", "1,5GB"} {
		got, err := Parse(text)
		if err == nil {
			t.Errorf("Parse(%q) = %d", text, got)
		} else if !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("Parse(%q): the error %q does not repeat it", text, err)
		}
	}
}

func TestWrite(t *testing.T) {
	tests := []struct {
		n               int64
		binary, decimal string
	}{
		{0, "0 B", "0 B"},
		{999, "999 B", "999 B"},
		{1000, "1000 B", "1.00 kB"},
		{1024, "1.00 KiB", "1.02 kB"},
		{256 << 20, "256 MiB", "268 MB"},
		{15 << 19, "7.50 MiB", "7.86 MB"},
		{999_950, "977 KiB", "1000 kB"},
		{math.MaxInt64, "8388608 TiB", "9223372 TB"},
	}
	for _, tt := range tests {
		if got := Binary(tt.n); got != tt.binary {
			t.Errorf("Binary(%d) = %q, want %q", tt.n, got, tt.binary)
		}
		if got := Decimal(tt.n); got != tt.decimal {
			t.Errorf("Decimal(%d) = %q, want %q", tt.n, got, tt.decimal)
		}
	}
}

func TestWhatIsWrittenReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<50).Draw(t, "n")
		for _, text := range []string{Binary(n), Decimal(n)} {
			back, err := Parse(text)
			if err != nil || math.Abs(float64(back-n)) > 0.006*float64(n) {
				t.Fatalf("%d is written as %q, which reads as %d, %v", n, text, back, err)
			}
		}
	})
}

func TestCount(t *testing.T) {
	tests := map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -1000: "-1,000", 26_024_289: "26,024,289", -123: "-123",
		math.MinInt64: "-9,223,372,036,854,775,808",
	}
	for n, want := range tests {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2000: "2,000 rows"} {
		if got := Plural(n, "row"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", n, got, want)
		}
	}
}
