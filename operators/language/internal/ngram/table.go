package ngram

import "math/bits"

// Table answers which languages an n-gram speaks for. It is immutable and may
// be used by any number of goroutines at once.
//
// It is a hash table with open addressing in one slice of 8-byte slots. A slot
// holds the 34 bits of the key, and either the one language of the n-gram with
// its points, or where in rows its languages are. So two of three lookups that
// find something, and all that find nothing, touch one cache line.
type Table struct {
	slots []uint64
	rows  []uint16
}

// A slot is key<<keyShift | payload. The payload of a single language is its
// packed score; other n-grams have the many bit, the number of languages from
// countShift on, and the index of the first below it. An empty slot is 0.
const (
	keyShift   = 30
	many       = 1 << 29
	countShift = 20
	indexMask  = 1<<countShift - 1
)

// A packed score has the language in its low bits and the points above.
const (
	languageBits = 6
	languageMask = 1<<languageBits - 1
)

// NewTable builds the table of a model that [Decode] returned.
func NewTable(m *Model) *Table {
	multiple := 0
	for _, n := range m.Counts {
		if n > 1 {
			multiple += int(n)
		}
	}
	t := &Table{
		slots: make([]uint64, len(m.Keys)*3/2+1),
		rows:  make([]uint16, 0, multiple),
	}
	at := 0
	for i, k := range m.Keys {
		n := int(m.Counts[i])
		payload := many | uint64(n)<<countShift | uint64(len(t.rows))
		if n == 1 {
			payload = uint64(pack(m, at))
		} else {
			for j := range n {
				t.rows = append(t.rows, pack(m, at+j))
			}
		}
		t.insert(k, payload)
		at += n
	}
	return t
}

// pack returns score i of a model in 15 bits.
func pack(m *Model, i int) uint16 {
	return (uint16(m.Points[i])+m.Base)<<languageBits | uint16(m.Spoken[i])
}

// insert puts a key that is not in the table into it.
func (t *Table) insert(k Key, payload uint64) {
	i := t.home(k)
	for t.slots[i] != 0 {
		if i++; i == len(t.slots) {
			i = 0
		}
	}
	t.slots[i] = uint64(k)<<keyShift | payload
}

// home returns the slot where the search for a key starts: the key times an odd
// constant (the digits of the golden ratio), scaled down to the table.
func (t *Table) home(k Key) int {
	hi, _ := bits.Mul64(uint64(k)*0x9e3779b97f4a7c15, uint64(len(t.slots)))
	return int(hi)
}

// Find returns the number of the slot that holds a key, or -1.
func (t *Table) Find(k Key) int {
	i := t.home(k)
	for {
		s := t.slots[i]
		if s>>keyShift == uint64(k) {
			return i
		}
		if s == 0 {
			return -1
		}
		if i++; i == len(t.slots) {
			i = 0
		}
	}
}

// Scores holds the points of each language.
type Scores [maxLanguages]uint32

// Add adds the points of the n-gram in a slot that [Table.Find] returned.
func (t *Table) Add(scores *Scores, slot int) {
	s := t.slots[slot]
	if s&many == 0 {
		scores[s&languageMask] += uint32(s>>languageBits) & maxPoints
		return
	}
	first := s & indexMask
	for _, packed := range t.rows[first : first+s>>countShift&maxSpoken] {
		scores[packed&languageMask] += uint32(packed >> languageBits)
	}
}
