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
	seen    []hashes // by column: its values
}

// distinct counts the values of a column that are not empty: those in the first half of the records, and
// those in the second half that the first has not.
type distinct struct {
	first, more int
	// elsewhere are cells of samples of the rest of the file, of which known have one of these values.
	elsewhere, known int
}

// countedOf counts the values of records from first to end, of those that have width fields.
func countedOf(b input.Block, first, end, width int) *counted {
	c := &counted{values: make([]distinct, width), seen: make([]hashes, width)}
	var records []int
	for i := first; i < end && len(records) < min(countedRecords, countedCells/width); i++ {
		if b.Fields(i) == width {
			records = append(records, i)
			c.bytes += len(b.Record(i)) + 1
		}
	}
	c.records = len(records)
	for column := range c.values {
		v := &c.values[column]
		c.seen[column] = make(hashes, 2*len(records))
		for at, i := range records {
			if cell := b.Cell(i, column); len(cell) > 0 && c.seen[column].add(xxhash.Sum64(cell)|1) {
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

// meetAll counts cells of a sample of the rest of the file.
func (c *counted) meetAll(b input.Block) {
	for i := range min(b.Len(), compared) {
		if b.Fields(i) == len(c.values) {
			for column := range c.values {
				c.meet(column, b.Cell(i, column))
			}
		}
	}
}

// meet counts a cell of the rest of the file.
func (c *counted) meet(column int, cell []byte) {
	if len(cell) == 0 || column >= len(c.values) { // a header may have more names
		return
	}
	v, hash := &c.values[column], xxhash.Sum64(cell)|1
	v.elsewhere++
	if s := c.seen[column]; len(s) > 0 && s[s.place(hash)] == hash {
		v.known++
	}
}

// hashes is a set of hashes other than 0, of half as many as there are places at most.
type hashes []uint64

// add reports whether a hash was not in the set before.
func (s hashes) add(hash uint64) bool {
	at := s.place(hash)
	added := s[at] == 0
	s[at] = hash
	return added
}

// place is where a hash is, or would be.
func (s hashes) place(hash uint64) uint64 {
	at := hash >> 32 % uint64(len(s))
	for s[at] != 0 && s[at] != hash {
		at = (at + 1) % uint64(len(s))
	}
	return at
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
// records. If a share of the cells elsewhere has one of these values, they are that share of all values. If
// hardly any has, the values change along the file, and each part of it has as many as these records.
//
// Where nothing is known of the rest: if each value occurs as often as any other, and in no order, each
// further half has as many times fewer new values as the second has than the first. Where values come in
// runs, the halves have about as many, and so has the rest of the file.
func (d distinct) in(rows float64, records int) float64 {
	first, more := float64(d.first), float64(d.more)
	everywhere := rows * (first + more) / float64(records)
	if d.elsewhere > 0 {
		return min((first+more)*float64(d.elsewhere)/max(float64(d.known), 1), everywhere)
	}
	doubt := 2 * math.Sqrt(first)
	inNoOrder := float64(first * max(2*first/(float64(records)/2)-1, 0)) // about what the second half would have
	if more >= first || more > inNoOrder+doubt && first-more <= doubt {
		return everywhere
	}
	return min(first*first/(first-more), everywhere)
}
