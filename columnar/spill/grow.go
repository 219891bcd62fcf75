package spill

import (
	"slices"

	"analyzer/columnar"
)

// appendGather appends the rows of src at the given positions. Memory is
// doubled, where append would add a quarter to a large slice and leave behind
// four times as much as it ends with.
func appendGather(dst *columnar.Rows, src columnar.Rows, sel []int32) {
	for i, c := range dst.Cols {
		makeRoom(c, src.Cols[i], sel)
	}
	dst.AppendGather(src, sel)
}

func makeRoom(v, src *columnar.Vector, sel []int32) {
	n := len(sel)
	switch v.Type.Kind() {
	case columnar.KindBool:
		v.Bools = doubled(v.Bools, n)
	case columnar.KindInt64:
		v.Ints = doubled(v.Ints, n)
	case columnar.KindFloat64:
		v.Floats = doubled(v.Floats, n)
	case columnar.KindInt128:
		v.Wides = doubled(v.Wides, n)
	case columnar.KindBytes:
		v.Offsets = doubled(v.Offsets, n)
		v.Data = doubled(v.Data, lengths(src.Offsets, sel))
	default:
		v.Offsets = doubled(v.Offsets, n)
	}
}

// lengths returns the bytes of the values at the given positions.
func lengths(offsets, sel []int32) int {
	n := 0
	for _, i := range sel {
		n += int(offsets[i+1] - offsets[i])
	}
	return n
}

func doubled[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return slices.Grow(s, max(n, len(s)))
}
