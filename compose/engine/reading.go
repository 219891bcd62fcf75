package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/operators/exec"
	"analyzer/operators/keyset"
	"analyzer/operators/order"
	"analyzer/operators/query/physical"
)

// Reading reads the tables of a plan one after the other: lower phases first, and within a
// phase in the order of the plan. Several workers read a table, for all scans of a stage at
// once. A run in one process and a client of a cluster differ only in what they do with the
// blocks.
type Reading struct {
	Plan    *physical.Plan
	Table   func(name string) *columnar.Table
	Open    func(table string) (vfs.File, error) // called once per reading of a table
	Files   func(table string) *scan.Files       // see Options
	InTurn  bool                                 // files of a table are read one after the other: see scan.AllOptions
	Scan    scan.Options                         // OnReject is called only in the first reading of each table; Parts not for tables that may be read in part
	Workers int                                  // goroutines that read a table
	Spare   *scan.Spare                          // see scan.AllOptions; it may be nil
	// MaxRejectShare bounds the share of a table's rows that may be rejected: if it is
	// exceeded, the reading fails after that table; 0: no bound.
	MaxRejectShare float64
	// Duplicates holds, by table, what FindDuplicates has found. Tables with a key need it.
	Duplicates map[string]*scan.Duplicates

	// Keys waits until the build side of a join is complete and returns its keys,
	// nil if they are not known.
	Keys func(ctx context.Context, join int) (*keyset.Set, error)
	// NewWorker makes the receiver of the blocks that one goroutine reads.
	NewWorker func(ctx context.Context, p *Pass) (BlockWorker, error)

	// Once reads each table a single time for all of its scans, instead of once in each
	// phase that scans it; Keys must not wait then.
	Once bool
	// Wanted reports whether a scan is to be read; nil: all are. Opened is called with
	// a table's only file before it is read, Ended after each file of a table, from any of the
	// workers, and Read after a table was read to its end. They may be nil.
	Wanted func(scan int) bool
	Opened func(ctx context.Context, table string, f vfs.File) error
	Ended  func(p *Pass, f scan.Ended) error
	Read   func(ctx context.Context, p *Pass) error

	// Watch returns the watcher of a table, or nil; it is asked at each reading until the
	// table has been read to its end once. It may be nil.
	Watch func(table string) Watcher
	// StopEarly stops reading a table once the plan needs no more of it.
	StopEarly bool

	// Progress is told how far the reading is, from one goroutine; it may be
	// nil. Spilled, if set, returns how many bytes were spilled.
	Progress func(Progress)
	Spilled  func() int64

	report   Report
	progress progress
	watched  map[string]bool // tables that were watched to their ends
}

// Watcher sees the blocks of a table.
type Watcher interface {
	// Worker returns a function to which one goroutine passes each block that it reads of a
	// file.
	Worker(file int) func(input.Block)
	// Columns returns the names of the columns at which it looks.
	Columns() []string
	// Wrong reports whether a block contradicts the types assumed for the table.
	Wrong() bool
	// End says that the reading of a file is over and the answers depend only on this many of
	// its first blocks; negative: on all of them.
	End(file int, blocks int64)
}

// ErrGuess is the error of a reading that was abandoned because its watcher found that a
// type assumed for the table is wrong.
var ErrGuess = errors.New("a type was guessed wrong")

// Pass is one reading of a table, for the scans of a stage.
type Pass struct {
	Stage  *physical.Stage
	Table  *columnar.Table
	Scans  []*physical.Node
	Sets   map[int][]*keyset.Set // by scan: a set for each of its filters
	Schema columnar.Schema       // of what is read
	Stats  scan.Stats            // of the table, once it was read

	scan    *scan.All
	enough  *enough
	firsts  []order.Shared // by scan: the bound of the sorts that take its rows
	watcher Watcher        // nil if nobody watches
	ended   ended
	read    atomic.Int64 // blocks read
	last    atomic.Int64 // highest block number read, plus 1
}

// BlockWorker takes blocks, one after the other, from one goroutine.
type BlockWorker interface {
	Take(c scan.Chunk) error
	Finish(ctx context.Context) error // after the last block, unless something failed
	Close() error                     // at the end in any case
}

// Run reads the tables. Errors of the files are *scan.InputError.
func (r *Reading) Run(ctx context.Context) error {
	defer r.progress.start(r.Progress, r.Spilled)()
	stages := scanStages(r.Plan)
	read := make(map[string]bool)
	for _, s := range stages {
		if r.Once && read[s.Table] {
			continue
		}
		read[s.Table] = true
		p := &Pass{Stage: s, Table: r.Table(s.Table), Sets: make(map[int][]*keyset.Set)}
		if p.Table == nil {
			return fmt.Errorf("there is no table %q", s.Table)
		}
		for _, id := range r.nodes(stages, s) {
			if n := r.Plan.Nodes[id]; n.Scan != nil && (r.Wanted == nil || r.Wanted(id)) {
				p.Scans = append(p.Scans, n)
			}
		}
		if len(p.Scans) == 0 {
			continue
		}
		if err := r.pass(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// scanStages returns the stages that read tables, in the order in which they are read.
func scanStages(p *physical.Plan) []*physical.Stage {
	stages := columnar.Only(p.Stages, func(s *physical.Stage) bool { return s.Table != "" })
	slices.SortFunc(stages, physical.InReadingOrder)
	return stages
}

// nodes returns the nodes of a stage; with Once, those of all stages that read its table.
func (r *Reading) nodes(stages []*physical.Stage, s *physical.Stage) []int {
	if !r.Once {
		return s.Nodes
	}
	var out []int
	for _, other := range stages {
		if other.Table == s.Table {
			out = append(out, other.Nodes...)
		}
	}
	return out
}

// Report says what was read.
func (r *Reading) Report() *Report { return &r.report }

func (r *Reading) pass(ctx context.Context, p *Pass) (err error) {
	if err := r.awaitKeys(ctx, p); err != nil {
		return err
	}
	if err := r.scan(ctx, p); err != nil || r.Read == nil {
		return err
	}
	return r.Read(ctx, p)
}

func (r *Reading) awaitKeys(ctx context.Context, p *Pass) error {
	defer r.progress.waiting("")
	for _, n := range p.Scans {
		for _, f := range n.Scan.Filters {
			r.progress.waiting("keys")
			set, err := r.Keys(ctx, f.Join)
			if err != nil {
				return err
			}
			p.Sets[n.ID] = append(p.Sets[n.ID], set)
		}
	}
	return nil
}

// scan reads all blocks of a table.
func (r *Reading) scan(ctx context.Context, p *Pass) (err error) {
	plans := columnar.Each(p.Scans, func(n *physical.Node) *physical.Scan { return n.Scan })
	if r.Watch != nil && !r.watched[p.Table.Name] {
		p.watcher = r.Watch(p.Table.Name)
	}
	p.firsts = make([]order.Shared, len(p.Scans))
	if r.StopEarly {
		p.enough = newEnough(p.Stage.First)
	}
	files := r.filesOf(p.Table)
	options, err := r.options(p, files)
	if err != nil {
		return err
	}
	s := scan.OpenAll(files, p.Table, exec.ScanColumns(p.Table, plans), options)
	defer func() { err = errors.Join(err, s.Close()) }()
	p.scan, p.Schema = s, s.Schema()
	r.progress.reading(p.Table.Name, s)
	defer func() {
		p.Stats = s.Stats()
		r.progress.read()
		r.report.Add(p.Table.Name, p.Stats, p.enough.reached())
		if err == nil && files.Len == 1 {
			err = r.checkRejects(&p.Stats)
		}
	}()
	g, ctx := errgroup.WithContext(ctx)
	for range r.Workers {
		g.Go(func() error { return r.work(ctx, p, s) })
	}
	if err := g.Wait(); err != nil || p.watcher == nil {
		return err
	}
	r.endWatch(p)
	return nil
}

// filesOf returns the files of a table.
func (r *Reading) filesOf(t *columnar.Table) scan.Files {
	if r.Files != nil {
		if files := r.Files(t.Name); files != nil {
			return *files
		}
	}
	return scan.Files{Len: 1, Open: func(ctx context.Context, _ int) (vfs.File, *columnar.Table, error) {
		f, err := r.Open(t.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("open table %s: %w", t.Name, err)
		}
		if r.Opened != nil {
			if err := r.Opened(ctx, t.Name, f); err != nil {
				return nil, nil, errors.Join(fmt.Errorf("table %s: %w", t.Name, err), f.Close())
			}
		}
		return f, t, nil
	}}
}

func (r *Reading) options(p *Pass, files scan.Files) (scan.AllOptions, error) {
	o := scan.AllOptions{Options: r.Scan, InTurn: r.InTurn, Spare: r.Spare, Ended: func(f scan.Ended) error { return r.end(p, f, files.Len > 1) }}
	o.Duplicates = r.Duplicates[p.Table.Name]
	if r.report.has(p.Table.Name) {
		o.OnReject = nil
	}
	if p.enough != nil {
		o.Parts = 0
	}
	if p.watcher != nil {
		o.Watches, o.Watched = p.watcher.Worker, p.watcher.Columns()
	}
	pruned, err := newPrune(p.Table, p.Scans, files)
	if pruned != nil {
		o.Skip = pruned.skips
	}
	return o, err
}

// end is called when a file was read to its end.
func (r *Reading) end(p *Pass, f scan.Ended, several bool) error {
	p.enough.skip(f.First+f.Blocks, f.Next)
	if p.watcher != nil {
		p.ended.add(f, p)
	}
	if r.Ended != nil {
		if err := r.Ended(p, f); err != nil {
			return err
		}
	}
	if f.Stats == nil || !several {
		return nil
	}
	return r.checkRejects(f.Stats)
}

// checkRejects returns an error if too many rows of a file were rejected.
func (r *Reading) checkRejects(s *scan.Stats) error {
	if r.MaxRejectShare <= 0 {
		return nil
	}
	return s.CheckRejects(-1, r.MaxRejectShare)
}

// work is the loop of one worker: it takes blocks until there are none left or enough.
func (r *Reading) work(ctx context.Context, p *Pass, s *scan.All) (err error) {
	to, err := r.NewWorker(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	w := s.NewWorker()
	for {
		if p.enough.reached() {
			return to.Finish(ctx)
		}
		c, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			return to.Finish(ctx)
		}
		if err != nil {
			return err
		}
		if p.watcher != nil && p.enough == nil && p.watcher.Wrong() {
			return fmt.Errorf("table %s: %w", p.Table.Name, ErrGuess)
		}
		p.count(c)
		if err := to.Take(c); err != nil {
			return err
		}
	}
}

func (p *Pass) count(c scan.Chunk) {
	if part, _ := c.Part(); part > 0 {
		return
	}
	p.read.Add(1)
	block := c.Index()
	for last := p.last.Load(); block >= last && !p.last.CompareAndSwap(last, block+1); last = p.last.Load() {
	}
}

// Blocks returns, once the table was read, how many of its blocks the plan needs: all of
// them unless reading stopped early.
func (p *Pass) Blocks() (int64, error) {
	if p.enough.reached() {
		return p.enough.blocks, nil
	}
	n, read := p.last.Load(), p.read.Load()
	if n != read {
		return 0, fmt.Errorf("table %s: %d blocks were read of %d", p.Table.Name, read, n)
	}
	return n, nil
}
