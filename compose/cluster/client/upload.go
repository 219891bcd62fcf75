package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"analyzer/columnar/budget"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// DefaultBlock is how many bytes of a table make a batch by default. It is more than what is read
// at a time, since the broker's work depends on the number of messages more than on their size.
const DefaultBlock = 4 << 20

// Upload says where the tables of a job are, and how to read them.
type Upload struct {
	// Open opens the file of a table; it is called once per scan of the table,
	// and only for tables that the plan reads. If it is nil, gateways read the sources of the
	// job; of the rest, only the bounds of rejected rows, Journal, Reject and Progress count then.
	Open func(table string) (vfs.File, error)
	// Files returns the files of a table that has several, of which Open opens none, and nil for others;
	// it may be nil. They are read one after the other. Whether they are those that were there before
	// is for whoever opens them to say. Without Piece.
	Files func(table string) *scan.Files
	// Wanted reports whether a table is uploaded; nil: every table that the plan reads.
	Wanted func(table string) bool
	// Unit is all that is uploaded of a job that has sources; nil: everything is.
	Unit *protocol.Unit
	// Before is what precedes a unit that is a range of a file; nil: that is guessed. Passed is told between
	// which edges the range was read.
	Before  *csv.Edge
	Passed  func(csv.Passage)
	Workers int         // goroutines that read a table; 0 or less: cores
	Part    int         // bytes of a block that are read at a time, if the format allows that; 0: as many as an embedded run reads
	Spare   *scan.Spare // see scan.AllOptions; it may be nil
	Memo    *Memo       // of the job; nil: nothing is left to the next upload
	// Inlet returns where the batches of a split of a scan go, and acked, called from any goroutine, hears which
	// have arrived; nil: to the gateways, by calls. What ends an Inlet is the context.
	Inlet      func(ctx context.Context, put protocol.Put, acked func(number uint64)) (Inlet, error)
	MaxRejects int64 // rejected rows that end the upload; negative: no bound
	// MaxRejectShare is the largest share of a table's rows that may be rejected. Beyond it,
	// the upload ends before the table is complete on the cluster. 0: no bound.
	MaxRejectShare float64

	// FS is where the rows of tables with keys are checked for duplicates: in a temporary
	// directory below SpillDir ("": the system's), within half of the machine's memory.
	// Without FS such tables cannot be uploaded.
	FS       vfs.FS
	SpillDir string

	// Journal keeps what was acknowledged; nil: the upload cannot be resumed.
	Journal *Journal

	// Piece says that the only wanted table's file is one piece of it; nil: each file is a
	// whole table.
	Piece *Piece

	// Blocks is told of each block that is read; it may be nil.
	Blocks *Blocks

	// Reject is told of rejected rows in file order, and Progress of how far the upload is;
	// both may be nil. One call of Progress follows the other.
	Reject   func(scan.Reject) error
	Progress func(engine.Progress)
}

// Piece says where a file that is a piece of a table belongs in it. The file is read once,
// with the key filters known by then, and not again for scans that wait for keys, since its
// owner may be able to read it only once; the price is that more of its rows may be sent. The
// table does not end with the piece; see EndTable.
type Piece struct {
	First  uint64 // the number of its first batch
	Blocks int64  // how many blocks of it are read at most; 0: all
}

// wants reports whether a scan of a job is uploaded.
func (o *Upload) wants(spec *protocol.Spec, scan int) bool {
	n := spec.Plan.Nodes[scan]
	return !o.Journal.ended(scan) && (o.Wanted == nil || o.Wanted(n.Scan.Table)) && (o.Unit == nil || o.Unit.Stage == n.Stage)
}

// split is the number of the split of the tables that is uploaded.
func (o *Upload) split() int {
	if o.Unit == nil {
		return 0
	}
	return o.Unit.Split
}

func (o *Upload) workers() int {
	if o.Workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// parts returns in how many parts blocks are read: see scan.Options.
func (o *Upload) parts(block int) int {
	n := max(block/cmp.Or(o.Part, csv.DefaultBlockSize), 1)
	for block%n > 0 {
		n--
	}
	return n
}

// Upload uploads all tables of the job, except what the journal knows to be acknowledged.
// When it returns nil, the cluster has all it needs. The report covers what Upload read and
// what the journal says of tables that were complete before; its Nodes and Spilled are not
// set.
//
// The tables of an open job do not end with their files; see Append.
//
// Errors of the input files are *scan.InputError, or wrap ErrChanged or
// ErrUnknownFile; those of gateways are *Error, or wrap ErrCutOff or ErrLost.
func (j *Job) Upload(ctx context.Context, o Upload) (report *engine.Report, err error) {
	j = j.upload()
	u := &uploader{
		Upload: o, job: j,
		rt: &operators.Runtime{Budget: budget.New(0), Env: expr.NewEnv()},
	}
	if u.Memo == nil {
		u.Memo = new(Memo)
	}
	before := o.Journal.tables()
	for _, t := range before {
		if err := t.Stats.CheckRejects(o.MaxRejects, cmp.Or(o.MaxRejectShare, 1)); err != nil {
			return &engine.Report{Tables: before}, err
		}
	}
	defer o.Journal.keepSaving()()
	if o.Open == nil {
		return j.feed(ctx, o)
	}
	repeated, err := j.duplicates(ctx, o)
	if err != nil {
		return &engine.Report{Tables: before}, err
	}
	defer func() { err = errors.Join(err, repeated.Close()) }()
	tables := j.reading(o)
	tables.Duplicates, tables.Once, tables.Opened = repeated.Tables, o.Piece != nil, o.Journal.begin
	tables.Keys, tables.NewWorker, tables.Read = u.keys, u.newWorker, u.end
	tables.Wanted = func(scan int) bool { return o.wants(j.Spec, scan) }
	tables.Ended = u.endFile
	// A caller that counts rejected rows wants the count for the whole table, and the answers
	// of a followed job cover parts of it: neither may stop early.
	tables.StopEarly = o.MaxRejects < 0 && o.Reject == nil && !j.Spec.Follow && o.Piece == nil
	if o.Piece != nil {
		tables.Scan.CSV.Blocks = o.Piece.Blocks
	}
	if o.Unit != nil {
		o.readRange(tables, j.Spec.SplitOf(*o.Unit))
	}
	err = tables.Run(ctx)
	report = tables.Report()
	for _, t := range report.Tables {
		before = slices.DeleteFunc(before, func(b engine.TableReport) bool { return b.Table == t.Table })
	}
	report.Tables = append(before, report.Tables...)
	return report, err
}

// readRange has a reading begin and end with a split, if that is a range of a file.
func (o *Upload) readRange(tables *engine.Reading, split protocol.Split) {
	if !split.Ranged() {
		return
	}
	at := &tables.Scan.CSV
	if at.First, at.Blocks, at.Guess = split.Begin, split.Begin+split.Blocks, o.Before == nil; !at.Guess {
		at.Before = *o.Before
	}
}

// reading returns the reading of the job's tables that an upload asks for.
func (j *Job) reading(o Upload) *engine.Reading {
	return &engine.Reading{
		Plan: j.Spec.Plan, Table: j.Spec.Table, Open: o.Open, Files: o.files(j.Spec), InTurn: true, Workers: o.workers(), Spare: o.Spare,
		Scan: scan.Options{
			CSV: csv.Options{BlockSize: j.Spec.Block}, Parts: o.parts(j.Spec.Block),
			LimitRejects: o.MaxRejects >= 0, MaxRejects: o.MaxRejects, OnReject: o.Reject,
		},
		Progress: o.Progress, MaxRejectShare: o.MaxRejectShare,
	}
}

// files returns the files of a table that has several, of which a unit reads a split.
func (o *Upload) files(spec *protocol.Spec) func(table string) *scan.Files {
	if o.Unit == nil {
		return o.Files
	}
	return func(table string) *scan.Files {
		all := o.Files(table)
		if all == nil {
			return nil
		}
		split := spec.SplitOf(*o.Unit)
		files := all.Slice(split.First, split.Files)
		return &files
	}
}

// duplicates looks for rows with equal keys in the tables still to be uploaded.
func (j *Job) duplicates(ctx context.Context, o Upload) (*engine.Duplicates, error) {
	tables, left := make(plan.Tables), reads(j.Spec, func(scan int) bool { return o.wants(j.Spec, scan) })
	for _, t := range j.Spec.Tables {
		if left[t.Name] > 0 && o.Piece == nil && o.FS != nil {
			tables[t.Name] = t
		}
	}
	return engine.FindDuplicates(ctx, engine.Options{
		Plan: j.Spec.Plan, Tables: tables, Open: o.Open, Replicas: o.workers(),
		FS: o.FS, SpillDir: o.SpillDir, Progress: o.Progress,
	})
}

// uploader is one upload of a job's tables.
type uploader struct {
	Upload
	job        *Job
	rt         *operators.Runtime
	inlets     inlets
	assemblies assemblies
}

// Pauses between requests for keys that are not ready yet.
const (
	firstKeysPause = 5 * time.Millisecond
	lastKeysPause  = 50 * time.Millisecond
)

// keys waits until a build side is complete and fetches its keys. It returns nil if there are
// too many keys, if the job is open (its build side may still grow), or if the keys of a
// piece are not ready, since a piece does not wait.
func (u *uploader) keys(ctx context.Context, join int) (*keyset.Set, error) {
	if u.job.Spec.Open {
		return nil, nil
	}
	if set, known := u.Memo.set(join); known {
		return set, nil
	}
	var still standstill
	for pause := firstKeysPause; ; pause = min(2*pause, lastKeysPause) {
		keys, hashes, err := u.job.keys(ctx, join)
		if err != nil {
			return nil, err
		}
		switch {
		case keys.TooMany:
			return u.Memo.keep(join, nil), nil
		case keys.Ready:
			b := keyset.NewBuilder(budget.New(0)) // MaxKeys bounds it
			b.Add(hashes)
			return u.Memo.keep(join, b.Build()), nil
		case u.Piece != nil:
			return nil, nil
		}
		if err := still.wait(ctx, u.job, pause); err != nil {
			return nil, err
		}
	}
}

// endFile is called when a file was read to its end.
func (u *uploader) endFile(p *engine.Pass, f scan.Ended) error {
	if f.Blocks > 0 {
		u.assemblies.endFile(p.Scans, f.First+f.Blocks-1, f.Parts)
	}
	if u.Unit != nil && u.job.Spec.SplitOf(*u.Unit).Ranged() {
		u.Passed(f.Passage)
	}
	return nil
}

// end tells the cluster how many batches the scans of a table had. All of them are
// acknowledged by then. A range of a file is ended by the client that had all of them read.
func (u *uploader) end(ctx context.Context, p *engine.Pass) error {
	batches, err := p.Blocks()
	if err != nil {
		return err
	}
	if n := u.assemblies.incomplete(); n > 0 {
		return fmt.Errorf("table %s: %d of its %d blocks were not read whole", p.Table.Name, n, batches)
	}
	read := &protocol.TableRead{
		Table: p.Table.Name, Split: u.split(), Rows: p.Stats.Rows, Rejected: first(p.Stats.Rejected), Warnings: first(p.Stats.Warnings),
	}
	var scans []int
	var ends []protocol.TableEnd
	for _, n := range p.Scans {
		scans = append(scans, n.ID)
		ends = append(ends, protocol.TableEnd{Node: n.ID, Split: u.split(), Batches: uint64(batches), Read: read})
	}
	if !u.job.Spec.Open && u.Piece == nil && (u.Unit == nil || !u.job.Spec.SplitOf(*u.Unit).Ranged()) {
		if err := u.job.endTables(ctx, ends); err != nil {
			return err
		}
	}
	u.Journal.end(scans, engine.TableReport{Table: p.Table.Name, Scans: 1, Stats: p.Stats})
	return nil
}

// EndTable tells the cluster how many batches a table had that was uploaded in pieces, and
// what was read of it.
func (j *Job) EndTable(ctx context.Context, batches uint64, read protocol.TableRead) error {
	read.Rejected, read.Warnings = first(read.Rejected), first(read.Warnings)
	var ends []protocol.TableEnd
	for _, scan := range scansOf(j.Spec, read.Table) {
		ends = append(ends, protocol.TableEnd{Node: scan, Batches: batches, Read: &read})
	}
	return j.endTables(ctx, ends)
}

// first returns the first counts, as many as a job keeps.
func first(c []scan.Count) []scan.Count { return c[:min(len(c), protocol.MaxCounts)] }

// Reads returns how often an upload of a job will read each table. The journal says which
// scans are complete already; it may be nil.
func Reads(spec *protocol.Spec, journal *Journal) map[string]int {
	return reads(spec, func(scan int) bool { return !journal.ended(scan) })
}

// ReadsOf returns how often a unit of a job reads its table.
func ReadsOf(spec *protocol.Spec, u protocol.Unit) map[string]int {
	return reads(spec, func(scan int) bool { return spec.Plan.Nodes[scan].Stage == u.Stage })
}

func reads(spec *protocol.Spec, wanted func(scan int) bool) map[string]int {
	times := make(map[string]int)
	for _, s := range spec.Plan.Stages {
		wants := func(n *physical.Node) bool { return wanted(n.ID) }
		if s.Table != "" && slices.ContainsFunc(spec.Scans(s.ID), wants) {
			if times[s.Table] == 0 && len(spec.Table(s.Table).Key) > 0 {
				times[s.Table] = engine.DuplicateReadings
			}
			times[s.Table]++
		}
	}
	return times
}
