package expr

import (
	"bytes"
	"fmt"
	"strings"

	"analyzer/columnar"
)

// OpNumberForm writes the decimal digits of a number as a form says, which is a literal: see ParseNumberForm.
const OpNumberForm Op = "number_form"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpNumberForm, takes: "a text of digits and a form", types: only(columnar.Text, columnar.Text, columnar.Text),
			cost: costCase, check: shortPattern, build: buildNumberForm,
		}}
	})
}

// NumberForm is a form of to_char for numbers, as PostgreSQL has them:
// https://www.postgresql.org/docs/current/functions-formatting.html.
type NumberForm struct {
	places string // before the point: 9, 0, and what separates them
	whole  int    // the digits among them
	point  bool
	behind string // the digits behind the point
	tight  bool   // FM: without blanks, and zeros at the end that no 0 asks for
	// sign is what stands for signs: 0: a minus or a blank before the first digit; S: a sign there; s: behind all;
	// M: a minus or a blank behind all; P: angle brackets around negative numbers.
	sign byte
}

// ParseNumberForm parses a form.
func ParseNumberForm(text string) (f NumberForm, err error) {
	rest := strings.ToUpper(text)
	rest, f.tight = strings.CutPrefix(rest, "FM")
	if after, ok := strings.CutPrefix(rest, "S"); ok {
		rest, f.sign = after, 'S'
	}
	for end, sign := range map[string]byte{"S": 's', "MI": 'M', "PR": 'P'} {
		if before, ok := strings.CutSuffix(rest, end); ok && f.sign == 0 {
			rest, f.sign = before, sign
		}
	}
	for i := range len(rest) {
		switch c := rest[i]; {
		case (c == '9' || c == '0') && f.point:
			f.behind += string(c)
		case c == '9' || c == '0':
			f.places += string(c)
			f.whole++
		case (c == ',' || c == 'G' || c == ' ') && !f.point:
			f.places += strings.ReplaceAll(string(c), "G", ",")
		case (c == '.' || c == 'D') && !f.point:
			f.point = true
		default:
			return f, fmt.Errorf("there is no form %q of numbers: %q stands in it", text, rest[i:])
		}
	}
	if f.whole+len(f.behind) == 0 {
		return f, fmt.Errorf("the form %q has no digits", text)
	}
	return f, nil
}

// Behind returns how many digits the form has behind the point.
func (f *NumberForm) Behind() int { return len(f.behind) }

func buildNumberForm(b *build) (kernel, error) {
	text, err := b.pattern(1)
	if err != nil {
		return nil, err
	}
	f, err := ParseNumberForm(text)
	if err != nil {
		return nil, err
	}
	b.keep(0)
	return eachRow(func(out *result, args []*columnar.Vector, i int) error {
		out.Data = f.append(out.Data, args[0].Bytes(i))
		return out.fits(0)
	}), nil
}

// append writes a number of so many places behind the point as the form has, or fewer.
func (f *NumberForm) append(dst, number []byte) []byte {
	number, negative := bytes.CutPrefix(number, []byte("-"))
	whole, behind, _ := bytes.Cut(number, []byte("."))
	whole = bytes.TrimLeft(whole, "0")
	negative = negative && len(whole)+len(bytes.TrimLeft(behind, "0")) > 0
	if len(whole) > f.whole || len(bytes.Trim(whole, "0123456789")) > 0 {
		whole, behind = bytes.Repeat([]byte("#"), f.whole), bytes.Repeat([]byte("#"), len(f.behind))
	}
	dst = f.appendWhole(dst, whole, negative)
	if f.point {
		dst = append(dst, '.')
	}
	least := strings.LastIndexByte(f.behind, '0') + 1 // digits
	last := len(bytes.TrimRight(behind, "0"))
	for i := range f.behind {
		switch {
		case f.tight && i >= max(least, last):
			return f.appendSign(dst, negative)
		case i < len(behind):
			dst = append(dst, behind[i])
		default:
			dst = append(dst, '0')
		}
	}
	return f.appendSign(dst, negative)
}

// appendWhole writes the digits before the point, with the sign right before the first of them.
func (f *NumberForm) appendWhole(dst, whole []byte, negative bool) []byte {
	missing, begun := f.whole-len(whole), false
	begin := func() {
		if !begun {
			dst = append(dst, f.signBefore(negative)...)
		}
		begun = true
	}
	for i := range len(f.places) {
		c := f.places[i]
		digit := c == '9' || c == '0'
		switch {
		case digit && missing <= 0:
			begin()
			c, whole = whole[0], whole[1:]
		case c == '0', digit && missing == 1 && len(whole) == 0 && !f.point, digit && begun: // 0 is one digit at least
			begin()
			c = '0'
		case !begun:
			c = ' '
		}
		if digit {
			missing--
		}
		if begun || !f.tight {
			dst = append(dst, c)
		}
	}
	begin()
	return dst
}

// signBefore is what stands before the first digit.
func (f *NumberForm) signBefore(negative bool) string {
	switch {
	case f.sign == 's' || f.sign == 'M':
		return ""
	case negative && f.sign == 'P':
		return "<"
	case negative:
		return "-"
	case f.sign == 'S':
		return "+"
	case f.tight:
		return ""
	}
	return " "
}

// appendSign writes what stands behind all digits.
func (f *NumberForm) appendSign(dst []byte, negative bool) []byte {
	switch {
	case f.sign == 0 || f.sign == 'S':
		return dst
	case f.sign == 'P' && negative:
		return append(dst, '>')
	case negative:
		return append(dst, '-')
	case f.sign == 's':
		return append(dst, '+')
	case f.tight:
		return dst
	}
	return append(dst, ' ')
}
