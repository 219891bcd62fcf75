package sentiment

import (
	"encoding/binary"
	"math/bits"
)

// The rules look three words back and two ahead, so eight tokens are enough
// to score a text of any length in one pass.
const (
	lookBack  = 3
	lookAhead = 2
	ring      = 8 // a power of two
)

// scan reads a text word by word and sums valences.
//
// Two things are known only at the end. First, capitals are only emphasis if
// there are other words, so scan keeps all sums for both cases. Second, the
// first "but" halves the valences before it, so until a "but" comes scan keeps
// the halved sum next to the plain one. Each sum adds in the order of the
// words, as the reference does, which makes the result bit-equal.
type scan struct {
	vader  *vader
	buf    []byte
	tokens [ring]token // the latest tokens: token i is at i modulo ring
	read   int         // tokens read so far
	upper  int         // how many of them are upper
	but    bool        // "but" has been scored
	plain  [2]float64  // indexed by whether capitals are emphasis
	parted [2]float64  // halved before "but", raised by half after it
}

// at returns token i, one of the last ring tokens.
func (s *scan) at(i int) *token { return &s.tokens[i&(ring-1)] }

// entry returns the entry of token i.
func (s *scan) entry(i int) *entry { return &s.vader.dict.entries[s.at(i).entry] }

// run scores buf[start:end], split at every space. Between two adjacent spaces
// there is an empty word, and an empty text is one empty word.
func (s *scan) run(start, end int) {
	for start <= end {
		stop := s.nextSpace(start, end)
		t := s.at(s.read)
		s.vader.read(t, s.buf, start, stop)
		if t.upper {
			s.upper++
		}
		s.read++
		if s.read > lookAhead {
			s.score(s.read - 1 - lookAhead)
		}
		start = stop + 1
	}
	for i := max(0, s.read-lookAhead); i < s.read; i++ {
		s.score(i)
	}
}

// nextSpace returns the position of the first space of buf[start:end], or end.
func (s *scan) nextSpace(start, end int) int {
	for i := start; i < end; i += 8 {
		if m := firstSpaces(binary.LittleEndian.Uint64(s.buf[i:])); m != 0 {
			return min(end, i+bits.TrailingZeros64(m)/8)
		}
	}
	return end
}

// score adds the valence of token i to the sums.
func (s *scan) score(i int) {
	e := s.entry(i)
	if e.inLexicon && !e.degree && !s.isKindOf(i) {
		calm := s.valence(i, false)
		loud := calm
		if s.anyUpper(i) {
			loud = s.valence(i, true)
		}
		s.add(0, calm, e.word == wordBut)
		s.add(1, loud, e.word == wordBut)
	}
	s.but = s.but || e.word == wordBut
}

// add adds a valence to both sums of one case. The first "but" itself is
// neither halved nor raised.
func (s *scan) add(capitals int, valence float64, but bool) {
	s.plain[capitals] += valence
	switch {
	case s.but:
		valence = float64(1.5 * valence)
	case !but:
		valence = float64(0.5 * valence)
	}
	s.parted[capitals] += valence
}

// total returns the sum of all valences, once every token has been scored.
func (s *scan) total() float64 {
	sums := &s.plain
	if s.but {
		sums = &s.parted
	}
	if 0 < s.upper && s.upper < s.read {
		return sums[1]
	}
	return sums[0]
}

// isKindOf reports whether token i is the first word of "kind of", which
// dampens and has no valence of its own.
func (s *scan) isKindOf(i int) bool {
	return s.entry(i).word == wordKind && i+1 < s.read && s.entry(i+1).word == wordOf
}

// anyUpper reports whether capitals can matter to the valence of token i.
func (s *scan) anyUpper(i int) bool {
	for j := max(0, i-lookBack); j <= i; j++ {
		if s.at(j).upper {
			return true
		}
	}
	return false
}
