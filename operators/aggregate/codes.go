package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// codes finds the groups of a batch whose keys are all coded, or that has no keys. A combination of
// places in dictionaries is looked up in the table once, and is known then until the table is
// emptied or there are other dictionaries.
type codes struct {
	mem          *memory
	dictionaries []*columnar.Vector // of the keys
	groups       []uint32           // by combination: the position of its group plus one, or 0 or asked

	combined []int32 // the combination of each row of the batch; borrowed, or own
	own      []int32
	rows     []uint32           // the group of each row of the batch
	asked    []int32            // combinations that unknown has returned
	places   []int32            // of one key of these
	keys     []*columnar.Vector // what unknown and decoded return
}

const (
	// mostCombinations is how many combinations groups may have: it should stay in the processor's
	// cache beside the records, and takes 4 bytes for each.
	mostCombinations = 1 << 16
	asked            = 1<<32 - 1
)

// begin takes in the keys of a batch. It returns false if their groups are not found this way.
func (c *codes) begin(keys []*columnar.Vector, rows int) bool {
	size := 1
	for _, v := range keys {
		if v.Dictionary == nil {
			return false
		}
		if size *= v.Dictionary.Len; size > mostCombinations {
			return false
		}
	}
	if len(c.groups) != size || !slices.EqualFunc(c.dictionaries, keys, isOf) {
		if !c.resize(size) {
			return false
		}
		c.dictionaries = c.dictionaries[:0]
		for _, v := range keys {
			c.dictionaries = append(c.dictionaries, v.Dictionary)
		}
	}
	c.combine(keys, rows)
	return true
}

// combine computes the combinations of rows. All rows without keys have the combination of the first.
func (c *codes) combine(keys []*columnar.Vector, rows int) {
	if len(keys) == 1 {
		c.combined = keys[0].Places[:rows]
		return
	}
	if len(keys) == 0 {
		rows = min(rows, 1)
	}
	c.own = grow(c.own[:0], rows)
	c.combined = c.own
	clear(c.own)
	for _, v := range keys {
		n := int32(v.Dictionary.Len)
		for i, place := range v.Places[:rows] {
			c.own[i] = c.own[i]*n + place
		}
	}
}

func isOf(dictionary, v *columnar.Vector) bool { return v.Dictionary == dictionary }

// resize forgets all groups and makes room for another number of combinations, if there is memory.
func (c *codes) resize(size int) bool {
	if more := 4 * int64(size-cap(c.groups)); more > 0 {
		if !c.mem.allows(more) {
			return false
		}
		c.groups = make([]uint32, size)
	}
	c.groups = c.groups[:size]
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
	c.asked = c.asked[:0]
	for _, k := range c.combined {
		if c.groups[k] == 0 {
			c.groups[k] = asked
			c.asked = append(c.asked, k)
		}
	}
	times := int32(len(c.groups))
	for i, v := range keys {
		size := int32(v.Dictionary.Len)
		times /= max(size, 1)
		c.places = grow(c.places[:0], len(c.asked))
		for j, k := range c.asked {
			c.places[j] = k / times % size
		}
		c.decoded(i, v.Dictionary, c.places)
	}
	return c.keys[:len(keys)], len(c.asked)
}

// decoded returns values of a dictionary as the i-th key. It is valid until the next call.
func (c *codes) decoded(i int, dictionary *columnar.Vector, places []int32) *columnar.Vector {
	for len(c.keys) <= i {
		c.keys = append(c.keys, nil)
	}
	if c.keys[i] == nil {
		c.keys[i] = columnar.NewVector(dictionary.Type)
	}
	v := c.keys[i]
	v.Reset()
	v.AppendGather(dictionary, places)
	if !slices.Contains(v.Valid, false) {
		v.Valid = nil
	}
	return v
}

// find returns the groups of the batch's n rows. found are those of what unknown returned.
func (c *codes) find(found []uint32, n int) []uint32 {
	for i, k := range c.asked {
		c.groups[k] = found[i] + 1
	}
	c.asked = c.asked[:0]
	if len(c.dictionaries) == 0 { // there is one group, which all rows so far had
		for len(c.rows) < n {
			c.rows = append(c.rows, c.groups[0]-1)
		}
		return c.rows[:n]
	}
	c.rows = grow(c.rows[:0], n)
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
	c.groups, c.dictionaries = nil, nil
	c.forget()
}
