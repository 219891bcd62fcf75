package expr

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions of texts.
const (
	OpYear     Op = "year"
	OpLower    Op = "lower"
	OpContains Op = "contains"
)

// Year is the year of a Date, or the first run of exactly four digits in a text,
// as an Int, and null where there is none.
func Year(text *Expr) *Expr { return Call(OpYear, text) }

// Lower maps each code point of a text to lower case by Unicode's simple case mapping, which does
// not depend on the language and maps one code point to one. So does "upper".
func Lower(text *Expr) *Expr { return Call(OpLower, text) }

func init() { functions.Add(textFunctions) }

func textFunctions() []function {
	return []function{
		{
			op: OpYear, takes: "a text or a date", types: oneOf(columnar.Int, columnar.Text, columnar.Date),
			cost: costText, build: just(year),
		},
		{
			op: OpLower, takes: "a text", types: oneOf(columnar.Text, columnar.Text),
			cost: costCase, build: just(letterCase{first: 'A', of: unicode.ToLower}.convert),
			doc: registry.Texts.Doc("lower lcase", "(text)", "the text in small letters",
				"lower('Ulm')", "ulm"),
		},
		{
			op: "upper", takes: "a text", types: oneOf(columnar.Text, columnar.Text),
			cost: costCase, build: just(letterCase{first: 'a', of: capital}.convert),
			doc: registry.Texts.Doc("upper ucase", "(text)", "the text in capital letters",
				"upper('Ulm')", "ULM"),
		},
		{
			op: OpContains, takes: "two texts", types: only(columnar.Bool, columnar.Text, columnar.Text),
			cost: costText, build: buildContains,
		},
	}
}

// capital is the capital letter of a letter. Unicode's simple mapping leaves ß as it is, DuckDB does not.
func capital(r rune) rune {
	if r == 'ß' {
		return 'ẞ'
	}
	return unicode.ToUpper(r)
}

func year(out *result, args []*columnar.Vector) error {
	a := args[0]
	if a.Type == columnar.Date {
		for i := range out.Ints {
			out.Ints[i] = number.DateYear(a.Ints[i])
		}
		return nil
	}
	for i := range out.Ints {
		y, ok := number.Year(a.Bytes(i))
		out.Ints[i] = y
		if !ok {
			out.setNull(i)
		}
	}
	return nil
}

// letterCase is a case to convert letters to: how it maps a code point, and the first of
// the 26 ASCII letters that it changes.
type letterCase struct {
	first byte
	of    func(rune) rune
}

// convert converts all texts of a batch at once if they are ASCII, and one by one otherwise.
func (c letterCase) convert(out *result, args []*columnar.Vector) error {
	v, a := &out.Vector, args[0]
	offsets := a.Offsets[:v.Len+1]
	texts := a.Data[offsets[0]:offsets[v.Len]]
	data := resize(v.Data, len(texts))
	if c.ascii(data, texts) {
		for i, o := range offsets {
			v.Offsets[i] = o - offsets[0]
		}
		v.Data = data
		return nil
	}
	data = data[:0]
	for i := range v.Len {
		data = c.append(data, a.Data[offsets[i]:offsets[i+1]])
		v.Offsets[i+1] = int32(len(data))
	}
	v.Data = data
	return nil
}

// ascii writes src in this case to dst, which has the same length, and reports whether src
// is all ASCII; if not, the contents of dst are meaningless.
func (c letterCase) ascii(dst, src []byte) bool {
	const (
		high = 0x8080808080808080 // the top bit of each of eight bytes
		ones = 0x0101010101010101
	)
	last := c.first + 25
	fromFirst := ones * uint64(0x80-c.first) // carries into the top bit from the first letter on
	pastLast := ones * uint64(0x7f-last)     // carries into the top bit after the last
	seen := uint64(0)
	dst = dst[:len(src)]
	for len(src) >= 8 {
		x := binary.LittleEndian.Uint64(src)
		seen |= x
		low := x &^ high
		letters := ((low + fromFirst) ^ (low + pastLast)) & high
		binary.LittleEndian.PutUint64(dst, x^letters>>2) // 0x20 is the other case
		src, dst = src[8:], dst[8:]
	}
	for i, b := range src {
		seen |= uint64(b)
		if b >= c.first && b <= last {
			b ^= 0x20
		}
		dst[i] = b
	}
	return seen&high == 0
}

func (c letterCase) append(dst, text []byte) []byte {
	n := len(dst)
	dst = resizeKeep(dst, n+len(text))
	if c.ascii(dst[n:], text) {
		return dst
	}
	dst = dst[:n]
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		dst = utf8.AppendRune(dst, c.of(r))
		i += size
	}
	return dst
}

func buildContains(b *build) (kernel, error) {
	if part := b.literal(1); part != nil && part.Text != "" {
		b.keep(0)
		return containsLiteral([]byte(part.Text)), nil
	}
	return predicate(func(a, b *columnar.Vector, i int) bool { return bytes.Contains(a.Bytes(i), b.Bytes(i)) }), nil
}

// containsLiteral searches all texts of a batch at once for a literal that is not empty, and
// then finds the row that each match lies in. On short texts, a call per text would cost more
// than the search.
//
//go:noinline
func containsLiteral(part []byte) kernel {
	return func(out *result, args []*columnar.Vector) error {
		bools := out.Bools
		clear(bools)
		offsets := args[0].Offsets[:len(bools)+1]
		data := args[0].Data[:offsets[len(bools)]]
		row, at := 0, int(offsets[0])
		for {
			found := bytes.Index(data[at:], part)
			if found < 0 {
				return nil
			}
			at += found
			row = rowAt(offsets, row, int32(at))
			if end := int(offsets[row+1]); at+len(part) <= end {
				bools[row] = true
				at = end
			} else {
				at++
			}
		}
	}
}

// rowAt returns the row, from row on, whose text holds the byte at a position. It uses
// galloping search (doubling steps, then bisection), since matches may be near or far.
func rowAt(offsets []int32, row int, at int32) int {
	step := 1
	for row+step < len(offsets) && offsets[row+step] <= at {
		row += step
		step *= 2
	}
	last := min(row+step, len(offsets)-1)
	past, _ := slices.BinarySearch(offsets[row+1:last+1], at+1)
	return row + past
}
