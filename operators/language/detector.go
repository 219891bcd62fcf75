package language

import (
	_ "embed"
	"fmt"
	"slices"
)

//go:embed ngrams.zst
var modelFile []byte

// english is the code that the detector prefers when a text is ambiguous.
const english = "en"

// preference is how many points English gets as the most common language of
// reviews, if anything speaks for it at all: half of the least score of an
// n-gram for a language.
const preference = 30

// Detector detects the language of texts. It is immutable, and any number of
// goroutines may use it concurrently.
type Detector struct {
	table    *table
	alphabet *alphabet
	codes    []string
	english  int // index into codes
}

// New builds a detector from the n-grams in the binary. That takes some
// milliseconds: do it once for a plan that needs it, and share the result. An
// error means that the binary is damaged.
func New() (*Detector, error) {
	m, err := readModel(modelFile)
	if err != nil {
		return nil, fmt.Errorf("language: load n-grams: %w", err)
	}
	return &Detector{
		table: newTable(m), alphabet: newAlphabet(m.Letters),
		codes: m.Languages, english: slices.Index(m.Languages, english),
	}, nil
}

// Codes returns the ISO 639-1 codes that [Detector.Detect] can return, sorted.
// The caller owns the slice.
func (d *Detector) Codes() []string { return slices.Clone(d.codes) }

// Detect returns the ISO 639-1 code of the language that a UTF-8 text is most
// likely written in, or "" if nothing in it speaks for any language. It is a
// pure function of the bytes: any text is legal, invalid UTF-8 and the empty
// text included. It allocates nothing, and neither changes nor keeps the text.
func (d *Detector) Detect(text []byte) string {
	var points scores
	d.score(&points, text)
	if points[d.english] > 0 {
		points[d.english] += preference
	}
	best := 0
	for l, n := range points {
		if n > points[best] {
			best = l
		}
	}
	if points[best] == 0 {
		return ""
	}
	return d.codes[best]
}

// score adds the points of every distinct n-gram of a text.
func (d *Detector) score(to *scores, text []byte) {
	var g grams
	g.collect(d.alphabet, text)
	var found slotSet
	for _, key := range g.keys[:g.n] {
		if slot := d.table.find(key); slot >= 0 && found.add(uint32(slot)) {
			d.table.add(to, slot)
		}
	}
}

// slotSet is a set of up to maxGrams slots: a hash table at most half full.
type slotSet [512]uint32

// add adds a slot, and reports whether it is new.
func (s *slotSet) add(slot uint32) bool {
	for i := slot * 0x9e3779b1 >> 23; ; i++ {
		switch s[i%uint32(len(s))] {
		case 0:
			s[i%uint32(len(s))] = slot + 1
			return true
		case slot + 1:
			return false
		}
	}
}
