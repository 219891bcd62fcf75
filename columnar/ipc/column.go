package ipc

import (
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// decoder takes columns off a record batch in the order of the format: depth
// first, each with one node and the buffers of its layout.
type decoder struct {
	block   *memory.Buffer
	body    int // where the body begins in block
	size    int // bytes of the body
	nodes   pairs
	buffers pairs
}

// column returns the next column, of type dt; the caller releases it.
func (d *decoder) column(dt arrow.DataType) (arrow.ArrayData, error) {
	length, nulls, err := d.node()
	if err != nil {
		return nil, err
	}
	validity, err := d.validity(length, nulls)
	if err != nil {
		return nil, err
	}
	buffers := []*memory.Buffer{validity}
	defer func() { release(buffers) }()
	var children []arrow.ArrayData
	switch dt := dt.(type) {
	case *arrow.StringType, *arrow.BinaryType:
		buffers, err = d.text(buffers, length)
	case *arrow.ListType:
		var child arrow.ArrayData
		buffers, child, err = d.list(buffers, dt.Elem(), length)
		if err == nil {
			defer child.Release()
			children = []arrow.ArrayData{child}
		}
	case *arrow.BooleanType, *arrow.Int64Type, *arrow.Float64Type, *arrow.Decimal128Type:
		var values *memory.Buffer
		values, err = d.fixed(length, dt.(arrow.FixedWidthDataType).BitWidth())
		buffers = append(buffers, values)
	default:
		err = fmt.Errorf("type %s is not supported", dt)
	}
	if err != nil {
		return nil, err
	}
	return array.NewData(dt, length, buffers, children, nulls, 0), nil
}

// node returns the next column's number of values and of nulls.
func (d *decoder) node() (length, nulls int, err error) {
	n, null, ok := d.nodes.next()
	if !ok {
		return 0, 0, errors.New("the message holds fewer columns than the schema")
	}
	// Offsets are 32 bits wide, and no column of fewer bits than values exists.
	if n < 0 || n >= math.MaxInt32 || n > 8*int64(d.size) || null < 0 || null > n {
		return 0, 0, fmt.Errorf("%d values, %d null, in a body of %d bytes", n, null, d.size)
	}
	return int(n), int(null), nil
}

// validity returns the bitmap of which values are not null, nil for all.
func (d *decoder) validity(length, nulls int) (*memory.Buffer, error) {
	at, size, err := d.extent()
	if err != nil || nulls == 0 {
		return nil, err
	}
	need := int(bitutil.BytesForBits(int64(length)))
	if size < need {
		return nil, fmt.Errorf("validity of %d bytes for %d values", size, length)
	}
	return memory.SliceBuffer(d.block, at, need), nil
}

func (d *decoder) fixed(length, bits int) (*memory.Buffer, error) {
	at, size, err := d.extent()
	if err != nil {
		return nil, err
	}
	need := int(bitutil.BytesForBits(int64(length) * int64(bits)))
	if size < need {
		return nil, fmt.Errorf("%d bytes for %d values of %d bits", size, length, bits)
	}
	return memory.SliceBuffer(d.block, at, need), nil
}

// text appends the offsets and bytes of variable-length values.
func (d *decoder) text(buffers []*memory.Buffer, length int) ([]*memory.Buffer, error) {
	offsets, end, err := d.offsets(length)
	if err != nil {
		return buffers, err
	}
	buffers = append(buffers, offsets)
	at, size, err := d.extent()
	if err != nil {
		return buffers, err
	}
	if size < end {
		return buffers, fmt.Errorf("values of %d bytes end at offset %d", size, end)
	}
	return append(buffers, memory.SliceBuffer(d.block, at, end)), nil
}

// list appends the offsets of lists and returns their values.
func (d *decoder) list(buffers []*memory.Buffer, elem arrow.DataType, length int) ([]*memory.Buffer, arrow.ArrayData, error) {
	offsets, end, err := d.offsets(length)
	if err != nil {
		return buffers, nil, err
	}
	buffers = append(buffers, offsets)
	values, err := d.column(elem)
	if err != nil {
		return buffers, nil, fmt.Errorf("values of the list: %w", err)
	}
	if values.Len() < end {
		defer values.Release()
		return buffers, nil, fmt.Errorf("%d values of lists that end at %d", values.Len(), end)
	}
	return buffers, values, nil
}

// offsets returns the length+1 ascending positions of variable-length values,
// and the last of them. A column of no values may come without any.
func (d *decoder) offsets(length int) (*memory.Buffer, int, error) {
	at, size, err := d.extent()
	if err != nil {
		return nil, 0, err
	}
	need := (length + 1) * arrow.Int32SizeBytes
	if length == 0 && size < need {
		return nil, 0, nil
	}
	if size < need {
		return nil, 0, fmt.Errorf("offsets of %d bytes for %d values", size, length)
	}
	buffer := memory.SliceBuffer(d.block, at, need)
	positions := arrow.Int32Traits.CastFromBytes(buffer.Bytes())
	if !ascending(positions) {
		buffer.Release()
		return nil, 0, errors.New("offsets are negative or fall")
	}
	return buffer, int(positions[length]), nil
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

// extent returns where in block the next buffer lies, and its bytes.
func (d *decoder) extent() (at, size int, err error) {
	offset, length, ok := d.buffers.next()
	if !ok {
		return 0, 0, errors.New("the message holds fewer buffers than the schema")
	}
	if offset < 0 || length < 0 || offset%alignment != 0 ||
		offset > int64(d.size) || length > int64(d.size)-offset {
		return 0, 0, fmt.Errorf("buffer of %d bytes at %d in a body of %d", length, offset, d.size)
	}
	return d.body + int(offset), int(length), nil
}

func release(buffers []*memory.Buffer) {
	for _, buffer := range buffers {
		if buffer != nil {
			buffer.Release()
		}
	}
}
