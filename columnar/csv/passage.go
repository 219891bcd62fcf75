package csv

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"

	"analyzer/columnar/vfs"
)

// Passage is what the reading of some blocks of a file found around them. Readers of ranges of a file have read
// what one reader of all of it reads if each range begins as the one before it ends: inside quotes, or outside.
type Passage struct {
	Before Edge `json:"before"`
	After  Edge `json:"after"`
}

// From returns the edge after the blocks if they begin with another line than was thought.
func (p Passage) From(line int64) Edge {
	return Edge{Inside: p.After.Inside, Line: line + p.After.Line - p.Before.Line}
}

// Passage returns the edges around the blocks, once all of them were read.
func (r *Reader) Passage() Passage {
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	return Passage{Before: r.before, After: r.chain.edge}
}

// guessBytes is about how much of a range is read for each guess at what precedes it.
const guessBytes = 64 << 10

// guess guesses the edge before block o.First by how the records behind it come out: it is inside quotes if they
// are less strange then. Lines count from the edge.
func guess(ctx context.Context, f vfs.File, o Options) (Edge, error) {
	if n := o.BlockSize / guessBytes; n > 1 && o.BlockSize%n == 0 {
		o.BlockSize, o.First = o.BlockSize/n, o.First*int64(n)
	}
	o.Blocks, o.Guess = o.First+1, false
	outside, inside := Edge{Line: 1}, Edge{Line: 1, Inside: true}
	least, err := strangenessOf(ctx, f, o, outside)
	if err != nil || least == (strangeness{}) {
		return outside, err
	}
	if other, err := strangenessOf(ctx, f, o, inside); err != nil || other.compare(least) < 0 {
		return inside, err
	}
	return outside, nil
}

// strangeness is which shares of some records are strange.
type strangeness struct {
	quotes float64 // by their quotes: Block.Doubts, Block.Mended, and quotes in cells that do not begin with one
	fields float64 // since they have more or fewer fields than the header
}

// compare compares quotes first: records that seem to be within quotes hide those with other numbers of fields.
func (s strangeness) compare(t strangeness) int {
	return cmp.Or(cmp.Compare(s.quotes, t.quotes), cmp.Compare(s.fields, t.fields))
}

// strangenessOf returns how strange the records of block o.First are if an edge precedes the block: all of them if
// there are none, or they cannot be read.
func strangenessOf(ctx context.Context, f vfs.File, o Options, before Edge) (s strangeness, err error) {
	o.Before = before
	r, err := Open(ctx, f, o)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	b := new(Block)
	var wrong *InputError
	switch err := r.Next(ctx, b); {
	case errors.Is(err, io.EOF), errors.As(err, &wrong):
		return strangeness{1, 1}, nil
	case err != nil:
		return s, err
	}
	records := 0
	s.quotes = float64(len(b.Doubts()) + len(b.Mended()))
	for i := range b.Len() {
		n := b.Fields(i)
		if n == 0 { // a blank line or a comment
			continue
		}
		if records++; n != len(r.header) {
			s.fields++
		}
		if b.quotesWithin(i) {
			s.quotes++
		}
	}
	if records == 0 {
		return strangeness{1, 1}, nil
	}
	return strangeness{s.quotes / float64(records), s.fields / float64(records)}, nil
}

// quotesWithin reports whether a cell of a record has a quote and does not begin with one.
func (b *Block) quotesWithin(r int) bool {
	quote := b.lexer.quote
	if bytes.IndexByte(b.Record(r), quote) < 0 {
		return false
	}
	for c := range b.Fields(r) {
		if bytes.IndexByte(b.Cell(r, c), quote) > 0 && b.Cell(r, c)[0] != quote {
			return true
		}
	}
	return false
}
