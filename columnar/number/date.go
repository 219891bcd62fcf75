package number

import (
	"math"
	"strconv"
)

// Year is the first run of exactly four ASCII digits in a date of any form:
// 1980 in "1980*", 2008 in "Oct 21, 2008", 1999 in "12345 1999". ok is false
// where there is none, as in "197?".
func Year(cell []byte) (year int64, ok bool) {
	if len(cell) == 4 || len(cell) > 4 && cell[4]-'0' > 9 { // as in 2004-05-01
		a, b, c, d := cell[0]-'0', cell[1]-'0', cell[2]-'0', cell[3]-'0'
		if a <= 9 && b <= 9 && c <= 9 && d <= 9 {
			return int64(a)*1000 + int64(b)*100 + int64(c)*10 + int64(d), true
		}
	}
	run := 0
	for _, c := range cell {
		if digit := c - '0'; digit <= 9 {
			run, year = run+1, year*10+int64(digit)
			continue
		}
		if run == 4 {
			return year, true
		}
		run, year = 0, 0
	}
	if run == 4 {
		return year, true
	}
	return 0, false
}

// IsDate says whether cell has the form of an ISO 8601 calendar date, four, two
// and two ASCII digits with hyphens between; the month and day are not checked.
func IsDate(cell []byte) bool {
	if len(cell) != len("2006-01-02") {
		return false
	}
	for i, c := range cell {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if c-'0' > 9 {
			return false
		}
	}
	return true
}

// ParseDate reads a date of the form of IsDate as days since 1970-01-01 in the
// proleptic Gregorian calendar, in which the year 0 is the one before 1. ok is
// false where the calendar has no such day.
func ParseDate(cell []byte) (days int64, ok bool) {
	if !IsDate(cell) {
		return 0, false
	}
	y, _ := Year(cell)
	m := int64(cell[5]-'0')*10 + int64(cell[6]-'0')
	d := int64(cell[8]-'0')*10 + int64(cell[9]-'0')
	return CalendarDay(y, m, d)
}

// CalendarDay is DayOf; ok is false where the calendar has no such day, or where the year
// is none of 0 to 9999.
func CalendarDay(year, month, day int64) (days int64, ok bool) {
	if year < 0 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	days = DayOf(year, month, day)
	_, _, back := DateOf(days) // a day too many leads into the next month
	return days, back == day
}

// AppendDate appends the date of a day since 1970-01-01 in the form of ISO 8601,
// in which years before 0 and after 9999 have a sign. Days beyond 32 bits, which no
// cell yields, count as the last that have 32.
func AppendDate(dst []byte, days int64) []byte {
	y, m, d := DateOf(min(max(days, math.MinInt32), math.MaxInt32))
	switch {
	case y < 0:
		dst, y = append(dst, '-'), -y
	case y > 9999:
		dst = append(dst, '+')
	}
	for least := int64(1000); least > max(y, 1); least /= 10 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendInt(dst, y, 10)
	return append(dst, '-', byte('0'+m/10), byte('0'+m%10), '-', byte('0'+d/10), byte('0'+d%10))
}

// DateYear returns the year of a day since 1970-01-01.
func DateYear(days int64) int64 {
	y, _, _ := DateOf(days)
	return y
}

// Years are counted from March on, so that a leap day is the last day of one, and
// in eras of 400, which all have the same days (Hinnant, "chrono-Compatible
// Low-Level Date Algorithms", 2014).
const (
	eraYears = 400
	eraDays  = 146097
	// marchDays are the days from 0000-03-01, where an era begins, to 1970-01-01.
	marchDays = 719468
)

// DayOf returns the day since 1970-01-01 of a date.
func DayOf(year, month, day int64) int64 {
	if month <= 2 {
		year--
	}
	era := floorDiv(year, eraYears)
	y := year - era*eraYears
	inYear := (153*((month+9)%12)+2)/5 + day - 1
	return era*eraDays + y*365 + y/4 - y/100 + inYear - marchDays
}

// DateOf returns the year, month and day of a day since 1970-01-01; DayOf is its
// inverse.
func DateOf(days int64) (year, month, day int64) {
	days += marchDays
	era := floorDiv(days, eraDays)
	inEra := days - era*eraDays
	y := (inEra - inEra/1460 + inEra/36524 - inEra/146096) / 365
	inYear := inEra - (365*y + y/4 - y/100)
	m := (5*inYear + 2) / 153 // from March
	year, month, day = era*eraYears+y, (m+2)%12+1, inYear-(153*m+2)/5+1
	if month <= 2 {
		year++
	}
	return year, month, day
}

func floorDiv(a, b int64) int64 {
	if a < 0 {
		a -= b - 1
	}
	return a / b
}
