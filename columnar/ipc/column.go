package ipc

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
)

// decoder reads columns from a record batch in the order of the format: depth first, each
// with one node and the buffers of its layout.
type decoder struct {
	body    []byte // begins at a multiple of 8 bytes in memory
	taken   int64  // bytes of body before the end of the last buffer
	nodes   pairs
	buffers pairs
}

// column returns the next column, of type t. It shares the memory of the body.
func (d *decoder) column(t columnar.Type) (*columnar.Vector, error) {
	length, nulls, err := d.node()
	if err != nil {
		return nil, err
	}
	v := &columnar.Vector{Type: t, Len: length}
	if v.Valid, err = d.validity(length, nulls); err != nil {
		return nil, err
	}
	switch t.Kind() {
	case columnar.KindBool:
		var bits []byte
		bits, err = d.values(length, 1)
		v.Bools = unpacked(bits, length)
	case columnar.KindInt64:
		v.Ints, err = fixed[int64](d, length)
	case columnar.KindFloat64:
		v.Floats, err = fixed[float64](d, length)
	case columnar.KindInt128:
		v.Wides, err = fixed[decimal128.Num](d, length)
	case columnar.KindBytes:
		err = d.text(v)
	case columnar.KindList:
		err = d.list(v)
	default:
		err = fmt.Errorf("type %s is not supported", t)
	}
	return v, err
}

// node returns the next column's number of values and of nulls.
func (d *decoder) node() (length, nulls int, err error) {
	n, null, ok := d.nodes.next()
	if !ok {
		return 0, 0, errors.New("the message holds fewer columns than the schema")
	}
	// Offsets are 32 bits wide, and every column has at least one bit per value.
	if n < 0 || n >= math.MaxInt32 || n > 8*int64(len(d.body)) || null < 0 || null > n {
		return 0, 0, fmt.Errorf("%d values, %d null, in a body of %d bytes", n, null, len(d.body))
	}
	return int(n), int(null), nil
}

// validity returns which values are not null, nil if all are.
func (d *decoder) validity(length, nulls int) ([]bool, error) {
	if nulls == 0 {
		_, err := d.next()
		return nil, err
	}
	bits, err := d.values(length, 1)
	return unpacked(bits, length), err
}

// values returns the next buffer, cut to length values of the given number of bits.
func (d *decoder) values(length, bits int) ([]byte, error) {
	buffer, err := d.next()
	if err != nil {
		return nil, err
	}
	need := int(bitutil.BytesForBits(int64(length) * int64(bits)))
	if len(buffer) < need {
		return nil, fmt.Errorf("%d bytes for %d values of %d bits", len(buffer), length, bits)
	}
	return buffer[:need:need], nil
}

// fixed returns the next buffer as a slice of fixed-width values.
func fixed[T any](d *decoder, length int) ([]T, error) {
	var zero T
	buffer, err := d.values(length, 8*int(unsafe.Sizeof(zero)))
	if err != nil || length == 0 {
		return nil, err
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(buffer))), length), nil
}

// unpacked expands the first n bits to one bool each.
func unpacked(bits []byte, n int) []bool {
	if len(bits)*8 < n {
		return nil
	}
	values := make([]bool, n)
	for i := range values {
		values[i] = bits[i>>3]>>(i&7)&1 != 0
	}
	return values
}

// text reads the offsets and bytes of variable-length values.
func (d *decoder) text(v *columnar.Vector) error {
	end, err := d.offsets(v)
	if err != nil {
		return err
	}
	buffer, err := d.next()
	if err == nil && len(buffer) < end {
		err = fmt.Errorf("values of %d bytes end at offset %d", len(buffer), end)
	}
	if err == nil {
		v.Data = buffer[:end:end]
	}
	return err
}

// list reads the offsets of lists and their items.
func (d *decoder) list(v *columnar.Vector) error {
	end, err := d.offsets(v)
	if err != nil {
		return err
	}
	if v.Child, err = d.column(v.Type.Item()); err != nil {
		return fmt.Errorf("values of the list: %w", err)
	}
	if v.Child.Len < end {
		return fmt.Errorf("%d values of lists that end at %d", v.Child.Len, end)
	}
	return nil
}

// offsets reads the ascending positions of variable-length values and returns the last of
// them. A column without values may have none.
func (d *decoder) offsets(v *columnar.Vector) (end int, err error) {
	buffer, err := d.next()
	if err != nil {
		return 0, err
	}
	need := (v.Len + 1) * arrow.Int32SizeBytes
	if v.Len == 0 && len(buffer) < need {
		v.Offsets = []int32{0}
		return 0, nil
	}
	if len(buffer) < need {
		return 0, fmt.Errorf("offsets of %d bytes for %d values", len(buffer), v.Len)
	}
	v.Offsets = arrow.Int32Traits.CastFromBytes(buffer[:need:need])
	if !ascending(v.Offsets) {
		return 0, errors.New("offsets are negative or fall")
	}
	return int(v.Offsets[v.Len]), nil
}

// ascending reports whether positions begin at zero or later and never fall.
func ascending(positions []int32) bool {
	last, fall := int32(0), int64(0)
	for _, position := range positions {
		fall |= int64(position) - int64(last)
		last = position
	}
	return fall >= 0
}

// next returns the next buffer. Buffers must not overlap: otherwise a small message could
// decode to many rows.
func (d *decoder) next() ([]byte, error) {
	offset, length, ok := d.buffers.next()
	if !ok {
		return nil, errors.New("the message holds fewer buffers than the schema")
	}
	size := int64(len(d.body))
	if offset < 0 || length < 0 || offset%alignment != 0 || offset > size || length > size-offset {
		return nil, fmt.Errorf("buffer of %d bytes at %d in a body of %d", length, offset, size)
	}
	if length == 0 {
		return nil, nil
	}
	if offset < d.taken {
		return nil, fmt.Errorf("buffer of %d bytes at %d, where another ends at %d", length, offset, d.taken)
	}
	d.taken = offset + length
	return d.body[offset:d.taken], nil
}
