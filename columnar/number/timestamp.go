package number

import (
	"bytes"
	"encoding/binary"
)

// Lengths of time in microseconds.
const (
	Second = int64(1_000_000)
	Minute = 60 * Second
	Hour   = 60 * Minute
	Day    = 24 * Hour
)

// ParseTimestamp parses a date, optionally followed by a space or a T and a time of day
// (hours and minutes, optional seconds, optional fraction of at most six digits and zeros, behind a point or,
// as in ISO 8601, a comma), as microseconds since 1970-01-01. A timestamp has no time zone, so a text with a zone is
// not accepted.
func ParseTimestamp(cell []byte) (micros int64, ok bool) { return parseTimestamp(cell, cellPlaces) }

// cellPlaces is how many digits the fraction of a second has in a cell.
const cellPlaces = 6

// CastTimestamp is ParseTimestamp for casts: space around the text is ignored, further
// digits of the fraction are truncated, months and the like may have one digit, and Z, UTC or an
// offset from UTC may follow the time, which stays as it is written, as in other databases. It may be
// infinite, or in any year that a timestamp has.
func CastTimestamp(text []byte) (micros int64, ok bool) {
	text, _, _ = cutZone(bytes.Trim(text, " "))
	return castTimestamp(text)
}

func castTimestamp(text []byte) (micros int64, ok bool) {
	if micros, ok = parseTimestamp(text, len(text)); ok || isEpoch(text) {
		return micros, true
	}
	days, rest, ok := YearFirst.cutDate(text)
	switch {
	case !ok:
		return castFarTime(text)
	case len(rest) == 0:
		return days * Day, true
	case rest[0] != ' ' && rest[0] != 'T':
		return castFarTime(text)
	}
	if clock, ok := parseParts(rest[1:], 1, len(rest)); ok {
		return days*Day + clock, true
	}
	return castFarTime(text)
}

// CastDate is ParseDate for casts, which tolerate what CastTimestamp does, and a time behind the date.
func CastDate(text []byte) (days int64, ok bool) {
	if days, ok = ParseDate(text); ok {
		return days, true
	}
	if text = bytes.Trim(text, " "); isEpoch(text) {
		return 0, true
	}
	if bytes.IndexByte(text, ':') > 0 {
		micros, ok := CastTimestamp(text)
		if written, _, near := YearFirst.cutDate(text); near { // the day before where the clock shows 24:00
			return written, ok
		}
		days, _ = DayAndClock(micros)
		return days, ok
	}
	if bytes.IndexByte(text, '.') >= 0 {
		return 0, false
	}
	if days, ok = YearFirst.ParseDate(text); ok {
		return days, true
	}
	if far, rest, ok := castFar(text); ok && len(rest) == 0 {
		return far, true
	}
	var hyphens [len("2006-01-02")]byte
	for i, c := range text {
		if i >= len(hyphens) || c == '-' {
			return 0, false
		}
		if hyphens[i] = c; c == ' ' || c == '\\' {
			hyphens[i] = '-'
		}
	}
	return YearFirst.ParseDate(hyphens[:len(text)])
}

// isEpoch reports whether a text names the first moment of 1970.
func isEpoch(text []byte) bool { return bytes.EqualFold(text, []byte("epoch")) }

// ParseClock parses a time of day: hours, which may have one digit, minutes, optional seconds and an
// optional fraction of at most six digits, as microseconds since midnight. 24:00 is the last one. On the
// 12-hour clock it may be 3:04 PM.
func ParseClock(cell []byte) (micros int64, ok bool) {
	if n := len(cell); n > 0 && cell[n-1]|0x20 == 'm' {
		return parseHalfClock(cell)
	}
	return parseParts(cell, 2, cellPlaces)
}

// CastClock is ParseClock for casts, which tolerate what CastTimestamp does, parts of one digit, and a
// date before the time. A date alone is its midnight.
func CastClock(text []byte) (micros int64, ok bool) {
	text = bytes.Trim(text, " ")
	if micros, ok = CastTimestamp(text); ok && IsFiniteTime(micros) && !isEpoch(text) {
		_, micros = DayAndClock(micros)
		return micros, true
	}
	const date = "1970-01-01 " // before which no zone is looked for
	var dated [64]byte
	if len(text) > len(dated)-len(date) {
		return 0, false
	}
	zoned, _, _ := cutZone(dated[:copy(dated[:], date)+copy(dated[len(date):], text)])
	return parseParts(zoned[len(date):], 1, len(zoned))
}

// parseParts parses a time of day whose minutes and seconds have at least so many digits, and its
// fraction at most so many.
func parseParts(text []byte, digits, places int) (micros int64, ok bool) {
	var parts [3]int64
	for i := range parts {
		n := 0
		for ; n < min(len(text), 2) && text[n]-'0' <= 9; n++ {
			parts[i] = parts[i]*10 + int64(text[n]-'0')
		}
		text = text[n:]
		switch {
		case n == 0, i > 0 && n < digits:
			return 0, false
		case i > 0 && len(text) == 0, i == len(parts)-1:
		case len(text) == 0 || text[0] != ':':
			return 0, false
		default:
			text = text[1:]
			continue
		}
		break
	}
	micros = parts[0]*Hour + parts[1]*Minute + parts[2]*Second
	ok = micros <= Day && parts[1] < 60 && parts[2] < 60
	if len(text) == 0 || !ok {
		return micros, ok
	}
	fraction, ok := parseFraction(text, places)
	return micros + fraction, ok && micros+fraction <= Day
}

// CastInstant is CastTimestamp that returns the time of UTC; a text without a zone has it already.
func CastInstant(text []byte) (micros int64, ok bool) {
	text, offset, _ := cutZone(bytes.Trim(text, " "))
	micros, ok = castTimestamp(text)
	if !IsFiniteTime(micros) {
		offset = 0
	}
	return micros - offset, ok
}

// ParseInstant is ParseTimestamp for a time of day that a zone may follow, as ParseUTC takes them.
func ParseInstant(cell []byte) (micros int64, ok bool) {
	text, offset, _ := cutZone(cell)
	micros, ok = ParseTimestamp(text)
	return micros - offset, ok
}

// ParseUTC is ParseTimestamp, or ParseNamedTime, for a time of day that Z, UTC, GMT or an offset from UTC, such as
// +02:00, follows, and perhaps the year behind it. It returns the time of UTC.
func ParseUTC(cell []byte) (micros int64, ok bool) {
	var moved [longestMoment]byte
	text, offset, found := cutZone(cell)
	if !found {
		text, offset, found = cutZone(moveYear(moved[:0], cell))
	}
	if !found {
		return 0, false
	}
	if micros, ok = ParseTimestamp(text); !ok && hasClock(text) {
		micros, ok = ParseNamedTime(text)
	}
	return micros - offset, ok
}

// hasClock reports whether a text may end with a time of day: there are colons, or AM or PM behind one with points.
func hasClock(text []byte) bool {
	return bytes.IndexByte(text, ':') > 0 || len(text) > 0 && text[len(text)-1]|0x20 == 'm'
}

// cutZone removes a zone after a time of day, and returns what its clocks are ahead of UTC, in
// microseconds.
func cutZone(text []byte) (before []byte, offset int64, found bool) {
	if before, found = cutUTC(text); found {
		return before, 0, true
	}
	const shortest = len("2006-01-02 15:04")
	at := bytes.LastIndexAny(text, "+-")
	if at < shortest {
		return text, 0, false
	}
	digits := text[at+1:]
	minutes := digits[min(2, len(digits)):]
	if len(minutes) > 0 && minutes[0] == ':' {
		minutes = minutes[1:]
	}
	hour, minute, ok := int64(0), int64(0), len(digits) >= 2
	if ok {
		hour, ok = twoDigits(digits, 15)
	}
	if ok && len(digits) > 2 {
		if ok = len(minutes) == 2; ok {
			minute, ok = twoDigits(minutes, 60)
		}
	}
	if !ok {
		return text, 0, false
	}
	if offset = hour*Hour + minute*Minute; text[at] == '-' {
		offset = -offset
	}
	return bytes.TrimSuffix(text[:at], []byte(" ")), offset, true
}

// cutUTC removes a UTC zone after a time of day, and reports whether there was one.
func cutUTC(text []byte) (before []byte, found bool) {
	if len(text) > len("2006-01-02 15:04") {
		for _, zone := range []string{"Z", " UTC", " GMT", "+00:00", "+00", "-00:00", "-00"} {
			if before, found := bytes.CutSuffix(text, []byte(zone)); found {
				return bytes.TrimSuffix(before, []byte(" ")), true
			}
		}
	}
	return text, false
}

func parseTimestamp(text []byte, places int) (micros int64, ok bool) {
	const date = len("2006-01-02")
	if len(text) < date {
		return 0, false
	}
	days, ok := ParseDate(text[:date])
	switch {
	case !ok || len(text) == date:
		return days * Day, ok
	case text[date] != ' ' && text[date] != 'T':
		return 0, false
	}
	clock, ok := parseClock(text[date+1:], places)
	return days*Day + clock, ok
}

// parseClock parses a time of day: 15:04, 15:04:05 or 15:04:05.999999. The fraction has at
// most places digits; those beyond six are truncated.
func parseClock(text []byte, places int) (micros int64, ok bool) {
	const minutes, seconds = len("15:04"), len("15:04:05")
	if len(text) < seconds {
		if len(text) != minutes || text[2] != ':' {
			return 0, false
		}
		hour, ok1 := twoDigits(text, 24)
		minute, ok2 := twoDigits(text[3:], 60)
		return hour*Hour + minute*Minute, ok1 && ok2
	}
	clock := binary.LittleEndian.Uint64(text) ^ 0x3030_3A_3030_3A_3030 // 00:00:00
	// A byte over 9, or over 0 in place of a colon, gets its top bit set.
	wrong := (clock + 0x7676_7F_7676_7F_7676 | clock) & 0x8080808080808080
	clock = clock*10 + clock>>8 // each byte becomes the two-digit number that it forms with the next
	hour, minute, second := int64(clock&0xFF), int64(clock>>24&0xFF), int64(clock>>48&0xFF)
	micros = hour*Hour + minute*Minute + second*Second
	ok = wrong == 0 && hour < 24 && minute < 60 && second < 60
	if !ok || len(text) == seconds {
		return micros, ok
	}
	fraction, ok := parseFraction(text[seconds:], places)
	return micros + fraction, ok
}

// parseFraction parses a point and the fraction of a second behind it, of at most so many places, behind which only
// zeros may follow. Of cells, which have at most microseconds, the point may be a comma; casts are as in other databases.
func parseFraction(text []byte, places int) (micros int64, ok bool) {
	if text[0] != '.' && (text[0] != ',' || places > cellPlaces) || len(text) == 1 {
		return 0, false
	}
	unit := Second / 10
	for i, c := range text[1:] {
		if c-'0' > 9 || i >= places && c != '0' {
			return 0, false
		}
		micros += int64(c-'0') * unit
		unit /= 10
	}
	return micros, true
}

// twoDigits parses two digits; ok is false unless the number is less than limit.
func twoDigits(text []byte, limit int64) (n int64, ok bool) {
	tens, ones := text[0]-'0', text[1]-'0'
	n = int64(tens)*10 + int64(ones)
	return n, tens <= 9 && ones <= 9 && n < limit
}

// AppendTimestamp appends a timestamp in the form of ParseTimestamp, with a space. The
// fraction has no trailing zeros and is left out if it is zero.
func AppendTimestamp(dst []byte, micros int64) []byte {
	if !IsFiniteTime(micros) {
		return appendInfinity(dst, micros)
	}
	days, clock := DayAndClock(micros)
	return AppendClock(append(AppendDate(dst, days), ' '), clock)
}

// AppendClock appends a time of day, in microseconds since midnight, as AppendTimestamp does.
func AppendClock(dst []byte, clock int64) []byte {
	dst = append(appendTwo(dst, clock/Hour), ':')
	dst = append(appendTwo(dst, clock%Hour/Minute), ':')
	dst = appendTwo(dst, clock%Minute/Second)
	fraction := clock % Second
	if fraction == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := Second / 10; fraction > 0; unit /= 10 {
		dst = append(dst, byte('0'+fraction/unit))
		fraction %= unit
	}
	return dst
}

func appendTwo(dst []byte, n int64) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }

// DayAndClock splits a timestamp into the day since 1970-01-01 and the microseconds
// since its midnight. An infinite one is on an infinite day.
func DayAndClock(micros int64) (days, clock int64) {
	if !IsFiniteTime(micros) {
		return max(min(micros, InfiniteDay), -InfiniteDay), 0
	}
	days, clock = micros/Day, micros%Day
	if clock < 0 {
		days, clock = days-1, clock+Day
	}
	return days, clock
}

// mostDays is how far from 1970 the days of timestamps are at most.
const mostDays = int64(1 << 63 / uint64(Day))

// TimestampOf returns the midnight at which a day begins. Days out of range are clamped to
// the first or last one that a timestamp can represent, and infinite ones stay infinite.
func TimestampOf(days int64) int64 {
	switch days {
	case InfiniteDay:
		return InfiniteTime
	case -InfiniteDay:
		return -InfiniteTime
	}
	return min(max(days, -mostDays), mostDays) * Day
}

// TimestampAt returns the timestamp at a time of a day of the calendar; ok is false if there is none.
func TimestampAt(days, clock int64) (micros int64, ok bool) {
	if days < -mostDays || days > mostDays {
		return 0, false
	}
	micros = days*Day + clock
	return micros, micros >= days*Day && IsFiniteTime(micros)
}
