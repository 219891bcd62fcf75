package number

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Year returns the first run of exactly four ASCII digits in a date of any form: 1980 in
// "1980*", 2008 in "Oct 21, 2008", 1999 in "12345 1999". ok is false if there is none, as
// in "197?".
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

// IsDate reports whether cell has the form of an ISO 8601 calendar date: four, two and two
// ASCII digits with hyphens between. It does not check the month and day.
func IsDate(cell []byte) bool {
	_, _, ok := dateDigits(cell)
	return ok
}

// ParseDate parses a date of the form of IsDate as days since 1970-01-01 in the proleptic
// Gregorian calendar, in which the year 0 is the one before 1. ok is false if the calendar
// has no such day.
func ParseDate(cell []byte) (days int64, ok bool) {
	front, back, ok := dateDigits(cell)
	year, month, day := joinDigits(front, back)
	if !ok || !isDay(year, month, day) {
		return 0, false
	}
	return DayOf(year, month, day), true
}

// IsDay reports whether ParseDate accepts cell.
func IsDay(cell []byte) bool {
	front, back, ok := dateDigits(cell)
	year, month, day := joinDigits(front, back)
	return ok && isDay(year, month, day)
}

// dateDigits returns the digits of a date, one per byte, the first in the lowest byte: the
// year and month in front, with a zero for each hyphen, and the day in back.
func dateDigits(cell []byte) (front, back uint64, ok bool) {
	if len(cell) != len("2006-01-02") {
		return 0, 0, false
	}
	return digitsOfDate(binary.LittleEndian.Uint64(cell), uint64(binary.LittleEndian.Uint16(cell[8:])))
}

// digitsOfDate is dateDigits, given the first eight bytes and the last two.
func digitsOfDate(front, back uint64) (_, _ uint64, ok bool) {
	front ^= 0x2D_3030_2D_30303030 // 0000-00-
	back ^= 0x3030
	// A byte over 9, or over 0 in place of a hyphen, gets its top bit set.
	wrong := (front + 0x7F_7676_7F_76767676 | front) & 0x8080808080808080
	return front, back, wrong|(back+0x7676|back)&0x8080 == 0
}

// joinDigits combines the digits of a date into numbers: each byte becomes the two-digit
// number that it forms with the next byte.
func joinDigits(front, back uint64) (year, month, day int64) {
	front = front*10 + front>>8
	return int64(front&0xFF*100 + front>>16&0xFF), int64(front >> 40 & 0xFF), int64(back&0xFF*10 + back>>8)
}

// CalendarDay is DayOf with checks: ok is false if the calendar has no such day, or if the
// year is not in 0 to 9999.
func CalendarDay(year, month, day int64) (days int64, ok bool) {
	if uint64(year) > 9999 || !isDay(year, month, day) {
		return 0, false
	}
	return DayOf(year, month, day), true
}

// AnyDay is CalendarDay for any year that a date may have.
func AnyDay(year, month, day int64) (days int64, ok bool) {
	const most = 6_000_000
	if year < -most || year > most || !isDay(year, month, day) {
		return 0, false
	}
	days = DayOf(year, month, day)
	return days, IsFiniteDay(days)
}

// InfiniteDay is the day behind all days, and -InfiniteDay the one before all of them. InfiniteTime and
// -InfiniteTime are such timestamps.
const (
	InfiniteDay  = int64(math.MaxInt32)
	InfiniteTime = int64(math.MaxInt64)
)

// IsFiniteDay reports whether a day is one of the calendar.
func IsFiniteDay(days int64) bool { return days > -InfiniteDay && days < InfiniteDay }

// IsFiniteTime reports whether a timestamp is one of the calendar.
func IsFiniteTime(micros int64) bool { return micros > -InfiniteTime && micros < InfiniteTime }

// isDay reports whether the calendar has a day.
func isDay(year, month, day int64) bool {
	if uint64(month-1) >= uint64(len(monthDays)) {
		return false
	}
	return uint64(day-1) < uint64(monthDays[month-1]) || day == 29 && month == 2 && isLeap(year)
}

// monthDays is the number of days in each month of a year that is not a leap year.
var monthDays = [...]uint8{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func isLeap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// AppendDate appends the date of a day since 1970-01-01 in the form of ISO 8601. The year before the
// year 1 is 0001 (BC). What lies beyond all days is infinity or -infinity.
func AppendDate(dst []byte, days int64) []byte {
	if !IsFiniteDay(days) {
		return appendInfinity(dst, days)
	}
	y, m, d := DateOf(days)
	before := y < 1
	if before {
		y = 1 - y
	}
	for least := int64(1000); least > y; least /= 10 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendInt(dst, y, 10)
	dst = append(dst, '-', byte('0'+m/10), byte('0'+m%10), '-', byte('0'+d/10), byte('0'+d%10))
	if before {
		dst = append(dst, beforeChrist...)
	}
	return dst
}

// beforeChrist stands behind a date before the year 1.
const beforeChrist = " (BC)"

func appendInfinity(dst []byte, n int64) []byte {
	if n < 0 {
		dst = append(dst, '-')
	}
	return append(dst, infinity...)
}

// MostMonths is how far frames of windows reach at most: from any of the years 0 to 9999 to any other.
const MostMonths = 12 * 10_000

// AddMonths adds months to a day since 1970-01-01. It keeps the day of the month, or takes
// the last day if the month is shorter. So many months that they leave the years of all dates
// from any of them are clamped to that. Infinite days stay.
func AddMonths(days, months int64) int64 {
	const most = 12 * 12_000_000
	if !IsFiniteDay(days) {
		return days
	}
	year, month, day := DateOf(days)
	months = year*12 + month - 1 + min(max(months, -most), most)
	month = months % 12
	if month < 0 {
		month += 12
	}
	year = (months - month) / 12
	first := DayOf(year, month+1, 1)
	length := int64(monthDays[month])
	if month == 1 && isLeap(year) {
		length++
	}
	return first + min(day, length) - 1
}

// DateYear returns the year of a day since 1970-01-01.
func DateYear(days int64) int64 {
	y, _, _ := DateOf(days)
	return y
}

// Years begin in March, so that a leap day is the last day of its year. They are counted
// in eras of 400, which all have the same number of days (Hinnant, "chrono-Compatible
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
		year, month = year-1, month+12
	}
	// Shifted by so many eras, no year whose days fit in 64 bits is negative.
	const eras = 1 << 46
	y := uint64(year + eras*eraYears)
	before := (979*month - 2919) >> 5 // days since March began: 0, 31, 61, 92 …
	return int64(y*365+y/4-y/100+y/100/4-eras*eraDays) + before + day - 1 - marchDays
}

// DateOf returns the year, month and day of a day since 1970-01-01; DayOf is its
// inverse. The divisions are those of Neri and Schneider, "Euclidean Affine Functions and
// Applications to Calendar Algorithms", arXiv:2102.06959.
func DateOf(days int64) (year, month, day int64) {
	// Shifted by so many eras, no day is negative.
	const eras = 1 << 46
	n := uint64(days) + marchDays + eras*eraDays
	era := n / eraDays
	inEra := 4*uint32(n-era*eraDays) + 3
	century := inEra / eraDays
	product := 2939745 * uint64(inEra%eraDays|3)
	inCentury, inYear := uint32(product>>32), uint32(product)/2939745/4
	m := 2141*inYear + 197913
	year, month, day = (int64(era)-eras)*eraYears+int64(100*century+inCentury), int64(m>>16), int64(m&(1<<16-1)/2141)+1
	if inYear >= 306 { // from January on
		year, month = year+1, month-12
	}
	return year, month, day
}
