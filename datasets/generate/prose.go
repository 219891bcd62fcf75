package generate

import (
	"sort"

	"analyzer/datasets/generate/internal/text"
)

// The moods of a sentence.
const (
	positive = iota
	negative
	neutral
)

// prose writes texts with a prevailing mood, so that a sentiment model finds
// something. It may be shared.
type prose struct {
	sentences [3]text.Phrases // by mood
	percent   [2]int          // of sentences in the prevailing and in the opposite mood; the rest is neutral
}

// byMood returns the phrases of a section for each mood.
func byMood(words *text.Lexicon, section string) [3]text.Phrases {
	return [3]text.Phrases{
		words.Phrases(section + ".positive"), words.Phrases(section + ".negative"), words.Phrases(section + ".neutral"),
	}
}

func newProse(words *text.Lexicon, section string, prevailing, opposite int) prose {
	return prose{byMood(words, section), [2]int{prevailing, prevailing + opposite}}
}

// append appends sentences until there are at least length bytes of them. Between them
// is gap, or what the row's fault puts there; if that is a line break, there are at least
// two sentences.
func (p *prose) append(r *row, mood, length int, gap string) {
	last, twice := [3]int{-1, -1, -1}, r.bad.breaksLines()
	for start := len(r.B); ; twice = false {
		kind := p.kind(r, mood)
		last[kind] = r.Other(p.sentences[kind].Len(), last[kind])
		r.B = p.sentences[kind].AppendNth(r.B, last[kind], &r.Source)
		if len(r.B)-start >= length && !twice {
			return
		}
		r.B = append(r.B, r.bad.between(gap)...)
	}
}

// kind chooses the mood of one sentence.
func (p *prose) kind(r *row, mood int) int {
	switch chance := r.Below(100); {
	case chance < p.percent[0] || mood == neutral && chance < p.percent[1]:
		return mood
	case chance < p.percent[1]:
		return positive + negative - mood
	}
	return neutral
}

// sentences appends phrases until there are at least length bytes of them, each
// followed by gap, or by what the row's fault puts there.
func (r *row) sentences(from text.Phrases, length int, gap string) {
	gap = r.bad.between(gap)
	for start, last := len(r.B), -1; len(r.B)-start < length; {
		last = r.Other(from.Len(), last)
		r.B = append(from.AppendNth(r.B, last, &r.Source), gap...)
	}
}

// runs divides the rows of a file into consecutive runs: run k is rows bounds[k]
// to bounds[k+1]-1, and may be empty.
type runs []int

func (b runs) rows() int { return b[len(b)-1] }

// find returns the run of a row. It tries likely first, which is usually the run of the
// previous row.
func (b runs) find(row, likely int) int {
	if b[likely] <= row && row < b[likely+1] {
		return likely
	}
	return sort.SearchInts(b, row+1) - 1
}
