package sentiment

// The weights of the rules, found by Hutto and Gilbert from ratings.
const (
	capitalsBoost = 0.733 // a word in capitals among others
	negation      = -0.74 // factor of a negated word
	neverSo       = 1.25  // factor behind "never so" and "never this"
	secondBefore  = 0.95  // factor of a degree word two words back
	thirdBefore   = 0.9   // and three words back
)

// valence returns the valence of token i, which must be in the lexicon.
// capitals says whether words in capitals are emphasis. Explicit conversions of
// the products keep the compiler from fusing them with the following addition.
func (s *scan) valence(i int, capitals bool) float64 {
	v := s.ownValence(i)
	if capitals && s.at(i).upper {
		if v > 0 {
			v += capitalsBoost
		} else {
			v -= capitalsBoost
		}
	}
	for back := 1; back <= lookBack && back <= i; back++ {
		if s.at(i - back).listed {
			continue
		}
		v += s.boost(i, back, v, capitals)
		v = s.negate(i, back, v)
		if back == lookBack {
			v = s.phrases(i, v)
		}
	}
	return s.least(i, v)
}

// ownValence returns the valence of the word itself, and takes a nearby "no"
// into account.
func (s *scan) ownValence(i int) float64 {
	e := s.entry(i)
	if s.isWord(i-1, wordNo) || s.isWord(i-2, wordNo) ||
		s.isWord(i-3, wordNo) && (s.isWord(i-1, wordOr) || s.isWord(i-1, wordNor)) {
		return float64(e.valence * negation)
	}
	if e.word == wordNo && i+1 < s.read && s.entry(i+1).inLexicon {
		return 0
	}
	return e.valence
}

// isWord reports whether token i exists and is w in any case.
func (s *scan) isWord(i int, w word) bool { return i >= 0 && s.entry(i).word == w }

// isLower reports whether token i is w in lower case.
func (s *scan) isLower(i int, w word) bool { return s.isWord(i, w) && !s.at(i).folded }

// boost returns what the word that is back words before token i adds to the
// token's valence v, if that word is a degree word.
func (s *scan) boost(i, back int, v float64, capitals bool) float64 {
	e := s.entry(i - back)
	if !e.degree {
		return 0
	}
	b := e.boost
	if v < 0 {
		b = -b
	}
	if capitals && s.at(i-back).upper {
		if v > 0 {
			b += capitalsBoost
		} else {
			b -= capitalsBoost
		}
	}
	switch back {
	case 2:
		b = float64(b * secondBefore)
	case 3:
		b = float64(b * thirdBefore)
	}
	return b
}

// negate applies the word that is back words before token i, if it is a
// negation. "never so good" is praise, and "without doubt" is no negation.
func (s *scan) negate(i, back int, v float64) float64 {
	at := i - back
	if back > 1 {
		switch s.entry(at).word {
		case wordNever:
			if s.between(at, i, wordSo, wordThis) {
				return float64(v * neverSo)
			}
		case wordWithout:
			if s.between(at, i, wordDoubt, wordDoubt) {
				return v
			}
		}
	}
	if s.vader.negates(s.at(at), s.buf) {
		return float64(v * negation)
	}
	return v
}

// between reports whether one of two words stands between tokens from and to.
func (s *scan) between(from, to int, a, b word) bool {
	for j := from + 1; j < to; j++ {
		if s.isWord(j, a) || s.isWord(j, b) {
			return true
		}
	}
	return false
}

// phrases applies the idioms and degree phrases around token i, which has at
// least three words before it. The first idiom that ends at token i or just
// before it sets the valence. An idiom that begins with the token overrides
// that, and the longer one wins.
func (s *scan) phrases(i int, v float64) float64 {
	d := s.vader.dict
	for _, span := range [...][2]int{{i - 1, i}, {i - 2, i}, {i - 2, i - 1}, {i - 3, i - 1}, {i - 3, i - 2}} {
		if idiom, ok := s.lookUp(d.idioms, span[0], span[1]); ok {
			v = idiom
			break
		}
	}
	for end := i + 1; end <= i+lookAhead && end < s.read; end++ {
		if idiom, ok := s.lookUp(d.idioms, i, end); ok {
			v = idiom
		}
	}
	for _, span := range [...][2]int{{i - 3, i - 1}, {i - 3, i - 2}, {i - 2, i - 1}} {
		if boost, ok := s.lookUp(d.boosts, span[0], span[1]); ok {
			v += boost
		}
	}
	return v
}

// lookUp finds the phrase of tokens first to last, two or three of them.
func (s *scan) lookUp(in map[phrase]float64, first, last int) (float64, bool) {
	if !s.entry(first).starts || !s.entry(last).ends {
		return 0, false
	}
	var p phrase
	for j := first; j <= last; j++ {
		p[j-first] = s.at(j).entry
	}
	value, ok := in[p]
	return value, ok
}

// least reverses the valence after "least", unless it is "at least" or "very
// least".
func (s *scan) least(i int, v float64) float64 {
	if !s.isLower(i-1, wordLeast) || s.at(i-1).listed {
		return v
	}
	if s.isLower(i-2, wordAt) || s.isLower(i-2, wordVery) {
		return v
	}
	return float64(v * negation)
}
