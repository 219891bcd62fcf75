package csv

import "math/bits"

// state is the state of the parser between two bytes.
type state uint8

// The states, named after those of Python's _csv.c.
const (
	recordStart   state = iota // at the beginning of a record
	fieldStart                 // at the beginning of another field
	inField                    // in a field, where quotes are ordinary
	inQuoted                   // between the quotes of a field
	quoteInQuoted              // after a quote in a quoted field: the closing one or the first of two
	inComment                  // in a comment line
)

// framer is the exact state machine. It appends the positions of field ends to bounds.
// For each end of a record it appends that end's index in bounds to rows, as in Block.
type framer struct {
	*syntax
	state  state
	bounds []int32
	rows   []int32
	behind bool // text follows a closing quote
}

// walk reads the bits [from, to) of words, which describe data, where bit 0 is at position base.
// With stop it ends after the first record. It returns the position that it reached.
func (f *framer) walk(words []word, data []byte, base, from, to int, stop bool) int {
	at := from
	for at < to {
		w := &words[at/wordBytes]
		end := min(to, at/wordBytes*wordBytes+wordBytes)
		switch f.state {
		case recordStart, fieldStart:
			if f.comments && f.state == recordStart && data[base+at] == f.comment {
				f.state = inComment
				continue
			}
			f.state = inField
			begin := at
			if f.spaced {
				begin += spaces(data[base+at : base+to])
			}
			if begin < to && words[begin/wordBytes].quote>>(begin%wordBytes)&1 != 0 {
				f.state = inQuoted
				at = begin + 1
			}
		case inField, inComment:
			ends := w.end
			if f.state == inComment {
				ends = w.newline
			}
			at = next(ends, at, end)
			if at == end {
				continue
			}
			f.bounds = append(f.bounds, int32(base+at))
			f.state = fieldStart
			record := w.newline>>(at%wordBytes)&1 != 0
			at++
			if record {
				f.state = recordStart
				f.rows = append(f.rows, int32(len(f.bounds)-1))
				if stop {
					return at
				}
			}
		case inQuoted:
			at = next(w.quote, at, end)
			if at < end {
				f.state = quoteInQuoted
				at++
			}
		case quoteInQuoted:
			f.state = inField
			if !f.escapes && w.quote>>(at%wordBytes)&1 != 0 {
				f.state = inQuoted
				at++
			} else if w.end>>(at%wordBytes)&1 == 0 && f.isText(data, base+at) {
				f.behind = true
			}
		}
	}
	return at
}

// next returns the position of the first set bit at or after at, or end if there is
// none. at lies in the word that set describes, end in it or right after it.
func next(set uint64, at, end int) int {
	set &= ^uint64(0) << (at % wordBytes)
	return min(end, at/wordBytes*wordBytes+bits.TrailingZeros64(set))
}
