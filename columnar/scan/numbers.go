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
	case keepsNumbers(c.Format):
		return w.parsed(c, records), nil
	case c.Format == columnar.FormatText || c.Required && c.Format.Type() == columnar.Text:
		return w.texts(i, records, false), nil
	case c.Format.Type() == columnar.Text:
		return w.texts(i, records, true), nil
	}
	return w.lists(i, records)
}

// gathered copies a required column of numbers.
func (w *Worker) gathered(c *column, records []int32) arrow.Array {
	from := w.vectors[c.vector]
	if c.Format == columnar.FormatBool {
		return w.bools(len(records), func(i int) (bool, bool) { return from[records[i]] != 0, true })
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
	block := w.block.Data()
	w.spans = w.block.Spans(w.spans, c.field, records)
	value := func(i int) (int64, bool) {
		return w.number(c.Format, block[w.spans[i].Begin:w.spans[i].End])
	}
	if c.Format == columnar.FormatBool {
		return w.bools(len(records), func(i int) (bool, bool) { v, ok := value(i); return v != 0, ok })
	}
	values, validity, nulls := w.buffer(8*len(records)), w.bitmap(len(records)), 0
	out, known := arrow.Int64Traits.CastFromBytes(values.Bytes()), validity.Bytes()
	for i := range out {
		v, ok := value(i)
		if !ok {
			v = 0
			nulls++
		} else {
			bitutil.SetBit(known, i)
		}
		out[i] = v
	}
	return newArray(columnar.Int, len(records), nulls, nil, []*memory.Buffer{validity, values})
}

// bools makes an array of n truth values, each with whether it is known.
func (w *Worker) bools(n int, value func(i int) (v, ok bool)) arrow.Array {
	values, validity, nulls := w.bitmap(n), w.bitmap(n), 0
	out, known := values.Bytes(), validity.Bytes()
	for i := range n {
		v, ok := value(i)
		if !ok {
			nulls++
			continue
		}
		bitutil.SetBit(known, i)
		if v {
			bitutil.SetBit(out, i)
		}
	}
	return newArray(columnar.Bool, n, nulls, nil, []*memory.Buffer{validity, values})
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

// newArray makes an array of buffers and perhaps a child, which it takes over.
// Buffers that are not needed may be nil.
func newArray(t columnar.Type, n, nulls int, child arrow.Array, buffers []*memory.Buffer) arrow.Array {
	if nulls == 0 && buffers[0] != nil {
		buffers[0].Release()
		buffers[0] = nil
	}
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
