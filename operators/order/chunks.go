package order

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators"
)

// chunks is rows of a schema in parts that are known by their numbers. A row is
// known by a place: the number of its chunk in the upper bits of 32, its position
// in the chunk in the lower.
type chunks struct {
	rows  []columnar.Rows
	nulls []bool // columns of which a chunk has had nulls
}

const (
	placeBits = 13
	placeMask = 1<<placeBits - 1
	// chunkBytes is about the most bytes of a chunk of more than one batch.
	chunkBytes = 1 << 20
)

// A chunk holds at least a page.
var _ [placeMask + 1 - operators.PageRows]struct{}

func placeOf(chunk, row int) uint32 { return uint32(chunk<<placeBits | row) }

// noted looks for nulls in a chunk that has changed.
func (c *chunks) noted(chunk int) {
	if c.nulls == nil {
		c.nulls = make([]bool, len(c.rows[chunk].Cols))
	}
	for i, v := range c.rows[chunk].Cols {
		c.nulls[i] = c.nulls[i] || v.Valid != nil
	}
}

// compare orders two rows.
func (c *chunks) compare(o *total, x, y uint32) int {
	return o.compare(c.rows[x>>placeBits], int(x&placeMask), c.rows[y>>placeBits], int(y&placeMask))
}

// gather appends the rows at the given places to dst.
func (c *chunks) gather(dst *columnar.Rows, places []uint32) {
	for i, v := range dst.Cols {
		c.gatherColumn(v, i, places)
	}
	dst.Len += len(places)
}

func (c *chunks) gatherColumn(dst *columnar.Vector, column int, places []uint32) {
	if !c.nulls[column] && dst.Valid == nil {
		switch dst.Type.Kind() {
		case columnar.KindInt64:
			dst.Ints = gather(dst.Ints, c, column, places, func(v *columnar.Vector) []int64 { return v.Ints })
			dst.Len += len(places)
			return
		case columnar.KindFloat64:
			dst.Floats = gather(dst.Floats, c, column, places, func(v *columnar.Vector) []float64 { return v.Floats })
			dst.Len += len(places)
			return
		case columnar.KindBytes:
			for _, p := range places {
				dst.AppendBytes(c.rows[p>>placeBits].Cols[column].Bytes(int(p & placeMask)))
			}
			return
		}
	}
	for _, p := range places {
		row := int(p & placeMask)
		dst.AppendRange(c.rows[p>>placeBits].Cols[column], row, row+1)
	}
}

func gather[T any](dst []T, c *chunks, column int, places []uint32, values func(*columnar.Vector) []T) []T {
	n := len(dst)
	dst = slices.Grow(dst, len(places))[:n+len(places)]
	for i, p := range places {
		dst[n+i] = values(c.rows[p>>placeBits].Cols[column])[p&placeMask]
	}
	return dst
}
