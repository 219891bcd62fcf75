package expr

import (
	"bytes"
	"cmp"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The greatest and the least of several values.
const (
	OpGreatest Op = "greatest"
	OpLeast    Op = "least"
)

var extremeFunctions = []function{
	extreme(OpGreatest, "the greatest of the values that are not null", 1),
	extreme(OpLeast, "the least of the values that are not null", -1),
}

func extreme(op Op, help string, sign int) function {
	types := append(sameOf(numbers...), sameOf(columnar.Bool, columnar.Text, columnar.Date, columnar.Timestamp)...)
	return function{
		op: op, takes: "values of one type", types: types, many: true, cost: costFixed * 2, seesNulls: true,
		build: func(b *build) (kernel, error) { return chooseExtreme(comparing(b.typ), sign), nil },
		help:  help, example: Call(op, Int(1), Int(3), Null(columnar.Int)),
	}
}

// comparing returns how two values of a type compare.
func comparing(t columnar.Type) func(a, b *columnar.Vector, i int) int {
	switch t.Kind() {
	case columnar.KindBool:
		return func(a, b *columnar.Vector, i int) int {
			switch {
			case a.Bools[i] == b.Bools[i]:
				return 0
			case a.Bools[i]:
				return 1
			}
			return -1
		}
	case columnar.KindFloat64:
		return func(a, b *columnar.Vector, i int) int { return number.CompareFloats(a.Floats[i], b.Floats[i]) }
	case columnar.KindInt128:
		return func(a, b *columnar.Vector, i int) int { return a.Wides[i].Cmp(b.Wides[i]) }
	case columnar.KindBytes:
		return func(a, b *columnar.Vector, i int) int { return bytes.Compare(a.Bytes(i), b.Bytes(i)) }
	}
	return func(a, b *columnar.Vector, i int) int { return cmp.Compare(a.Ints[i], b.Ints[i]) }
}

// chooseExtreme takes of each row the last of the values that are the greatest, or the
// least if the sign is negative.
//
//go:noinline
func chooseExtreme(compare func(a, b *columnar.Vector, i int) int, sign int) kernel {
	return func(out *result, args []*columnar.Vector) error {
		valid := out.validity()
		for i := range valid {
			var best *columnar.Vector
			for _, a := range args {
				if !a.IsNull(i) && (best == nil || sign*compare(a, best, i) >= 0) {
					best = a
				}
			}
			valid[i] = best != nil
			out.setValue(i, best)
		}
		return nil
	}
}

// setValue makes row i that of a vector of the result's type; nil is null.
func (r *result) setValue(i int, from *columnar.Vector) {
	v := &r.vec
	switch kind := v.Type.Kind(); {
	case kind == columnar.KindBytes:
		if from != nil {
			v.Data = append(v.Data, from.Bytes(i)...)
		}
		v.Offsets[i+1] = int32(len(v.Data))
	case from == nil: // zeroNulls sets it
	case kind == columnar.KindBool:
		v.Bools[i] = from.Bools[i]
	case kind == columnar.KindInt64:
		v.Ints[i] = from.Ints[i]
	case kind == columnar.KindFloat64:
		v.Floats[i] = from.Floats[i]
	case kind == columnar.KindInt128:
		v.Wides[i] = from.Wides[i]
	}
}
