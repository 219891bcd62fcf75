package engine

import (
	"context"
	"time"

	"analyzer/columnar/scan"
)

// Cut says, by table, how many of its first blocks are read. Of a table that it does
// not name all are. The answers of a cut are, byte for byte, those of a run over files
// that end where TableReport.Stats.End says.
type Cut map[string]int64

// Following says how often there are answers while tables are read.
type Following struct {
	// Every is the least time between two answers. 0: the first ones are for a
	// sixteenth of the tables.
	Every time.Duration
	// Size returns the bytes of a table's file as it is stored, 0 if that is not known.
	Size func(table string) int64
	// Begin is told how far the tables were read, before the answers for that are
	// handed to what it returns; the last time they are complete.
	Begin func(r *Report, complete bool) (Answers, error)
	// End is told that all answers were handed out.
	End func() error
}

// The share of the tables that the first answers are for. Each later one is for at
// least twice as much, so that reading every cut from its beginning takes less than
// one reading of all more.
const (
	FirstShare = 1.0 / 16
	LastShare  = 1.0 / 2 // what is left then is worth no answer of its own
	leastShare = 1.0 / 1024
)

// firstBlocks is how much of a table of unknown size is read first.
const firstBlocks = 16

// Follow runs a plan over growing parts of the tables, and at last over all of them,
// as Run does. What it returns is of the last one.
func Follow(ctx context.Context, o Options, f Following) (*Report, error) {
	cuts := newCuts(o, f)
	for cuts.share < 1 {
		began := time.Now()
		r, complete, err := f.run(ctx, o, cuts.next())
		switch {
		case scan.IsInput(err) && ctx.Err() == nil: // the last run will say so
		case err != nil || complete:
			return r, err
		}
		cuts.learn(r, time.Since(began))
		cuts.grow()
	}
	r, _, err := f.run(ctx, o, nil)
	return r, err
}

// run answers for one cut, and reports whether that was all there is.
func (f Following) run(ctx context.Context, o Options, cut Cut) (r *Report, complete bool, err error) {
	telling, read := o.Reject != nil || o.Watch != nil || o.Read != nil, o.Read
	if o.Cut = cut; cut != nil {
		o.Reject, o.Watch, read = nil, nil, nil // the last run tells of all
	}
	to := new(followed)
	o.Early = false
	o.Read = func(r *Report) (err error) {
		if read != nil {
			if err := read(r); err != nil {
				return err
			}
		}
		complete = cut == nil || !telling && f.whole(cut, r)
		to.Answers, err = f.Begin(r, complete)
		return err
	}
	if r, err = Run(ctx, o, to); err == nil {
		err = f.End()
	}
	return r, complete, err
}

// followed is where answers go, once that is known.
type followed struct{ Answers }

// whole reports whether a run over a cut has read all tables to their ends.
func (f Following) whole(cut Cut, r *Report) bool {
	for _, t := range r.Tables {
		read := t.Stats.Progress
		plain := read.Data == read.File
		if n, part := cut[t.Table]; part && read.Blocks >= n && !(plain && read.File == f.Size(t.Table)) {
			return false
		}
	}
	return true
}

// cuts chooses what is read next.
type cuts struct {
	share  float64 // of all tables
	every  time.Duration
	took   time.Duration      // of the last run
	size   func(string) int64 // as stored
	blocks map[string]float64 // of each table, as far as that can be told; 0: unknown
	ended  map[string]bool    // tables of which the end was seen
	last   Cut
}

func newCuts(o Options, f Following) *cuts {
	c := &cuts{every: f.Every, size: f.Size, share: FirstShare, blocks: make(map[string]float64), ended: make(map[string]bool)}
	if c.every > 0 {
		c.share = leastShare
	}
	for _, s := range o.Plan.Stages {
		if s.Table != "" {
			c.blocks[s.Table] = float64(f.Size(s.Table)) / float64(o.BlockBytes())
		}
	}
	return c
}

// next returns the next cut: of each table at least twice as much as before.
func (c *cuts) next() Cut {
	cut := make(Cut)
	for table, all := range c.blocks {
		n := max(int64(c.share*all), 2*c.last[table], 1)
		if all == 0 {
			n = max(n, firstBlocks)
		}
		if !c.ended[table] {
			cut[table] = n
		}
	}
	c.last = cut
	return cut
}

// learn takes in what a run has found out of the tables: of a compressed one, how many
// blocks it has.
func (c *cuts) learn(r *Report, took time.Duration) {
	c.took = took
	for _, t := range r.Tables {
		read := t.Stats.Progress
		if n, cut := c.last[t.Table]; cut && read.Blocks < n {
			c.ended[t.Table] = true
		}
		if size := c.size(t.Table); size > 0 { // less, where a compressed one was read ahead
			c.blocks[t.Table] = float64(size) / float64(max(read.File, 1)) * float64(read.Blocks)
		}
	}
}

// grow chooses the next share: twice as much, or as much as takes so long that the
// next answers do not come too soon.
func (c *cuts) grow() {
	next := 2 * c.share
	if c.took > 0 {
		next = max(next, c.share*float64(c.every)/float64(c.took))
	}
	if next > LastShare {
		next = 1
	}
	c.share = next
}
