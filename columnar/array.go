package columnar

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

var zeroWide decimal128.Num

// Batch copies vectors into a new record batch with the given Arrow schema (as
// from Schema.Arrow). The caller releases it.
func Batch(alloc Allocator, schema *arrow.Schema, vs []*Vector, rows int) RecordBatch {
	arrays := make([]arrow.Array, len(vs))
	for i, v := range vs {
		arrays[i] = v.Array(alloc)
	}
	b := array.NewRecord(schema, arrays, int64(rows))
	for _, a := range arrays {
		a.Release()
	}
	return b
}

// Array copies the vector into a new Arrow array. The caller releases it.
func (v *Vector) Array(alloc Allocator) arrow.Array {
	nulls, validity := v.validity(alloc)
	buffers := []*memory.Buffer{validity}
	var children []arrow.ArrayData
	switch v.Type.Kind() {
	case KindBool:
		buffers = append(buffers, bitmapOf(alloc, v.Bools[:v.Len]))
	case KindInt64:
		buffers = append(buffers, copyOf(alloc, arrow.Int64Traits.CastToBytes(v.Ints[:v.Len])))
	case KindFloat64:
		buffers = append(buffers, copyOf(alloc, arrow.Float64Traits.CastToBytes(v.Floats[:v.Len])))
	case KindInt128:
		buffers = append(buffers, copyOf(alloc, arrow.Decimal128Traits.CastToBytes(v.Wides[:v.Len])))
	case KindBytes:
		lo, hi := v.Offsets[0], v.Offsets[v.Len]
		buffers = append(buffers, v.copyOffsets(alloc), copyOf(alloc, v.Data[lo:hi]))
	case KindList:
		buffers = append(buffers, v.copyOffsets(alloc))
		items := v.listItems(alloc)
		defer items.Release()
		children = []arrow.ArrayData{items.Data()}
	}
	data := array.NewData(v.Type.Arrow(), v.Len, buffers, children, nulls, 0)
	defer data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return array.MakeFromData(data)
}

// listItems copies the items the lists refer to, which may be a part of Child.
func (v *Vector) listItems(alloc Allocator) arrow.Array {
	lo, hi := int(v.Offsets[0]), int(v.Offsets[v.Len])
	if lo == 0 && hi == v.Child.Len {
		return v.Child.Array(alloc)
	}
	part := NewVector(v.Child.Type)
	part.AppendRange(v.Child, lo, hi)
	return part.Array(alloc)
}

func (v *Vector) copyOffsets(alloc Allocator) *memory.Buffer {
	b := newBuffer(alloc, 4*(v.Len+1))
	out := arrow.Int32Traits.CastFromBytes(b.Bytes())
	base := v.Offsets[0]
	for i, o := range v.Offsets[:v.Len+1] {
		out[i] = o - base
	}
	return b
}

func (v *Vector) validity(alloc Allocator) (nulls int, bitmap *memory.Buffer) {
	if v.Valid == nil {
		return 0, nil
	}
	for _, ok := range v.Valid[:v.Len] {
		if !ok {
			nulls++
		}
	}
	if nulls == 0 {
		return 0, nil
	}
	return nulls, bitmapOf(alloc, v.Valid[:v.Len])
}

func bitmapOf(alloc Allocator, bits []bool) *memory.Buffer {
	b := newBuffer(alloc, int(bitutil.BytesForBits(int64(len(bits)))))
	out := b.Bytes()
	clear(out)
	for i, bit := range bits {
		if bit {
			out[i>>3] |= 1 << (i & 7)
		}
	}
	return b
}

func copyOf(alloc Allocator, p []byte) *memory.Buffer {
	b := newBuffer(alloc, len(p))
	copy(b.Bytes(), p)
	return b
}

func newBuffer(alloc Allocator, n int) *memory.Buffer {
	b := memory.NewResizableBuffer(alloc)
	b.Resize(n)
	return b
}
