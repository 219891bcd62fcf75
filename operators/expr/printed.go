package expr

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unsafe"

	"analyzer/columnar"
)

// The functions that write values in the places of a form, which is a value of the row.
const (
	OpPrintf Op = "printf"
	OpFormat Op = "format"
)

func init() {
	functions.Add(func() []function {
		return []function{printed(OpPrintf, ParsePrintf), printed(OpFormat, ParseBraces)}
	})
}

// printed is a function of a form and, for each value, of the value and of its text.
func printed(op Op, parse func(form string) ([]Piece, error)) function {
	return function{
		op: op, takes: "a form, and ints, floats, truth values or texts, each with its text", typeOf: printable, many: true, cost: costCase * 2, canFail: true, check: shortForm,
		types: only(columnar.Text, columnar.Text),
		build: func(b *build) (kernel, error) { return buildPrinted(b, parse) },
	}
}

func printable(_ []*Expr, types []columnar.Type) columnar.Type {
	for i, t := range types {
		isValue := i%2 == 1 && (t == columnar.Int || t == columnar.Float || t == columnar.Bool)
		if t != columnar.Text && !isValue || len(types)%2 == 0 {
			return columnar.Invalid
		}
	}
	return columnar.Text
}

// shortForm checks the length of a form that is a literal.
func shortForm(args []*Expr) error {
	if v := args[0].Value; v != nil && len(v.Text) > maxPattern {
		return fmt.Errorf("a form of %d bytes; %d are possible", len(v.Text), maxPattern)
	}
	return nil
}

// Piece is a part of a form: a text, or the place of a value.
type Piece struct {
	Of     int    // which value, counted from 0; -1 for a text
	Text   string // the text, or the specification of the format
	Format Format
}

// pieces are the pieces of a form that is being taken apart.
type pieces struct {
	all    []Piece
	values int
}

func (p *pieces) text(text string) {
	if text != "" {
		p.all = append(p.all, Piece{Of: -1, Text: text})
	}
}

func (p *pieces) value(of int, spec string) error {
	f, err := ParseFormat(spec)
	p.all = append(p.all, Piece{of, spec, f})
	p.values++
	return err
}

// placeholder is a conversion of printf.
var placeholder = regexp.MustCompile(`%(?:%|([-+ #0]*)([0-9]*)([,_']?)(\.[0-9]*)?(?:hh|h|ll|l|z|t)?([a-zA-Z]))`)

// ParsePrintf takes a form of printf apart.
func ParsePrintf(form string) ([]Piece, error) {
	var p pieces
	done := 0
	for _, at := range append(placeholder.FindAllStringSubmatchIndex(form, -1), []int{len(form), len(form)}) {
		plain := form[done:at[0]]
		if percent := strings.IndexByte(plain, '%'); percent >= 0 {
			return nil, fmt.Errorf("there is no format %q", plain[percent:])
		}
		p.text(plain)
		if done = at[1]; at[0] == len(form) {
			break
		}
		if form[at[0]:at[1]] == "%%" {
			p.text("%")
			continue
		}
		group := func(i int) string { return form[max(at[2*i], 0):max(at[2*i+1], 0)] }
		flags, verb := group(1), group(5)
		switch verb {
		case "i", "u":
			verb = "d"
		}
		spec := strings.ReplaceAll(flags, "-", "") + group(2) + group(3) + group(4) + verb
		switch {
		case strings.Contains(flags, "-"):
			spec = "<" + spec
		case verb == "s" || verb == "c":
			spec = ">" + spec
		}
		if err := p.value(p.values, spec); err != nil {
			return nil, err
		}
	}
	return p.all, nil
}

// ParseBraces takes a form with values in braces apart.
func ParseBraces(form string) ([]Piece, error) {
	var p pieces
	for rest := form; rest != ""; {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			p.text(rest)
			break
		}
		p.text(rest[:at])
		if rest = rest[at:]; len(rest) > 1 && rest[1] == rest[0] {
			p.text(rest[:1])
			rest = rest[2:]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if rest[0] == '}' || end < 0 {
			return nil, fmt.Errorf("a brace of the form %q has no other one", form)
		}
		index, spec, _ := strings.Cut(rest[1:end], ":")
		rest = rest[end+1:]
		n := p.values
		if index != "" {
			var err error
			if n, err = strconv.Atoi(index); err != nil || n < 0 {
				return nil, fmt.Errorf("%q is not the number of a value", index)
			}
		}
		if err := p.value(n, spec); err != nil {
			return nil, err
		}
	}
	return p.all, nil
}

func buildPrinted(b *build, parse func(form string) ([]Piece, error)) (kernel, error) {
	forms, err := patternsOf(b, 0, func(text string) ([]Piece, int, error) {
		all, err := parse(text)
		return all, len(all) * int(unsafe.Sizeof(Piece{})), err
	})
	if err != nil {
		return nil, err
	}
	return forms.kernel(func(form []Piece, out *result, args []*columnar.Vector, i int) error {
		for _, p := range form {
			switch {
			case p.Of < 0:
				out.Data = append(out.Data, p.Text...)
			case 2*p.Of+2 >= len(args):
				return fmt.Errorf("%w: %q has more places than there are values", ErrPattern, forms.last)
			default:
				var err error
				if out.Data, err = p.append(out.Data, args[2*p.Of+1], args[2*p.Of+2], i); err != nil {
					return err
				}
			}
			if err := out.fits(0); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

// append writes a value, which also has a text, in the format of a place.
func (p Piece) append(dst []byte, v, text *columnar.Vector, i int) ([]byte, error) {
	of := p.Format.Of()
	switch {
	case p.Text == "":
		return append(dst, text.Bytes(i)...), nil
	case of == columnar.Int && v.Type == columnar.Bool:
		n := int64(0)
		if v.Bools[i] {
			n = 1
		}
		return p.Format.appendInt(dst, n), nil
	case of == columnar.Text || of == columnar.Invalid && (v.Type == columnar.Bool || v.Type == columnar.Text):
		return p.Format.appendText(dst, text.Bytes(i)), nil
	case v.Type == columnar.Int && of != columnar.Float:
		return p.Format.appendInt(dst, v.Ints[i]), nil
	case v.Type == columnar.Int:
		return p.Format.appendFloat(dst, float64(v.Ints[i])), nil
	case v.Type == columnar.Float && of != columnar.Int:
		return p.Format.appendFloat(dst, v.Floats[i]), nil
	}
	return dst, fmt.Errorf("%w: the format %q is of a %s, and not of a %s", ErrPattern, p.Text, of, v.Type)
}
