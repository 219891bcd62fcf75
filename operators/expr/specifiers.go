package expr

import (
	"bytes"
	"time"

	"analyzer/columnar/number"
)

// specifier is what a letter after a % stands for: a number, or one of some names.
type specifier struct {
	digits int  // the most digits of a number
	parts  bool // the number is the fraction of a second
	names  []string
	zone   bool                  // it is the distance from UTC, such as +01:30; what is written is in UTC
	of     func(t instant) int64 // the number, or the index of the name
	// set stores a value that was read; nil if the specifier cannot be read.
	set func(m *moment, n int64)
}

// instant is a timestamp split into its parts.
type instant struct{ days, clock, year, month, day int64 }

func (t instant) dayOfYear() int64 { return t.days - number.DayOf(t.year, 1, 1) + 1 }
func (t instant) weekday() int64   { return (isoDay(t.days) + 1) % 7 }

// moment holds the parts of a timestamp that were read so far.
type moment struct {
	year, month, day, dayOfYear, hour, minute, second, fraction, half, offset int64
	dated                                                                     bool  // the month or the day was read: they count, and not the day of the year or the week
	week, weekday                                                             int64 // -1 unless they were read; days are counted from Sunday
	weeks                                                                     *weekCount
}

// take reads a part of a form from the beginning of a text, and returns the rest.
func (m *moment) take(p formPart, text []byte) (rest []byte, ok bool) {
	if p.specifier == nil {
		rest, ok = bytes.CutPrefix(text, []byte(p.text))
		if p.text[len(p.text)-1] == ' ' {
			rest = bytes.TrimLeft(rest, " ")
		}
		return rest, ok
	}
	if p.zone {
		n, rest, ok := takeZone(text)
		p.set(m, n)
		return rest, ok
	}
	for i, name := range p.names { // in any case
		if len(text) >= len(name) && bytes.EqualFold(text[:len(name)], []byte(name)) {
			p.set(m, int64(i))
			return text[len(name):], true
		}
	}
	n, digits := int64(0), 0
	for ; digits < min(len(text), p.digits) && text[digits]-'0' <= 9; digits++ {
		if digits < 6 || !p.parts { // timestamps have microseconds
			n = n*10 + int64(text[digits]-'0')
		}
	}
	if digits == 0 {
		return nil, false
	}
	if p.parts { // scale to microseconds
		n *= power(int64(6 - min(digits, 6)))
	}
	p.set(m, n)
	return text[digits:], true
}

// date is the day that was read.
func (m *moment) date() (days int64, ok bool) {
	switch {
	case m.dated:
		return number.CalendarDay(m.year, m.month, m.day)
	case m.dayOfYear >= 0:
		return number.DayOf(m.year, 1, m.dayOfYear), m.dayOfYear >= 1 && m.dayOfYear <= 366
	case m.weeks != nil:
		return m.weeks.day(m.year, m.week, m.weekday)
	}
	return number.CalendarDay(m.year, 1, 1)
}

func (m *moment) micros() (micros int64, ok bool) {
	if m.half >= 0 {
		if m.hour < 1 || m.hour > 12 {
			return 0, false
		}
		m.hour = m.hour%12 + 12*m.half
	}
	days, ok := m.date()
	if !ok || m.weekday > 6 || m.hour > 23 || m.minute > 59 || m.second > 59 {
		return 0, false
	}
	micros = days*number.Day + m.hour*number.Hour + m.minute*number.Minute + m.second*number.Second + m.fraction - m.offset*number.Minute
	return micros, isTime(micros)
}

// weekCount is a way to count weeks: from which day in January on the first one is looked for, and
// whether that is the first Monday or Sunday from there on.
type weekCount struct{ from, sunday, least int64 }

var (
	sundayWeeks = &weekCount{from: 1, sunday: 1}
	mondayWeeks = &weekCount{from: 1}
	isoWeeks    = &weekCount{from: -2, least: 1} // the week of 4 January: its Monday is 29 December or later
)

// day is the day of a week, which begins the week if no weekday is given.
func (c *weekCount) day(year, week, weekday int64) (days int64, ok bool) {
	from := number.DayOf(year, 1, c.from)
	first := from + (7-isoDay(from+c.sunday))%7
	behind := int64(0)
	if weekday >= 0 {
		behind = (weekday + 6 + c.sunday) % 7
	}
	return first + (week-1)*7 + behind, week >= c.least && week <= 53
}

// setWeek returns what stores a week that is counted in a way.
func setWeek(c *weekCount) func(*moment, int64) {
	return func(m *moment, n int64) { m.week, m.weeks = n, c }
}

func setMonth(m *moment, n int64)   { m.month, m.dated = n, true }
func setWeekday(m *moment, n int64) { m.weekday = n }

var specifiers = map[byte]*specifier{
	'Y': {digits: 4, of: func(t instant) int64 { return t.year }, set: func(m *moment, n int64) { m.year = n }},
	'y': {digits: 2, of: func(t instant) int64 { return max(t.year, -t.year) % 100 }, set: func(m *moment, n int64) {
		if m.year = 1900 + n; n < 69 {
			m.year += 100
		}
	}},
	'm': {digits: 2, of: func(t instant) int64 { return t.month }, set: setMonth},
	'd': {digits: 2, of: func(t instant) int64 { return t.day }, set: func(m *moment, n int64) { m.day, m.dated = n, true }},
	'H': {digits: 2, of: func(t instant) int64 { return t.clock / number.Hour }, set: func(m *moment, n int64) { m.hour = n }},
	'I': {digits: 2, of: func(t instant) int64 { return (t.clock/number.Hour+11)%12 + 1 }, set: func(m *moment, n int64) { m.hour = n }},
	'M': {digits: 2, of: func(t instant) int64 { return t.clock % number.Hour / number.Minute }, set: func(m *moment, n int64) { m.minute = n }},
	'S': {digits: 2, of: func(t instant) int64 { return t.clock % number.Minute / number.Second }, set: func(m *moment, n int64) { m.second = n }},
	'f': {digits: 6, parts: true, of: func(t instant) int64 { return t.clock % number.Second }, set: func(m *moment, n int64) { m.fraction = n }},
	'g': {digits: 3, parts: true, of: func(t instant) int64 { return t.clock % number.Second / 1000 }, set: func(m *moment, n int64) { m.fraction = n }},

	'n': {digits: 9, parts: true, of: func(t instant) int64 { return t.clock % number.Second * 1000 }, set: func(m *moment, n int64) { m.fraction = n }},

	'j': {digits: 3, of: instant.dayOfYear, set: func(m *moment, n int64) { m.dayOfYear = n }},
	'u': {digits: 1, of: func(t instant) int64 { return isoDay(t.days) + 1 }, set: func(m *moment, n int64) {
		if m.weekday = n; n%7 == 0 { // 7 is Sunday, and 0 is none
			m.weekday = 7 - n
		}
	}},
	'w': {digits: 1, of: instant.weekday, set: setWeekday},
	// Week numbers: %U counts from the first Sunday of the year, %W from its first Monday, and
	// %V is that of ISO 8601.
	'U': {digits: 2, of: func(t instant) int64 { return (t.dayOfYear() + 6 - t.weekday()) / 7 }, set: setWeek(sundayWeeks)},
	'W': {digits: 2, of: func(t instant) int64 { return (t.dayOfYear() + 6 - isoDay(t.days)) / 7 }, set: setWeek(mondayWeeks)},
	'V': {digits: 2, of: func(t instant) int64 { _, week := isoWeek(t.days); return week }, set: setWeek(isoWeeks)},
	'G': {digits: 4, of: func(t instant) int64 { year, _ := isoWeek(t.days); return year }, set: func(m *moment, n int64) { m.year = n }},

	'a': {names: names(time.Sunday, time.Saturday, 3), of: instant.weekday, set: setWeekday},
	'A': {names: names(time.Sunday, time.Saturday, 0), of: instant.weekday, set: setWeekday},
	'b': {names: names(time.January, time.December, 3), of: func(t instant) int64 { return t.month - 1 }, set: func(m *moment, n int64) { setMonth(m, n+1) }},
	'B': {names: names(time.January, time.December, 0), of: func(t instant) int64 { return t.month - 1 }, set: func(m *moment, n int64) { setMonth(m, n+1) }},
	'z': {zone: true, names: []string{"+00"}, of: func(instant) int64 { return 0 }, set: func(m *moment, n int64) { m.offset = n }},
	'Z': {names: []string{""}, of: func(instant) int64 { return 0 }},
	'p': {names: []string{"AM", "PM"}, of: func(t instant) int64 { return t.clock / (12 * number.Hour) }, set: func(m *moment, n int64) { m.half = n }},
}

// names returns the names of days or months, cut to so many letters unless that is 0.
func names[T interface {
	~int
	String() string
}](first, last T, letters int) []string {
	var all []string
	for one := first; one <= last; one++ {
		name := one.String()
		if letters > 0 {
			name = name[:letters]
		}
		all = append(all, name)
	}
	return all
}

// takeZone reads a distance from UTC in minutes: +01, -0130, +01:30 or Z.
func takeZone(text []byte) (minutes int64, rest []byte, ok bool) {
	if rest, ok = bytes.CutPrefix(text, []byte("Z")); ok {
		return 0, rest, true
	}
	if len(text) < 3 || text[0] != '+' && text[0] != '-' {
		return 0, nil, false
	}
	hours, ok := twoDigits(text[1:])
	rest = text[3:]
	if more, found := twoDigits(bytes.TrimPrefix(rest, []byte(":"))); found {
		minutes = more
		rest = bytes.TrimPrefix(rest, []byte(":"))[2:]
	}
	if minutes += hours * 60; text[0] == '-' {
		minutes = -minutes
	}
	return minutes, rest, ok && hours < 24
}

func twoDigits(text []byte) (n int64, ok bool) {
	if len(text) < 2 || text[0]-'0' > 9 || text[1]-'0' > 9 {
		return 0, false
	}
	return int64(text[0]-'0')*10 + int64(text[1]-'0'), true
}
