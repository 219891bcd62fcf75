package sentiment

import (
	"strings"

	"github.com/jonreiter/govader"
)

// word identifies the words that rules mention.
type word uint8

const (
	wordOther word = iota
	wordAt
	wordBut
	wordDoubt
	wordKind
	wordLeast
	wordNever
	wordNo
	wordNor
	wordOf
	wordOr
	wordSo
	wordThis
	wordVery
	wordWithout
)

// ruleWords returns the spelling of the words that rules mention.
func ruleWords() map[string]word {
	return map[string]word{
		"at": wordAt, "but": wordBut, "doubt": wordDoubt, "kind": wordKind, "least": wordLeast,
		"never": wordNever, "no": wordNo, "nor": wordNor, "of": wordOf, "or": wordOr, "so": wordSo,
		"this": wordThis, "very": wordVery, "without": wordWithout,
	}
}

// entry is what the model knows about one word.
type entry struct {
	key     key
	valence float64 // from the lexicon
	boost   float64 // of a degree word
	word    word
	// inLexicon, degree and negates say which lists contain the word: it has a
	// valence, has a boost, or reverses the valence of what follows.
	inLexicon, degree, negates bool
	// starts and ends say that a phrase starts or ends with the word.
	starts, ends bool
}

// phrase is a sequence of two or three entry numbers; the third may be 0.
type phrase [3]uint16

// dictionary holds the words and phrases of the model. It is immutable once
// built. Entry 0 stands for every unknown word.
type dictionary struct {
	entries []entry
	// slots is an open-addressing hash table: the upper 16 bits are bits of
	// the key's hash, the lower 16 the entry; 0 is empty.
	slots []uint32
	// idioms replace the valence of the word they touch, boosts add to it.
	idioms, boosts map[phrase]float64
	// maxCased is the length of the longest key that is not all lower case.
	// Longer words need not be looked up as they are written.
	maxCased int
}

// maxEntries is greater than the number of entries; a slot has 16 bits for one.
// There are twice as many slots, which keeps probe sequences short.
const (
	maxEntries = 1 << 14
	tableBits  = 15
)

// newDictionary copies the words and phrases of the reference. Entries with a
// space can never equal a word of a text, and become phrases only.
func newDictionary(ref *govader.SentimentIntensityAnalyzer) *dictionary {
	d := &dictionary{
		entries: make([]entry, 1, len(ref.Lexicon)),
		slots:   make([]uint32, 1<<tableBits),
		idioms:  make(map[phrase]float64),
		boosts:  make(map[phrase]float64),
	}
	for w, valence := range ref.Lexicon {
		if !strings.Contains(w, " ") {
			e := d.add(w)
			e.inLexicon, e.valence = true, valence
		}
	}
	for w, boost := range ref.Constants.BoosterDict {
		if !strings.Contains(w, " ") {
			e := d.add(w)
			e.degree, e.boost = true, boost
		}
	}
	for _, w := range ref.Constants.NegateList {
		d.add(w).negates = true
	}
	for w, id := range ruleWords() {
		d.add(w).word = id
	}
	d.addPhrases(d.idioms, ref.Constants.SpecialCaseIdioms)
	d.addPhrases(d.boosts, ref.Constants.BoosterDict)
	return d
}

// addPhrases adds the phrases of two or three words to a table. No rule looks
// at longer sequences, and single words are entries.
func (d *dictionary) addPhrases(to map[phrase]float64, phrases map[string]float64) {
	for text, value := range phrases {
		words := strings.Split(text, " ")
		if len(words) < 2 || len(words) > len(phrase{}) {
			continue
		}
		var p phrase
		for i, w := range words {
			e := d.add(w)
			e.starts = e.starts || i == 0
			e.ends = e.ends || i == len(words)-1
			p[i] = d.find(&e.key)
		}
		to[p] = value
	}
}

// add returns the entry of w, and makes one if there is none. The pointer is
// valid until the next call.
func (d *dictionary) add(w string) *entry {
	k := makeKey([]byte(w))
	if at := d.find(&k); at != 0 {
		return &d.entries[at]
	}
	if strings.ToLower(w) != w {
		d.maxCased = max(d.maxCased, len(w))
	}
	at := len(d.entries)
	d.entries = append(d.entries, entry{key: k})
	h := k.hash()
	i := h % uint64(len(d.slots))
	for d.slots[i] != 0 {
		i = (i + 1) % uint64(len(d.slots))
	}
	d.slots[i] = slotTag(h) | uint32(at)
	return &d.entries[at]
}

// slotTag returns the hash bits that a slot stores. These are not the bits that
// choose it.
func slotTag(hash uint64) uint32 { return uint32(hash>>tableBits) << 16 }

// find returns the entry of a key, or 0.
func (d *dictionary) find(k *key) uint16 {
	h := k.hash()
	tag := slotTag(h)
	for i := h; ; i++ {
		s := d.slots[i&(1<<tableBits-1)]
		if s == 0 {
			return 0
		}
		if s&0xffff0000 == tag && d.entries[uint16(s)].key == *k {
			return uint16(s)
		}
	}
}
