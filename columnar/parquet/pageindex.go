package parquet

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/number"
)

// extent is a part of the file; one of no bytes is none.
type extent struct {
	at    int64
	bytes int
}

// mostIndex bounds what is read of an index of pages.
const mostIndex = 16 << 20

// readExtent reads an index. What cannot be one is as none.
func (f *File) readExtent(e extent) (*compact, error) {
	if e.at <= 0 || e.bytes <= 0 || e.bytes > mostIndex || e.at > f.size-int64(e.bytes) {
		return nil, nil
	}
	data := make([]byte, e.bytes)
	if _, err := f.source.ReadAt(data, e.at); err != nil {
		return nil, fmt.Errorf("read an index of pages: %w", err)
	}
	return &compact{data: data}, nil
}

// places are where the pages of a column in a row group begin, in the file and among the rows: an OffsetIndex of the
// format.
type places struct{ offsets, rows []int64 }

// places reads an OffsetIndex. It returns none if there is none, or if it is damaged: pages are found without it.
func (f *File) places(group int, k *columnChunk) (p places, err error) {
	c, err := f.readExtent(k.places)
	if c == nil || err != nil {
		return p, err
	}
	for field := (element{}); c.next(&field); {
		if field.id != 1 {
			c.skip(field)
			continue
		}
		c.structs(field, func(int, int) {
			var offset, row int64
			for field := (element{}); c.next(&field); {
				switch field.id {
				case 1:
					offset = c.number(field)
				case 3:
					row = c.number(field)
				default:
					c.skip(field)
				}
			}
			p.offsets, p.rows = append(p.offsets, offset), append(p.rows, row)
		})
	}
	if c.err == nil && p.sound(k, f.groups[group].rows) {
		return p, nil
	}
	return places{}, nil
}

// sound reports whether the pages lie one after the other in a column of some rows.
func (p places) sound(k *columnChunk, rows int64) bool {
	n := len(p.rows)
	return n > 0 && p.rows[0] == 0 && p.rows[n-1] <= rows && slices.IsSorted(p.rows) && slices.IsSorted(p.offsets) &&
		p.offsets[0] >= k.start && p.offsets[n-1] < k.start+k.size+uncounted
}

// of returns the page in which a row is.
func (p places) of(row int64) int {
	return sort.Search(len(p.rows), func(i int) bool { return p.rows[i] > row }) - 1
}

// pageStats are what is said of the values of each page: a ColumnIndex of the format.
type pageStats struct {
	empty           []bool // it has nulls only
	least, greatest [][]byte
	nulls           []int64 // how many; nil: unknown
}

// pageStats reads a ColumnIndex of so many pages. It returns nil if there is none, or if it is damaged.
func (f *File) pageStats(k *columnChunk, pages int) (*pageStats, error) {
	c, err := f.readExtent(k.pageStats)
	if c == nil || err != nil {
		return nil, err
	}
	s := new(pageStats)
	for field := (element{}); c.next(&field); {
		switch field.id {
		case 1:
			n, _ := c.list(field)
			for range n {
				s.empty = append(s.empty, c.byte() == kindTrue)
			}
		case 2:
			s.least = c.byteLists(field)
		case 3:
			s.greatest = c.byteLists(field)
		case 5:
			n, of := c.list(field)
			for range n {
				s.nulls = append(s.nulls, c.number(of))
			}
		default:
			c.skip(field)
		}
	}
	if c.err == nil && len(s.empty) == pages && len(s.least) == pages && len(s.greatest) == pages && (s.nulls == nil || len(s.nulls) == pages) {
		return s, nil
	}
	return nil, nil
}

// byteLists reads a list of bytes, which are borrowed.
func (c *compact) byteLists(is element) (all [][]byte) {
	n, of := c.list(is)
	for range n {
		all = append(all, c.bytes(of))
	}
	return all
}

// paged are the pages of a column in a row group, as far as the file has indexes of them.
type paged struct {
	places places
	stats  *pageStats // nil: none
}

// pagesOf reads the indexes of the pages of a column.
func (f *File) pagesOf(group int, c *Column) (p paged, err error) {
	k, err := f.footer.chunk(group, c.leaf)
	if err != nil || k.pageStats.bytes == 0 || k.encrypted {
		return p, err
	}
	if p.places, err = f.places(group, &k); err == nil && len(p.places.rows) > 0 {
		p.stats, err = f.pageStats(&k, len(p.places.rows))
	}
	return p, err
}

// closer returns the bounds of some rows of a row group, given those of the group.
func (p *paged) closer(of input.Bounds, c *Column, stored *schema.Column, row, rows int64) input.Bounds {
	of.Exact = false
	from, to := p.places.of(row), p.places.of(row+rows-1)+1
	s := p.stats
	of.AllNull = of.AllNull || !slices.Contains(s.empty[from:to], false)
	of.NoNulls = of.NoNulls || s.nulls != nil && !slices.ContainsFunc(s.nulls[from:to], func(n int64) bool { return n != 0 })
	if !c.bounded() || stored.SortOrder() == schema.SortUNKNOWN || stored.ColumnOrder() != parquet.ColumnOrders.TypeDefinedOrder {
		return of
	}
	var all bounds
	for page, first := from, true; page < to; page++ {
		if s.empty[page] {
			continue
		}
		b, err := c.boundsFrom(stored, s.least[page], s.greatest[page])
		if err != nil {
			return of
		}
		if all = all.with(b, first); all == (bounds{}) {
			return of
		}
		first = false
	}
	if all.least != nil {
		of.Least = all.least
	}
	if all.greatest != nil {
		of.Greatest = all.greatest
	}
	return of
}

// with returns the bounds of what has some bounds, or others.
func (b bounds) with(o bounds, first bool) bounds {
	if first {
		return o
	}
	return bounds{extreme(b.least, o.least, -1), extreme(b.greatest, o.greatest, 1)}
}

// extreme returns the one of two values that compares to the other as sign says; nil if one is not known.
func extreme(a, b *columnar.Vector, sign int) *columnar.Vector {
	if a == nil || b == nil {
		return nil
	}
	if compareFirst(a, b) == sign {
		return a
	}
	return b
}

// compareFirst compares the first values of vectors of a type that has bounds.
func compareFirst(a, b *columnar.Vector) int {
	switch a.Type.Kind() {
	case columnar.KindFloat64:
		return number.CompareFloats(a.Floats[0], b.Floats[0])
	case columnar.KindBytes:
		return bytes.Compare(a.Bytes(0), b.Bytes(0))
	}
	return cmp.Compare(a.Ints[0], b.Ints[0])
}
