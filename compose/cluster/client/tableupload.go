package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/ipc"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/planner"
)

// tableUpload is one reading of a table, for all scans of a stage that are not
// through.
type tableUpload struct {
	*uploader
	table  *columnar.Table
	scans  []*planner.Node
	blocks atomic.Int64 // that were read
	last   atomic.Int64 // number of the last one, plus 1
}

// run reads the table to its end, waits until everything is acknowledged, and
// says how many batches there were.
func (t *tableUpload) run(ctx context.Context) (err error) {
	if len(t.scans) == 0 {
		return nil
	}
	sets, err := t.fetchKeys(ctx, t.scans)
	if err != nil {
		return err
	}
	defer sets.close()
	f, err := t.opts.Open(t.table.Name)
	if err != nil {
		return fmt.Errorf("open table %s: %w", t.table.Name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := t.opts.Journal.begin(ctx, t.table.Name, f); err != nil {
		return fmt.Errorf("table %s: %w", t.table.Name, err)
	}
	if err := t.read(ctx, f, sets); err != nil {
		return err
	}
	return t.end(ctx)
}

// read uploads the batches of all blocks.
func (t *tableUpload) read(ctx context.Context, f vfs.File, sets *keySets) (err error) {
	plans := make([]*planner.Scan, len(t.scans))
	for i, n := range t.scans {
		plans[i] = n.Scan
	}
	s, err := scan.Open(ctx, f, t.table, exec.ScanColumns(t.table, plans), t.scanOptions())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	t.watch.reading(t.table.Name, s)
	defer func() {
		t.watch.read()
		t.report.Add(t.table.Name, s.Stats())
	}()
	g, ctx := errgroup.WithContext(ctx)
	for range t.opts.Workers {
		g.Go(func() error { return t.work(ctx, s, sets) })
	}
	return g.Wait()
}

func (t *tableUpload) scanOptions() scan.Options {
	o := scan.Options{
		CSV:          csv.Options{BlockSize: t.job.Spec.Block, MaxRecord: t.opts.MaxRecord},
		LimitRejects: t.opts.MaxRejects >= 0, MaxRejects: t.opts.MaxRejects,
	}
	again := func(r engine.TableReport) bool { return r.Table == t.table.Name }
	if !slices.ContainsFunc(t.report.Tables, again) {
		o.OnReject = t.opts.Reject // of the first reading of a table alone
	}
	return o
}

// end tells how many batches there were.
func (t *tableUpload) end(ctx context.Context) error {
	batches := t.last.Load()
	if n := t.blocks.Load(); n != batches {
		return fmt.Errorf("upload table %s: %d blocks were read of %d", t.table.Name, n, batches)
	}
	for _, n := range t.scans {
		if err := t.job.endTable(ctx, n.ID, uint64(batches)); err != nil {
			return err
		}
		t.opts.Journal.end(n.ID)
	}
	return nil
}

// work uploads the batches of the blocks that no other worker has.
func (t *tableUpload) work(ctx context.Context, s *scan.Scan, sets *keySets) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	var lanes []*lane
	defer func() {
		cancel()
		for _, l := range lanes {
			<-l.stream.done
		}
	}()
	for _, n := range t.scans {
		l, err := t.newLane(ctx, n, s.Schema(), sets)
		if err != nil {
			return err
		}
		lanes = append(lanes, l)
	}
	w := s.NewWorker()
	for {
		c, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			return closeAll(lanes)
		}
		if err != nil {
			return err
		}
		t.count(c.Index())
		for _, l := range lanes {
			if err := l.upload(c); err != nil {
				return err
			}
		}
	}
}

// count counts a block that was read.
func (t *tableUpload) count(k int64) {
	t.blocks.Add(1)
	for last := t.last.Load(); k >= last && !t.last.CompareAndSwap(last, k+1); last = t.last.Load() {
	}
}

func closeAll(lanes []*lane) error {
	var first error
	for _, l := range lanes {
		if err := l.stream.close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// lane is one worker's way from the blocks of a table to the batches of one scan.
type lane struct {
	scan      int // node
	journal   *Journal
	selection *exec.Selection
	schema    columnar.Schema // of the batches
	stream    *stream
}

func (t *tableUpload) newLane(ctx context.Context, n *planner.Node, all columnar.Schema, sets *keySets) (*lane, error) {
	schema, err := protocol.UploadSchema(t.job.Spec, n.ID)
	if err != nil {
		return nil, err
	}
	selection, err := exec.NewSelection(t.rt, uploaded(n.Scan, schema), all, sets.byScan[n.ID])
	if err != nil {
		return nil, err
	}
	acked := func(k uint64) { t.opts.Journal.acked(n.ID, k) }
	s, err := newStream(ctx, t.job, n.ID, acked)
	if err != nil {
		return nil, err
	}
	return &lane{scan: n.ID, journal: t.opts.Journal, selection: selection, schema: schema, stream: s}, nil
}

// uploaded is the part of a scan that is done here: it yields all columns that the
// gateway needs, and leaves conditions that run text models to it, which there are
// more of than clients.
func uploaded(s *planner.Scan, schema columnar.Schema) *planner.Scan {
	part := *s
	part.Columns = schema.Names()
	part.Where = slices.DeleteFunc(slices.Clone(s.Where), func(e *expr.Expr) bool { return e.Cost() >= expr.Expensive })
	return &part
}

// upload sends the batch of a block, empty or not.
func (l *lane) upload(c *scan.Chunk) error {
	b := batch{number: uint64(c.Index())}
	if l.journal.has(l.scan, b.number) {
		return nil
	}
	err := l.selection.Each(c, func(rows columnar.Rows) error {
		message, err := ipc.Append(nil, l.schema, rows)
		if err == nil && (len(message) > protocol.MaxBatch || rows.Len > protocol.MaxRows) {
			err = &tooLargeError{block: b.number, rows: rows.Len, bytes: len(message)}
		}
		if err == nil {
			b.header, b.body, err = ipc.Split(message)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	return l.stream.put(b)
}

// tooLargeError is the error of a batch that no gateway takes.
type tooLargeError struct {
	block       uint64
	rows, bytes int
}

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("block %d makes a batch of %d rows in %d bytes, more than a batch can have; smaller blocks help",
		e.block, e.rows, e.bytes)
}
