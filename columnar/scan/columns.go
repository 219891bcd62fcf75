package scan

import (
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// cells are the values of a column that were read last. Their memory is reused for the
// next ones.
type cells struct {
	columnar.Vector
	valid []bool      // memory for Valid
	ints  []int64     // memory for Ints, which may alias one of the worker's vectors instead
	json  *jsonReader // of cells that are JSON
}

// read reads output i of the given records.
func (w *cellWorker) read(i int, records []int32) (*columnar.Vector, error) {
	c, to := &w.scan.outputs[i], w.columns[i]
	if to == nil {
		to = &cells{Vector: *columnar.NewVector(c.Type())}
		w.columns[i] = to
	}
	to.Valid, to.Len = nil, len(records)
	isBool := c.Type().Kind() == columnar.KindBool
	switch {
	case c.Format == columnar.FormatStored, c.items != nil && c.Format == columnar.FormatTexts && w.block.Quoting().Typed():
		w.json(i, to, records)
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
	case c.wide != nil:
		w.wides(c, to, records)
	case c.bytes != nil:
		w.bytes(c, to, records)
	case c.number != nil:
		w.optionalNumbers(c, to, records)
	case c.items != nil:
		return &to.Vector, w.lists(i, to, records)
	default:
		nullable := c.fits != nil || c.bare != nil || c.Format == columnar.FormatOptional
		w.texts(i, to, records, nullable && !c.Required)
	}
	return &to.Vector, nil
}

// gather takes the values of the given records from a required column of numbers.
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

// optionalNumbers parses a column of numbers that is not required.
func (w *cellWorker) optionalNumbers(c *column, to *cells, records []int32) {
	to.Ints = growTo(to.Ints, len(records))
	null := c.null
	if null == nil {
		null = columnar.IsNullWord
	}
	for at, part := range w.block.Parts(records) {
		if w.block.Values(&w.column, c.field, part); c.parse != nil && !w.column.MostlyFull(len(part), null) {
			w.fullNumbers(c, to, at, len(part), null)
			continue
		}
		for j := 0; j < len(part); j++ {
			if c.parse != nil {
				if j += c.parse(&w.column.Cells, to.Ints[at+j:at+len(part)], j); j == len(part) {
					break
				}
			}
			to.Ints[at+j] = w.numberOr0(c, to, at+j, w.column.Cell(j))
		}
	}
}

// numberOr0 returns the number in a cell, or 0 if there is none, and value i is null.
func (w *cellWorker) numberOr0(c *column, to *cells, i int, cell []byte) int64 {
	v, ok := c.number(w.text(cell))
	if !ok {
		to.null(i)
		return 0
	}
	return v
}

// fullNumbers is optionalNumbers for n cells, many of which are empty or words for null, whose values begin at one: it
// parses the others one after the other, and then puts the numbers where they belong. No branch depends on which they are.
func (w *cellWorker) fullNumbers(c *column, to *cells, first, n int, null func(cell []byte) bool) {
	w.at, _ = w.column.Full(&w.full, n, w.at, null)
	out, valid, m := to.Ints[first:][:n], to.nulls()[first:][:n], len(w.at)
	clear(out)
	clear(valid)
	for _, i := range w.at {
		valid[i] = true
	}
	w.numbers = growTo(w.numbers, m)
	for j := 0; j < m; j++ {
		if j += c.parse(&w.full.Cells, w.numbers[j:], j); j == m {
			break
		}
		w.numbers[j] = w.numberOr0(c, to, first+int(w.at[j]), w.full.Cell(j))
	}
	for j, i := range w.at {
		out[i] = w.numbers[j]
	}
}

// wides parses a column of numbers of 128 bits.
func (w *cellWorker) wides(c *column, to *cells, records []int32) {
	to.Wides = growTo(to.Wides, len(records))
	w.block.Values(&w.column, c.field, records)
	for j := range to.Wides {
		text := w.text(w.column.Cell(j))
		v, ok := c.wide(text)
		if !ok || c.null != nil && c.null(text) {
			v = number.Int128{}
			to.null(j)
		}
		to.Wides[j] = v
	}
}

// bytes parses a column of bytes. Empty cells are null, as those of optional texts are.
func (w *cellWorker) bytes(c *column, to *cells, records []int32) {
	to.Offsets, to.Data = growTo(to.Offsets, len(records)+1), to.Data[:0]
	to.Offsets[0] = 0
	w.block.Column(&w.column, c.field, records)
	quoted := w.block.Quoting().Typed() // cells in quotes are no nulls
	for j := range records {
		cell, ok := w.column.Cell(j), false
		text := w.text(cell)
		if to.Data, ok = c.bytes(to.Data, text); !ok || len(text) == 0 && !(quoted && len(cell) > 0) || c.null != nil && c.null(text) {
			to.Data = to.Data[:to.Offsets[j]]
			to.null(j)
		}
		to.Offsets[j+1] = int32(len(to.Data))
	}
}

// bools parses a column of truth values that is not required.
func (w *cellWorker) bools(c *column, to *cells, records []int32) {
	to.Bools = growTo(to.Bools, len(records))
	w.numbers = growTo(w.numbers, len(records))
	w.parse(c, records, w.numbers, func(j int, cell []byte) {
		v, ok := c.number(w.text(cell))
		if !ok {
			v = 0
			to.null(j)
		}
		w.numbers[j] = v
	})
	for j, v := range w.numbers {
		to.Bools[j] = v != 0
	}
}

// floats parses a column of floats.
func (w *cellWorker) floats(c *column, to *cells, records []int32) {
	to.Floats = growTo(to.Floats, len(records))
	quick := func(at, from, n int) int { return c.floats(&w.column.Cells, to.Floats[at:][:n], from) }
	w.each(c, records, c.floats != nil, quick, func(j int, cell []byte) {
		bits, ok := c.number(w.text(cell))
		if !ok {
			bits = 0
			to.null(j)
		}
		to.Floats[j] = math.Float64frombits(uint64(bits))
	})
}

// null makes value i null.
func (c *cells) null(i int) { c.nulls()[i] = false }

// nulls returns which values are not null, for the caller to change.
func (c *cells) nulls() []bool {
	if c.Valid == nil {
		c.valid = growTo(c.valid, c.Len)
		c.Valid = c.valid
		for j := range c.Valid {
			c.Valid[j] = true
		}
	}
	return c.Valid
}

// growTo returns a slice of n elements with arbitrary values, in s's memory if possible.
func growTo[T any](s []T, n int) []T {
	return slices.Grow(s[:0], n)[:n]
}
