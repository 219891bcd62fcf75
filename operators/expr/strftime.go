package expr

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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
