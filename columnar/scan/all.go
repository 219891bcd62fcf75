package scan

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/vfs"
)

// All reads all files of a table once. Its workers take blocks of the first file that is not
// busy, and open further ones if all are. NewWorker, Stats and Progress are safe for concurrent
// use.
//
// Errors are those of the first file that has any, for any number of workers. A worker with an
// error therefore waits for the earlier files, which others read: whoever reads the first
// unfinished file waits for nobody.
type All struct {
	table   *columnar.Table
	columns []string
	schema  columnar.Schema
	from    []int // by output: where it comes from, unless from cells (see fromFile)
	files   Files
	opts    AllOptions
	turns   *Turns // of files, for what is done in their order

	mu      sync.Mutex
	open    []*opened // in the order of the files
	next    int       // the first file that nobody has taken
	failed  int       // the first file with an error; no later one is read
	changed chan struct{}
	first   int64 // number of the first block of file next, if they are read in turn
	before  int64 // bytes of the files before it, decompressed
	done    sums
}

// opened is a file that is being read.
type opened struct {
	index   int
	number  int   // among the files of the table
	first   int64 // number of its first block that is read
	before  int64
	file    vfs.File
	scan    *Scan // nil: it is being opened
	from    []int // by output: see constants
	values  columnar.Rows
	ended   bool  // all of its blocks were taken
	skipped int64 // blocks before the first one that is read
	blocks  int64 // that were read
	parts   int   // of the last one
	inside  int   // workers that get a block of it
	users   int   // workers that read it, also those that have a block
}

// OpenAll prepares to read columns of table t. No file is opened before a worker asks for its
// blocks.
func OpenAll(files Files, t *columnar.Table, columns []string, opts AllOptions) *All {
	a := &All{table: t, columns: columns, files: files, opts: opts, turns: NewTurns(), failed: math.MaxInt, changed: make(chan struct{})}
	a.opts.Options = opts.withDefaults()
	from, types, next := make(map[string]int), make(map[string]columnar.Type), fromValues
	for _, c := range t.Columns {
		types[c.Name] = c.Type()
		switch {
		case c.Format == columnar.FormatFile:
			from[c.Name] = fromFile
		case c.OfFile:
			from[c.Name] = next
			next--
		}
	}
	for _, name := range columns {
		a.schema = append(a.schema, columnar.Field{Name: name, Type: types[name]})
		a.from = append(a.from, from[name])
	}
	return a
}

// Schema returns the columns asked for, in the order of the request.
func (a *All) Schema() columnar.Schema { return a.schema }

// NewWorker returns a worker for one goroutine.
func (a *All) NewWorker() Worker { return &allWorker{all: a} }

// Stats returns what was found so far: the sum over the files. Of the rejected records, those of
// the first files are shown.
func (a *All) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.done.clone()
	for _, o := range a.open {
		if o.scan != nil {
			s := o.scan.Stats()
			all.add(o.index, &s, a.opts.Samples)
		}
	}
	return all.stats()
}

// Unfinished returns the files that were opened and not read to their ends. Their Blocks and Stats
// are not set.
func (a *All) Unfinished() (files []Ended) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.open {
		files = append(files, Ended{File: o.index, First: o.first})
	}
	return files
}

// Seek has rows of the files that are opened from now on come first that are sought, unless files are read in turn.
func (a *All) Seek(by input.Sought) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.opts.InTurn {
		a.opts.Sought = by
	}
}

// Progress returns how much was read.
func (a *All) Progress() Progress {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.done.Progress
	for _, o := range a.open {
		if o.scan != nil {
			p.add(o.scan.Progress())
		}
	}
	return p
}

// Close ends the reading. No call of a worker may be running; chunks are invalid afterwards.
func (a *All) Close() (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.open {
		err = errors.Join(err, o.close())
	}
	a.open = nil
	return err
}

func (o *opened) close() (err error) {
	if o.scan != nil {
		err = o.scan.Close()
	}
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
	}
	return err
}

// take returns a file for a worker, which must leave it; nil: there is nothing more to read. An
// error with a file is about that file.
func (a *All) take(ctx context.Context) (*opened, error) {
	for {
		o, begin, changed := a.choose()
		switch {
		case begin:
			if skipped, err := a.begin(ctx, o); err != nil || !skipped {
				return o, err
			}
		case o != nil || changed == nil:
			return o, nil
		default:
			select {
			case <-changed:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
	}
}

// choose returns the file that a worker is to read: the first that is not busy; or a new one,
// which it is to begin; or the first that is busy. If there is none, it returns a channel that is
// closed when others have opened theirs; nil: there is nothing more to read.
func (a *All) choose() (o *opened, begin bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var busy *opened
	unfinished := false
	for _, at := range a.open {
		switch {
		case at.ended:
			unfinished = unfinished || !at.over()
			continue
		case at.index > a.failed:
			continue
		case at.scan == nil:
			changed = a.changed
		case at.scan.free():
			at.users++
			return at, false, nil
		case busy == nil:
			busy = at
		}
		unfinished = true
	}
	if a.next < a.files.Len && a.failed == math.MaxInt && !(a.opts.InTurn && unfinished) {
		o = &opened{index: a.next, number: a.files.First + a.next, first: int64(a.next) * fileBlocks, skipped: a.opts.CSV.First, users: 1}
		if a.opts.InTurn {
			o.first, o.before = a.first, a.before
		}
		a.next++
		a.open = append(a.open, o)
		return o, true, nil
	}
	switch {
	case busy != nil:
		busy.users++
	case a.opts.InTurn && a.next < a.files.Len && a.failed == math.MaxInt:
		changed = a.changed // when the file before is over
	}
	return busy, false, changed
}

// begin opens a file, unless it is skipped.
func (a *All) begin(ctx context.Context, o *opened) (skipped bool, err error) {
	if a.opts.Skip != nil && a.opts.Skip(o.index) {
		a.mu.Lock()
		o.ended = true
		a.overLocked(o)
		a.mu.Unlock()
		return true, a.leave(o)
	}
	s, err := a.openFile(ctx, o)
	a.mu.Lock()
	defer a.mu.Unlock()
	o.scan, o.ended = s, err != nil
	a.wakeLocked()
	return false, err
}

func (a *All) openFile(ctx context.Context, o *opened) (_ *Scan, err error) {
	var t *columnar.Table
	if o.file, t, err = a.files.Open(ctx, o.index); err != nil {
		return nil, err
	}
	if a.files.Values != nil {
		o.values = a.files.Values(o.index)
	}
	var columns []string
	o.from, columns = a.sources(t)
	a.mu.Lock()
	opts := a.opts.Options
	a.mu.Unlock()
	if a.opts.Watches != nil {
		opts.Watch = func() func(input.Block) { return a.opts.Watches(o.index) }
	}
	if tell := opts.OnReject; tell != nil && o.index > 0 {
		opts.OnReject = func(r Reject) error {
			if err := a.turns.Await(ctx, int64(o.index)); err != nil {
				return err
			}
			return tell(r)
		}
	}
	return Open(ctx, o.file, t, columns, opts)
}

// sources returns where the columns come from in a file that t describes, and which of its cells
// are read.
func (a *All) sources(t *columnar.Table) (from []int, columns []string) {
	var has map[string]bool
	if t != a.table {
		has = make(map[string]bool, len(t.Columns))
		for _, c := range t.Columns {
			has[c.Name] = true
		}
	}
	for i, name := range a.columns {
		switch {
		case a.from[i] < 0:
			from = append(from, a.from[i])
		case t == a.table || has[name]:
			from, columns = append(from, len(columns)), append(columns, name)
		default:
			from = append(from, fromNothing)
		}
	}
	return from, columns
}

// reading is called before a worker gets a block of a file, and read after that.
func (a *All) reading(o *opened) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o.inside++
}

func (a *All) read(o *opened, c Chunk, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o.inside--
	switch {
	case err == nil:
		o.count(c)
	case errors.Is(err, io.EOF):
		o.ended = true
	}
	if o.over() {
		a.overLocked(o)
	}
}

// count notes a chunk that was read.
func (o *opened) count(c Chunk) {
	n := c.Index() + 1 - o.skipped
	if n > o.blocks {
		o.blocks, o.parts = n, 0
	}
	if part, _ := c.Part(); n == o.blocks {
		o.parts = max(o.parts, part+1)
	}
}

// over reports whether all blocks of a file were handed out.
func (o *opened) over() bool { return o.ended && o.inside == 0 }

// overLocked notes where the next file begins, if files are read in turn. It is called again for every
// worker that comes late, perhaps when later files have begun.
func (a *All) overLocked(o *opened) {
	if o.index == a.next-1 {
		a.first, a.before = o.first+o.blocks, o.before
		if o.scan != nil {
			a.before += o.scan.Progress().Data
		}
	}
	a.wakeLocked()
}

// leave is called by a worker that needs a file no more. The last one closes a file that has
// ended.
func (a *All) leave(o *opened) error {
	a.mu.Lock()
	o.users--
	last := o.users == 0 && o.ended
	if last {
		a.open = slices.DeleteFunc(a.open, func(other *opened) bool { return other == o })
	}
	e := Ended{File: o.index, First: o.first, Next: o.first + fileBlocks, Blocks: o.blocks, Parts: o.parts}
	if a.opts.InTurn {
		e.Next = o.first + o.blocks
	}
	if last && o.scan != nil {
		s := o.scan.Stats()
		e.Stats, e.Passage = &s, o.scan.passage()
		a.done.add(o.index, &s, a.opts.Samples)
	}
	a.mu.Unlock()
	if !last {
		return nil
	}
	err := o.close()
	if err == nil && a.opts.Ended != nil {
		err = a.opts.Ended(e)
	}
	if err == nil {
		a.turns.Finish(int64(o.index))
	}
	return err
}

// fail ends the reading with an error in file i, unless an earlier one has an error too.
func (a *All) fail(ctx context.Context, i int, err error) error {
	a.mu.Lock()
	a.failed = min(a.failed, i)
	a.wakeLocked()
	a.mu.Unlock()
	if context.Cause(ctx) != nil {
		return a.turns.fail(err)
	}
	if earlier := a.turns.Await(ctx, int64(i)); earlier != nil {
		return earlier
	}
	return a.turns.fail(err)
}

func (a *All) wakeLocked() {
	close(a.changed)
	a.changed = make(chan struct{})
}
