package sniff

import (
	"math"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/input"
)

// Bounds of the records at the beginning of a file, or in a sample, whose values are counted, and of
// their cells.
const (
	countedRecords = 2048
	countedCells   = 1 << 16
)

// counted is what was counted of some records.
type counted struct {
	records int
	bytes   int // of them
	values  []distinct
}

// distinct counts the values of a column that are not empty: those in the first half of the records, and
// those in the second half that the first has not.
type distinct struct{ first, more int }

// countedOf counts the values of records from first to end, of those that have width fields.
func countedOf(b input.Block, first, end, width int) *counted {
	c := &counted{values: make([]distinct, width)}
	var records []int
	for i := first; i < end && len(records) < min(countedRecords, countedCells/width); i++ {
		if b.Fields(i) == width {
			records = append(records, i)
			c.bytes += len(b.Record(i)) + 1
		}
	}
	c.records = len(records)
	var seen hashes
	for column := range c.values {
		seen = hashes{}
		v := &c.values[column]
		for at, i := range records {
			if cell := b.Cell(i, column); len(cell) > 0 && seen.add(xxhash.Sum64(cell)|1) {
				if 2*at < len(records) {
					v.first++
				} else {
					v.more++
				}
			}
		}
	}
	return c
}

// hashes is a set of hashes other than 0, of half as many as there are places at most.
type hashes [2 * countedRecords]uint64

// add reports whether a hash was not in the set before.
func (s *hashes) add(hash uint64) bool {
	at := hash >> 32 % uint64(len(s))
	for ; s[at] != 0; at = (at + 1) % uint64(len(s)) {
		if s[at] == hash {
			return false
		}
	}
	s[at] = hash
	return true
}

// Estimate estimates how many rows a table has whose files, of which this is one, have so many bytes, and
// how many distinct values some of its columns have, by name. It knows nothing, and returns 0, unless
// values were to be counted (Given.Count), or the file says how many rows it has.
func (f *File) Estimate(bytes int64) (rows float64, values map[string]float64) {
	c := f.counted
	switch {
	case f.rows > 0 && f.size > 0:
		return float64(f.rows) * float64(bytes) / float64(f.size), nil
	case c == nil || c.records == 0 || bytes == 0:
		return 0, nil
	}
	rows = max(float64(bytes)/float64(c.bytes)*float64(c.records), 1)
	values = make(map[string]float64)
	for _, column := range f.Columns {
		if at := column.field - 1; at >= 0 && at < len(c.values) && c.values[at].first > 0 {
			values[column.Name] = c.values[at].in(rows, c.records)
		}
	}
	return rows, values
}

// in estimates how many distinct values a column of so many rows has, after counting those of some
// records. If each value occurs as often as any other, and in no order, each further half has as many
// times fewer new values as the second has than the first. Where values come in runs, the halves have
// about as many, and so has the rest of the file.
func (d distinct) in(rows float64, records int) float64 {
	first, more := float64(d.first), float64(d.more)
	everywhere := rows * (first + more) / float64(records)
	doubt := 2 * math.Sqrt(first)
	inNoOrder := float64(first * max(2*first/(float64(records)/2)-1, 0)) // about what the second half would have
	if more >= first || more > inNoOrder+doubt && first-more <= doubt {
		return everywhere
	}
	return min(first*first/(first-more), everywhere)
}
