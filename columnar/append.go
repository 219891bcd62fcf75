package columnar

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// MaxVectorBytes bounds the bytes of text and the number of list items in one
// vector, well below what 32-bit offsets can address, so that appending one
// more batch never overflows. Who collects rows starts a new vector there.
const MaxVectorBytes = 1 << 30

// AppendGather appends the values of src at the given positions.
func (v *Vector) AppendGather(src *Vector, sel []int32) {
	v.appendValidity(src, sel)
	v.Len += len(sel)
	switch v.Type {
	case Bool:
		v.Bools = gather(v.Bools, src.Bools, sel)
	case Int, Decimal:
		v.Ints = gather(v.Ints, src.Ints, sel)
	case Float:
		v.Floats = gather(v.Floats, src.Floats, sel)
	case Wide:
		v.Wides = gather(v.Wides, src.Wides, sel)
	case Text, FloatSum:
		v.Offsets = slices.Grow(v.Offsets, len(sel))
		for _, i := range sel {
			v.Data = append(v.Data, src.Data[src.Offsets[i]:src.Offsets[i+1]]...)
			v.Offsets = append(v.Offsets, int32(len(v.Data)))
		}
	case TextList, IntList:
		v.Offsets = slices.Grow(v.Offsets, len(sel))
		for _, i := range sel {
			v.Child.AppendRange(src.Child, int(src.Offsets[i]), int(src.Offsets[i+1]))
			v.Offsets = append(v.Offsets, int32(v.Child.Len))
		}
	}
}

func gather[T any](dst, src []T, sel []int32) []T {
	n := len(dst)
	dst = slices.Grow(dst, len(sel))[:n+len(sel)]
	for i, j := range sel {
		dst[n+i] = src[j]
	}
	return dst
}

func (v *Vector) appendValidity(src *Vector, sel []int32) {
	if src.Valid == nil && v.Valid == nil {
		return
	}
	v.needValidity()
	for _, i := range sel {
		v.Valid = append(v.Valid, !src.IsNull(int(i)))
	}
}

func (v *Vector) needValidity() {
	if v.Valid != nil {
		return
	}
	v.Valid = make([]bool, v.Len, v.Len+16)
	for i := range v.Valid {
		v.Valid[i] = true
	}
}

// AppendRange appends the values of src from position lo up to, not including,
// hi.
func (v *Vector) AppendRange(src *Vector, lo, hi int) {
	if src.Valid != nil || v.Valid != nil {
		v.needValidity()
		for i := lo; i < hi; i++ {
			v.Valid = append(v.Valid, !src.IsNull(i))
		}
	}
	v.Len += hi - lo
	switch v.Type {
	case Bool:
		v.Bools = append(v.Bools, src.Bools[lo:hi]...)
	case Int, Decimal:
		v.Ints = append(v.Ints, src.Ints[lo:hi]...)
	case Float:
		v.Floats = append(v.Floats, src.Floats[lo:hi]...)
	case Wide:
		v.Wides = append(v.Wides, src.Wides[lo:hi]...)
	case Text, FloatSum:
		v.appendOffsets(src.Offsets[lo:hi+1], len(v.Data))
		v.Data = append(v.Data, src.Data[src.Offsets[lo]:src.Offsets[hi]]...)
	case TextList, IntList:
		v.appendOffsets(src.Offsets[lo:hi+1], v.Child.Len)
		v.Child.AppendRange(src.Child, int(src.Offsets[lo]), int(src.Offsets[hi]))
	}
}

func (v *Vector) appendOffsets(src []int32, base int) {
	shift := int32(base) - src[0]
	for _, o := range src[1:] {
		v.Offsets = append(v.Offsets, o+shift)
	}
}

// AppendNull appends one null.
func (v *Vector) AppendNull() {
	v.needValidity()
	v.Valid = append(v.Valid, false)
	v.Len++
	switch v.Type {
	case Bool:
		v.Bools = append(v.Bools, false)
	case Int, Decimal:
		v.Ints = append(v.Ints, 0)
	case Float:
		v.Floats = append(v.Floats, 0)
	case Wide:
		v.Wides = append(v.Wides, zeroWide)
	case Text, FloatSum:
		v.Offsets = append(v.Offsets, int32(len(v.Data)))
	case TextList, IntList:
		v.Offsets = append(v.Offsets, int32(v.Child.Len))
	}
}

// AppendBytes appends one value to a Text or FloatSum vector.
func (v *Vector) AppendBytes(b []byte) {
	v.appendValid()
	v.Len++
	v.Data = append(v.Data, b...)
	v.Offsets = append(v.Offsets, int32(len(v.Data)))
}

// AppendInt appends one value to an Int or Decimal vector.
func (v *Vector) AppendInt(n int64) {
	v.appendValid()
	v.Len++
	v.Ints = append(v.Ints, n)
}

// AppendFloat appends one value to a Float vector.
func (v *Vector) AppendFloat(f float64) {
	v.appendValid()
	v.Len++
	v.Floats = append(v.Floats, f)
}

// EndList closes a list whose items were appended to Child.
func (v *Vector) EndList() {
	v.appendValid()
	v.Len++
	v.Offsets = append(v.Offsets, int32(v.Child.Len))
}

func (v *Vector) appendValid() {
	if v.Valid != nil {
		v.Valid = append(v.Valid, true)
	}
}

// AppendBool appends one value to a Bool vector.
func (v *Vector) AppendBool(b bool) {
	v.appendValid()
	v.Len++
	v.Bools = append(v.Bools, b)
}

// AppendWide appends one value to a Wide vector.
func (v *Vector) AppendWide(n decimal128.Num) {
	v.appendValid()
	v.Len++
	v.Wides = append(v.Wides, n)
}
