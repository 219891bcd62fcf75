package client

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
)

// feed has gateways read the sources of the job. Units of a phase go to as many gateways at a time as
// there are; one whose gateway dies goes to another one, and workers drop the batches that they have.
// Where rejected rows are wanted, one unit is read after the other, since they come in the order of
// the files.
func (j *Job) feed(ctx context.Context, o Upload) (*engine.Report, error) {
	f := &feeding{Upload: o, job: j, rejected: make(map[rejecting]int64), ranges: make(map[int]ranges), running: make(map[protocol.Unit]engine.Progress)}
	before := o.Journal.tables()
	err := f.all(ctx)
	for _, t := range f.report.Tables {
		before = slices.DeleteFunc(before, func(b engine.TableReport) bool { return b.Table == t.Table })
	}
	f.report.Tables = append(before, f.report.Tables...)
	return &f.report, err
}

// feeding is what a client knows of gateways that read for it.
type feeding struct {
	Upload
	job *Job

	mu       sync.Mutex
	report   engine.Report                     // of the stages that are complete
	splits   map[int][]*engine.Report          // by stage, and then by split; nil: it is not complete
	done     engine.Progress                   // of the units that are
	running  map[protocol.Unit]engine.Progress // of the others
	ranges   map[int]ranges                    // by stage that reads a file in ranges
	rejected map[rejecting]int64               // rejected rows that were passed on
}

// rejecting is a split of a table that has a file with rejected rows, which several stages may read.
type rejecting struct {
	table string
	split int
	file  string
}

// all has all units read.
func (f *feeding) all(ctx context.Context) error {
	f.splits = make(map[int][]*engine.Report)
	places := len(f.job.client.gateways)
	if f.Reject != nil {
		places = 1
	}
	for _, phase := range f.job.Spec.Units() {
		phase = slices.DeleteFunc(phase, func(u protocol.Unit) bool { return !f.wanted(u.Stage) })
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(places)
		for _, u := range phase {
			g.Go(func() error { return f.one(ctx, u) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// wanted reports whether a scan of a stage is not complete.
func (f *feeding) wanted(stage int) bool {
	return slices.ContainsFunc(f.scans(stage), func(scan int) bool { return f.wants(f.job.Spec, scan) })
}

func (f *feeding) scans(stage int) (scans []int) {
	for _, n := range f.job.Spec.Scans(stage) {
		scans = append(scans, n.ID)
	}
	return scans
}

// one has a unit read.
func (f *feeding) one(ctx context.Context, u protocol.Unit) error {
	c := &call{of: f, unit: u}
	err := f.job.client.hear(ctx, "have a gateway read the files", f.job.client.choice(), c.request, c.hear)
	if c.guessed && misled(err) {
		return f.cutWrongly(u)
	}
	if err != nil {
		return err
	}
	splits, err := f.complete(u, c.report, c.passage)
	if err == nil && splits != nil {
		err = f.end(ctx, u.Stage, splits)
	}
	return err
}

// complete notes that a unit is. With the last one of its stage it returns what was read by split.
func (f *feeding) complete(u protocol.Unit, read *engine.Report, passage *csv.Passage) (splits []*engine.Report, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.running[u]
	delete(f.running, u)
	f.done.Bytes, f.done.Rows = f.done.Bytes+at.Bytes, f.done.Rows+at.Rows
	if f.splits[u.Stage] == nil {
		f.splits[u.Stage] = make([]*engine.Report, len(f.job.Spec.Splits(f.table(u))))
	}
	if ranged := f.rangesLocked(u.Stage); ranged != nil && !ranged.add(u.Split, passage) {
		return nil, f.cutWrongly(u)
	}
	splits = f.splits[u.Stage]
	if splits[u.Split] = read; slices.Contains(splits, nil) {
		return nil, nil
	}
	return splits, nil
}

func (f *feeding) table(u protocol.Unit) string { return f.job.Spec.Plan.Stages[u.Stage].Table }

// end notes that a stage is complete, and ends its table if that was read in ranges: only now it is known
// how many rows of its file were rejected.
func (f *feeding) end(ctx context.Context, stage int, splits []*engine.Report) error {
	table := f.table(protocol.Unit{Stage: stage})
	stats, stopped, bytes := make([]scan.Stats, len(splits)), false, int64(0)
	f.mu.Lock()
	ranged := f.rangesLocked(stage)
	for i, p := range splits {
		bytes += p.Bytes
		for _, t := range p.Tables {
			stats[i], stopped = t.Stats, stopped || t.Stopped
		}
		if ranged != nil {
			ranged.number(i, &stats[i])
		}
	}
	all := scan.Sum(stats)
	f.report.Bytes += bytes
	f.report.Add(table, all, stopped)
	f.mu.Unlock()
	if ranged != nil {
		if err := all.CheckRejects(f.MaxRejects, cmp.Or(f.MaxRejectShare, 1)); err != nil {
			return err
		}
		if err := f.job.endRanges(ctx, stage, stats); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Journal.end(f.scans(stage), engine.TableReport{Table: table, Scans: 1, Stats: all})
	return nil
}

// tell passes on how far all units are.
func (f *feeding) tell(u protocol.Unit, p engine.Progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running[u] = p
	if f.Progress == nil {
		return
	}
	p.Bytes, p.Rows = f.done.Bytes, f.done.Rows
	for _, at := range f.running {
		p.Bytes, p.Rows, p.Waiting = p.Bytes+at.Bytes, p.Rows+at.Rows, p.Waiting && at.Waiting
	}
	f.Progress(p)
}

// call is the reading of one unit, by one gateway after the other if they die.
type call struct {
	of      *feeding
	unit    protocol.Unit
	report  *engine.Report
	guessed bool         // what precedes a range of a file is not known
	passage *csv.Passage // of a range of a file

	come map[string]int64 // by file: rejected rows that this gateway has sent; the next one sends them again
	best int64            // the most bytes that a gateway has read
	idle int              // calls since anybody has read more
}

func (c *call) request() (any, string) {
	c.come = make(map[string]int64)
	c.idle++
	f := c.of
	r := protocol.FeedRequest{Job: f.job.Spec.ID, Unit: c.unit, MaxRejects: f.MaxRejects, MaxRejectShare: f.MaxRejectShare, Rejects: f.Reject != nil}
	f.mu.Lock()
	defer f.mu.Unlock()
	if ranged := f.rangesLocked(c.unit.Stage); ranged != nil {
		r.Before, r.MaxRejectShare = ranged.before(c.unit.Split), 0 // which share of the file it is, only its client knows
		c.guessed = r.Before == nil
	}
	return r, protocol.ActionFeed
}

// mostIdle is how many gateways may give up one after the other without having read anything new.
const mostIdle = 10

func (c *call) hear(n *protocol.News) (moved, last bool, err error) {
	switch {
	case n.Progress != nil:
		if n.Progress.Bytes > c.best {
			c.best, c.idle = n.Progress.Bytes, 0
		}
		c.of.tell(c.unit, *n.Progress)
	case n.Rejected != nil && c.of.Reject != nil:
		err = c.reject(n.Rejected)
	case n.Fed != nil:
		c.report, c.passage, last = n.Fed, n.Passage, true
	}
	return c.idle < mostIdle, last, err
}

// reject passes on a rejected row that no gateway has sent before. One unit at a time has some.
func (c *call) reject(r *protocol.Rejected) error {
	row := r.Reject
	row.Record = r.Record
	at := rejecting{c.of.table(c.unit), c.unit.Split, row.File}
	if c.come[row.File]++; c.come[row.File] <= c.of.rejected[at] {
		return nil
	}
	c.of.rejected[at]++
	return c.of.Reject(row)
}

// NameOfFile is the name of file i of a table that has several, which no table has.
func NameOfFile(table string, i int) string { return fmt.Sprintf("%s/%d", table, i) }

// SourceJournal returns a journal in memory for whoever reads a unit of the job: it refuses files that are
// not the ones that the job was opened for, which a memo of the job may know.
func (j *Job) SourceJournal(u protocol.Unit, memo *Memo) (*Journal, error) {
	journal, err := NewJournal(vfs.NewMem(), "/", j.Spec, nil, func(error) {})
	if err != nil {
		return nil, err
	}
	journal.identify = memo.identify
	table := j.Spec.Plan.Stages[u.Stage].Table
	source, read := j.Spec.Sources[table] // there is none of a table that comes with the program
	if !read {
		return journal, nil
	}
	split := j.Spec.SplitOf(u)
	journal.change(func(e *entry) {
		if source.Files == nil {
			e.Begun[table], e.Files[table] = true, source.Fingerprint
			return
		}
		for i, f := range source.Files.All[split.First : split.First+split.Files] {
			name := NameOfFile(table, split.First+i)
			e.Begun[name], e.Files[name] = true, f.Fingerprint
		}
	})
	return journal, nil
}
