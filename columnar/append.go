package columnar

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// MaxVectorBytes bounds the bytes of text and the number of list items in one
// vector. It is well below the range of 32-bit offsets, so that appending one more
// batch never overflows. Code that collects rows starts a new vector at this size.
const MaxVectorBytes = 1 << 30

// AppendGather appends the values of src at the given positions. Those that follow each other, as the items of
// unnested lists do, are copied at once.
func (v *Vector) AppendGather(src *Vector, sel []int32) {
	if len(sel) > 1 && consecutive(sel) {
		v.AppendRange(src, int(sel[0]), int(sel[0])+len(sel))
		return
	}
	v.appendValidity(src, sel)
	v.Len += len(sel)
	switch v.Type.Kind() {
	case KindBool:
		v.Bools = Gathered(v.Bools, src.Bools, sel)
	case KindInt64:
		v.Ints = Gathered(v.Ints, src.Ints, sel)
	case KindFloat64:
		v.Floats = Gathered(v.Floats, src.Floats, sel)
	case KindInt128:
		v.Wides = Gathered(v.Wides, src.Wides, sel)
	case KindBytes:
		v.Offsets = doubled(v.Offsets, len(sel))
		for _, i := range sel {
			text := src.Data[src.Offsets[i]:src.Offsets[i+1]]
			v.Data = append(doubled(v.Data, len(text)), text...)
			v.Offsets = append(v.Offsets, int32(len(v.Data)))
		}
	case KindList:
		v.Offsets = doubled(v.Offsets, len(sel))
		for _, i := range sel {
			v.Child.AppendRange(src.Child, int(src.Offsets[i]), int(src.Offsets[i+1]))
			v.Offsets = append(v.Offsets, int32(v.Child.Len))
		}
	}
}

// consecutive reports whether positions, of which there are some, follow each other.
func consecutive(sel []int32) bool {
	for i, at := range sel[1:] {
		if at != sel[i]+1 {
			return false
		}
	}
	return true
}

// Gathered appends the values of src at the given positions.
func Gathered[T any](dst, src []T, sel []int32) []T {
	n := len(dst)
	dst = doubled(dst, len(sel))[:n+len(sel)]
	for i, j := range sel {
		dst[n+i] = src[j]
	}
	return dst
}

// doubled makes room for n more values by doubling the capacity. append would grow a
// large slice by a quarter each time, and leave four times its final size as garbage.
func doubled[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return slices.Grow(s, max(n, len(s)))
}

// Reserve makes room for n more values, which take so many bytes if they vary in length.
func (v *Vector) Reserve(n, bytes int) {
	switch v.Type.Kind() {
	case KindBool:
		v.Bools = slices.Grow(v.Bools, n)
	case KindInt64:
		v.Ints = slices.Grow(v.Ints, n)
	case KindFloat64:
		v.Floats = slices.Grow(v.Floats, n)
	case KindInt128:
		v.Wides = slices.Grow(v.Wides, n)
	case KindBytes:
		v.Offsets, v.Data = slices.Grow(v.Offsets, n), slices.Grow(v.Data, bytes)
	case KindList:
		v.Offsets = slices.Grow(v.Offsets, n)
	}
}

func (v *Vector) appendValidity(src *Vector, sel []int32) {
	if src.Valid == nil && v.Valid == nil {
		return
	}
	v.needValidity(len(sel))
	if src.Valid != nil {
		v.Valid = Gathered(v.Valid, src.Valid, sel)
	} else {
		v.Valid = appendTrue(v.Valid, len(sel))
	}
}

// needValidity makes Valid, with room for more values, unless it is there.
func (v *Vector) needValidity(more int) {
	if v.Valid == nil {
		v.Valid = appendTrue(make([]bool, 0, v.Len+max(more, 16)), v.Len)
	}
}

func appendTrue(all []bool, n int) []bool {
	from := len(all)
	all = doubled(all, n)[:from+n]
	for i := range all[from:] {
		all[from+i] = true
	}
	return all
}

// AppendRange appends the values of src from position lo up to, not including,
// hi.
func (v *Vector) AppendRange(src *Vector, lo, hi int) {
	if src.Valid != nil || v.Valid != nil {
		v.needValidity(hi - lo)
		if src.Valid != nil {
			v.Valid = append(v.Valid, src.Valid[lo:hi]...)
		} else {
			v.Valid = appendTrue(v.Valid, hi-lo)
		}
	}
	v.Len += hi - lo
	switch v.Type.Kind() {
	case KindBool:
		v.Bools = append(v.Bools, src.Bools[lo:hi]...)
	case KindInt64:
		v.Ints = append(v.Ints, src.Ints[lo:hi]...)
	case KindFloat64:
		v.Floats = append(v.Floats, src.Floats[lo:hi]...)
	case KindInt128:
		v.Wides = append(v.Wides, src.Wides[lo:hi]...)
	case KindBytes:
		v.appendOffsets(src.Offsets[lo:hi+1], len(v.Data))
		v.Data = append(v.Data, src.Data[src.Offsets[lo]:src.Offsets[hi]]...)
	case KindList:
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

// Take appends the values of another vector, which does not keep them: those that come first are not copied.
func (v *Vector) Take(from *Vector) {
	if v.Len == 0 {
		*v, *from = *from, *v
		return
	}
	v.AppendRange(from, 0, from.Len)
}

// AppendNull appends one null.
func (v *Vector) AppendNull() {
	v.needValidity(1)
	v.Valid = append(v.Valid, false)
	v.Len++
	switch v.Type.Kind() {
	case KindBool:
		v.Bools = append(v.Bools, false)
	case KindInt64:
		v.Ints = append(v.Ints, 0)
	case KindFloat64:
		v.Floats = append(v.Floats, 0)
	case KindInt128:
		v.Wides = append(v.Wides, decimal128.Num{})
	case KindBytes:
		v.Offsets = append(v.Offsets, int32(len(v.Data)))
	case KindList:
		v.Offsets = append(v.Offsets, int32(v.Child.Len))
	}
}

// AppendBytes appends one value to a vector of KindBytes.
func (v *Vector) AppendBytes(b []byte) {
	v.appendValid()
	v.Data = append(v.Data, b...)
	v.Offsets = append(v.Offsets, int32(len(v.Data)))
}

// lentBytes is how long a text is that Lend does not copy.
const lentBytes = 1 << 20

// Lend is AppendBytes, but borrows a long text that is the first value, until Reset.
func (v *Vector) Lend(b []byte) {
	if v.Len > 0 || len(b) < lentBytes {
		v.AppendBytes(b)
		return
	}
	v.appendValid()
	v.Data, v.lent = b[:len(b):len(b)], true
	v.Offsets = append(v.Offsets, int32(len(b)))
}

// AppendParts appends the parts of a text between separators, one more than there are, to a vector of KindBytes.
func (v *Vector) AppendParts(text []byte, separator byte) {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	at, before := len(v.Data), len(v.Offsets)
	out := doubled(v.Data, len(text))[:at+len(text)]
	for len(text) >= 8 { // parts are short, so that looking for an end costs more than copying what is behind it
		eight := binary.LittleEndian.Uint64(text)
		binary.LittleEndian.PutUint64(out[at:], eight)
		x := eight ^ ones*uint64(separator)
		if x = (x - ones) &^ x & highs; x == 0 {
			at, text = at+8, text[8:]
			continue
		}
		n := bits.TrailingZeros64(x) / 8
		at, text = at+n, text[n+1:]
		v.Offsets = append(v.Offsets, int32(at))
	}
	for _, c := range text {
		if c == separator {
			v.Offsets = append(v.Offsets, int32(at))
			continue
		}
		out[at] = c
		at++
	}
	v.Data, v.Offsets = out[:at], append(v.Offsets, int32(at))
	n := len(v.Offsets) - before
	if v.Len += n; v.Valid != nil {
		v.Valid = appendTrue(v.Valid, n)
	}
}

// AppendInt appends one value to a vector of KindInt64.
func (v *Vector) AppendInt(n int64) {
	v.appendValid()
	v.Ints = append(v.Ints, n)
}

// AppendFloat appends one value to a vector of KindFloat64.
func (v *Vector) AppendFloat(f float64) {
	v.appendValid()
	v.Floats = append(v.Floats, f)
}

// EndList closes a list whose items were appended to Child.
func (v *Vector) EndList() {
	v.appendValid()
	v.Offsets = append(v.Offsets, int32(v.Child.Len))
}

// appendValid counts a value that is not null.
func (v *Vector) appendValid() {
	v.Len++
	if v.Valid != nil {
		v.Valid = append(v.Valid, true)
	}
}

// AppendBool appends one value to a vector of KindBool.
func (v *Vector) AppendBool(b bool) {
	v.appendValid()
	v.Bools = append(v.Bools, b)
}

// AppendWide appends one value to a vector of KindInt128.
func (v *Vector) AppendWide(n decimal128.Num) {
	v.appendValid()
	v.Wides = append(v.Wides, n)
}
