package spill

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

// borrow returns rows lo to hi as a record batch that shares their memory where
// the two forms agree: the batch must be released before the rows change. What
// differs, which is bits and offsets that do not begin at zero, is in buffers of
// alloc.
func borrow(alloc columnar.Allocator, schema *arrow.Schema, rows columnar.Rows, lo, hi int) columnar.RecordBatch {
	arrays := make([]arrow.Array, len(rows.Cols))
	for i, c := range rows.Cols {
		data := borrowColumn(alloc, c, lo, hi)
		arrays[i] = array.MakeFromData(data)
		data.Release()
	}
	b := array.NewRecord(schema, arrays, int64(hi-lo))
	for _, a := range arrays {
		a.Release()
	}
	return b
}

func borrowColumn(alloc columnar.Allocator, v *columnar.Vector, lo, hi int) arrow.ArrayData {
	buffers := []*memory.Buffer{nil, nil}
	nulls := 0
	if v.Valid != nil {
		if nulls = count(v.Valid[lo:hi], false); nulls > 0 {
			buffers[0] = bitmap(alloc, v.Valid[lo:hi])
		}
	}
	var children []arrow.ArrayData
	switch v.Type {
	case columnar.Bool:
		buffers[1] = bitmap(alloc, v.Bools[lo:hi])
	case columnar.Int, columnar.Decimal:
		buffers[1] = memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(v.Ints[lo:hi]))
	case columnar.Float:
		buffers[1] = memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(v.Floats[lo:hi]))
	case columnar.Wide:
		buffers[1] = memory.NewBufferBytes(arrow.Decimal128Traits.CastToBytes(v.Wides[lo:hi]))
	case columnar.Text, columnar.FloatSum:
		buffers[1] = offsets(alloc, v.Offsets[lo:hi+1])
		buffers = append(buffers, memory.NewBufferBytes(v.Data[v.Offsets[lo]:v.Offsets[hi]]))
	default:
		buffers[1] = offsets(alloc, v.Offsets[lo:hi+1])
		items := borrowColumn(alloc, v.Child, int(v.Offsets[lo]), int(v.Offsets[hi]))
		defer items.Release()
		children = append(children, items)
	}
	data := array.NewData(v.Type.Arrow(), hi-lo, buffers, children, nulls, 0)
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return data
}

func count(bits []bool, what bool) int {
	n := 0
	for _, bit := range bits {
		if bit == what {
			n++
		}
	}
	return n
}

func bitmap(alloc columnar.Allocator, bits []bool) *memory.Buffer {
	b := memory.NewResizableBuffer(alloc)
	b.Resize(int(bitutil.BytesForBits(int64(len(bits)))))
	out := b.Bytes()
	clear(out)
	for i, bit := range bits {
		if bit {
			out[i>>3] |= 1 << (i & 7)
		}
	}
	return b
}

// offsets returns positions as they are if they begin at zero.
func offsets(alloc columnar.Allocator, positions []int32) *memory.Buffer {
	if positions[0] == 0 {
		return memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(positions))
	}
	b := memory.NewResizableBuffer(alloc)
	b.Resize(arrow.Int32Traits.BytesRequired(len(positions)))
	out := arrow.Int32Traits.CastFromBytes(b.Bytes())
	for i, p := range positions {
		out[i] = p - positions[0]
	}
	return b
}
