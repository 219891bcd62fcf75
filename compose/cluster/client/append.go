package client

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/keyset"
)

// Append uploads files that continue the tables of an open job. The batches of a file are
// numbered on from those of the files before it, which the job knows. So all clients of the
// job's owner may append, each with its own journal; LockJournal keeps others away from a
// journal. Without one, Append uses one in memory.
//
// A file is recognised by its fingerprint. A file that was appended in part is resumed, and
// nothing else can be appended before it is complete (ErrHalfSent). A file that is in the
// table already is not sent again. If one of the files does not fit its table, or has more
// rejected rows than Upload allows, Append sends none of them.
//
// The report covers what Append read; it is empty for files that were in their tables
// already. Errors are those of Upload and, if the job fails meanwhile, of Run; ErrClosing;
// and ErrOvertaken if somebody else has just begun to append.
func (j *Job) Append(ctx context.Context, o Upload) (*engine.Report, error) {
	report := new(engine.Report)
	var err error
	if o.Journal, err = j.journalOr(o.Journal); err != nil {
		return report, err
	}
	j = j.upload()
	if err := o.Journal.mayAppend(ctx, j, j.Spec, o.Wanted); err != nil {
		return report, fmt.Errorf("job %s: %w", j.Spec.ID, err)
	}
	left, unseen, err := o.Journal.sort(ctx, tablesOf(j.Spec, o.Wanted), o.Open)
	if err != nil || len(left) == 0 {
		return report, err
	}
	if report, err = j.check(ctx, o, unseen); err != nil {
		return report, err
	}
	o.Wanted = func(table string) bool { return slices.Contains(left, table) }
	o.MaxRejects, o.MaxRejectShare, o.Reject = -1, 0, nil // the check has counted them already
	if report, err = j.Run(ctx, o, Fetch{Queries: []string{}}, nil); err != nil {
		return report, err
	}
	return report, o.Journal.settle(ctx, j.Spec)
}

// journalOr returns the journal with which an open job is fed: the given one, or one in memory
// if that is nil.
func (j *Job) journalOr(journal *Journal) (*Journal, error) {
	if !j.Spec.Open {
		return nil, fmt.Errorf("job %s does not stay open", j.Spec.ID)
	}
	if journal == nil {
		return j.inMemory()
	}
	return journal, nil
}

// tablesOf returns the wanted tables among those that a job reads.
func tablesOf(spec *protocol.Spec, wanted func(string) bool) []string {
	return slices.DeleteFunc(spec.Plan.Tables(), func(table string) bool { return wanted != nil && !wanted(table) })
}

// check reads tables once and sends nothing: files that do not fit must not be sent in part.
func (j *Job) check(ctx context.Context, o Upload, tables []string) (*engine.Report, error) {
	r := j.reading(o)
	r.Once = true
	r.Keys = func(context.Context, int) (*keyset.Set, error) { return nil, nil }
	r.NewWorker = func(context.Context, *engine.Pass) (engine.BlockWorker, error) { return onlooker{}, nil }
	r.Wanted = func(scan int) bool { return slices.Contains(tables, j.Spec.Plan.Nodes[scan].Scan.Table) }
	err := r.Run(ctx)
	return r.Report(), err
}

// onlooker ignores the blocks it is given.
type onlooker struct{}

func (onlooker) Take(scan.Chunk) error        { return nil }
func (onlooker) Finish(context.Context) error { return nil }
func (onlooker) Close() error                 { return nil }

// EndTables ends the tables of an open job at their current length: nothing can be appended
// afterwards, and the last answers are computed. It is idempotent. Its journal and errors are
// those of Append.
func (j *Job) EndTables(ctx context.Context, journal *Journal) error {
	journal, err := j.journalOr(journal)
	if err != nil {
		return err
	}
	j = j.upload()
	err = journal.mayAppend(ctx, j, j.Spec, func(string) bool { return false })
	if err != nil && !errors.Is(err, ErrClosing) {
		return fmt.Errorf("job %s: %w", j.Spec.ID, err)
	}
	for _, table := range tablesOf(j.Spec, nil) { // every note is written before any table ends
		if err := journal.keep(ctx, table, nil, func(s *shared) { s.Closing = true }); err != nil {
			return fmt.Errorf("job %s: table %s: %w", j.Spec.ID, table, err)
		}
	}
	var ends []protocol.TableEnd
	for _, n := range j.Spec.Plan.Nodes {
		if n.Scan != nil {
			ends = append(ends, protocol.TableEnd{Node: n.ID, Batches: journal.Grown()[n.Scan.Table].Batches})
		}
	}
	return j.endTables(ctx, ends)
}

// HalfSent reports whether a file was appended to a table in part.
func (j *Journal) HalfSent(table string) (half bool) {
	j.look(func(e *entry) { half = e.Begun[table] })
	return half
}

// mayAppend reads what the job knows of its tables. Its error says why the wanted ones cannot
// be appended to.
func (j *Journal) mayAppend(ctx context.Context, with notes, spec *protocol.Spec, wanted func(string) bool) error {
	if err := j.share(ctx, with, spec); err != nil {
		return err
	}
	if err := j.settle(ctx, spec); err != nil {
		return err
	}
	var closing bool
	var half []string
	j.look(func(e *entry) {
		for _, s := range j.shared {
			closing = closing || s.Closing
		}
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

// sort compares the files of tables with the journal. It returns in left the tables whose
// files are not there completely, and in unseen those of which nothing was sent yet.
func (j *Journal) sort(ctx context.Context, tables []string, open func(string) (vfs.File, error)) (left, unseen []string, err error) {
	for _, table := range tables {
		now, err := fingerprintTable(ctx, table, open)
		if err != nil {
			return nil, nil, err
		}
		var begun bool
		var known protocol.Fingerprint
		j.look(func(e *entry) { begun, known = e.Begun[table], e.Files[table] })
		if begun && now == known {
			left = append(left, table)
			continue
		}
		switch has, err := j.hasFile(ctx, table, now); {
		case err != nil:
			return nil, nil, err
		case has:
		case begun:
			return nil, nil, fmt.Errorf("table %s: another one: %w", table, ErrHalfSent)
		default:
			left, unseen = append(left, table), append(unseen, table)
		}
	}
	return left, unseen, nil
}

func fingerprintTable(ctx context.Context, table string, open func(string) (vfs.File, error)) (p protocol.Fingerprint, err error) {
	f, err := open(table)
	if err != nil {
		return p, fmt.Errorf("open table %s: %w", table, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if !f.Seekable() {
		return p, fmt.Errorf("%s: %w", f.Name(), ErrUnknownFile)
	}
	return Identify(ctx, f)
}

// settle tells the job of files that are complete, before anything else begins.
func (j *Journal) settle(ctx context.Context, spec *protocol.Spec) error {
	for _, table := range tablesOf(spec, j.HalfSent) {
		scans := scansOf(spec, table)
		if slices.ContainsFunc(scans, func(scan int) bool { return !j.ended(scan) }) {
			continue
		}
		var read Grown
		var file protocol.Fingerprint
		j.look(func(e *entry) { read, file = e.Read[table], e.Files[table] })
		if err := j.through(ctx, spec, table, read, file); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
		j.change(func(*entry) { j.forgetLocked(spec, table) })
	}
	j.save()
	return nil
}

// forgetLocked forgets the progress of a table's upload. The caller holds j.mu.
func (j *Journal) forgetLocked(spec *protocol.Spec, table string) {
	e := &j.entry
	e.Tables = slices.DeleteFunc(e.Tables, func(t engine.TableReport) bool { return t.Table == table })
	for _, scan := range scansOf(spec, table) {
		delete(e.Ended, scan)
		delete(e.Acked, scan)
	}
	delete(e.Read, table)
	delete(e.Begun, table)
	delete(e.Files, table)
	delete(j.sure, table)
}

func scansOf(spec *protocol.Spec, table string) (out []int) {
	for _, n := range spec.Plan.Nodes {
		if n.Scan != nil && n.Scan.Table == table {
			out = append(out, n.ID)
		}
	}
	return out
}
