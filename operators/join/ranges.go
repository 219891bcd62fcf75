package join

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators"
)

// Bound is a comparison between a column of each side, of a type that CanBound. Pairs of which it is not true need not be
// emitted: a join without keys looks only at rows of the build side that its bounds leave. Whoever sets it drops the other
// pairs.
type Bound struct {
	Build, Probe int  // columns, of one type
	Least        bool // the value of the build row is at least that of the probe row; otherwise at most
	Strict       bool // and is another
}

// CanBound reports whether columns of a type may be compared by a Bound.
func CanBound(t columnar.Type) bool {
	return hasWord(t) || t.Kind() == columnar.KindBytes || t.IsWide() || t == columnar.Huge
}

// hasWord reports whether the word of a value says all of its order.
func hasWord(t columnar.Type) bool {
	return t.Kind() == columnar.KindInt64 || t.Kind() == columnar.KindFloat64
}

func (b Bound) check(build, probe columnar.Schema) error {
	if b.Build < 0 || b.Build >= len(build) || b.Probe < 0 || b.Probe >= len(probe) {
		return fmt.Errorf("join: no columns %d and %d are there to compare", b.Build, b.Probe)
	}
	if x, y := build[b.Build], probe[b.Probe]; x.Type != y.Type || !CanBound(x.Type) {
		return fmt.Errorf("join: bound %q is %s, bound %q is %s", x.Name, x.Type, y.Name, y.Type)
	}
	return nil
}

// ranges finds the rows of the build side that bounds leave. The rows lie in the order of one column. Of these, bounds
// of that column leave a stretch, in which those that a bound of another column leaves are found by the greatest values
// of blocks of rows, of blocks of blocks, and so on.
type ranges struct {
	by    []Bound // of the column that orders
	also  *Bound  // of another column, whose values must be large enough; nil: there is none
	ids   []uint32
	words []uint64   // of the column that orders, ascending
	tops  [][]uint64 // of the other column: values, and the greatest of each blockOfRanges on the level before
}

// blockOfRanges is how many values, or blocks of a level, are one block of the next.
const blockOfRanges = 16

// bytesPerRange is roughly the memory of a row: its number and its word, twice while rows are sorted, and then those of
// the levels in place of the second.
const bytesPerRange = 4 + 8 + 16

// choose divides bounds: those that stand on both ends of a column order the rows, else those that a value is at most.
func (r *ranges) choose(bounds []Bound) {
	if len(bounds) == 0 {
		return
	}
	on := func(column int, least bool) bool {
		return slices.ContainsFunc(bounds, func(b Bound) bool { return b.Build == column && b.Least == least })
	}
	of := bounds[0].Build
	if at := slices.IndexFunc(bounds, func(b Bound) bool { return !b.Least }); at >= 0 {
		of = bounds[at].Build
	}
	if at := slices.IndexFunc(bounds, func(b Bound) bool { return on(b.Build, true) && on(b.Build, false) }); at >= 0 {
		of = bounds[at].Build
	}
	for _, b := range bounds {
		switch {
		case b.Build == of:
			r.by = append(r.by, b)
		case b.Least && r.also == nil:
			r.also = &b
		}
	}
}

// newRanges returns the ranges of rows whose columns are those of bounds. Without bounds they stay in their order.
func newRanges(rows *columnar.Pages, bounds []Bound) *ranges {
	r := &ranges{}
	r.choose(bounds)
	type row struct {
		word uint64
		id   uint32
	}
	all := make([]row, 0, rows.Len())
	for i := range rows.Count() {
		page := rows.Page(i)
		for at := range page.Len {
			one := row{id: columnar.RowID(i, at)}
			if r.also != nil && page.Cols[r.also.Build].IsNull(at) {
				continue
			}
			if len(r.by) > 0 {
				v := page.Cols[r.by[0].Build]
				if v.IsNull(at) {
					continue
				}
				one.word = wordOf(v, at)
			}
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b row) int {
		switch {
		case a.word < b.word:
			return -1
		case a.word > b.word:
			return 1
		}
		return int(int64(a.id) - int64(b.id))
	})
	r.ids, r.words = make([]uint32, len(all)), make([]uint64, len(all))
	for i, row := range all {
		r.ids[i], r.words[i] = row.id, row.word
	}
	if r.also != nil {
		r.raise(rows)
	}
	return r
}

// raise makes the levels of the other column.
func (r *ranges) raise(rows *columnar.Pages) {
	values := make([]uint64, len(r.ids))
	for i, id := range r.ids {
		v, at := rows.Value(r.also.Build, id)
		values[i] = wordOf(v, at)
	}
	r.tops = append(r.tops, values)
	for len(values) > blockOfRanges {
		above := make([]uint64, 0, len(values)/blockOfRanges+1)
		for block := range slices.Chunk(values, blockOfRanges) {
			above = append(above, slices.Max(block))
		}
		r.tops, values = append(r.tops, above), above
	}
}

// wordOf returns a word that orders as a value does. Of 0 and -0 it is the same, as it is of texts that begin with the
// same eight bytes, and of all numbers that are too large for a word.
func wordOf(v *columnar.Vector, i int) uint64 {
	switch v.Type.Kind() {
	case columnar.KindFloat64:
		return number.FloatWord(v.Floats[i] + 0)
	case columnar.KindBytes:
		var word [8]byte
		copy(word[:], v.Bytes(i))
		return binary.BigEndian.Uint64(word[:])
	case columnar.KindInt128:
		n := v.Wides[i]
		switch low := int64(n.LowBits()); {
		case n.HighBits() == low>>63:
			return uint64(low) ^ 1<<63
		case n.HighBits() < 0:
			return 0
		}
		return math.MaxUint64
	}
	return uint64(v.Ints[i]) ^ 1<<63
}

// stretch returns where the rows lie that the bounds of the ordering column leave of a probe row.
func (r *ranges) stretch(probe columnar.Rows, row int) (from, to int) {
	to = len(r.words)
	for _, b := range r.by {
		v := probe.Cols[b.Probe]
		if v.IsNull(row) {
			return 0, 0
		}
		word := wordOf(v, row)
		at, found := slices.BinarySearch(r.words[from:to], word)
		if at += from; found && b.Least == b.Strict { // behind those that are equal
			if word == math.MaxUint64 {
				at = to
			} else {
				behind, _ := slices.BinarySearch(r.words[at:to], word+1)
				at += behind
			}
		}
		if b.Least {
			from = at
		} else {
			to = at
		}
	}
	return from, to
}

// least returns the least word that the other column may have beside a probe row; ok is false if there is none.
func (r *ranges) least(probe columnar.Rows, row int) (word uint64, ok bool) {
	v := probe.Cols[r.also.Probe]
	if v.IsNull(row) {
		return 0, false
	}
	word = wordOf(v, row)
	if !r.also.Strict {
		return word, true
	}
	return word + 1, word < math.MaxUint64
}

// next returns the first place from one on, and before another, at which the other column is large enough, or the end.
func (r *ranges) next(at, end int, least uint64) int {
	for at < end {
		if r.tops[0][at] >= least {
			return at
		}
		level, width := 0, 1 // of the largest block that begins here and has no such value
		for level+1 < len(r.tops) && at%(width*blockOfRanges) == 0 && r.tops[level+1][at/(width*blockOfRanges)] < least {
			level, width = level+1, width*blockOfRanges
		}
		at += width
	}
	return end
}

// inRanges collects the pairs of probe rows with the build rows that their bounds leave, and emits full pages.
func (p *prober) inRanges(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	r := p.ranges
	for row := range rows.Len {
		from, to := 0, len(r.ids)
		if len(r.by) > 0 {
			from, to = r.stretch(rows, row)
		}
		least, ok := uint64(0), true
		if r.also != nil {
			least, ok = r.least(rows, row)
		}
		for ok && from < to {
			n := min(to-from, operators.PageRows-len(p.pairs.pos))
			if r.also != nil {
				if from, n = r.next(from, to, least), 1; from == to {
					break
				}
			}
			p.pairs.add(int32(row), r.ids[from:from+n])
			if from += n; len(p.pairs.pos) == operators.PageRows {
				if err := p.flush(ctx, rows, emit); err != nil {
					return err
				}
			}
		}
	}
	return p.flush(ctx, rows, emit)
}
