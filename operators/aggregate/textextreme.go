package aggregate

import (
	"bytes"

	"analyzer/columnar"
)

// textExtreme keeps the least or the greatest text or encoded row by its bytes. Its words are the reference to
// the text plus one, the length of the text, and the room for a text that replaces it.
type textExtreme struct {
	arena[byte]
	greatest bool
}

const (
	textAt = iota
	textLen
	textRoom
	textWords
)

func (*textExtreme) words() int { return textWords }

func (e *textExtreme) update(r records, arg *columnar.Vector) {
	if r.oneGroup() {
		if i := e.of(arg, len(r.refs)); i >= 0 {
			e.add(r, r.refs[0], arg.Bytes(i))
		}
		return
	}
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		e.add(r, ref, arg.Bytes(i))
	}
}

// add adds a text to a group.
func (e *textExtreme) add(r records, ref uint32, text []byte) {
	rec := (*[textWords]uint64)(r.pages.rest(ref, r.at))
	if rec[textAt] == 0 || (bytes.Compare(text, e.text(rec)) > 0) == e.greatest {
		e.keep(rec, text)
	}
}

// of returns which of the first n values of a vector is the extreme one, -1 if all are null.
func (e *textExtreme) of(arg *columnar.Vector, n int) int {
	at, word := -1, uint64(0)
	for i := range n {
		if arg.IsNull(i) {
			continue
		}
		text := arg.Bytes(i)
		w := columnar.TextWord(text)
		if w == word && at >= 0 {
			if (bytes.Compare(text, arg.Bytes(at)) > 0) == e.greatest {
				at = i
			}
		} else if at < 0 || (w > word) == e.greatest {
			at, word = i, w
		}
	}
	return at
}

func (e *textExtreme) text(rec *[textWords]uint64) []byte { return e.run(rec[textAt]-1, rec[textLen]) }

// keep replaces the current text. Room at least doubles, so the memory left behind is no more
// than the memory in use.
func (e *textExtreme) keep(rec *[textWords]uint64, text []byte) {
	n := uint64(len(text))
	if rec[textAt] == 0 || n > rec[textRoom] {
		rec[textRoom] = max(n, 2*rec[textRoom])
		ref, _ := e.alloc(int(rec[textRoom]))
		rec[textAt] = ref + 1
	}
	copy(e.from(rec[textAt]-1), text)
	rec[textLen] = n
}

func (e *textExtreme) merge(r records, states *columnar.Vector) error {
	e.update(r, states)
	return nil
}

func (e *textExtreme) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if rec := (*[textWords]uint64)(r.pages.rest(ref, r.at)); rec[textAt] == 0 {
			out.AppendNull()
		} else {
			out.Lend(e.text(rec))
		}
	}
	return nil
}

func (*textExtreme) single(arg *columnar.Vector, _ int) *columnar.Vector { return arg }

func (*textExtreme) size(words []uint64) int { return int(words[textLen]) }
