package optest

import (
	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
)

// takesCoded reports whether an operator takes a column of its input coded, or hands it on so.
func takesCoded(op operators.Operator, column int) bool {
	switch op := op.(type) {
	case interface{ TakesCoded(column int) bool }:
		return op.TakesCoded(column)
	case interface {
		HandsOn(column int) ([]int, bool)
	}:
		_, whole := op.HandsOn(column)
		return whole
	}
	return false
}

// forms returns the rows of an input as they are, and with those columns coded that the operator takes so: by a
// dictionary of each column's values, and by one of all rows, as of rows that are repeated.
func forms(op operators.Operator, rows columnar.Rows) []columnar.Rows {
	out := []columnar.Rows{rows}
	for _, code := range []func(*columnar.Vector) *columnar.Vector{
		func(v *columnar.Vector) *columnar.Vector { return code(v, 0) },
		func(v *columnar.Vector) *columnar.Vector { return code(v, v.Len/2) },
		repeat,
	} {
		form := columnar.Rows{Len: rows.Len}
		for c, v := range rows.Cols {
			if takesCoded(op, c) {
				v = code(v)
			}
			form.Cols = append(form.Cols, v)
		}
		out = append(out, form)
	}
	return out
}

// repeat returns values coded by a dictionary that has them all, the last one first.
func repeat(v *columnar.Vector) *columnar.Vector {
	backwards := make([]int32, v.Len)
	for i := range backwards {
		backwards[i] = int32(v.Len - 1 - i)
	}
	dictionary, out := columnar.NewVector(v.Type), new(columnar.Vector)
	dictionary.AppendGather(v, backwards)
	out.Code(dictionary, backwards)
	return out
}

// code returns values coded by a dictionary that has a null, which no row need have, and then the values in the order of
// the rows from one on.
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
