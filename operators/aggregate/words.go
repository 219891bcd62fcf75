package aggregate

import (
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The least and the greatest value.
const (
	Min Func = "min"
	Max Func = "max"
)

func init() { functions.Add(wordFunctions) }

// wordFunctions are the functions that reduce all values to one word, in any order: one of the values, or
// a combination of the bits of all.
func wordFunctions() []function {
	return []function{
		{name: Min, forms: extremeForms(Min)},
		{name: Max, forms: extremeForms(Max)},
		ofBits("bit_and", "the bits that are set in all integers", "0", func(x, y uint64) uint64 { return x & y }),
		ofBits("bit_or", "the bits that are set in any integer", "7", func(x, y uint64) uint64 { return x | y }),
		ofBits("bit_xor", "the bits that are set in an odd number of integers", "7", func(x, y uint64) uint64 { return x ^ y }),
	}
}

// wordTypes are the ordered types of one word.
var wordTypes = columnar.Scalars(columnar.KindInt64, columnar.KindFloat64)

func extremeForms(f Func) []form {
	greatest := f == Max
	var forms []form
	for _, t := range wordTypes {
		make := func(*memory) accumulator {
			return &word{join: extremeOf(t, greatest), ordered: t != columnar.Float, floats: t == columnar.Float, greatest: greatest}
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

func ofBits(name, help, value string, join func(x, y uint64) uint64) function {
	words := func(*memory) accumulator { return &word{join: join} }
	pairs := func(*memory) accumulator { return &wideBits{join: join} }
	return function{name: Func(name), forms: []form{
		{takes: []columnar.Type{columnar.Int}, gives: columnar.Int, state: []column{{name, columnar.Int, words}}},
		{takes: []columnar.Type{columnar.Huge}, gives: columnar.Huge, state: []column{{name, columnar.Huge, pairs}}},
	}, doc: registry.Aggregates.Doc(name, "(integer)", help, name+"(n)", value)}
}

// word reduces the words of values. Its state is a flag that there are any, and the word.
type word struct {
	inRecord
	join func(x, y uint64) uint64
	// ordered says that join keeps the least word as an integer, or the greatest, and floats that it does as a
	// float.
	ordered, floats, greatest bool
}

func (*word) words() int { return 2 }

func (w *word) update(r records, arg *columnar.Vector) {
	if w.ordered && arg.Valid == nil && !r.oneGroup() {
		w.updateInts(r, arg.Ints)
		return
	}
	if (w.ordered || w.floats) && r.oneGroup() {
		if next, any := w.extreme(arg, len(r.refs)); any {
			w.take(r.pages.pair(r.refs[0], r.at), next)
		}
		return
	}
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			w.take(r.pages.pair(ref, r.at), wordOf(arg, i))
		}
	}
}

func (w *word) take(rec *[2]uint64, next uint64) {
	if rec[0] == 1 {
		if next = w.join(rec[1], next); next == rec[1] {
			return
		}
	}
	rec[0], rec[1] = 1, next
}

// extreme returns the word of the least or the greatest value of a batch of one group, if there is any.
func (w *word) extreme(arg *columnar.Vector, rows int) (_ uint64, any bool) {
	if w.ordered {
		n, any := extremeIn(arg.Ints[:rows], arg.Valid, w.greatest)
		return uint64(n), any
	}
	x, any := extremeIn(arg.Floats[:rows], arg.Valid, w.greatest)
	return number.FloatBits(x), any
}

// extremeIn returns the least or the greatest value, in the order of cmp but for NaN, which is greatest.
func extremeIn[T int64 | float64](values []T, valid []bool, greatest bool) (best T, any bool) {
	for i, v := range values {
		switch {
		case valid != nil && !valid[i]:
		case !any:
			best, any = v, true
		case greatest && (v > best || v != v), !greatest && (v < best || best != best):
			best = v
		}
	}
	return best, any
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
