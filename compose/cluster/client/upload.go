package client

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/planner"
)

// DefaultBlock is how many bytes of a table make a batch, if nothing speaks for
// another number. It is four times what an embedded run reads at a time, since the
// broker's work goes by the number of messages more than by their size.
const DefaultBlock = 4 << 20

// Upload says where the tables of a job are, and how to read them.
type Upload struct {
	// Open opens the file of a table; it is called once per scan of the table,
	// and only for tables that the plan reads.
	Open       func(table string) (vfs.File, error)
	Workers    int   // goroutines that read a table; 0: cores
	MaxRecord  int   // bytes of the longest record; 0: 16 MiB
	MaxRejects int64 // rejected rows that end the upload; negative: no bound

	// Journal keeps what was acknowledged; nil: nobody can resume the upload.
	Journal *Journal

	// Reject is told of rejected rows in file order, Progress of how far the
	// upload is; both may be nil. Progress is called from one goroutine.
	Reject   func(scan.Reject) error
	Progress func(Progress)
}

// Progress is a moment of a job.
type Progress struct {
	Doing string // what, for people
	Bytes int64  // of input files that were read
	Rows  int64  // likewise
}

// Upload uploads all tables of the job, or what the journal does not know to be
// acknowledged. When it returns nil the cluster has all it needs. What it read is
// in the report, whose Nodes and Spilled say nothing.
//
// Errors of the input files are *scan.InputError, or wrap ErrChanged or
// ErrUnknownFile; those of gateways are *Error, or wrap ErrCutOff.
func (j *Job) Upload(ctx context.Context, o Upload) (*engine.Report, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	u := &uploader{
		job: j, opts: o, report: new(engine.Report), watch: newWatch(o.Progress),
		rt: &operators.Runtime{Alloc: columnar.NewPool(), Budget: budget.New(0), Env: expr.NewEnv()},
	}
	defer u.watch.end()
	defer o.Journal.keepSaving()()
	return u.report, u.run(ctx)
}

// uploader is one upload of a job's tables.
type uploader struct {
	job    *Job
	opts   Upload
	rt     *operators.Runtime
	watch  *watch
	report *engine.Report
}

// run reads the tables one after the other: those of lower phases first, and
// within a phase in the order of the plan.
func (u *uploader) run(ctx context.Context) error {
	stages := slices.DeleteFunc(slices.Clone(u.job.Spec.Plan.Stages), func(s *planner.Stage) bool { return s.Table == "" })
	slices.SortStableFunc(stages, func(a, b *planner.Stage) int { return a.Phase - b.Phase })
	for _, s := range stages {
		t, err := newTableUpload(u, s)
		if err == nil {
			err = t.run(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func newTableUpload(u *uploader, s *planner.Stage) (*tableUpload, error) {
	t := &tableUpload{uploader: u, table: u.job.Spec.Table(s.Table)}
	if t.table == nil {
		return nil, fmt.Errorf("job %s has no table %q", u.job.Spec.ID, s.Table)
	}
	for _, n := range u.job.Spec.Scans(s.ID) {
		if !u.opts.Journal.ended(n.ID) {
			t.scans = append(t.scans, n)
		}
	}
	return t, nil
}

// Reads returns how often an upload of a job will read each table. A journal says
// what is through already; it may be nil.
func Reads(spec *protocol.Spec, journal *Journal) map[string]int {
	times := make(map[string]int)
	for _, s := range spec.Plan.Stages {
		through := func(n *planner.Node) bool { return journal.ended(n.ID) }
		if scans := spec.Scans(s.ID); s.Table != "" && len(slices.DeleteFunc(scans, through)) > 0 {
			times[s.Table]++
		}
	}
	return times
}
