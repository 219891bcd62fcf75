package number

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseTimestamp(t *testing.T) {
	for _, tt := range []struct {
		text       string
		want, cast string // "" for none
	}{
		{"2020-02-29 07:08:09", "2020-02-29 07:08:09", "2020-02-29 07:08:09"},
		{"2020-02-29T07:08:09.5", "2020-02-29 07:08:09.5", "2020-02-29 07:08:09.5"},
		{"2020-02-29 07:08:09.000001", "2020-02-29 07:08:09.000001", "2020-02-29 07:08:09.000001"},
		{"2020-02-29 07:08:09.120", "2020-02-29 07:08:09.12", "2020-02-29 07:08:09.12"},
		{"2020-02-29 07:08", "2020-02-29 07:08:00", "2020-02-29 07:08:00"},
		{"2020-02-29", "2020-02-29 00:00:00", "2020-02-29 00:00:00"},
		{"1969-12-31 23:59:59.999999", "1969-12-31 23:59:59.999999", "1969-12-31 23:59:59.999999"},
		{"0001-01-01 00:00:00", "0001-01-01 00:00:00", "0001-01-01 00:00:00"},
		{"2020-02-29 07:08:09.1234567", "", "2020-02-29 07:08:09.123456"},
		{"2020-02-29 07:08:09.1234560", "2020-02-29 07:08:09.123456", "2020-02-29 07:08:09.123456"},
		{"2020-02-29 07:08:09.000000000", "2020-02-29 07:08:09", "2020-02-29 07:08:09"},
		{"2020-02-29 07:08:09,123", "2020-02-29 07:08:09.123", ""},
		{" 2020-02-29 07:08:09 ", "", "2020-02-29 07:08:09"},
		{"2020-02-29T07:08:09Z", "", "2020-02-29 07:08:09"},
		{"2020-02-29 07:08:09+00:00", "", "2020-02-29 07:08:09"},
		{"2020-02-29 07:08:09 UTC", "", "2020-02-29 07:08:09"},
		{"2020-02-29 07:08:09+02:00", "", "2020-02-29 07:08:09"},
		{"2020-02-29 07:08:09 -0130", "", "2020-02-29 07:08:09"},
		{"2020-02-29 07:08:09+2", "", ""},
		{"2020-02-29 07:08:09+02:60", "", ""},
		{"2021-02-29 07:08:09", "", ""},
		{"2020-02-29 24:00:00", "", "2020-03-01 00:00:00"},
		{"2020-02-29 24:00:01", "", ""},
		{"2020-2-29 7:8:9", "", "2020-02-29 07:08:09"},
		{"2020/2/9 7:08", "", "2020-02-09 07:08:00"},
		{"2020/2/9", "", "2020-02-09 00:00:00"},
		{"2020-02-29 07:60:00", "", ""},
		{"2020-02-29 07:08:60", "", ""},
		{"2020-02-29 07:08:", "", ""},
		{"2020-02-29 07:08:09.", "", ""},
		{"2020-02-29 07:08:09.x", "", ""},
		{"2020-02-29 07", "", ""},
		{"2020-02-29_07:08", "", ""},
		{"2020-02-29Z", "", ""},
		{"", "", ""},
	} {
		for _, c := range []struct {
			parse func([]byte) (int64, bool)
			want  string
		}{{ParseTimestamp, tt.want}, {CastTimestamp, tt.cast}} {
			got := ""
			if n, ok := c.parse([]byte(tt.text)); ok {
				got = string(AppendTimestamp(nil, n))
			}
			if got != c.want {
				t.Errorf("%q is %q, want %q", tt.text, got, c.want)
			}
		}
	}
}

// TestBytesOfTimestamps puts each byte in each place of times of day.
func TestBytesOfTimestamps(t *testing.T) {
	form := regexp.MustCompile(`^2020-02-29[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,6})?)?$`)
	for _, moment := range []string{"2020-02-29 23:59:59", "2020-02-29T00:10:20.5", "2020-02-29 19:29"} {
		for at := len("2020-02-29 "); at < len(moment); at++ {
			for c := range 256 {
				text := []byte(moment)
				text[at] = byte(c)
				layout := "2006-01-02" + moment[10:11] + "15:04:05.999999"[:len(moment)-11]
				want, _ := time.Parse(layout, string(text))
				got, ok := ParseTimestamp(text)
				if exists := form.Match(text); ok != exists || ok && got != want.UnixMicro() {
					t.Fatalf("%q is %d, %v; want %v, %v", text, got, ok, want, exists)
				}
			}
		}
	}
}

// TestTimestampsAgainstTime compares the forms that package time also parses with it.
func TestTimestampsAgainstTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		at := time.UnixMicro(rng.Int64N(3_000_000*Day) - 600_000*Day).UTC()
		want := at.Format("2006-01-02 15:04:05.999999")
		if got := string(AppendTimestamp(nil, at.UnixMicro())); got != want {
			t.Fatalf("%d is %s, want %s", at.UnixMicro(), got, want)
		}
		if n, ok := ParseTimestamp([]byte(want)); !ok || n != at.UnixMicro() {
			t.Fatalf("%s is %d, %v, want %d", want, n, ok, at.UnixMicro())
		}
	}
	for _, days := range []int64{math.MinInt64, -1, 0, 1, math.MaxInt64} {
		if day, clock := DayAndClock(TimestampOf(days)); clock != 0 || (days == -1 || days == 1) && day != days {
			t.Errorf("the midnight of day %d is %d on day %d", days, clock, day)
		}
	}
}

func TestParseClock(t *testing.T) {
	for _, c := range []struct {
		text       string
		cell, cast int64 // -1: none
	}{
		{"00:00", 0, 0},
		{"9:05", 9*Hour + 5*Minute, 9*Hour + 5*Minute},
		{"23:59:59.999999", Day - 1, Day - 1},
		{"24:00", Day, Day},
		{"24:00:00.000", Day, Day},
		{"24:00:00.000001", -1, -1},
		{"24:01", -1, -1},
		{"12:60", -1, -1},
		{"12:30:60", -1, -1},
		{"12", -1, -1},
		{"12:", -1, -1},
		{"123:30", -1, -1},
		{"12:30:", -1, -1},
		{"12:30:00.", -1, -1},
		{"", -1, -1},
		{"12:30 PM", 12*Hour + 30*Minute, -1},
		{"1:05:09am", Hour + 5*Minute + 9*Second, -1},
		{"13:30 PM", -1, -1},
		{"PM", -1, -1},
		{"m", -1, -1},
		{"1:2", -1, Hour + 2*Minute},
		{"1:2:3.5", -1, Hour + 2*Minute + 3*Second + Second/2},
		{" 12:30 ", -1, 12*Hour + 30*Minute},
		{"12:30:00.1234567", -1, 12*Hour + 30*Minute + 123456},
		{"12:30:00+02:00", -1, 12*Hour + 30*Minute},
		{"12:30:00Z", -1, 12*Hour + 30*Minute},
		{"2024-01-01 12:30:00", -1, 12*Hour + 30*Minute},
		{"2024-01-01", -1, 0},
		{"epoch", -1, -1},
		{"infinity", -1, -1},
		{strings.Repeat("1", 100), -1, -1},
	} {
		if got, ok := ParseClock([]byte(c.text)); ok != (c.cell >= 0) || ok && got != c.cell {
			t.Errorf("the cell %q is %d, %v; want %d", c.text, got, ok, c.cell)
		}
		if got, ok := CastClock([]byte(c.text)); ok != (c.cast >= 0) || ok && got != c.cast {
			t.Errorf("the text %q is %d, %v; want %d", c.text, got, ok, c.cast)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64Range(0, Day).Draw(t, "micros")
		text := AppendClock(nil, micros)
		if got, ok := ParseClock(text); got != micros || !ok {
			t.Fatalf("%s is %d, %v", text, got, ok)
		}
	})
}
