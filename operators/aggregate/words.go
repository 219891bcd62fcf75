package aggregate

import (
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions that reduce all values to one word, in any order: one of the values, or a
// combination of the bits of all.
const (
	Min    Func = "min"
	Max    Func = "max"
	BitAnd Func = "bit_and"
	BitOr  Func = "bit_or"
	BitXor Func = "bit_xor"
)

func init() { functions.Add(wordFunctions) }

func wordFunctions() []function {
	return []function{
		{name: Min, forms: extremeForms(Min)},
		{name: Max, forms: extremeForms(Max)},
		ofBits(BitAnd, func(x, y uint64) uint64 { return x & y }).called(registry.Aggregates.Doc("bit_and", "(integer)", "the bits that are set in all integers",
			"bit_and(n)", "0")),
		ofBits(BitOr, func(x, y uint64) uint64 { return x | y }).called(registry.Aggregates.Doc("bit_or", "(integer)", "the bits that are set in any integer",
			"bit_or(n)", "7")),
		ofBits(BitXor, func(x, y uint64) uint64 { return x ^ y }).called(registry.Aggregates.Doc("bit_xor", "(integer)", "the bits that are set in an odd number of integers",
			"bit_xor(n)", "7")),
	}
}

// wordTypes are the ordered types of one word.
var wordTypes = columnar.Scalars(columnar.KindInt64, columnar.KindFloat64)

func extremeForms(f Func) []form {
	greatest := f == Max
	var forms []form
	for _, t := range wordTypes {
		make := func(*memory) accumulator {
			return &word{join: extremeOf(t, greatest), ordered: t != columnar.Float, greatest: greatest}
		}
		forms = append(forms, form{takes: []columnar.Type{t}, gives: t, state: []column{{string(f), t, make}}})
	}
	for _, t := range columnar.Scalars(columnar.KindInt128) {
		forms = append(forms, wideExtremes(f, t))
	}
	texts := func(mem *memory) accumulator { return &textExtreme{arena: arena[byte]{mem: mem}, greatest: greatest} }
	for _, t := range columnar.Scalars(columnar.KindBytes) {
		forms = append(forms, form{takes: []columnar.Type{t}, gives: t, state: []column{{string(f), t, texts}}})
	}
	return forms
}

// extremeOf returns a function that returns the lesser or the greater of two words.
func extremeOf(t columnar.Type, greatest bool) func(x, y uint64) uint64 {
	if t == columnar.Float {
		return func(x, y uint64) uint64 {
			if number.CompareFloats(math.Float64frombits(x), math.Float64frombits(y)) < 0 == greatest {
				return y
			}
			return x
		}
	}
	return func(x, y uint64) uint64 {
		if int64(x) < int64(y) == greatest {
			return y
		}
		return x
	}
}

func ofBits(f Func, join func(x, y uint64) uint64) function {
	make := func(*memory) accumulator { return &word{join: join} }
	return function{
		name:  f,
		forms: []form{{takes: []columnar.Type{columnar.Int}, gives: columnar.Int, state: []column{{string(f), columnar.Int, make}}}},
	}
}

// word reduces the words of values. Its state is a flag that there are any, and the word.
type word struct {
	inRecord
	join func(x, y uint64) uint64
	// ordered says that join keeps the least word as an integer, or the greatest.
	ordered, greatest bool
}

func (*word) words() int { return 2 }

func (w *word) update(r records, arg *columnar.Vector) {
	if w.ordered && arg.Valid == nil {
		w.updateInts(r, arg.Ints)
		return
	}
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec, next := r.pages.pair(ref, r.at), wordOf(arg, i)
		if rec[0] == 1 {
			if next = w.join(rec[1], next); next == rec[1] {
				continue
			}
		}
		rec[0], rec[1] = 1, next
	}
}

// updateInts is update for the common case. The greatest value has the least complement.
func (w *word) updateInts(r records, values []int64) {
	flip := int64(-1)
	if w.greatest {
		flip = 0
	}
	for i, ref := range r.refs {
		rec := r.pages.pair(ref, r.at)
		if n := values[i]; n^flip > int64(rec[1])^flip || rec[0] == 0 {
			rec[0], rec[1] = 1, uint64(n)
		}
	}
}

func (w *word) merge(r records, states *columnar.Vector) error {
	w.update(r, states)
	return nil
}

func (*word) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if rec := r.pages.pair(ref, r.at); rec[0] == 0 {
			out.AppendNull()
		} else {
			appendWord(out, rec[1])
		}
	}
	return nil
}

func (*word) single(arg *columnar.Vector, _ int) *columnar.Vector { return arg }
