package expr

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// OpPair encodes two values as one text, so that an aggregate of one column can work on two.
// The texts sort as the pairs do: by the first value, then by the second. PairSecond decodes
// the second value.
const OpPair Op = "pair"

// OpPairDown is OpPair with the first value in descending order.
const OpPairDown Op = "pair_down"

// OpFloatPair packs the bits of two floats into one Wide, which does not stand for a number.
// For functions of pairs of floats it takes less memory and time than a text.
const OpFloatPair Op = "float_pair"

// PairSecond is the second value of a pair, which has type t.
func PairSecond(pair *Expr, t columnar.Type) *Expr { return Call(Op("second_"+t.String()), pair) }

var paired = []columnar.Type{columnar.Int, columnar.Decimal, columnar.Float, columnar.Text, columnar.Date, columnar.Timestamp}

// pairedSecond are the types that a second value may have.
var pairedSecond = append(slices.Clone(paired), columnar.Wide)

func init() { functions.Add(pairFunctions) }

func pairFunctions() []function {
	return append([]function{
		pair(OpPair, appendFirst),
		pair(OpPairDown, appendDown),
		{
			op: OpFloatPair, takes: "two floats", types: []Signature{sig(columnar.Wide, columnar.Float, columnar.Float)},
			cost: costFixed, build: just(floatPairs),
			example: Call(OpFloatPair, Float(0), Float(0)),
		},
	}, secondFunctions()...)
}

func pair(op Op, first func(dst []byte, v *columnar.Vector, i int) []byte) function {
	return function{
		op: op, takes: "two values that are no bools or lists, the first no sum", cost: costText * 4, example: Call(op, Int(2), Str("b")),
		types: pairTypes(), build: just(pairs(first)),
	}
}

func pairTypes() []Signature {
	var all []Signature
	for _, first := range paired {
		for _, second := range pairedSecond {
			all = append(all, sig(columnar.Text, first, second))
		}
	}
	return all
}

func secondFunctions() []function {
	examples := map[columnar.Type]*Expr{
		columnar.Int: Int(9), columnar.Decimal: Dec(decimalOne / 2), columnar.Float: Float(0.5), columnar.Text: Str("b"),
		columnar.Date: Date(40), columnar.Timestamp: Timestamp(0), columnar.Wide: ToWide(Int(9)),
	}
	var all []function
	for _, t := range pairedSecond {
		f := function{
			takes: "a pair", types: oneOf(t, columnar.Text), cost: costText, canFail: true, build: just(second),
			example: PairSecond(Call(OpPair, Int(2), examples[t]), t),
		}
		f.op = f.example.Op
		all = append(all, f)
	}
	return all
}

// The encoding of a pair begins with a letter that says how its first value is encoded: as a
// word or as a text, ascending or descending. A word is 64 bits as eleven letters of six bits
// each, high bits first. An ascending text ends with two zero bytes, and a zero byte within it
// is followed by a one. A descending word has its bits inverted. A descending text is inverted
// too, as two letters of four bits for each byte, and ends with a letter greater than those.
// The second value follows as a word, two words or a plain text. All of it is UTF-8.
const (
	wordFirst = 'w'
	textFirst = 't'
	wordDown  = 'W'
	textDown  = 'T'
	downEnd   = '~'
	wordBytes = 11
	wordZero  = '0' // of the letters of a word
	eachByte  = 0x0101010101010101
	signBit   = 1 << 63
)

//go:noinline
func pairs(first func(dst []byte, v *columnar.Vector, i int) []byte) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a, b := args[0], args[1]
		for i := range out.Len {
			if !out.IsNull(i) {
				out.Data = appendSecond(first(out.Data, a, i), b, i)
			}
			if err := out.fits(0); err != nil {
				return err
			}
			out.Offsets[i+1] = int32(len(out.Data))
		}
		return nil
	}
}

func appendDown(dst []byte, v *columnar.Vector, i int) []byte {
	if v.Type != columnar.Text {
		return appendWord(append(dst, wordDown), ^orderedWord(v, i))
	}
	dst = append(dst, textDown)
	for _, c := range v.Bytes(i) {
		dst = append(dst, wordZero+0xf-c>>4, wordZero+0xf-c&0xf)
	}
	return append(dst, downEnd)
}

func appendFirst(dst []byte, v *columnar.Vector, i int) []byte {
	if v.Type != columnar.Text {
		return appendWord(append(dst, wordFirst), orderedWord(v, i))
	}
	dst = append(dst, textFirst)
	for text := v.Bytes(i); ; {
		before, behind, found := bytes.Cut(text, []byte{0})
		dst = append(append(dst, before...), 0)
		if !found {
			return append(dst, 0)
		}
		dst, text = append(dst, 1), behind
	}
}

func appendSecond(dst []byte, v *columnar.Vector, i int) []byte {
	switch v.Type {
	case columnar.Text:
		return append(dst, v.Bytes(i)...)
	case columnar.Wide:
		dst = appendWord(dst, uint64(v.Wides[i].HighBits())^signBit)
		return appendWord(dst, v.Wides[i].LowBits())
	}
	return appendWord(dst, orderedWord(v, i))
}

func appendWord(dst []byte, w uint64) []byte {
	// Spread the upper 46 bits over eight letters at once: halve and shift apart until each
	// byte has six bits.
	v := w >> 18
	v = v>>24<<32 | v&0xffffff
	v = v&0x00fff000_00fff000<<4 | v&0x00000fff_00000fff
	v = v&0x0fc00fc0_0fc00fc0<<2 | v&0x003f003f_003f003f
	dst = binary.BigEndian.AppendUint64(dst, v+wordZero*eachByte)
	return append(dst, wordZero+byte(w>>12&0x3f), wordZero+byte(w>>6&0x3f), wordZero+byte(w&0x3f))
}

// orderedWord encodes a value as a word that sorts as the values do. NaN sorts above all
// numbers, and -0 equals 0.
func orderedWord(v *columnar.Vector, i int) uint64 {
	if v.Type != columnar.Float {
		return uint64(v.Ints[i]) ^ signBit
	}
	return number.FloatWord(v.Floats[i])
}

// takeWord decodes the word that a text begins with, and returns the rest.
func takeWord(text []byte) (w uint64, rest []byte, ok bool) {
	if len(text) < wordBytes {
		return 0, nil, false
	}
	v := binary.BigEndian.Uint64(text)&(0x3f*eachByte) + (0x40-wordZero)*eachByte // modulo 64
	v = v>>2&0x0fc00fc0_0fc00fc0 | v&0x003f003f_003f003f
	v = v>>4&0x00fff000_00fff000 | v&0x00000fff_00000fff
	w = v>>32<<24 | v&0xffffff
	for _, c := range text[8:wordBytes] {
		w = w<<6 | uint64((c-wordZero)&0x3f)
	}
	return w, text[wordBytes:], true
}

func floatPairs(out *result, args []*columnar.Vector) error {
	each2(out.Wides, args[0].Floats, args[1].Floats, func(x, y float64) decimal128.Num {
		return decimal128.New(int64(number.FloatBits(x)), number.FloatBits(y))
	})
	return nil
}

// PairFloats returns the two floats that OpFloatPair packed.
func PairFloats(pair decimal128.Num) (x, y float64) {
	return math.Float64frombits(uint64(pair.HighBits())), math.Float64frombits(pair.LowBits())
}

// CutPair splits a pair into the encodings of its two values. The first one sorts as the first
// values do. A text that is not a pair is returned as the second.
func CutPair(pair []byte) (first, second []byte) {
	second, ok := behindFirst(pair)
	if !ok {
		return nil, pair
	}
	return pair[:len(pair)-len(second)], second
}

// AppendPaired decodes the second value of a pair, as CutPair returns it, and appends it to
// values; it appends null if second is not of their type. A bool is encoded as an int.
func AppendPaired(values *columnar.Vector, second []byte) {
	kind := values.Type.Kind()
	w, rest, ok := takeWord(second)
	switch low, behind, two := takeWord(rest); {
	case kind == columnar.KindBytes:
		values.AppendBytes(second)
	case kind == columnar.KindInt128 && ok && two && len(behind) == 0:
		values.AppendWide(decimal128.New(int64(w^signBit), low))
	case kind == columnar.KindInt128 || !ok || len(rest) > 0:
		values.AppendNull()
	case kind == columnar.KindFloat64:
		values.AppendFloat(number.FloatOfWord(w))
	case kind == columnar.KindBool:
		values.AppendBool(w != signBit)
	default:
		values.AppendInt(int64(w ^ signBit))
	}
}

// IsPairOf reports whether a first value, as CutPair returns it, is the int n.
func IsPairOf(first []byte, n int64) bool {
	if len(first) == 0 || first[0] != wordFirst {
		return false
	}
	w, rest, ok := takeWord(first[1:])
	return ok && len(rest) == 0 && int64(w^signBit) == n
}

// behindFirst returns the encoding of a pair's second value; ok is false if pair is not one.
func behindFirst(pair []byte) (second []byte, ok bool) {
	switch {
	case len(pair) > wordBytes && (pair[0] == wordFirst || pair[0] == wordDown):
		return pair[1+wordBytes:], true
	case len(pair) > 0 && pair[0] == textFirst:
		_, second, ok = bytes.Cut(pair[1:], []byte{0, 0})
	case len(pair) > 0 && pair[0] == textDown:
		_, second, ok = bytes.Cut(pair[1:], []byte{downEnd})
	}
	return second, ok
}

func second(out *result, args []*columnar.Vector) error {
	a := args[0]
	for i := range out.Len {
		if !out.IsNull(i) {
			pair := a.Bytes(i)
			if second, ok := behindFirst(pair); !ok || !out.setSecond(i, second) {
				return fmt.Errorf("the text %q is no pair with %s: %w", brief(pair), out.Type, ErrCast)
			}
		}
		out.end(i)
	}
	return nil
}

func (r *result) setSecond(i int, second []byte) bool {
	if r.kind == columnar.KindBytes {
		r.Data = append(r.Data, second...)
		return true
	}
	w, rest, ok := takeWord(second)
	switch {
	case !ok:
		return false
	case r.kind == columnar.KindInt128:
		var low uint64
		low, rest, ok = takeWord(rest)
		r.Wides[i] = decimal128.New(int64(w^signBit), low)
	case r.kind == columnar.KindFloat64:
		r.Floats[i] = number.FloatOfWord(w)
	default:
		r.Ints[i] = int64(w ^ signBit)
	}
	return ok && len(rest) == 0
}
