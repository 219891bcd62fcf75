package expr

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions that format and parse timestamps by a form that the statement gives. A form
// is text with DuckDB's specifiers, such as %Y, in it.
const (
	OpStrftime    Op = "strftime"
	OpStrptime    Op = "strptime"
	OpTryStrptime Op = "try_strptime"
)

func init() { functions.Add(formatFunctions) }

func formatFunctions() []function {
	return []function{
		{
			op: OpStrftime, takes: "a timestamp and a form", types: only(columnar.Text, columnar.Timestamp, columnar.Text),
			cost: costText * 10, pattern: 1, check: shortPattern, build: buildStrftime,
		},
		{
			op: OpStrptime, takes: "a text and a form", types: only(columnar.Timestamp, columnar.Text, columnar.Text),
			cost: costText * 10, canFail: true, check: shortPattern, build: buildStrptime(false),
		},
		{
			op: OpTryStrptime, takes: "a text and a form", types: only(columnar.Timestamp, columnar.Text, columnar.Text),
			cost: costText * 10, check: shortPattern, build: buildStrptime(true),
		},
	}
}

func buildStrftime(b *build) (kernel, error) {
	forms, err := patternsOf(b, 1, parseForm)
	if err != nil {
		return nil, err
	}
	b.dropLiterals()
	return forms.kernel(func(f form, out *result, args []*columnar.Vector, i int) error {
		out.Data = f.append(out.Data, args[0].Ints[i])
		return out.fits(0)
	}), nil
}

// buildStrptime builds a kernel that reads texts. What cannot be read, or is to be read by a form of its row
// that is none, is null if try is set, and an error otherwise.
func buildStrptime(try bool) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		forms, err := patternsOf(b, 1, func(text string) (*form, int, error) {
			f, size, err := readableForm(text)
			if err != nil && try {
				return nil, 0, nil
			}
			return &f, size, err
		})
		if err != nil {
			return nil, err
		}
		b.dropLiterals()
		return forms.kernel(func(f *form, out *result, args []*columnar.Vector, i int) error {
			text, ok := args[0].Bytes(i), f != nil
			if ok {
				out.Ints[i], ok = f.read(text)
			}
			switch {
			case ok:
			case try:
				out.setNull(i)
			default:
				return fmt.Errorf("the text %q has not the form %q: %w", columnar.Excerpt(string(text), 60), forms.last, ErrCast)
			}
			return nil
		}), nil
	}
}

// form is a parsed form: literal texts and specifiers.
type form []formPart

type formPart struct {
	*specifier        // nil for a text
	text       string // the text, or the letter of the specifier
	bare       bool   // without leading zeros
}

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

// CheckForm returns an error if a text is not a form for strftime or, if read is set, for
// strptime.
func CheckForm(text string, read bool) error {
	parse := parseForm
	if read {
		parse = readableForm
	}
	_, _, err := parse(text)
	return err
}

// readableForm parses a form for strptime.
func readableForm(text string) (f form, size int, err error) {
	if f, size, err = parseForm(text); err == nil {
		err = f.checkReadable()
	}
	return f, size, err
}

// IsZoned reports whether a form for strptime says where the distance from UTC stands.
func IsZoned(text string) bool {
	f, _, _ := parseForm(text)
	return slices.ContainsFunc(f, func(p formPart) bool { return p.specifier != nil && p.zone })
}

// TimeForm writes timestamps as strftime does.
type TimeForm struct{ form form }

// NewTimeForm returns the form that a text describes.
func NewTimeForm(text string) (TimeForm, error) {
	f, _, err := parseForm(text)
	return TimeForm{f}, err
}

// Append appends a timestamp, in microseconds since 1970-01-01.
func (t TimeForm) Append(dst []byte, micros int64) []byte { return t.form.append(dst, micros) }

// parseForm parses a form. It also returns about how many bytes that holds.
func parseForm(text string) (f form, size int, err error) {
	for rest := text; rest != ""; {
		before, behind, found := strings.Cut(rest, "%")
		if before != "" {
			f = append(f, formPart{text: before})
		}
		if !found {
			break
		}
		behind, bare := strings.CutPrefix(behind, "-")
		if behind == "" {
			return nil, 0, fmt.Errorf("the form %q ends in %%", text)
		}
		letter := behind[0]
		rest = behind[1:]
		spec := specifiers[letter]
		long, isLong := map[byte]string{'c': "%Y-%m-%d %H:%M:%S", 'x': "%Y-%m-%d", 'X': "%H:%M:%S"}[letter]
		switch {
		case letter == '%' && !bare:
			f = append(f, formPart{text: "%"})
		case isLong && !bare:
			rest = long + rest
		case spec != nil && (!bare || spec.digits > 0):
			f = append(f, formPart{specifier: spec, text: string(letter), bare: bare})
		default:
			return nil, 0, fmt.Errorf("the form %q has the specifier %%%c, which there is not; there are %s", text, letter, formSpecifiers)
		}
	}
	return f, len(f) * int(unsafe.Sizeof(formPart{})), nil
}

const formSpecifiers = "%Y %m %d %H %M %S %f %g %n %y %j %I %p %a %A %b %B %u %w %U %W %V %G %z %Z %c %x %X %%, and with - as in %-d those of numbers without zeros before them"

// append writes a timestamp.
func (f form) append(dst []byte, micros int64) []byte {
	if !number.IsFiniteTime(micros) {
		return number.AppendTimestamp(dst, micros)
	}
	t := instant{}
	t.days, t.clock = number.DayAndClock(micros)
	t.year, t.month, t.day = number.DateOf(t.days)
	for _, p := range f {
		switch {
		case p.specifier == nil:
			dst = append(dst, p.text...)
		case p.names != nil:
			dst = append(dst, p.names[p.of(t)]...)
		default:
			dst = appendDigits(dst, p.of(t), p.digits, p.bare)
		}
	}
	return dst
}

// appendDigits writes a number, padded with zeros to so many digits unless it is negative or bare is set.
func appendDigits(dst []byte, n int64, digits int, bare bool) []byte {
	if !bare && n >= 0 {
		for least := power(int64(digits - 1)); least > max(n, 1); least /= 10 {
			dst = append(dst, '0')
		}
	}
	return strconv.AppendInt(dst, n, 10)
}

// checkReadable returns an error if strptime cannot read the form: if a specifier cannot be
// read, such as the name of a zone, or occurs twice, or if a week of ISO 8601 has no year of these.
func (f form) checkReadable() error {
	seen := make(map[string]bool)
	for _, p := range f {
		switch {
		case p.specifier == nil:
			continue
		case p.set == nil:
			return fmt.Errorf("%%%s cannot be read by strptime; there are %%Y %%y %%m %%b %%B %%d %%j %%U %%W %%G %%V %%u %%w %%a %%A %%H %%I %%p %%M %%S %%f %%g %%n %%z", p.text)
		case seen[p.text]:
			return fmt.Errorf("%%%s stands twice in a form", p.text)
		}
		seen[p.text] = true
	}
	if seen["V"] != seen["G"] || seen["G"] && (seen["Y"] || seen["y"]) {
		return errors.New("%G and %V stand together, without %Y and %y: the year and the week of ISO 8601")
	}
	return nil
}

// read reads a timestamp, which may have spaces around it. Parts that the form lacks are
// those of 1900-01-01 00:00:00.
func (f form) read(text []byte) (micros int64, ok bool) {
	m := moment{year: 1900, month: 1, day: 1, dayOfYear: -1, week: -1, weekday: -1, half: -1}
	text = bytes.TrimLeft(text, " ")
	for _, p := range f {
		if text, ok = m.take(p, text); !ok {
			return 0, false
		}
	}
	if len(bytes.TrimRight(text, " ")) > 0 {
		return 0, false
	}
	return m.micros()
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
