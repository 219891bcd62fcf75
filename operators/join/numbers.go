package join

import (
	"math"
	"slices"

	"analyzer/columnar"
)

// span is the range of a key of whole numbers.
type span struct {
	numbers     bool // the key is one column of whole numbers
	least, most int64
}

// newSpan returns an empty span.
func newSpan(s side) span {
	one := len(s.keys) == 1 && s.schema[s.keys[0]].Type.Kind() == columnar.KindInt64
	return span{numbers: one, least: math.MaxInt64, most: math.MinInt64}
}

// add extends the span to keys.
func (s *span) add(keys []int64) {
	s.least, s.most = min(s.least, slices.Min(keys)), max(s.most, slices.Max(keys))
}

// isClose reports whether a directory by number takes no more memory than slots would, for rows
// whose numbers are below ids.
func (s *span) isClose(rows, ids int) bool {
	between := uint64(s.most) - uint64(s.least)
	return s.numbers && rows > 0 && ids < math.MaxUint32 && between < 2*uint64(slotCount(rows))
}

// directoryBytes returns the size of a directory of rows whose numbers are below ids.
func (s *span) directoryBytes(rows, ids int) int64 {
	if s.isClose(rows, ids) {
		return 4 * (s.most - s.least + 1 + int64(ids) + runsOf(rows))
	}
	return 8*int64(slotCount(rows)) + 4*(int64(ids)+runsOf(rows))
}

// resetNumbers empties the directory and makes room for rows whose keys are in a span and whose
// numbers are below ids.
func (d *directory) resetNumbers(s span, ids int) {
	d.slots, d.byKey, d.least = nil, columnar.Zeroed(d.byKey, int(s.most-s.least)+1), s.least
	d.next, d.runs, d.ids, d.chains, d.links = d.next[:0], d.runs[:0], ids, 0, 0
}

// insertNumbers adds rows first, first+1, … with the given keys. Rows with higher numbers must
// have been added before, so that chains ascend.
func (d *directory) insertNumbers(keys []int64, first int) {
	for i := len(keys) - 1; i >= 0; i-- {
		id, at := uint32(first+i), keys[i]-d.least
		if later := d.byKey[at]; later != 0 {
			if len(d.next) == 0 {
				d.next = columnar.Zeroed(d.next, d.ids)
			}
			if d.next[later-1] == 0 {
				d.chains++
			}
			d.links++
			d.next[id] = later - 1
		}
		d.byKey[at] = id + 1
	}
}

// findNumbers writes the entry of each key to dst, as find does for hashes. The rows of an
// entry have that key.
func (d *directory) findNumbers(keys []int64, dst []uint64) {
	used, byKey, least := uint64(entryUsed), d.byKey, uint64(d.least)
	if len(d.next) > 0 {
		used |= entryMore
	}
	for i, key := range keys {
		var entry uint64
		if at := uint64(key) - least; at < uint64(len(byKey)) {
			if id := byKey[at]; id != 0 {
				entry = used | uint64(id-1)
			}
		}
		dst[i] = entry
	}
}
