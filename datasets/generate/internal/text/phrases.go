package text

import (
	"fmt"
	"strings"

	"analyzer/datasets/generate/internal/draw"
)

// Phrases is a list of sentences with placeholders. It may be shared.
type Phrases struct {
	parts []part
	ends  []int // phrase i is parts[ends[i]:ends[i+1]]
}

// part is fixed text followed by one of choices, if there are any.
type part struct {
	fixed   string
	choices []string
}

func (l *Lexicon) compile(entries []string) Phrases {
	p := Phrases{ends: []int{0}}
	for _, rest := range entries {
		for rest != "" {
			fixed, after, found := strings.Cut(rest, "{")
			name, tail, closed := strings.Cut(after, "}")
			if found && !closed {
				l.errs = append(l.errs, fmt.Errorf("vocabulary: %q: brace without end", rest))
			}
			next := part{fixed: fixed}
			if found {
				next.choices = l.List(name)
			}
			p.parts, rest = append(p.parts, next), tail
		}
		p.ends = append(p.ends, len(p.parts))
	}
	return p
}

// Len returns the number of phrases.
func (p Phrases) Len() int { return len(p.ends) - 1 }

// Append appends one of the phrases, filled in, to dst.
func (p Phrases) Append(dst []byte, src *draw.Source) []byte {
	return p.AppendNth(dst, src.Below(p.Len()), src)
}

// AppendNth appends phrase n, filled in, to dst.
func (p Phrases) AppendNth(dst []byte, n int, src *draw.Source) []byte {
	for i := p.ends[n]; i < p.ends[n+1]; i++ {
		next := &p.parts[i]
		dst = append(dst, next.fixed...)
		if next.choices != nil {
			dst = append(dst, draw.Pick(src, next.choices)...)
		}
	}
	return dst
}

// AppendNumbered appends one of the phrases, chosen and filled in by number: if
// all phrases have the same placeholders, numbers below Combinations give different
// texts.
func (p Phrases) AppendNumbered(dst []byte, number uint64) []byte {
	n := number % uint64(p.Len())
	number /= uint64(p.Len())
	for _, next := range p.parts[p.ends[n]:p.ends[n+1]] {
		dst = append(dst, next.fixed...)
		if size := uint64(len(next.choices)); size > 0 {
			dst = append(dst, next.choices[number%size]...)
			number /= size
		}
	}
	return dst
}

// Combinations returns in how many ways the phrases can be filled in, if all of
// them have the placeholders of the first.
func (p Phrases) Combinations() uint64 {
	n := uint64(p.Len())
	for _, next := range p.parts[:p.ends[1]] {
		n *= uint64(max(1, len(next.choices)))
	}
	return n
}
