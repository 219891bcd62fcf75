package number

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDate(t *testing.T) {
	for cell, want := range map[string]int64{
		"1970-01-01": 0, "1970-01-02": 1, "1969-12-31": -1, "2000-02-29": 11016, "0001-01-01": -719162,
		"0000-03-01": -719468, "0000-02-29": -719469, "9999-12-31": 2932896, "1600-02-29": -135081,
	} {
		if days, ok := ParseDate([]byte(cell)); days != want || !ok {
			t.Errorf("ParseDate(%q) = %d, %v; want %d", cell, days, ok, want)
		}
	}
	for _, cell := range []string{
		"", "2000-2-29", "2000-02-29 ", "1900-02-29", "2001-02-29", "2000-00-10", "2000-13-01", "2000-01-00", "2000-01-32",
		"2000-04-31", "2000-99-99", "2000/01/01", "12000-01-1",
	} {
		if days, ok := ParseDate([]byte(cell)); ok {
			t.Errorf("ParseDate(%q) = %d", cell, days)
		}
	}
}

func TestDatesAreThoseOfTheCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.Int64Range(-719162, 2932896).Draw(t, "days") // years 1 to 9999
		want := time.Unix(days*86400, 0).UTC()
		text := want.Format("2006-01-02")
		if got := string(AppendDate([]byte("on "), days)); got != "on "+text {
			t.Fatalf("day %d is %q, want %s", days, got, text)
		}
		if got, ok := ParseDate([]byte(text)); got != days || !ok {
			t.Fatalf("%s is day %d, %v; want %d", text, got, ok, days)
		}
		if got := DateYear(days); got != int64(want.Year()) {
			t.Fatalf("%s is of the year %d", text, got)
		}
	})
}

func TestAddMonths(t *testing.T) {
	day := func(text string) int64 {
		days, ok := ParseDate([]byte(text))
		if !ok {
			t.Fatalf("%q is no date", text)
		}
		return days
	}
	for _, c := range []struct {
		from   string
		months int64
		want   string
	}{
		{"2020-01-31", 1, "2020-02-29"},
		{"2021-01-31", 1, "2021-02-28"},
		{"2021-03-31", -1, "2021-02-28"},
		{"2020-02-29", 12, "2021-02-28"},
		{"2020-02-29", -48, "2016-02-29"},
		{"2020-12-15", 1, "2021-01-15"},
		{"2020-01-15", -1, "2019-12-15"},
		{"1900-10-31", 4, "1901-02-28"},
		{"0000-02-29", 0, "0000-02-29"},
		{"9999-12-31", -9999*12 - 1, "0000-11-30"},
	} {
		if got := AddMonths(day(c.from), c.months); got != day(c.want) {
			t.Errorf("%s and %d months is %s, want %s", c.from, c.months, AppendDate(nil, got), c.want)
		}
	}
	// AddMonths is monotonic in the day, which ranges rely on.
	rapid.Check(t, func(t *rapid.T) {
		days, months := rapid.Int64Range(-719528, 2932896).Draw(t, "days"), rapid.Int64().Draw(t, "months")
		if x, y := AddMonths(days, months), AddMonths(days+1, months); x > y || y > x+4 {
			t.Fatalf("%d months behind day %d is %d, behind the next one %d", months, days, x, y)
		}
	})
	if AddMonths(day("0000-01-01"), math.MaxInt64) <= day("9999-12-31") || AddMonths(day("9999-12-31"), math.MinInt64) >= day("0000-01-01") {
		t.Error("the farthest day is within the years 0 to 9999")
	}
}

// TestDaysOfAllYears goes through the calendar from its first day on, past the days that
// months do not have.
func TestDaysOfAllYears(t *testing.T) {
	want := int64(-719528)
	for year := range 10000 {
		lengths := []int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 0}
		if year%400 == 0 || year%4 == 0 && year%100 != 0 {
			lengths[2] = 29
		}
		for month, length := range lengths {
			for day := range 33 {
				cell := []byte{
					byte('0' + year/1000), byte('0' + year/100%10), byte('0' + year/10%10), byte('0' + year%10), '-',
					byte('0' + month/10), byte('0' + month%10), '-', byte('0' + day/10), byte('0' + day%10),
				}
				days, ok := ParseDate(cell)
				if exists := 0 < day && day <= length; ok != exists || ok && days != want {
					t.Fatalf("%s is day %d, %v; want %d, %v", cell, days, ok, want, exists)
				}
				if !ok {
					continue
				}
				if y, m, d := DateOf(days); y != int64(year) || m != int64(month) || d != int64(day) {
					t.Fatalf("day %d is %d-%d-%d, want %s", days, y, m, d, cell)
				}
				want++
			}
		}
	}
}

// TestBytesOfDates puts each byte in each place of dates.
func TestBytesOfDates(t *testing.T) {
	for _, date := range []string{"2004-02-29", "1999-12-31", "0000-01-01", "2010-09-09"} {
		for at := range len(date) {
			for c := range 256 {
				cell := []byte(date)
				cell[at] = byte(c)
				form := c == '-'
				if at != 4 && at != 7 {
					form = '0' <= c && c <= '9'
				}
				if got := IsDate(cell); got != form {
					t.Fatalf("%q has the form of a date: %v", cell, got)
				}
				day, err := time.Parse("2006-01-02", string(cell))
				days, ok := ParseDate(cell)
				if ok != (err == nil) || ok && day.Unix() != days*86400 {
					t.Fatalf("%q is day %d, %v; package time says %v, %v", cell, days, ok, day, err)
				}
			}
		}
	}
}

func TestDaysOfAnyYear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.Int64Range(-1<<62, 1<<62).Draw(t, "days")
		if got := DayOf(DateOf(days)); got != days {
			t.Fatalf("day %d becomes %d", days, got)
		}
	})
}

func TestAppendDateOfAnyDay(t *testing.T) {
	for days, want := range map[int64]string{
		2932897: "10000-01-01", -719163: "0001-12-31 (BC)", -719529: "0002-12-31 (BC)", math.MaxInt32 - 1: "5881580-07-10",
		math.MaxInt32: "infinity", math.MaxInt64: "infinity", math.MinInt32: "-infinity", math.MinInt64: "-infinity",
	} {
		if got := string(AppendDate(nil, days)); got != want {
			t.Errorf("day %d is %s, want %s", days, got, want)
		}
	}
}

// TestFarTimes casts texts that are what answers show of times beyond the years 1 to 9999, and some that lie beyond all.
func TestFarTimes(t *testing.T) {
	for _, text := range []string{
		"infinity", "-infinity", "10000-01-01", "5881580-07-10", "5877642-06-25 (BC)", "0001-12-31 (BC)", "0044-03-15 (BC)",
	} {
		if days, ok := CastDate([]byte(text)); !ok || string(AppendDate(nil, days)) != text {
			t.Errorf("the date %s is day %d, %v", text, days, ok)
		}
	}
	for _, text := range []string{
		"infinity", "-infinity", "10000-01-01 00:00:00", "0044-03-15 (BC) 10:00:00.5", "294247-01-10 04:00:54.775806", "290309-12-22 (BC) 00:00:00",
	} {
		if micros, ok := CastTimestamp([]byte(text)); !ok || string(AppendTimestamp(nil, micros)) != text {
			t.Errorf("the timestamp %s is %d, %v", text, micros, ok)
		}
		if micros, ok := CastInstant([]byte(text)); !ok || string(AppendTimestamp(nil, micros)) != text {
			t.Errorf("the moment %s is %d, %v", text, micros, ok)
		}
	}
	if days, ok := CastDate([]byte("2020-01-02 24:00:00")); !ok || string(AppendDate(nil, days)) != "2020-01-02" {
		t.Errorf("the end of a day is day %d, %v", days, ok)
	}
	if days, ok := CastDate([]byte("-0043-03-15")); !ok || string(AppendDate(nil, days)) != "0044-03-15 (BC)" {
		t.Errorf("-0043-03-15 is day %d, %v", days, ok)
	}
	for _, text := range []string{"+infinity", "infinity 10:00", "5881580-07-11", "5877642-06-24 (BC)", "0000-01-01 (BC)", "-0044-02-30", "0044-03-15(BC)", "12345-1", "123-01-01"} {
		if days, ok := CastDate([]byte(text)); ok {
			t.Errorf("%s is day %d", text, days)
		}
	}
	for _, text := range []string{"294247-01-10 04:00:54.775807", "290309-12-21 (BC) 23:59:59", "294248-01-01", "infinity 10:00"} {
		if micros, ok := CastTimestamp([]byte(text)); ok {
			t.Errorf("%s is %d", text, micros)
		}
	}
}

// A text in the form of a date is a date exactly if the calendar of package time has it.
func FuzzParseDate(f *testing.F) {
	f.Add("2004-02-29")
	f.Add("1900-02-29")
	f.Fuzz(func(t *testing.T, cell string) {
		days, ok := ParseDate([]byte(cell))
		day, err := time.Parse("2006-01-02", cell)
		if ok != (err == nil) {
			t.Fatalf("%q is day %d, %v; package time says %v", cell, days, ok, err)
		}
		if ok && day.Unix() != days*86400 {
			t.Fatalf("%q is day %d, want %d", cell, days, day.Unix()/86400)
		}
	})
}
