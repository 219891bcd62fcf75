package columnar

import (
	"bytes"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// pageColumn is one column of all pages: its vectors and, for fixed-width kinds, their
// value slices, which saves a load for each row.
type pageColumn struct {
	kind    Kind
	vectors []*Vector
	ints    [][]int64
	floats  [][]float64
	bools   [][]bool
	wides   [][]decimal128.Num
	nulls   bool // a page has had a null
}

// view records v as the column of page i.
func (c *pageColumn) view(i int, v *Vector) {
	c.kind = v.Type.Kind()
	c.nulls = c.nulls || v.Valid != nil
	c.vectors = put(c.vectors, i, v)
	switch c.kind {
	case KindBool:
		c.bools = put(c.bools, i, v.Bools)
	case KindInt64:
		c.ints = put(c.ints, i, v.Ints)
	case KindFloat64:
		c.floats = put(c.floats, i, v.Floats)
	case KindInt128:
		c.wides = put(c.wides, i, v.Wides)
	}
}

func put[T any](s []T, i int, x T) []T {
	if i == len(s) {
		return append(s, x)
	}
	s[i] = x
	return s
}

func (c *pageColumn) forget() {
	clear(c.vectors)
	clear(c.ints)
	clear(c.floats)
	clear(c.bools)
	clear(c.wides)
	*c = pageColumn{
		vectors: c.vectors[:0], ints: c.ints[:0], floats: c.floats[:0], bools: c.bools[:0], wides: c.wides[:0],
	}
}

// Value returns the vector that holds a row's value of a column, and its position there.
func (p *Pages) Value(column int, id uint32) (v *Vector, i int) {
	return p.columns[column].vectors[id>>pageBits], int(id & pageMask)
}

// Gather appends the rows with the given ids to dst.
func (p *Pages) Gather(dst *Rows, ids []uint32) {
	for i, v := range dst.Cols {
		p.GatherColumn(v, i, ids)
	}
	dst.Len += len(ids)
}

// GatherColumn appends to dst the values that the rows have in a column.
func (p *Pages) GatherColumn(dst *Vector, column int, ids []uint32) {
	c := &p.columns[column]
	if c.nulls || dst.Valid != nil {
		dst.needValidity(len(ids))
		dst.Valid = slices.Grow(dst.Valid, len(ids))
		for _, id := range ids {
			dst.Valid = append(dst.Valid, !c.vectors[id>>pageBits].IsNull(int(id&pageMask)))
		}
	}
	dst.Len += len(ids)
	switch c.kind {
	case KindInt64:
		dst.Ints = gatherPages(dst.Ints, c.ints, ids)
	case KindFloat64:
		dst.Floats = gatherPages(dst.Floats, c.floats, ids)
	case KindBool:
		dst.Bools = gatherPages(dst.Bools, c.bools, ids)
	case KindInt128:
		dst.Wides = gatherPages(dst.Wides, c.wides, ids)
	case KindBytes:
		dst.Offsets = slices.Grow(dst.Offsets, len(ids))
		for _, id := range ids {
			dst.Data = append(dst.Data, c.vectors[id>>pageBits].Bytes(int(id&pageMask))...)
			dst.Offsets = append(dst.Offsets, int32(len(dst.Data)))
		}
	case KindList:
		dst.Offsets = slices.Grow(dst.Offsets, len(ids))
		for _, id := range ids {
			v, i := c.vectors[id>>pageBits], id&pageMask
			dst.Child.AppendRange(v.Child, int(v.Offsets[i]), int(v.Offsets[i+1]))
			dst.Offsets = append(dst.Offsets, int32(dst.Child.Len))
		}
	}
}

func gatherPages[T any](dst []T, pages [][]T, ids []uint32) []T {
	n := len(dst)
	dst = slices.Grow(dst, len(ids))[:n+len(ids)]
	out := dst[n:]
	for i, id := range ids {
		out[i] = pages[id>>pageBits][id&pageMask]
	}
	return dst
}

// Match compares pairs of a key, given by its position in keys, and a row's value in a
// column. It keeps the pairs that are equal, in place, and returns how many there are.
// Keys and values must not be null; null items of lists are equal. Equal values have
// equal hashes, see HashRows.
func (p *Pages) Match(column int, keys *Vector, pos []int32, ids []uint32) int {
	c := &p.columns[column]
	switch c.kind {
	case KindInt64:
		return matchEqual(keys.Ints, c.ints, pos, ids)
	case KindBool:
		return matchEqual(keys.Bools, c.bools, pos, ids)
	case KindInt128:
		return matchEqual(keys.Wides, c.wides, pos, ids)
	case KindFloat64:
		return matchFunc(pos, ids, func(i int32, id uint32) bool {
			return sameFloat(keys.Floats[i], c.floats[id>>pageBits][id&pageMask])
		})
	case KindBytes:
		return matchFunc(pos, ids, func(i int32, id uint32) bool {
			return bytes.Equal(keys.Bytes(int(i)), c.vectors[id>>pageBits].Bytes(int(id&pageMask)))
		})
	}
	return matchFunc(pos, ids, func(i int32, id uint32) bool {
		return Same(keys, int(i), c.vectors[id>>pageBits], int(id&pageMask))
	})
}

func matchEqual[T comparable](keys []T, pages [][]T, pos []int32, ids []uint32) int {
	n := 0
	ids = ids[:len(pos)]
	for i, p := range pos {
		id := ids[i]
		equal := keys[p] == pages[id>>pageBits][id&pageMask]
		pos[n], ids[n] = p, id
		if equal {
			n++
		}
	}
	return n
}

func matchFunc(pos []int32, ids []uint32, equal func(int32, uint32) bool) int {
	n := 0
	for i, p := range pos {
		if id := ids[i]; equal(p, id) {
			pos[n], ids[n] = p, id
			n++
		}
	}
	return n
}

// sameFloat is equality of keys, as in HashRows: the two zeros are equal, and a NaN
// equals itself.
func sameFloat(a, b float64) bool { return math.Float64bits(a+0) == math.Float64bits(b+0) }

// Same reports whether two values of a type are equal as keys. Nulls are equal, also as
// items of lists, and so are the two zeros of a float; a NaN equals itself.
func Same(a *Vector, i int, b *Vector, j int) bool {
	if a.IsNull(i) || b.IsNull(j) {
		return a.IsNull(i) && b.IsNull(j)
	}
	switch a.Type.Kind() {
	case KindInt64:
		return a.Ints[i] == b.Ints[j]
	case KindFloat64:
		return sameFloat(a.Floats[i], b.Floats[j])
	case KindBool:
		return a.Bools[i] == b.Bools[j]
	case KindInt128:
		return a.Wides[i] == b.Wides[j]
	case KindBytes:
		return bytes.Equal(a.Bytes(i), b.Bytes(j))
	}
	lo, n := int(a.Offsets[i]), int(a.Offsets[i+1]-a.Offsets[i])
	from := int(b.Offsets[j])
	if n != int(b.Offsets[j+1])-from {
		return false
	}
	for k := range n {
		if !Same(a.Child, lo+k, b.Child, from+k) {
			return false
		}
	}
	return true
}
