package scan

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// cells are the values of a column that were read last, and the memory for the
// next.
type cells struct {
	columnar.Vector
	valid []bool  // memory for Valid
	ints  []int64 // memory for Ints, which may also be a column of the worker's
}

// read reads output i of some records.
func (w *csvWorker) read(i int, records []int32) (*columnar.Vector, error) {
	c, to := &w.scan.outputs[i], w.columns[i]
	if to == nil {
		to = &cells{Vector: *columnar.NewVector(c.Format.Type())}
		w.columns[i] = to
	}
	to.Valid, to.Len = nil, len(records)
	isBool := c.Format.Type().Kind() == columnar.KindBool
	switch {
	case c.Format == columnar.FormatPosition:
		to.Ints = growTo(to.Ints, len(records))
		for j, r := range records {
			to.Ints[j] = w.block.Offset(int(r))
		}
	case c.Format == columnar.FormatFloat:
		w.floats(c, to, records)
	case c.vector >= 0 && isBool:
		from := w.vectors[c.vector]
		to.Bools = growTo(to.Bools, len(records))
		for j, r := range records {
			to.Bools[j] = from[r] != 0
		}
	case c.vector >= 0:
		to.gather(w.vectors[c.vector], records)
	case isBool:
		w.bools(c, to, records)
	case c.number != nil:
		w.numbers(c, to, records)
	case c.items != nil:
		return &to.Vector, w.lists(i, to, records)
	default:
		w.texts(i, to, records, c.fits != nil && !c.Required)
	}
	return &to.Vector, nil
}

// gather takes the values of some records from a required column of numbers.
func (c *cells) gather(from []int64, records []int32) {
	if len(records) == len(from) {
		c.Ints = from
		return
	}
	c.ints = growTo(c.ints, len(records))
	for i, r := range records {
		c.ints[i] = from[r]
	}
	c.Ints = c.ints
}

// numbers parses a column of numbers that is not required.
func (w *csvWorker) numbers(c *column, to *cells, records []int32) {
	to.Ints = growTo(to.Ints, len(records))
	out, data := to.Ints, w.block.Data()
	data = data[:len(data)+8] // which Data allows
	w.spans = w.block.Spans(w.spans, c.field, records)
	for i, s := range w.spans {
		v, ok := c.quick(data[s.Begin:], int(s.End-s.Begin))
		if !ok {
			if v, ok = c.number(w.text(data[s.Begin:s.End])); !ok {
				v = 0
				to.null(i)
			}
		}
		out[i] = v
	}
}

// bools parses a column of truth values that is not required.
func (w *csvWorker) bools(c *column, to *cells, records []int32) {
	to.Bools = growTo(to.Bools, len(records))
	data := w.block.Data()
	w.spans = w.block.Spans(w.spans, c.field, records)
	for i, s := range w.spans {
		v, ok := c.number(w.text(data[s.Begin:s.End]))
		to.Bools[i] = ok && v != 0
		if !ok {
			to.null(i)
		}
	}
}

// floats parses a column of floats.
func (w *csvWorker) floats(c *column, to *cells, records []int32) {
	to.Floats = growTo(to.Floats, len(records))
	data := w.block.Data()
	w.spans = w.block.Spans(w.spans, c.field, records)
	for i, s := range w.spans {
		text := w.text(data[s.Begin:s.End])
		v, ok := number.ParseFloat(text)
		ok = ok && (c.null == nil || !c.null(text))
		to.Floats[i] = v
		if !ok {
			to.null(i)
		}
	}
}

// null makes value i null.
func (c *cells) null(i int) {
	if c.Valid == nil {
		c.valid = growTo(c.valid, c.Len)
		c.Valid = c.valid
		for j := range c.Valid {
			c.Valid[j] = true
		}
	}
	c.Valid[i] = false
}

// growTo makes a slice of n elements of which the values do not matter.
func growTo[T any](s []T, n int) []T {
	return slices.Grow(s[:0], n)[:n]
}
