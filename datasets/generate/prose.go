package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// The moods of a sentence.
const (
	positive = iota
	negative
	neutral
)

// prose writes texts in which a mood prevails, so that a sentiment model finds
// something. It may be shared.
type prose struct {
	sentences [3]text.Phrases // by mood
	percent   [2]int          // of the sentences: in the prevailing mood, in the opposite one; the rest is neutral
}

func newProse(words *text.Lexicon, section string, prevailing, opposite int) prose {
	return prose{
		sentences: [3]text.Phrases{
			words.Phrases(section + ".positive"), words.Phrases(section + ".negative"), words.Phrases(section + ".neutral"),
		},
		percent: [2]int{prevailing, prevailing + opposite},
	}
}

// append appends sentences, with gap between them, until there are at least
// length bytes of them, and at least two sentences if twice is set.
func (p *prose) append(dst []byte, src *draw.Source, mood, length int, gap string, twice bool) []byte {
	last := [3]int{-1, -1, -1}
	for start := len(dst); ; twice = false {
		kind := p.kind(src, mood)
		last[kind] = src.Other(p.sentences[kind].Len(), last[kind])
		dst = p.sentences[kind].AppendNth(dst, last[kind], src)
		if len(dst)-start >= length && !twice {
			return dst
		}
		dst = append(dst, gap...)
	}
}

// kind chooses the mood of one sentence.
func (p *prose) kind(src *draw.Source, mood int) int {
	switch chance := src.Below(100); {
	case chance < p.percent[0] || mood == neutral && chance < p.percent[1]:
		return mood
	case chance < p.percent[1]:
		return positive + negative - mood
	}
	return neutral
}
