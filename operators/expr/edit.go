package expr

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions that cut texts and join them.
const (
	OpConcat     Op = "||"
	OpLength     Op = "length"
	OpSubstr     Op = "substr"
	OpTrim       Op = "trim"
	OpLeftTrim   Op = "ltrim"
	OpRightTrim  Op = "rtrim"
	OpStartsWith Op = "starts_with"
	OpEndsWith   Op = "ends_with"
)

func init() { functions.Add(editFunctions) }

func editFunctions() []function {
	return []function{
		{
			op: OpConcat, takes: "two texts, or two of bytes", types: []registry.Signature{sig(columnar.Text, columnar.Text, columnar.Text), sig(columnar.Bytes, columnar.Bytes, columnar.Bytes)},
			cost: costText, canFail: true, binds: bindAdd, build: just(concat),
		},
		{op: OpLength, takes: "a text", types: oneOf(columnar.Int, columnar.Text), cost: costText, build: just(textLength)},
		{
			op: OpSubstr, takes: "a text and two ints", types: only(columnar.Text, columnar.Text, columnar.Int, columnar.Int),
			cost: costText, build: just(substr),
		},
		trimming(OpTrim, bytes.Trim),
		trimming(OpLeftTrim, bytes.TrimLeft),
		trimming(OpRightTrim, bytes.TrimRight),
		{
			op: "replace", takes: "three texts", types: only(columnar.Text, columnar.Text, columnar.Text, columnar.Text),
			cost: costCase, canFail: true, build: just(replace),
			doc: registry.Texts.Doc("replace", "(text, old, new)", "a text in which each occurrence of a part is replaced",
				"replace('a.b.c', '.', '-')", "a-b-c"),
		},
		{
			op: OpStartsWith, takes: "two texts", types: only(columnar.Bool, columnar.Text, columnar.Text), cost: costText,
			build: just(predicate(func(a, b *columnar.Vector, i int) bool { return bytes.HasPrefix(a.Bytes(i), b.Bytes(i)) })),
			doc: registry.Texts.Doc("starts_with prefix", "(text, beginning)", "whether a text has this beginning",
				"starts_with('Bremen', 'Bre')", "true"),
		},
		{
			op: OpEndsWith, takes: "two texts", types: only(columnar.Bool, columnar.Text, columnar.Text), cost: costText,
			build: just(predicate(func(a, b *columnar.Vector, i int) bool { return bytes.HasSuffix(a.Bytes(i), b.Bytes(i)) })),
			doc: registry.Texts.Doc("ends_with suffix", "(text, end)", "whether a text has this end",
				"ends_with('Bremen', 'men')", "true"),
		},
	}
}

func trimming(op Op, trim func([]byte, string) []byte) function {
	return function{
		op: op, takes: "a text", types: oneOf(columnar.Text, columnar.Text), cost: costText,
		build: just(eachText(func(dst, text []byte) []byte { return append(dst, trim(text, " ")...) })),
	}
}

func concat(out *result, args []*columnar.Vector) error {
	a, b := args[0], args[1]
	for i := range out.Len {
		if !out.IsNull(i) {
			x, y := a.Bytes(i), b.Bytes(i)
			if err := out.fits(len(x) + len(y)); err != nil {
				return err
			}
			out.Data = append(append(out.Data, x...), y...)
		}
		out.Offsets[i+1] = int32(len(out.Data))
	}
	return nil
}

func textLength(out *result, args []*columnar.Vector) error {
	for i := range out.Ints {
		out.Ints[i] = int64(codePointsOf(args[0].Bytes(i)))
	}
	return nil
}

// codePointsOf returns how many code points a text has, which is valid UTF-8: as many as bytes that begin one.
func codePointsOf(text []byte) int {
	n := len(text)
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		n -= bits.OnesCount64(x & ^(x << 1) & 0x8080808080808080) // others begin with the bits 10
	}
	for _, c := range text {
		if c&0xc0 == 0x80 {
			n--
		}
	}
	return n
}

func substr(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		text, from, n := args[0].Bytes(i), args[1].Ints[i], args[2].Ints[i]
		if from < 0 {
			from += int64(codePointsOf(text)) + 1
		}
		if n < 0 && from > 0 {
			n = max(n, -from) // positions before the first are empty
			from, n = from+n, -n
		}
		out.Data = append(out.Data, codePoints(text, from, n)...)
	}
	return nil
}

// codePoints returns n code points of a text, from position from on. Positions before the
// first code point count toward n.
func codePoints(text []byte, from, n int64) []byte {
	if from < 1 {
		if n <= 1-from || n < 0 {
			return nil
		}
		from, n = 1, n-(1-from)
	}
	for ; from > 1 && len(text) > 0; from-- {
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return text[:end]
}

func replace(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		text, old, with := args[0].Bytes(i), args[1].Bytes(i), args[2].Bytes(i)
		grown := len(text)
		if len(old) > 0 {
			grown += bytes.Count(text, old) * max(0, len(with)-len(old))
		}
		if err := out.fits(grown); err != nil {
			return err
		}
		for len(old) > 0 {
			at := bytes.Index(text, old)
			if at < 0 {
				break
			}
			out.Data = append(append(out.Data, text[:at]...), with...)
			text = text[at+len(old):]
		}
		out.Data = append(out.Data, text...)
	}
	return nil
}
