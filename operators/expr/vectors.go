package expr

import (
	"slices"

	"analyzer/columnar"
)

// resize returns a slice of n values that may be anything, in s's memory if
// there is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// resizeKeep is resize, but keeps the values of s.
func resizeKeep[T any](s []T, n int) []T {
	return slices.Grow(s, n-len(s))[:n]
}

// result is the vector a node returns, and the memory for its validity, which
// the vector itself has only when there are nulls.
type result struct {
	vec   columnar.Vector
	valid []bool
}

// start makes the result a vector of n values that may be anything, without
// nulls, or of no texts yet.
func (r *result) start(t columnar.Type, n int) *columnar.Vector {
	v := &r.vec
	v.Type, v.Len, v.Valid = t, n, nil
	switch t {
	case columnar.Bool:
		v.Bools = resize(v.Bools, n)
	case columnar.Int, columnar.Decimal:
		v.Ints = resize(v.Ints, n)
	case columnar.Float:
		v.Floats = resize(v.Floats, n)
	case columnar.Wide:
		v.Wides = resize(v.Wides, n)
	case columnar.Text:
		v.Offsets, v.Data = resize(v.Offsets, n+1), v.Data[:0]
		v.Offsets[0] = 0
	}
	return v
}

// validity gives the result a validity of its own that may hold anything.
func (r *result) validity() []bool {
	r.valid = resize(r.valid, r.vec.Len)
	r.vec.Valid = r.valid
	return r.valid
}

// nullsOf makes the result null where a or b is.
func (r *result) nullsOf(a, b *columnar.Vector) {
	n := r.vec.Len
	switch {
	case a.Valid == nil && b.Valid == nil:
		r.vec.Valid = nil
	case a.Valid == nil:
		r.vec.Valid = b.Valid[:n]
	case b.Valid == nil:
		r.vec.Valid = a.Valid[:n]
	default:
		valid, other := r.validity(), b.Valid[:n]
		for i, ok := range a.Valid[:n] {
			valid[i] = ok && other[i]
		}
	}
}

// nullsOf1 makes the result null where a is.
func (r *result) nullsOf1(a *columnar.Vector) {
	r.vec.Valid = nil
	if a.Valid != nil {
		r.vec.Valid = a.Valid[:r.vec.Len]
	}
}

// zeroNulls puts zero values into the slots of nulls.
func zeroNulls[T any](values []T, valid []bool) {
	if valid == nil {
		return
	}
	var zero T
	for i, ok := range valid {
		if !ok {
			values[i] = zero
		}
	}
}
