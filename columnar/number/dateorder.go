package number

import "encoding/binary"

// DateOrder is the order of the parts of a date.
type DateOrder uint8

// The orders of dates: 2006-1-2, 1/2/2006 and 2.1.2006.
const (
	YearFirst DateOrder = iota
	MonthFirst
	DayFirst
)

// places gives the positions of year, month and day among the three parts of a date.
var places = [...]struct{ year, month, day int }{YearFirst: {0, 1, 2}, MonthFirst: {2, 0, 1}, DayFirst: {2, 1, 0}}

// ParseDate parses a date as days since 1970-01-01. The year has four digits, the month and
// the day have one or two, and two equal separators, hyphens, slashes or points, are between
// them; a space may follow these points, and a third one the date. YearFirst also accepts everything that the function ParseDate accepts.
func (o DateOrder) ParseDate(cell []byte) (days int64, ok bool) {
	days, rest, ok := o.cutDate(cell)
	return days, ok && len(rest) == 0
}

// ParseTimestamp parses a date, optionally followed by a space, perhaps behind a comma, or a T and a time of day, as
// microseconds since 1970-01-01. The hour may have one digit, and AM or PM may follow.
// YearFirst also accepts everything that the function ParseTimestamp accepts.
func (o DateOrder) ParseTimestamp(cell []byte) (micros int64, ok bool) {
	days, rest, ok := o.cutDate(cell)
	return withClock(days, rest, ok)
}

// ParseShort is ParseDate for dates whose years have two digits: 69 is 1969, and 68 is 2068.
func (o DateOrder) ParseShort(cell []byte) (days int64, ok bool) {
	days, rest, ok := o.cutParts(cell, 2)
	return days, ok && len(rest) == 0
}

// ParseShortTime is ParseTimestamp for dates whose years have two digits.
func (o DateOrder) ParseShortTime(cell []byte) (micros int64, ok bool) {
	days, rest, ok := o.cutParts(cell, 2)
	return withClock(days, rest, ok)
}

// withClock adds the time of day, if there is one, behind a date.
func withClock(days int64, rest []byte, ok bool) (micros int64, _ bool) {
	if !ok || len(rest) == 0 {
		return days * Day, ok
	}
	if len(rest) > 1 && rest[0] == ',' && rest[1] == ' ' { // 1/31/2024, 10:00:00 AM
		rest = rest[1:]
	}
	if rest[0] != ' ' && rest[0] != 'T' {
		return 0, false
	}
	var buffer [longestMoment]byte
	clock, ok := parseHalfClock(withColons(buffer[:0], rest[1:]))
	return days*Day + clock, ok
}

// withColons returns a time of day with colons, of which some write points: 03.15.00.123 PM. dst is memory for it.
func withColons(dst, clock []byte) []byte {
	const seconds = len("15.04.05")
	if len(clock) < seconds || len(clock) > longestMoment || clock[2] != '.' || clock[5] != '.' {
		return clock
	}
	dst = append(dst, clock...)
	dst[2], dst[5] = ':', ':'
	return dst
}

// fullYear returns the year that two digits stand for.
func fullYear(year int64) int64 {
	if year < 69 {
		return 2000 + year
	}
	return 1900 + year
}

// cutDate parses the date at the beginning of a text and returns the rest.
func (o DateOrder) cutDate(text []byte) (days int64, rest []byte, ok bool) {
	const padded = len("02/01/2006")
	if o != YearFirst && len(text) >= padded && text[2] == text[5] && isMark(text[2]) {
		if days, ok = o.paddedDate(text); ok {
			return days, text[padded:], true
		}
	}
	return o.cutParts(text, 4)
}

// cutParts is cutDate for years of the given number of digits.
func (o DateOrder) cutParts(text []byte, year int) (days int64, rest []byte, ok bool) {
	var values [3]int64
	var digits [3]int
	var mark byte
	for i := range values {
		if i > 0 {
			if len(text) == 0 || i == 2 && text[0] != mark {
				return 0, nil, false
			}
			if mark, text = text[0], text[1:]; mark == '.' && len(text) > 0 && text[0] == ' ' { // 31. 1. 2020
				text = text[1:]
			}
		}
		for digits[i] < 4 && digits[i] < len(text) && text[digits[i]]-'0' <= 9 {
			values[i] = values[i]*10 + int64(text[digits[i]]-'0')
			digits[i]++
		}
		text = text[digits[i]:]
	}
	at := places[o]
	if !isMark(mark) || digits[at.year] != year || digits[at.month] > 2 || digits[at.day] > 2 {
		return 0, nil, false
	}
	if year == 2 {
		values[at.year] = fullYear(values[at.year])
	}
	if mark == '.' && len(text) > 0 && text[0] == '.' { // 2020.01.31.
		text = text[1:]
	}
	days, ok = CalendarDay(values[at.year], values[at.month], values[at.day])
	return days, text, ok
}

func isMark(c byte) bool { return c == '-' || c == '/' || c == '.' }

// paddedDate parses the most common forms, 02/01/2006 or 01/02/2006, by rearranging the bytes
// to 2006-01-02. It does not check the separators.
func (o DateOrder) paddedDate(text []byte) (days int64, ok bool) {
	low, high := binary.LittleEndian.Uint64(text), uint64(binary.LittleEndian.Uint16(text[8:]))
	month, day := low&0xFFFF, low>>24&0xFFFF
	if o == DayFirst {
		month, day = day, month
	}
	front, back, ok := digitsOfDate(low>>48|high<<16|'-'<<32|month<<40|'-'<<56, day)
	if !ok {
		return 0, false
	}
	return CalendarDay(joinDigits(front, back))
}

// parseHalfClock is parseClock that also accepts hours of one digit and the 12-hour clock:
// 3:04, 3:04 PM, 12:30:00 am.
func parseHalfClock(text []byte) (micros int64, ok bool) {
	half := byte(0)
	if n := len(text); n > 2 && text[n-1]|0x20 == 'm' {
		if half = text[n-2] | 0x20; half != 'a' && half != 'p' {
			return 0, false
		}
		if text = text[:n-2]; text[len(text)-1] == ' ' {
			text = text[:len(text)-1]
		}
	}
	const longest = len("15:04:05.999999")
	var padded [longest]byte
	if len(text) > 1 && len(text) < longest && text[1] == ':' {
		padded[0] = '0'
		text = padded[:1+copy(padded[1:], text)]
	}
	micros, ok = parseClock(text, cellPlaces)
	if half == 0 || !ok {
		return micros, ok
	}
	switch hour := micros / Hour; {
	case hour == 0 || hour > 12:
		return 0, false
	case hour == 12:
		micros -= 12 * Hour
	}
	if half == 'p' {
		micros += 12 * Hour
	}
	return micros, true
}
