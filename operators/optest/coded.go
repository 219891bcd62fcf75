package optest

import (
	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
)

// takesCoded is implemented by operators that take some columns of their input coded.
type takesCoded interface{ TakesCoded(column int) bool }

// coded returns the rows of an input with those columns coded that the operator takes so. The
// dictionaries have a null, which no row need have, and then the values in the order of the rows
// from the middle on, or from the first.
func coded(op operators.Operator, rows columnar.Rows, middle bool) columnar.Rows {
	first := 0
	if middle {
		first = rows.Len / 2
	}
	out := columnar.Rows{Len: rows.Len}
	takes, ok := op.(takesCoded)
	for c, v := range rows.Cols {
		if ok && takes.TakesCoded(c) {
			v = code(v, first)
		}
		out.Cols = append(out.Cols, v)
	}
	return out
}

func code(v *columnar.Vector, first int) *columnar.Vector {
	out := &columnar.Vector{Type: v.Type, Len: v.Len, Dictionary: columnar.NewVector(v.Type)}
	out.Dictionary.AppendNull()
	out.Places = make([]int32, v.Len)
	places := make(map[string]int32)
	for k := range v.Len {
		i := (k + first) % v.Len
		value := rowtest.Value(v, i)
		place, ok := places[value]
		if !ok {
			place = int32(out.Dictionary.Len)
			places[value] = place
			out.Dictionary.AppendRange(v, i, i+1)
		}
		out.Places[i] = place
	}
	return out
}
