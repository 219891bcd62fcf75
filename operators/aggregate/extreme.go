package aggregate

import (
	"cmp"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions that keep one of the values.
const (
	Min Func = "min"
	Max Func = "max"
)

var extremeFunctions = []function{
	{name: Min, forms: extremeForms(Min), help: "the least value", example: "1"},
	{name: Max, forms: extremeForms(Max), help: "the greatest value", example: "4"},
}

func extremeForms(f Func) []form {
	var forms []form
	for _, t := range []columnar.Type{columnar.Int, columnar.Decimal, columnar.Float, columnar.Date, columnar.Timestamp} {
		make := func(*memory) accumulator { return &extreme{floats: t == columnar.Float, greatest: f == Max} }
		forms = append(forms, form{takes: t, gives: t, state: []column{{string(f), t, make}}})
	}
	texts := func(mem *memory) accumulator { return &textExtreme{arena: arena[byte]{mem: mem}, greatest: f == Max} }
	return append(forms, form{takes: columnar.Text, gives: columnar.Text, state: []column{{string(f), columnar.Text, texts}}})
}

// extreme keeps the least or the greatest value: a flag and the value's
// word.
type extreme struct {
	inRecord
	floats   bool
	greatest bool
}

func (*extreme) words() int { return 2 }

func (e *extreme) update(r records, arg *columnar.Vector) {
	if arg.Type.Kind() == columnar.KindInt64 && arg.Valid == nil {
		e.updateInts(r, arg.Ints)
		return
	}
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec := r.pages.pair(ref, r.at)
		if w := wordOf(arg, i); rec[0] == 0 || e.beats(w, rec[1]) {
			rec[0], rec[1] = 1, w
		}
	}
}

// updateInts is update for the common case. Of complements the greatest is the least.
func (e *extreme) updateInts(r records, values []int64) {
	flip := int64(-1)
	if e.greatest {
		flip = 0
	}
	for i, ref := range r.refs {
		rec := r.pages.pair(ref, r.at)
		if n := values[i]; n^flip > int64(rec[1])^flip || rec[0] == 0 {
			rec[0], rec[1] = 1, uint64(n)
		}
	}
}

// beats reports whether a is to be kept rather than b.
func (e *extreme) beats(a, b uint64) bool {
	d := 0
	if e.floats {
		d = number.CompareFloats(math.Float64frombits(a), math.Float64frombits(b))
	} else {
		d = cmp.Compare(int64(a), int64(b))
	}
	if e.greatest {
		return d > 0
	}
	return d < 0
}

func (e *extreme) merge(r records, states *columnar.Vector) error {
	e.update(r, states)
	return nil
}

func (*extreme) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if rec := r.pages.pair(ref, r.at); rec[0] == 0 {
			out.AppendNull()
		} else {
			appendWord(out, rec[1])
		}
	}
	return nil
}

func (*extreme) single(arg *columnar.Vector, _ int) *columnar.Vector { return arg }
