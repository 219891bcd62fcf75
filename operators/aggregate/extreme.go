package aggregate

import (
	"cmp"
	"math"

	"analyzer/columnar"
)

// extremeState keeps the least or the greatest value: a flag and the value's
// word.
type extremeState struct {
	inRecord
	of       columnar.Type
	greatest bool
}

func (*extremeState) words() int { return 2 }

func (e *extremeState) update(r records, arg *columnar.Vector) error {
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec := r.pages.pair(ref, r.at)
		if w := wordOf(arg, i); rec[0] == 0 || e.beats(w, rec[1]) {
			rec[0], rec[1] = 1, w
		}
	}
	return nil
}

// beats reports whether a is to be kept rather than b.
func (e *extremeState) beats(a, b uint64) bool {
	d := 0
	if e.of == columnar.Float {
		d = compareFloats(math.Float64frombits(a), math.Float64frombits(b))
	} else {
		d = cmp.Compare(int64(a), int64(b))
	}
	if e.greatest {
		return d > 0
	}
	return d < 0
}

// compareFloats orders floats by value, with what is not a number above all.
func compareFloats(x, y float64) int {
	if x != x || y != y {
		return -cmp.Compare(x, y) // cmp puts it below all
	}
	return cmp.Compare(x, y)
}

func (e *extremeState) merge(r records, cols []*columnar.Vector) error {
	return e.update(r, cols[0])
}

func (e *extremeState) appendStates(r records, out []*columnar.Vector) error {
	return e.appendValues(r, out[0])
}

func (*extremeState) appendValues(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if rec := r.pages.pair(ref, r.at); rec[0] == 0 {
			out.AppendNull()
		} else {
			appendWord(out, rec[1])
		}
	}
	return nil
}

func (*extremeState) single(arg *columnar.Vector, _ int, out []*columnar.Vector) error {
	out[0] = arg
	return nil
}
