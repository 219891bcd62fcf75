package client

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// Append uploads files that continue the tables of an open job. A file's batches are
// numbered on from those of the files before it, which the journal knows, so that whoever
// has it alone may append; LockJournal keeps others out meanwhile.
//
// A file is known by its fingerprint. One that was appended in part is gone on with, and
// nothing else can be appended before it is through (ErrHalfSent); one that is in the
// table already is not sent again. Nothing is sent of files of which one does not fit its
// table, or has more rejected rows than Upload allows.
//
// What it read is in the report; of files that are in their tables, nothing. Errors are
// those of Upload and, if the job fails meanwhile, of Run; and ErrClosing.
func (j *Job) Append(ctx context.Context, o Upload) (*engine.Report, error) {
	report := new(engine.Report)
	if !j.Spec.Open || o.Journal == nil {
		return report, fmt.Errorf("job %s does not stay open", j.Spec.ID)
	}
	if err := o.Journal.mayAppend(j.Spec, o.Wanted); err != nil {
		return report, fmt.Errorf("job %s: %w", j.Spec.ID, err)
	}
	left, unseen, err := o.Journal.sort(ctx, j.tables(o.Wanted), o.Open)
	if err != nil || len(left) == 0 {
		return report, err
	}
	if report, err = j.check(ctx, o, unseen); err != nil {
		return report, err
	}
	o.Wanted = func(table string) bool { return slices.Contains(left, table) }
	o.MaxRejects, o.MaxRejectShare, o.Reject = -1, 0, nil // that was tested
	if report, err = j.Run(ctx, o, Fetch{Queries: []string{}}, nil); err != nil {
		return report, err
	}
	return report, o.Journal.settle(j.Spec)
}

// tables returns the tables that the plan reads and that are wanted.
func (j *Job) tables(wanted func(string) bool) (out []string) {
	for _, s := range j.Spec.Plan.Stages {
		if s.Table != "" && !slices.Contains(out, s.Table) && (wanted == nil || wanted(s.Table)) {
			out = append(out, s.Table)
		}
	}
	return out
}

// check reads tables once, and sends nothing: they are to fit, or not to be sent at all.
func (j *Job) check(ctx context.Context, o Upload, tables []string) (*engine.Report, error) {
	stages := make(map[string]int) // by table, the first
	for _, s := range slices.Backward(j.Spec.Plan.Stages) {
		stages[s.Table] = s.ID
	}
	r := &engine.Reading{
		Plan: j.Spec.Plan, Table: j.Spec.Table, Open: o.Open, Workers: o.workers(),
		Scan: scan.Options{
			CSV:          csv.Options{BlockSize: j.Spec.Block, MaxRecord: o.MaxRecord},
			LimitRejects: o.MaxRejects >= 0, MaxRejects: o.MaxRejects, OnReject: o.Reject,
		},
		Keys:      func(context.Context, int) (*keyset.Set, error) { return nil, nil },
		NewWorker: func(context.Context, *engine.Pass) (engine.BlockWorker, error) { return onlooker{}, nil },
		Wanted: func(scan int) bool {
			n := j.Spec.Plan.Nodes[scan]
			return slices.Contains(tables, n.Scan.Table) && stages[n.Scan.Table] == n.Stage
		},
		Progress: o.Progress, MaxRejectShare: o.MaxRejectShare,
	}
	err := r.Run(ctx)
	return r.Report(), err
}

// onlooker takes blocks that nothing is made of.
type onlooker struct{}

func (onlooker) Take(*scan.Chunk) error       { return nil }
func (onlooker) Finish(context.Context) error { return nil }
func (onlooker) Close() error                 { return nil }

// EndTables ends the tables of an open job: nothing can be appended to it any more, and
// its last answers come to be there. It can be done again. Errors are those of Append.
func (j *Job) EndTables(ctx context.Context, journal *Journal) error {
	if !j.Spec.Open || journal == nil {
		return fmt.Errorf("job %s does not stay open", j.Spec.ID)
	}
	if err := journal.close(j.Spec); err != nil {
		return fmt.Errorf("job %s: %w", j.Spec.ID, err)
	}
	for _, n := range j.Spec.Plan.Nodes {
		if n.Scan == nil {
			continue
		}
		if err := j.endTable(ctx, protocol.TableEnd{Node: n.ID, Batches: journal.grown(n.Scan.Table).Batches}); err != nil {
			return err
		}
	}
	return nil
}

// Grown is what has become of a table of an open job.
type Grown struct {
	Batches uint64 `json:"batches"`
	Bytes   int64  `json:"bytes"` // of its files, each decompressed and to the end of its last record
	Rows    int64  `json:"rows"`  // valid ones
	// Files are those that it is of, the last ones if they are many.
	Files []Fingerprint `json:"files"`
}

// rememberedFiles is how many files of a table are known again.
const rememberedFiles = 1000

// Grown returns what the tables of an open job are made of, by name: the files that are
// through.
func (j *Journal) Grown() map[string]Grown {
	out := make(map[string]Grown)
	j.look(func(e *entry) {
		for table, g := range e.Grown {
			out[table] = g
		}
	})
	return out
}

func (j *Journal) grown(table string) Grown { return j.Grown()[table] }

// HalfSent reports whether a file was appended to a table in part.
func (j *Journal) HalfSent(table string) (half bool) {
	j.look(func(e *entry) { half = e.Begun[table] })
	return half
}

// mayAppend reports what stands against appending to tables.
func (j *Journal) mayAppend(spec *protocol.Spec, wanted func(string) bool) error {
	if err := j.settle(spec); err != nil {
		return err
	}
	var closing bool
	var half []string
	j.look(func(e *entry) {
		closing = e.Closing
		for table := range e.Begun {
			if wanted != nil && !wanted(table) {
				half = append(half, table)
			}
		}
	})
	switch {
	case closing:
		return ErrClosing
	case len(half) > 0:
		slices.Sort(half)
		return fmt.Errorf("table %s: %w", half[0], ErrHalfSent)
	}
	return nil
}

// sort looks at the files of tables: left are the tables whose files are not in them, or
// in part; unseen those of which nothing was sent yet.
func (j *Journal) sort(ctx context.Context, tables []string, open func(string) (vfs.File, error)) (left, unseen []string, err error) {
	for _, table := range tables {
		now, err := fingerprintTable(ctx, table, open)
		if err != nil {
			return nil, nil, err
		}
		var begun bool
		var known Fingerprint
		j.look(func(e *entry) { begun, known = e.Begun[table], e.Files[table] })
		switch {
		case begun && now != known:
			return nil, nil, fmt.Errorf("table %s: another one: %w", table, ErrHalfSent)
		case begun:
			left = append(left, table)
		case !slices.Contains(j.grown(table).Files, now):
			left, unseen = append(left, table), append(unseen, table)
		}
	}
	return left, unseen, nil
}

func fingerprintTable(ctx context.Context, table string, open func(string) (vfs.File, error)) (p Fingerprint, err error) {
	f, err := open(table)
	if err != nil {
		return p, fmt.Errorf("open table %s: %w", table, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if !f.Seekable() {
		return p, fmt.Errorf("%s: %w", f.Name(), ErrUnknownFile)
	}
	return fingerprint(ctx, f)
}

// settle counts the files that are through to their tables, before anything else begins.
func (j *Journal) settle(spec *protocol.Spec) error {
	j.mu.Lock()
	for table := range j.entry.Begun {
		if scans := scansOf(spec, table); !slices.ContainsFunc(scans, func(scan int) bool { return !j.entry.Ended[scan] }) {
			j.settleLocked(table, scans)
		}
	}
	j.mu.Unlock()
	return j.write()
}

func (j *Journal) settleLocked(table string, scans []int) {
	e, g, read := &j.entry, j.entry.Grown[table], j.entry.Read[table]
	e.Tables = slices.DeleteFunc(e.Tables, func(t engine.TableReport) bool { return t.Table == table })
	g.Batches += read.Batches
	g.Bytes += read.Bytes
	g.Rows += read.Rows
	g.Files = append(slices.Clone(g.Files), e.Files[table])
	g.Files = g.Files[max(0, len(g.Files)-rememberedFiles):]
	e.Grown[table] = g
	for _, scan := range scans {
		delete(e.Ended, scan)
		delete(e.Acked, scan)
	}
	delete(e.Read, table)
	delete(e.Begun, table)
	delete(e.Files, table)
	delete(j.sure, table)
	j.dirty = true
}

func scansOf(spec *protocol.Spec, table string) (out []int) {
	for _, n := range spec.Plan.Nodes {
		if isScanOf(n, table) {
			out = append(out, n.ID)
		}
	}
	return out
}

func isScanOf(n *planner.Node, table string) bool { return n.Scan != nil && n.Scan.Table == table }

// close notes that the tables end where they are now.
func (j *Journal) close(spec *protocol.Spec) error {
	if err := j.mayAppend(spec, func(string) bool { return false }); err != nil && !errors.Is(err, ErrClosing) {
		return err
	}
	j.change(func(e *entry) { e.Closing = true })
	return j.write()
}
