package csv

import (
	"context"
	"errors"
	"io"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/vfs"
)

// Passage is what some blocks of a file, one after the other, do to the edge before them.
type Passage struct {
	// Inside says whether they end within quotes, if they begin outside of quotes and if they
	// begin within them.
	Inside [2]bool `json:"inside"`
	Lines  int64   `json:"lines"` // physical ones
}

// After returns the edge after the blocks.
func (p Passage) After(before Edge) Edge {
	return Edge{Inside: p.Inside[side(before.Inside)], Line: before.Line + p.Lines}
}

func side(inside bool) int {
	if inside {
		return 1
	}
	return 0
}

// Survey finds out what the blocks of a file from o.First to o.Blocks do to the edge before them, so that
// the blocks behind them can be read without them. It reads with some goroutines at a time, where quotes are
// regular at several GB/s each, and disregards o.Before. Its errors are those of Open and of Reader.Next.
func Survey(ctx context.Context, f vfs.File, o Options, workers int) (p Passage, err error) {
	r, err := Open(ctx, f, o.divided(DefaultBlockSize))
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if !r.Anywhere() {
		return p, r.inOrder()
	}
	// Both guesses at what precedes the range soon agree in text with quotes, so that most blocks are walked once at most.
	guesses := [2]*chain{newChain(r.opts.First, Edge{}), newChain(r.opts.First, Edge{Inside: true})}
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			for b := new(Block); ; {
				if err := r.survey(ctx, b, guesses); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return p, err
	}
	if r.opts.First == 0 { // the lines of the header are in no block
		p.Lines = r.chain.edge.Line - 1
	}
	for i, guess := range guesses {
		p.Inside[i] = guess.edge.Inside
	}
	p.Lines += guesses[0].edge.Line
	return p, nil
}

// divided returns options for the same bytes in blocks of about some bytes, of which as many make one of o.
func (o Options) divided(about int) Options {
	if n := o.BlockSize / about; n > 1 && o.BlockSize%n == 0 {
		o.BlockSize, o.First, o.Blocks = o.BlockSize/n, o.First*int64(n), o.Blocks*int64(n)
	}
	return o
}

// survey reads the next block that no other worker has taken, and tells the chains, one for each guess,
// what it does to their edges.
func (r *Reader) survey(ctx context.Context, b *Block, guesses [2]*chain) (err error) {
	b.reset(r.opts.BlockSize)
	if b.index, err = r.source.Claim(ctx); err != nil {
		return err
	}
	defer r.source.Release()
	if err := r.readLines(b); err != nil {
		return err
	}
	var in [2]Edge
	sum := b.lexer.sum
	for i, guess := range guesses {
		if in[i], err = guess.enter(ctx, b.index, sum); err != nil {
			return err
		}
	}
	inside := false
	for i, guess := range guesses {
		if sum.isRegular(in[i]) {
			continue
		}
		if i == 0 || in[i].Inside != in[0].Inside {
			b.bounds, b.records = b.bounds[:0], b.records.reset(noEnd)
			b.start(in[i])
			inside = b.walk() == inQuoted
		}
		guess.leave(b.index, sum.leave(in[i], inside))
	}
	return nil
}
