package expr

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions of timestamps in forms of people's own. A form is text with specifiers
// such as %Y in it, as DuckDB has them.
const (
	OpStrftime    Op = "strftime"
	OpStrptime    Op = "strptime"
	OpTryStrptime Op = "try_strptime"
)

var formatFunctions = []function{
	{
		op: OpStrftime, takes: "a timestamp and a form", types: []signature{sig(columnar.Text, columnar.Timestamp, columnar.Text)},
		cost: costText * 10, check: shortPattern, build: buildStrftime,
		help: "the timestamp in a form such as '%d.%m.%Y %H:%M'", example: Call(OpStrftime, Timestamp(0), Str("%a, %-d %b %Y")),
	},
	{
		op: OpStrptime, takes: "a text and a form", types: []signature{sig(columnar.Timestamp, columnar.Text, columnar.Text)},
		cost: costText * 10, canFail: true, check: shortPattern, build: buildStrptime(false),
		help: "the timestamp that a text of a form says; an error where it says none", example: Call(OpStrptime, Str("31.1.2020 7:08"), Str("%d.%m.%Y %H:%M")),
	},
	{
		op: OpTryStrptime, takes: "a text and a form", types: []signature{sig(columnar.Timestamp, columnar.Text, columnar.Text)},
		cost: costText * 10, check: shortPattern, build: buildStrptime(true),
		help: "the timestamp that a text of a form says; null where it says none", example: Call(OpTryStrptime, Str("31/02/2020"), Str("%d/%m/%Y")),
	},
}

func buildStrftime(b *build) (kernel, error) {
	f, err := b.form(1)
	if err != nil {
		return nil, err
	}
	b.keep(0)
	return func(out *result, args []*columnar.Vector) error {
		v, a := &out.vec, args[0]
		for i := range v.Len {
			if !a.IsNull(i) {
				v.Data = f.append(v.Data, a.Ints[i])
			}
			if err := out.fits(0); err != nil {
				return err
			}
			v.Offsets[i+1] = int32(len(v.Data))
		}
		return nil
	}, nil
}

func buildStrptime(try bool) func(*build) (kernel, error) {
	return func(b *build) (kernel, error) {
		f, err := b.form(1)
		if err == nil {
			err = f.checkReadable()
		}
		if err != nil {
			return nil, err
		}
		e := b.expr
		b.keep(0)
		return func(out *result, args []*columnar.Vector) error {
			a := args[0]
			valid := out.validity()
			for i := range valid {
				if valid[i] = !a.IsNull(i); !valid[i] {
					continue
				}
				if out.vec.Ints[i], valid[i] = f.read(a.Bytes(i)); !valid[i] && !try {
					return fmt.Errorf("evaluate %s: the text %q has not the form %s: %w", e.brief(), brief(a.Bytes(i)), f, ErrCast)
				}
			}
			return nil
		}, nil
	}
}

// form is how a timestamp is written: texts, and specifiers between them.
type form []formPart

type formPart struct {
	text string // if it is no specifier
	spec byte
	bare bool // without zeros before the number
}

func (b *build) form(i int) (form, error) {
	text, err := b.pattern(i)
	if err != nil {
		return nil, err
	}
	f, err := parseForm(text)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", b.expr.brief(), err)
	}
	return f, nil
}

// CheckForm returns an error if a text is no form for strftime, or for strptime.
func CheckForm(text string, read bool) error {
	f, err := parseForm(text)
	if err == nil && read {
		err = f.checkReadable()
	}
	return err
}

// The specifiers that stand for a number, with how many digits it has.
var formDigits = map[byte]int{
	'Y': 4, 'm': 2, 'd': 2, 'H': 2, 'I': 2, 'M': 2, 'S': 2, 'y': 2, 'j': 3, 'f': 6, 'g': 3,
	'u': 1, 'w': 1, 'U': 2, 'W': 2, 'V': 2, 'G': 4,
}

func parseForm(text string) (form, error) {
	var f form
	for rest := text; rest != ""; {
		before, behind, found := strings.Cut(rest, "%")
		if before != "" {
			f = append(f, formPart{text: before})
		}
		if !found {
			break
		}
		part := formPart{}
		behind, part.bare = strings.CutPrefix(behind, "-")
		if behind == "" {
			return nil, fmt.Errorf("the form %q ends in %%", text)
		}
		part.spec, rest = behind[0], behind[1:]
		long, isLong := map[byte]string{'c': "%Y-%m-%d %H:%M:%S", 'x': "%Y-%m-%d", 'X': "%H:%M:%S"}[part.spec]
		switch {
		case part.spec == '%' && !part.bare:
			f = append(f, formPart{text: "%"})
		case isLong && !part.bare:
			rest = long + rest
		case formDigits[part.spec] > 0, strings.IndexByte("aAbBp", part.spec) >= 0 && !part.bare:
			f = append(f, part)
		default:
			return nil, fmt.Errorf("the form %q has the specifier %%%c, which there is not; there are %s", text, part.spec, formSpecifiers)
		}
	}
	return f, nil
}

const formSpecifiers = "%Y %m %d %H %M %S %f %g %y %j %I %p %a %A %b %B %u %w %U %W %V %G %c %x %X %%, and with - as in %-d those of numbers without zeros before them"

// String returns the form as it was written, but for %c, %x and %X.
func (f form) String() string {
	text := ""
	for _, p := range f {
		switch {
		case p.text == "%":
			text += "%%"
		case p.text != "":
			text += p.text
		case p.bare:
			text += "%-" + string(p.spec)
		default:
			text += "%" + string(p.spec)
		}
	}
	return strconv.Quote(text)
}

// append writes a timestamp.
func (f form) append(dst []byte, micros int64) []byte {
	days, clock := number.DayAndClock(micros)
	year, month, day := number.DateOf(days)
	weekday := (isoDay(days) + 1) % 7
	for _, p := range f {
		var n int64
		switch p.spec {
		case 0:
			dst = append(dst, p.text...)
			continue
		case 'a':
			dst = append(dst, time.Weekday(weekday).String()[:3]...)
			continue
		case 'A':
			dst = append(dst, time.Weekday(weekday).String()...)
			continue
		case 'b':
			dst = append(dst, time.Month(month).String()[:3]...)
			continue
		case 'B':
			dst = append(dst, time.Month(month).String()...)
			continue
		case 'p':
			dst = append(dst, "AMPM"[clock/(12*number.Hour)*2:][:2]...)
			continue
		case 'Y':
			n = year
		case 'm':
			n = month
		case 'd':
			n = day
		case 'y':
			n = year % 100
		case 'j':
			n = partOf("doy")(days)
		case 'w':
			n = weekday
		case 'u':
			n = isoDay(days) + 1
		case 'U': // weeks begin on Sunday, the first on the first one
			n = (partOf("doy")(days) + 6 - weekday) / 7
		case 'W': // and here on Monday
			n = (partOf("doy")(days) + 6 - isoDay(days)) / 7
		case 'V':
			_, n = isoWeek(days)
		case 'G':
			n, _ = isoWeek(days)
		default:
			n = clockPart(p.spec, clock)
		}
		dst = appendDigits(dst, n, formDigits[p.spec], p.bare)
	}
	return dst
}

// clockPart is what a specifier says of a time of day.
func clockPart(spec byte, clock int64) int64 {
	switch spec {
	case 'H':
		return clock / number.Hour
	case 'I':
		return (clock/number.Hour+11)%12 + 1
	case 'M':
		return clock % number.Hour / number.Minute
	case 'S':
		return clock % number.Minute / number.Second
	case 'g':
		return clock % number.Second / 1000
	}
	return clock % number.Second
}

// appendDigits writes a number with zeros before it up to so many digits.
func appendDigits(dst []byte, n int64, digits int, bare bool) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	if !bare {
		least := int64(1)
		for range digits - 1 {
			least *= 10
		}
		for ; least > max(n, 1); least /= 10 {
			dst = append(dst, '0')
		}
	}
	return strconv.AppendInt(dst, n, 10)
}

// checkReadable returns an error if what the form says cannot be read back: a week
// alone, or something twice.
func (f form) checkReadable() error {
	seen := make(map[byte]bool)
	for _, p := range f {
		switch {
		case p.spec == 0:
		case bytes.IndexByte([]byte("uwUWVGj"), p.spec) >= 0:
			return fmt.Errorf("%%%c cannot be read by strptime; there are %%Y %%y %%m %%b %%B %%d %%a %%A %%H %%I %%p %%M %%S %%f %%g", p.spec)
		case seen[p.spec]:
			return fmt.Errorf("%%%c stands twice in a form", p.spec)
		}
		seen[p.spec] = true
	}
	return nil
}

// moment is what a text has said so far of a timestamp.
type moment struct{ year, month, day, hour, minute, second, fraction, half int64 }

// read reads a timestamp, which may have space around it. What is not said is that of
// 1900-01-01 00:00:00.
func (f form) read(text []byte) (micros int64, ok bool) {
	m := moment{year: 1900, month: 1, day: 1, half: -1}
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

// take reads a part of a form, and returns what is behind it.
func (m *moment) take(p formPart, text []byte) (rest []byte, ok bool) {
	switch p.spec {
	case 0:
		rest, ok = bytes.CutPrefix(text, []byte(p.text))
		if p.text[len(p.text)-1] == ' ' {
			rest = bytes.TrimLeft(rest, " ")
		}
		return rest, ok
	case 'a', 'A':
		_, rest = takeName(text, 7, p.spec == 'a', func(n int) string { return time.Weekday(n).String() })
		return rest, rest != nil
	case 'b', 'B':
		m.month, rest = takeName(text, 12, p.spec == 'b', func(n int) string { return time.Month(n + 1).String() })
		m.month++
		return rest, rest != nil
	case 'p':
		m.half, rest = takeName(text, 2, false, func(n int) string { return []string{"AM", "PM"}[n] })
		return rest, rest != nil
	}
	n, digits := int64(0), 0
	for most := formDigits[p.spec]; digits < min(len(text), most) && text[digits]-'0' <= 9; digits++ {
		n = n*10 + int64(text[digits]-'0')
	}
	if digits == 0 {
		return nil, false
	}
	switch p.spec {
	case 'Y':
		m.year = n
	case 'y':
		if m.year = 1900 + n; n < 69 {
			m.year += 100
		}
	case 'm':
		m.month = n
	case 'd':
		m.day = n
	case 'H', 'I':
		m.hour = n
	case 'M':
		m.minute = n
	case 'S':
		m.second = n
	case 'f', 'g':
		for unit := digits; unit < 6; unit++ {
			n *= 10
		}
		m.fraction = n
	}
	return text[digits:], true
}

// takeName reads one of so many names, or the first three letters of one, whatever
// their case. rest is nil if none stands there.
func takeName(text []byte, count int, short bool, name func(int) string) (n int64, rest []byte) {
	for i := range count {
		want := name(i)
		if short {
			want = want[:3]
		}
		if len(text) >= len(want) && bytes.EqualFold(text[:len(want)], []byte(want)) {
			return int64(i), text[len(want):len(text):len(text)]
		}
	}
	return 0, nil
}

func (m *moment) micros() (micros int64, ok bool) {
	if m.half >= 0 {
		if m.hour < 1 || m.hour > 12 {
			return 0, false
		}
		m.hour = m.hour%12 + 12*m.half
	}
	days, ok := number.CalendarDay(m.year, m.month, m.day)
	if !ok || !isDay(days) || m.hour > 23 || m.minute > 59 || m.second > 59 {
		return 0, false
	}
	return days*number.Day + m.hour*number.Hour + m.minute*number.Minute + m.second*number.Second + m.fraction, true
}
