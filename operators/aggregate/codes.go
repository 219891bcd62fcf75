package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// codes finds the groups of a batch whose keys all have places: values of dictionaries, whole numbers that are close
// together, or none. A combination of places is looked up in the table once, and is known then until the table is
// emptied or the places change.
type codes struct {
	mem    *memory
	keys   []placed
	groups []uint32 // by combination: the position of its group plus one, or 0 or asked
	stale  bool     // the places have changed
	seen   int      // so many rows, of keys that are numbers
	sparse bool     // which are too far apart

	combined []int32 // the combination of each row of the batch; borrowed, or own
	own      []int32
	rows     []uint32           // the group of each row of the batch
	asked    []int32            // combinations that unknown has returned
	first    []int32            // and rows that have them
	places   []int32            // of one key of these
	values   []*columnar.Vector // what unknown and decoded return
}

const (
	// mostCombinations is how many combinations groups may have: it should stay in the processor's
	// cache beside the records, and takes 4 bytes for each.
	mostCombinations = 1 << 16
	// mostNumbers is the same where keys are numbers, whose places stay as they are. Up to there a larger table costs
	// less than a search in the directory, if there are not many more combinations than rows.
	mostNumbers   = 1 << 20
	numbersPerRow = 8
	asked         = 1<<32 - 1
)

// begin takes in the keys of a batch. It returns false if their groups are not found this way.
func (c *codes) begin(keys []*columnar.Vector, rows int) bool {
	if len(c.keys) != len(keys) {
		c.keys = make([]placed, len(keys))
	}
	size, most := 1, mostCombinations
	for i, v := range keys {
		switch k := &c.keys[i]; {
		case v.Dictionary != nil:
			c.stale = k.ofDictionary(v.Dictionary, slices.ContainsFunc(keys[:i], v.SamePlaces)) || c.stale
		case c.sparse || v.Type.Kind() != columnar.KindInt64:
			return false
		default:
			c.stale = k.ofNumbers(v, rows) || c.stale
			most = mostNumbers
		}
		if size *= c.keys[i].size; size > most {
			c.sparse = c.sparse || most == mostNumbers
			return false
		}
	}
	if most == mostNumbers {
		c.seen += rows
		most = min(most, max(mostCombinations, numbersPerRow*c.seen))
	}
	if size > most || (c.stale || len(c.groups) != size) && !c.resize(size) {
		return false
	}
	c.combine(keys, rows)
	return true
}

// combine computes the combinations of rows. All rows without keys have the combination of the first.
func (c *codes) combine(keys []*columnar.Vector, rows int) {
	if len(keys) == 1 && keys[0].Dictionary != nil {
		c.combined = keys[0].Places[:rows]
		return
	}
	if len(keys) == 0 {
		rows = min(rows, 1)
	}
	c.own = grow(c.own[:0], rows)
	c.combined = c.own
	clear(c.own)
	for i, v := range keys {
		c.keys[i].add(c.own, v)
	}
}

// resize forgets all groups and makes room for another number of combinations, if there is memory.
func (c *codes) resize(size int) bool {
	if more := 4 * int64(size-cap(c.groups)); more > 0 {
		if !c.mem.allows(more) {
			return false
		}
		c.groups = make([]uint32, size)
	}
	c.groups, c.stale = c.groups[:size], false
	c.forget()
	return true
}

// unknown returns the keys of the combinations in the batch whose groups are not known, one row for
// each. find takes their groups.
func (c *codes) unknown(keys []*columnar.Vector) (unknown []*columnar.Vector, n int) {
	for _, k := range c.asked { // and were not found, since there was no room
		if c.groups[k] == asked {
			c.groups[k] = 0
		}
	}
	c.asked, c.first = c.asked[:0], c.first[:0]
	if len(c.keys) > 0 {
		c.rows = grow(c.rows[:0], len(c.combined))
	}
	for i, k := range c.combined {
		group := c.groups[k]
		if group == 0 {
			c.groups[k] = asked
			c.asked, c.first = append(c.asked, k), append(c.first, int32(i))
		}
		if i < len(c.rows) {
			c.rows[i] = group - 1
		}
	}
	for i, v := range keys {
		if v.Dictionary == nil {
			c.decoded(i, v, c.first)
			continue
		}
		c.places = grow(c.places[:0], len(c.first))
		for j, row := range c.first {
			c.places[j] = v.Places[row]
		}
		c.decoded(i, v.Dictionary, c.places)
	}
	return c.values[:len(keys)], len(c.asked)
}

// decoded returns values of a dictionary as the i-th key. It is valid until the next call.
func (c *codes) decoded(i int, dictionary *columnar.Vector, places []int32) *columnar.Vector {
	for len(c.values) <= i {
		c.values = append(c.values, nil)
	}
	if c.values[i] == nil {
		c.values[i] = columnar.NewVector(dictionary.Type)
	}
	v := c.values[i]
	v.Reset()
	v.AppendGather(dictionary, places)
	if !slices.Contains(v.Valid, false) {
		v.Valid = nil
	}
	return v
}

// find returns the groups of the batch's n rows. found are those of what unknown returned.
func (c *codes) find(found []uint32, n int) []uint32 {
	known := len(c.asked) == 0
	for i, k := range c.asked {
		c.groups[k] = found[i] + 1
	}
	c.asked = c.asked[:0]
	if len(c.keys) == 0 { // there is one group, which all rows so far had
		for len(c.rows) < n {
			c.rows = append(c.rows, c.groups[0]-1)
		}
		return c.rows[:n]
	}
	if known { // and so are those of all rows, since unknown has looked
		return c.rows
	}
	for i, k := range c.combined {
		c.rows[i] = c.groups[k] - 1
	}
	return c.rows
}

// forget forgets all groups, for instance since their records have moved.
func (c *codes) forget() {
	clear(c.groups)
	c.asked, c.rows = c.asked[:0], c.rows[:0]
}

func (c *codes) free() {
	c.mem.unclaim(4 * int64(cap(c.groups)))
	c.groups, c.keys, c.seen, c.sparse = nil, nil, 0, false
	c.forget()
}
