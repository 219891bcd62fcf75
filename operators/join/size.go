package join

import "analyzer/columnar"

// sized reports whether values of a type differ in size.
func sized(t columnar.Type) bool {
	return t.Kind().Varies()
}

// longest returns the bytes of the longest value of a vector of a sized type.
func longest(v *columnar.Vector) int64 {
	var most int64
	for i := range v.Len {
		most = max(most, valueBytes(v, i))
	}
	return most
}

// valueBytes returns about how many bytes value i of a sized type takes.
func valueBytes(v *columnar.Vector, i int) int64 {
	lo, hi := v.Offsets[i], v.Offsets[i+1]
	switch {
	case v.Child == nil:
		return int64(hi - lo)
	case v.Child.Offsets == nil:
		return 8 * int64(hi-lo)
	}
	return 4*int64(hi-lo) + int64(v.Child.Offsets[hi]-v.Child.Offsets[lo])
}
