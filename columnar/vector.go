package columnar

import (
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Vector is one column as plain slices, the form that operators work on. The Kind of
// the type decides which slices are in use.
//
// A Vector that was decoded, or is a slice of another, borrows memory and is read only;
// one that was appended to owns its slices. Only one goroutine may use it at a time.
type Vector struct {
	Type    Type
	Len     int
	Valid   []bool // nil: no nulls; a null's slot holds a zero or empty value
	Bools   []bool
	Ints    []int64
	Floats  []float64
	Wides   []decimal128.Num
	Offsets []int32 // Len+1 positions
	Data    []byte
	Child   *Vector

	// A coded vector has its values in a dictionary, and no others: value i is the dictionary's
	// value Places[i]. Only those get one who say that they take it.
	Dictionary *Vector
	Places     []int32

	lent   bool      // Data is borrowed, see Lend
	fields []*Vector // what Struct returns
}

// NewVector returns an empty vector that can be appended to.
func NewVector(t Type) *Vector {
	v := &Vector{Type: t}
	switch t.Kind() {
	case KindBytes:
		v.Offsets = []int32{0}
	case KindList:
		v.Offsets, v.Child = []int32{0}, NewVector(t.Item())
	}
	return v
}

// IsNull reports whether value i is null.
func (v *Vector) IsNull(i int) bool { return v.Valid != nil && !v.Valid[i] }

// Printed returns value i of a vector of KindBytes as people write it; the bytes of a Text are borrowed.
func (v *Vector) Printed(i int) []byte {
	if v.Type == Text {
		return v.Bytes(i)
	}
	return v.AppendText(nil, i)
}

// Bytes returns value i of a vector of KindBytes, borrowed.
func (v *Vector) Bytes(i int) []byte { return v.Data[v.Offsets[i]:v.Offsets[i+1]] }

// vectorBytes is how many bytes a vector takes without values.
const vectorBytes = int64(unsafe.Sizeof(Vector{}))

// Size returns about how many bytes of memory the vector takes.
func (v *Vector) Size() int64 {
	n := vectorBytes + int64(cap(v.Valid)+cap(v.Bools)+8*cap(v.Ints)+8*cap(v.Floats)+16*cap(v.Wides)+4*cap(v.Offsets)+cap(v.Data))
	if v.Child != nil {
		n += v.Child.Size()
	}
	return n
}

// Reset empties the vector and keeps its memory for the next values.
func (v *Vector) Reset() {
	v.Len, v.Valid = 0, nil
	if v.lent {
		v.Data, v.lent = nil, false
	}
	v.Bools, v.Ints, v.Floats, v.Wides, v.Data = v.Bools[:0], v.Ints[:0], v.Floats[:0], v.Wides[:0], v.Data[:0]
	if v.Offsets != nil {
		v.Offsets = v.Offsets[:1]
	}
	if v.Child != nil {
		v.Child.Reset()
	}
}

// Slice returns the values from position lo up to, not including, hi; they
// borrow the vector's memory.
func (v *Vector) Slice(lo, hi int) *Vector {
	out := new(Vector)
	out.View(v, lo, hi)
	return out
}

// Code makes v the values of another vector at some positions, as a coded vector of that one's dictionary, or of that
// one itself if it has none. It copies no values: v borrows them.
func (v *Vector) Code(of *Vector, at []int32) {
	valid, places := v.Valid[:0], append(v.Places[:0], at...)
	*v = Vector{Type: of.Type, Len: len(at), Dictionary: of, Places: places}
	if of.Dictionary != nil {
		v.Dictionary = of.Dictionary
		for k, i := range at {
			places[k] = of.Places[i]
		}
	}
	if of.Valid != nil {
		for _, i := range at {
			valid = append(valid, of.Valid[i])
		}
		v.Valid = valid
	}
}

// SamePlaces reports whether two vectors are coded, by dictionaries of one size, and have the same places in them.
func (v *Vector) SamePlaces(w *Vector) bool {
	return v.Dictionary != nil && w.Dictionary != nil && v.Dictionary.Len == w.Dictionary.Len && slices.Equal(v.Places, w.Places)
}

// View makes v a view of another vector's values from position lo up to, not including,
// hi; v borrows its memory. It is Slice without an allocation.
func (v *Vector) View(of *Vector, lo, hi int) {
	*v = Vector{Type: of.Type, Len: hi - lo, Data: of.Data, Child: of.Child}
	if of.Valid != nil {
		v.Valid = of.Valid[lo:hi]
	}
	if of.Dictionary != nil {
		v.Dictionary, v.Places = of.Dictionary, of.Places[lo:hi]
		return
	}
	switch of.Type.Kind() {
	case KindBool:
		v.Bools = of.Bools[lo:hi]
	case KindInt64:
		v.Ints = of.Ints[lo:hi]
	case KindFloat64:
		v.Floats = of.Floats[lo:hi]
	case KindInt128:
		v.Wides = of.Wides[lo:hi]
	default:
		v.Offsets = of.Offsets[lo : hi+1]
	}
}
