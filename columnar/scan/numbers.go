package scan

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

// column makes the Arrow array of output i for some records.
func (w *Worker) column(i int, records []int32) (arrow.Array, error) {
	c := &w.scan.outputs[i]
	switch {
	case c.vector >= 0:
		return w.gathered(c, records), nil
	case c.Format.Type().Kind() == columnar.KindBool:
		return w.bools(c, records), nil
	case c.number != nil:
		return w.parsed(c, records), nil
	case c.items != nil:
		return w.lists(i, records)
	}
	return w.texts(i, records, c.fits != nil && !c.Required), nil
}

// gathered copies a required column of numbers.
func (w *Worker) gathered(c *column, records []int32) arrow.Array {
	from := w.vectors[c.vector]
	if c.Format.Type().Kind() == columnar.KindBool {
		values := w.bitmap(len(records))
		out := values.Bytes()
		for i, r := range records {
			out[i/8] |= byte(from[r]) << (i % 8)
		}
		return newArray(columnar.Bool, len(records), 0, nil, []*memory.Buffer{nil, values})
	}
	values := w.buffer(8 * len(records))
	out := arrow.Int64Traits.CastFromBytes(values.Bytes())
	if len(records) == w.block.Len() {
		copy(out, from)
	} else {
		for i, r := range records {
			out[i] = from[r]
		}
	}
	return newArray(columnar.Int, len(records), 0, nil, []*memory.Buffer{nil, values})
}

// parsed parses a column of numbers that is not required.
func (w *Worker) parsed(c *column, records []int32) arrow.Array {
	values, known := w.buffer(8*len(records)), validity{worker: w, rows: len(records)}
	out := arrow.Int64Traits.CastFromBytes(values.Bytes())
	data := w.block.Data()
	data = data[:len(data)+8] // which Data allows
	w.spans = w.block.Spans(w.spans, c.field, records)
	for i, s := range w.spans {
		v, ok := c.quick(data[s.Begin:], int(s.End-s.Begin))
		if !ok {
			if v, ok = c.number(w.text(data[s.Begin:s.End])); !ok {
				v = 0
				known.clear(i)
			}
		}
		out[i] = v
	}
	return newArray(columnar.Int, len(records), known.nulls, nil, []*memory.Buffer{known.bits, values})
}

// bools parses a column of truth values that is not required.
func (w *Worker) bools(c *column, records []int32) arrow.Array {
	values, known := w.bitmap(len(records)), validity{worker: w, rows: len(records)}
	out, data := values.Bytes(), w.block.Data()
	w.spans = w.block.Spans(w.spans, c.field, records)
	for i, s := range w.spans {
		v, ok := c.number(w.text(data[s.Begin:s.End]))
		if !ok {
			known.clear(i)
			continue
		}
		out[i/8] |= byte(v) << (i % 8)
	}
	return newArray(columnar.Bool, len(records), known.nulls, nil, []*memory.Buffer{known.bits, values})
}

// validity is the bitmap of an array, which is made for the first null.
type validity struct {
	worker *Worker
	rows   int
	nulls  int
	bits   *memory.Buffer
}

// clear makes value i null.
func (v *validity) clear(i int) {
	if v.bits == nil {
		v.bits = v.worker.bitmap(v.rows)
		bitutil.SetBitsTo(v.bits.Bytes(), 0, int64(v.rows), true)
	}
	v.nulls++
	bitutil.ClearBit(v.bits.Bytes(), i)
}

// buffer makes a buffer of n bytes.
func (w *Worker) buffer(n int) *memory.Buffer {
	b := memory.NewResizableBuffer(w.scan.opts.Alloc)
	b.Resize(n)
	return b
}

// bitmap makes a buffer of n bits, all clear.
func (w *Worker) bitmap(n int) *memory.Buffer {
	b := w.buffer(int(bitutil.BytesForBits(int64(n))))
	clear(b.Bytes())
	return b
}

// newArray makes an array of buffers and perhaps a child, which it takes over. The
// first buffer is the validity, nil if there are no nulls.
func newArray(t columnar.Type, n, nulls int, child arrow.Array, buffers []*memory.Buffer) arrow.Array {
	var children []arrow.ArrayData
	if child != nil {
		defer child.Release()
		children = []arrow.ArrayData{child.Data()}
	}
	data := array.NewData(t.Arrow(), n, buffers, children, nulls, 0)
	defer data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return array.MakeFromData(data)
}
