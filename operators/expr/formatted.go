package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// OpFormatted writes a value as a specification says, which is a literal: see ParseFormat.
const OpFormatted Op = "formatted"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpFormatted, takes: "an int, a float or a text and a specification",
			types: []registry.Signature{sig(columnar.Text, columnar.Int, columnar.Text), sig(columnar.Text, columnar.Float, columnar.Text), sig(columnar.Text, columnar.Text, columnar.Text)},
			cost:  costCase, canFail: true, check: shortPattern, build: buildFormatted,
		}}
	})
}

// Format says how a value is written.
type Format struct {
	fill      string // what fills a text up to the width
	align     byte   // < left, > right, ^ in the middle, or 0 for the usual side
	sign      byte   // + or a space before numbers that are not negative, or 0
	prefix    bool   // 0x and the like
	zeros     bool   // fill numbers with zeros behind their sign
	width     int
	separator string // of thousands
	precision int    // -1 if there is none
	verb      byte   // d, x, X, o, b, c of integers; f, e, g, a, their capitals and % of floats; s; 0 for the usual one
}

// mostWidth bounds the width and the precision of a format.
const mostWidth = 1000

// ParseFormat parses a specification as it stands in braces behind a colon: fill and align, sign,
// #, 0, width, the separator of thousands, precision and type.
func ParseFormat(text string) (Format, error) {
	f := Format{fill: " ", precision: -1}
	rest := f.cutFlags(f.cutAlign(text))
	f.width, rest = cutNumber(rest)
	rest = f.cutVerb(f.cutPlaces(rest))
	if rest != "" || f.verb == 's' && f.separator != "" || f.width > mostWidth || f.precision > mostWidth {
		return f, fmt.Errorf("there is no format %q", text)
	}
	return f, nil
}

// cutAlign takes over which side a value goes to and what fills the other one, from the beginning of a specification, and
// returns what comes behind. So do cutFlags and the others.
func (f *Format) cutAlign(rest string) string {
	if _, size := utf8.DecodeRuneInString(rest); size < len(rest) && strings.IndexByte("<>^", rest[size]) >= 0 {
		f.fill, f.align = rest[:size], rest[size]
		return rest[size+1:]
	}
	if rest != "" && strings.IndexByte("<>^", rest[0]) >= 0 {
		f.align = rest[0]
		return rest[1:]
	}
	return rest
}

func (f *Format) cutFlags(rest string) string {
	for ; rest != "" && strings.IndexByte("+- #0", rest[0]) >= 0; rest = rest[1:] {
		switch rest[0] {
		case '#':
			f.prefix = true
		case '0':
			f.zeros = true
		case '-':
		default:
			f.sign = rest[0]
		}
	}
	return rest
}

// cutPlaces is cutFlags of the separator of thousands and the precision.
func (f *Format) cutPlaces(rest string) string {
	for _, separator := range []string{",", "_", "'"} {
		if behind, ok := strings.CutPrefix(rest, separator); ok && f.separator == "" {
			f.separator, rest = separator, behind
		}
	}
	switch behind, ok := strings.CutPrefix(rest, "."); {
	case ok && behind == "d": // as printf has it
		f.separator, rest = ".", behind
	case ok:
		f.precision, rest = cutNumber(behind)
	}
	if behind, ok := strings.CutPrefix(rest, "t"); ok && behind != "" && f.separator == "" {
		_, size := utf8.DecodeRuneInString(behind)
		f.separator, rest = behind[:size], behind[size:]
	}
	return rest
}

func (f *Format) cutVerb(rest string) string {
	switch {
	case len(rest) == 1 && strings.IndexByte("dxXobcfFeEgGaA%s", rest[0]) >= 0:
		f.verb, rest = rest[0], ""
	case rest == "L": // which is a number as a place writes it: nowhere in particular
		f.verb, rest = 'd', ""
	}
	return rest
}

func cutNumber(text string) (n int, rest string) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil && digits > 0 {
		n = mostWidth + 1
	}
	return n, text[digits:]
}

// Of returns which type of value the format takes, Invalid if it takes any.
func (f Format) Of() columnar.Type {
	switch {
	case f.verb == 0:
		return columnar.Invalid
	case f.verb == 's':
		return columnar.Text
	case strings.IndexByte("dxXobc", f.verb) >= 0:
		return columnar.Int
	}
	return columnar.Float
}

func buildFormatted(b *build) (kernel, error) {
	text, err := b.pattern(1)
	if err != nil {
		return nil, err
	}
	f, err := ParseFormat(text)
	if err != nil {
		return nil, err
	}
	of := b.args[0].typ
	if takes := f.Of(); takes != columnar.Invalid && takes != of {
		return nil, fmt.Errorf("the format %q is of a %s, and not of a %s", text, takes, of)
	}
	b.keep(0)
	return eachRow(func(out *result, args []*columnar.Vector, i int) error {
		switch v := args[0]; of {
		case columnar.Int:
			out.Data = f.appendInt(out.Data, v.Ints[i])
		case columnar.Float:
			out.Data = f.appendFloat(out.Data, v.Floats[i])
		default:
			out.Data = f.appendText(out.Data, v.Bytes(i))
		}
		return out.fits(0)
	}), nil
}

func (f Format) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case f.sign != 0:
		return string(f.sign)
	}
	return ""
}

func (f Format) appendText(dst, text []byte) []byte {
	if f.precision >= 0 {
		text = codePoints(text, 1, int64(f.precision))
	}
	return f.append(dst, "", string(text), '<')
}

func (f Format) appendInt(dst []byte, n int64) []byte {
	if f.verb == 'c' {
		return f.append(dst, "", string(rune(n)), '<') //nolint:gosec // what is no character becomes �
	}
	size := uint64(n) //nolint:gosec // as below
	if n < 0 {
		size = -size
	}
	base, prefix := 10, ""
	switch f.verb {
	case 'x', 'X':
		base, prefix = 16, "0"+string(f.verb)
	case 'o':
		base, prefix = 8, "0"
	case 'b':
		base, prefix = 2, "0b"
	}
	digits := strconv.FormatUint(size, base)
	if f.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	sign := f.signOf(n < 0)
	if f.prefix {
		sign += prefix
	}
	return f.append(dst, sign, f.separated(digits), '>')
}

func (f Format) appendFloat(dst []byte, x float64) []byte {
	sign, size := f.signOf(math.Signbit(x)), math.Abs(x)
	if !isFinite(x) {
		f.zeros = false
		return f.append(dst, sign, strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(size, 'g', -1, 64), "+")), '>')
	}
	verb, precision := f.verb|0x20, f.precision
	percent := ""
	switch {
	case f.verb == 0 && precision < 0 && size != 0 && (size < 1e-4 || size >= 1e16):
		return f.append(dst, sign, strconv.FormatFloat(size, 'e', -1, 64), '>')
	case f.verb == 0 && precision < 0:
		return f.append(dst, sign, f.separated(strconv.FormatFloat(size, 'f', -1, 64)), '>')
	case f.verb == 0:
		verb = 'g'
	case f.verb == '%':
		verb, size, percent = 'f', size*100, "%"
	case f.verb|0x20 == 'a':
		verb = 'x'
	}
	if precision < 0 && verb != 'x' {
		precision = 6
	}
	digits := strconv.FormatFloat(size, verb, precision, 64)
	if f.verb >= 'A' && f.verb <= 'Z' {
		digits = strings.ToUpper(digits)
	}
	return f.append(dst, sign, f.separated(digits)+percent, '>')
}

// separated puts separators between the thousands of the digits before a point.
func (f Format) separated(digits string) string {
	if f.separator == "" {
		return digits
	}
	whole := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
	for at := whole - 3; at > 0; at -= 3 {
		digits = digits[:at] + f.separator + digits[at:]
	}
	return digits
}

// append writes a sign and what follows it within the width.
func (f Format) append(dst []byte, sign, text string, align byte) []byte {
	missing := max(0, f.width-utf8.RuneCountInString(sign+text))
	if f.zeros && f.align == 0 && align == '>' {
		return append(append(append(dst, sign...), strings.Repeat("0", missing)...), text...)
	}
	if f.align != 0 {
		align = f.align
	}
	before := 0
	switch align {
	case '>':
		before = missing
	case '^':
		before = missing / 2
	}
	dst = append(dst, strings.Repeat(f.fill, before)...)
	dst = append(append(dst, sign...), text...)
	return append(dst, strings.Repeat(f.fill, missing-before)...)
}
