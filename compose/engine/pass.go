package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
)

// pass is one reading of a table by the workers of a scan stage, divided into parts. The ends
// of parts are barriers: all workers end a part before any begins the next.
type pass struct {
	*cutter
	stage  *physical.Stage
	before *pass // the previous reading of the table, whose parts are the same; nil: none
	again  bool  // a later pass reads the table again

	mu      sync.Mutex
	scan    *scan.All     // nil: the pass has not begun
	workers int           // still reading
	within  int           // workers that have not yet ended the current part
	next    chan struct{} // closed when the next part begins
	end     int64         // block number at which the current part ends; MaxInt64 until that is known
	taken   reach         // of all blocks that workers have begun
	part    *part         // the current one
	parts   []*part       // the complete ones
	whole   bool          // all of the table was read
}

// reach is how much of a table, from its beginning, was read.
type reach struct{ blocks, bytes, rows, rejected int64 }

// part holds the rows that the scans of one part of a table have emitted.
type part struct {
	upTo reach
	kept map[exec.Port]*shared // by the input, behind an exchange, that gets the rows
}

// shared is rows that several workers add to.
type shared struct {
	mu sync.Mutex
	kept
}

// begin is called by each worker before its first block.
func (p *pass) begin(s *scan.All) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.scan == nil {
		p.scan, p.workers = s, p.e.scanners
		p.beginPart()
	}
}

func (p *pass) beginPart() {
	p.within, p.next, p.end, p.part = p.workers, make(chan struct{}), math.MaxInt64, p.newPart()
	if p.before == nil {
		return
	}
	for _, earlier := range p.before.parts {
		if earlier.upTo.blocks > p.taken.blocks {
			p.end = earlier.upTo.blocks
			return
		}
	}
}

// enter is called by a worker with each block. If the block belongs to a later part, enter
// first calls endPart to emit the rest of this part, then waits for the other workers and
// for any answers that are due.
func (p *pass) enter(ctx context.Context, c scan.Chunk, endPart func(context.Context) error) error {
	for !p.take(c) {
		if err := endPart(ctx); err != nil {
			return err
		}
		if err := p.depart(ctx, false); err != nil {
			return err
		}
	}
	return nil
}

// take reports whether a block belongs to the current part, and counts it if so.
func (p *pass) take(c scan.Chunk) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.Index() >= p.end {
		return false
	}
	t := &p.taken
	t.blocks, t.bytes = max(t.blocks, c.Index()+1), max(t.bytes, c.End())
	t.rows, t.rejected = t.rows+int64(c.Rows()), t.rejected+int64(c.Rejected())
	if p.before == nil && p.ends() {
		p.end = t.blocks
	}
	return true
}

// sharesAgain is how many parts a table is divided into that a later pass reads again. Early
// answers come only during its last reading, at the ends of these parts.
const sharesAgain = 16

// ends reports whether the part should end with the blocks taken so far.
func (p *pass) ends() bool {
	if !p.again {
		return p.due(p.read())
	}
	read := p.scan.Progress()
	share := float64(p.taken.bytes-reachOf(p.parts).bytes) / float64(max(read.Data, 1)) * float64(read.File)
	return share >= float64(p.f.Size(p.stage.Table))/sharesAgain
}

// leave is called by each worker after its last block.
func (p *pass) leave(ctx context.Context) error { return p.depart(ctx, true) }

// depart is called by a worker that has ended its part. The last worker ends it for all.
func (p *pass) depart(ctx context.Context, done bool) error {
	p.mu.Lock()
	if p.within--; done {
		p.workers--
	}
	last, next := p.within == 0, p.next
	p.mu.Unlock()
	switch {
	case last:
		return p.turn(ctx)
	case done:
		return nil
	}
	return wait(ctx, next)
}

// turn ends a part, answers if answers are due, and begins the next part.
func (p *pass) turn(ctx context.Context) error {
	p.whole = p.workers == 0
	if err := p.endPart(); err != nil || p.whole {
		return err
	}
	if p.due(p.read()) {
		if err := p.answer(ctx); err != nil {
			return err
		}
		if err := p.merge(ctx); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.next)
	p.beginPart()
	return nil
}

func (p *pass) newPart() *part {
	out := &part{kept: make(map[exec.Port]*shared)}
	for _, node := range p.stage.Nodes {
		for _, port := range p.e.ports[node] {
			out.kept[port] = &shared{kept: p.e.keep(p.e.plan.Nodes[node].Schema, p.memory, "answers meanwhile")}
		}
	}
	return out
}

func (p *pass) endPart() error {
	p.part.upTo = p.taken
	p.parts = append(p.parts, p.part)
	err := p.seal(p.part)
	p.part = nil
	return err
}

func (p *pass) seal(t *part) error {
	for _, k := range t.kept {
		// Each spool holds some bytes regardless of the budget; over many parts they add up.
		if p.memory.Used() > p.memory.Limit() && k.rows.Rows(0) > 0 {
			if err := k.rows.Flush(); err != nil {
				return err
			}
		}
		if err := k.rows.Seal(); err != nil {
			return err
		}
	}
	return nil
}

// small reports whether the table has not been read yet and has at most one block, like the
// one-row table of a query without FROM. Early answers read such a table themselves.
func (p *pass) small() bool {
	size := p.f.Size(p.stage.Table)
	return p.scan == nil && !p.again && p.before == nil && size > 0 && size <= int64(p.e.opts.BlockBytes())
}

// reached returns how many first blocks of the table answers can cover: those of complete
// parts, or all if the table is read or small.
func (p *pass) reached() int64 {
	if p.whole || p.small() {
		return math.MaxInt64
	}
	return reachOf(p.parts).blocks
}

// reachOf returns how far the given parts reach, which start at the table's beginning.
func reachOf(parts []*part) (r reach) {
	if n := len(parts); n > 0 {
		r = parts[n-1].upTo
	}
	return r
}

// replay sends to an input behind an exchange the rows kept of a table's first blocks.
func (p *pass) replay(ctx context.Context, e *embedded, port exec.Port, blocks int64) error {
	to, err := e.outlet(port)
	if err != nil {
		return err
	}
	push := func(rows columnar.Rows) error { return to.Push(ctx, rows) }
	for _, t := range p.upTo(blocks) {
		if err := t.kept[port].rows.Each(ctx, 0, push); err != nil {
			return err
		}
	}
	return to.Finish(ctx)
}

// upTo returns the parts of a table's first blocks.
func (p *pass) upTo(blocks int64) []*part {
	n := slices.IndexFunc(p.parts, func(t *part) bool { return t.upTo.blocks > blocks })
	if n < 0 {
		return p.parts
	}
	return p.parts[:n]
}

func (p *pass) close() (err error) {
	for _, t := range append(p.parts, p.part) {
		err = errors.Join(err, t.close())
	}
	return err
}

func (t *part) close() (err error) {
	if t == nil {
		return nil
	}
	for _, k := range t.kept {
		err = errors.Join(err, k.rows.Close())
	}
	return err
}

// keeper keeps a copy of the rows that pass through an outlet of a scan stage.
type keeper struct {
	exec.Outlet
	worker *scanWorker
	port   exec.Port
}

func (k *keeper) Push(ctx context.Context, rows columnar.Rows) error {
	to := k.worker.pass.part.kept[k.port]
	to.mu.Lock()
	err := to.add(rows)
	to.mu.Unlock()
	if err != nil {
		return err
	}
	return k.Outlet.Push(ctx, rows)
}

// Finish does nothing at the end of a part unless it is the last.
func (k *keeper) Finish(ctx context.Context) error {
	if k.worker.more {
		return nil
	}
	return k.Outlet.Finish(ctx)
}
