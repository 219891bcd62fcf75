package language

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// kind says where an n-gram is in its word. Whole words have one to four bytes, all other
// n-grams exactly four.
type kind uint8

const (
	inside kind = iota
	prefix
	suffix
	whole
)

// key is an n-gram: its kind in bits 32 and 33, and its bytes below, the first one highest,
// padded with zeros. It is never 0.
type key uint64

func (k kind) of(packed uint32) key { return key(k)<<32 | key(packed) }

// model is the content of ngrams.zst: a zstandard frame with a checksum. It holds these fields
// as a line of JSON, followed by the columns. eld.mjs writes it.
type model struct {
	Languages []string  `json:"languages"` // ISO 639-1 codes, ascending
	Letters   [][2]rune `json:"letters"`   // first and last of each range of letters
	Base      uint16    `json:"base"`      // added to all points
	Grams     int       `json:"grams"`
	Scores    int       `json:"scores"`

	// keys holds the n-grams in ascending order, each as its distance from the one before.
	keys []byte
	// counts holds the number of scores of each n-gram. languages and points hold the parts of
	// these scores: a language, ascending within an n-gram, and how much the n-gram speaks for
	// it, less Base.
	counts, languages, points []byte
}

// readModel reads a model file. It trusts the content if the checksum is right.
func readModel(file []byte) (*model, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make decompressor: %w", err)
	}
	defer z.Close()
	body, err := z.DecodeAll(file, nil)
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	line, columns, _ := bytes.Cut(body, []byte("\n"))
	m := new(model)
	if err := json.Unmarshal(line, m); err != nil {
		return nil, err
	}
	for _, column := range []struct {
		into *[]byte
		size int
	}{{&m.points, m.Scores}, {&m.languages, m.Scores}, {&m.counts, m.Grams}} {
		at := len(columns) - column.size
		*column.into, columns = columns[at:], columns[:at]
	}
	m.keys = columns
	return m, nil
}

// each calls f with every n-gram and its packed scores. f must copy scores to keep them.
func (m *model) each(f func(k key, scores []uint16)) {
	keys, last, at := m.keys, key(0), 0
	scores := make([]uint16, 0, maxSpoken)
	for _, n := range m.counts {
		distance, size := binary.Uvarint(keys)
		keys, last = keys[size:], last+key(distance)
		scores = scores[:0]
		for range n {
			scores = append(scores, (uint16(m.points[at])+m.Base)<<languageBits|uint16(m.languages[at]))
			at++
		}
		f(last, scores)
	}
}

// table says which languages an n-gram speaks for. It is a hash table with open addressing in
// one slice of 8-byte slots. A slot holds the 34 bits of the key, and either the n-gram's only
// language with its points, or where in rows its languages are. So two of three successful
// look-ups, and all unsuccessful ones, touch one cache line.
type table struct {
	slots []uint64
	rows  []uint16
}

// A slot is key<<keyShift | payload. The payload of a single language is its packed score.
// Other n-grams have the many bit, the number of languages from countShift on, and the index of
// their first row below it. An empty slot is 0.
const (
	keyShift   = 30
	many       = 1 << 29
	countShift = 20
	indexMask  = 1<<countShift - 1
	maxSpoken  = 31 // most languages of one n-gram
)

// A packed score has the language in its low bits and the points above it.
const (
	languageBits = 6
	maxLanguages = 1 << languageBits
	languageMask = maxLanguages - 1
	maxPoints    = 1<<9 - 1
)

func newTable(m *model) *table {
	t := &table{slots: make([]uint64, m.Grams*3/2+1), rows: make([]uint16, 0, m.Scores)}
	m.each(func(k key, scores []uint16) {
		payload := uint64(scores[0])
		if len(scores) > 1 {
			payload = many | uint64(len(scores))<<countShift | uint64(len(t.rows))
			t.rows = append(t.rows, scores...)
		}
		i := t.home(k)
		for t.slots[i] != 0 {
			if i++; i == len(t.slots) {
				i = 0
			}
		}
		t.slots[i] = uint64(k)<<keyShift | payload
	})
	return t
}

// home returns the slot where the search for a key starts: the key times an odd
// constant (the digits of the golden ratio), scaled down to the table.
func (t *table) home(k key) int {
	hi, _ := bits.Mul64(uint64(k)*0x9e3779b97f4a7c15, uint64(len(t.slots)))
	return int(hi)
}

// find returns the index of the slot that holds a key, or -1.
func (t *table) find(k key) int {
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

// scores holds the points of each language.
type scores [maxLanguages]uint32

// add adds the points of the n-gram in a slot that find returned.
func (t *table) add(to *scores, slot int) {
	s := t.slots[slot]
	if s&many == 0 {
		to[s&languageMask] += uint32(s>>languageBits) & maxPoints
		return
	}
	first := s & indexMask
	for _, packed := range t.rows[first : first+s>>countShift&maxSpoken] {
		to[packed&languageMask] += uint32(packed >> languageBits)
	}
}
