package join

import (
	"bytes"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
)

// column is one column of all pages of a build side, by the number of a row.
type column struct {
	typ     columnar.Type
	vectors []*columnar.Vector
	ints    [][]int64
	floats  [][]float64
	bools   [][]bool
	wides   [][]decimal128.Num
	nulls   bool
	longest int64 // bytes of the longest value, if they differ
}

// view makes c the i-th column of the pages, in c's memory.
func (c *column) view(pages []*page, i int) {
	c.forget()
	for _, p := range pages {
		v := p.Cols[i]
		c.typ = v.Type
		c.vectors = append(c.vectors, v)
		c.nulls = c.nulls || v.Valid != nil
		switch v.Type.Kind() {
		case columnar.KindInt64:
			c.ints = append(c.ints, v.Ints)
		case columnar.KindFloat64:
			c.floats = append(c.floats, v.Floats)
		case columnar.KindBool:
			c.bools = append(c.bools, v.Bools)
		case columnar.KindInt128:
			c.wides = append(c.wides, v.Wides)
		default:
			c.longest = max(c.longest, longest(v))
		}
	}
}

func (c *column) forget() {
	clear(c.vectors)
	clear(c.ints)
	clear(c.floats)
	clear(c.bools)
	clear(c.wides)
	*c = column{
		vectors: c.vectors[:0], ints: c.ints[:0], floats: c.floats[:0], bools: c.bools[:0], wides: c.wides[:0],
	}
}

// gather appends the values of the rows to dst.
func (c *column) gather(dst *columnar.Vector, ids []uint32) {
	if c.nulls {
		dst.Valid = slices.Grow(dst.Valid, len(ids))
		for _, id := range ids {
			dst.Valid = append(dst.Valid, !c.vectors[id>>pageShift].IsNull(int(id&pageMask)))
		}
	}
	dst.Len += len(ids)
	switch c.typ.Kind() {
	case columnar.KindInt64:
		dst.Ints = gather(dst.Ints, c.ints, ids)
	case columnar.KindFloat64:
		dst.Floats = gather(dst.Floats, c.floats, ids)
	case columnar.KindBool:
		dst.Bools = gather(dst.Bools, c.bools, ids)
	case columnar.KindInt128:
		dst.Wides = gather(dst.Wides, c.wides, ids)
	case columnar.KindBytes:
		dst.Offsets = slices.Grow(dst.Offsets, len(ids))
		for _, id := range ids {
			dst.Data = append(dst.Data, c.vectors[id>>pageShift].Bytes(int(id&pageMask))...)
			dst.Offsets = append(dst.Offsets, int32(len(dst.Data)))
		}
	default:
		dst.Offsets = slices.Grow(dst.Offsets, len(ids))
		for _, id := range ids {
			v, i := c.vectors[id>>pageShift], id&pageMask
			dst.Child.AppendRange(v.Child, int(v.Offsets[i]), int(v.Offsets[i+1]))
			dst.Offsets = append(dst.Offsets, int32(dst.Child.Len))
		}
	}
}

func gather[T any](dst []T, pages [][]T, ids []uint32) []T {
	n := len(dst)
	dst = slices.Grow(dst, len(ids))[:n+len(ids)]
	out := dst[n:]
	for i, id := range ids {
		out[i] = pages[id>>pageShift][id&pageMask]
	}
	return dst
}

// match keeps those pairs of a probe position and a build row whose values are
// equal, in place, and returns how many there are. Neither value is null.
func (c *column) match(probe *columnar.Vector, pos []int32, ids []uint32) int {
	switch c.typ.Kind() {
	case columnar.KindInt64:
		return matchEqual(probe.Ints, c.ints, pos, ids)
	case columnar.KindBool:
		return matchEqual(probe.Bools, c.bools, pos, ids)
	case columnar.KindInt128:
		return matchEqual(probe.Wides, c.wides, pos, ids)
	case columnar.KindFloat64:
		return matchFunc(pos, ids, func(p int32, id uint32) bool {
			return sameFloat(probe.Floats[p], c.floats[id>>pageShift][id&pageMask])
		})
	case columnar.KindBytes:
		return matchFunc(pos, ids, func(p int32, id uint32) bool {
			return bytes.Equal(probe.Bytes(int(p)), c.vectors[id>>pageShift].Bytes(int(id&pageMask)))
		})
	}
	return matchFunc(pos, ids, func(p int32, id uint32) bool {
		return sameList(probe, int(p), c.vectors[id>>pageShift], int(id&pageMask))
	})
}

func matchEqual[T comparable](probe []T, pages [][]T, pos []int32, ids []uint32) int {
	n := 0
	ids = ids[:len(pos)]
	for i, p := range pos {
		id := ids[i]
		equal := probe[p] == pages[id>>pageShift][id&pageMask]
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

// sameFloat is equality of keys: the two zeros are one key, and so is a NaN with
// itself, as in columnar.HashRows.
func sameFloat(a, b float64) bool { return math.Float64bits(a+0) == math.Float64bits(b+0) }

func sameList(a *columnar.Vector, i int, b *columnar.Vector, j int) bool {
	lo, n := int(a.Offsets[i]), int(a.Offsets[i+1]-a.Offsets[i])
	from := int(b.Offsets[j])
	if n != int(b.Offsets[j+1])-from {
		return false
	}
	for k := range n {
		if !sameItem(a.Child, lo+k, b.Child, from+k) {
			return false
		}
	}
	return true
}

// sameItem is equality of items of lists, where null equals null.
func sameItem(a *columnar.Vector, i int, b *columnar.Vector, j int) bool {
	if a.IsNull(i) || b.IsNull(j) {
		return a.IsNull(i) && b.IsNull(j)
	}
	if a.Type.Kind() == columnar.KindInt64 {
		return a.Ints[i] == b.Ints[j]
	}
	return bytes.Equal(a.Bytes(i), b.Bytes(j))
}
