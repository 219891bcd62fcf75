package sim

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/columnar/wire"
	"analyzer/compose/job"
	"analyzer/compose/pipeline"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/planner"
	"analyzer/shuffle"
	"analyzer/shuffle/envelope"
)

// Input is a job with the messages that its client will send.
type Input struct {
	Spec   *job.Spec
	Text   []byte // the spec's JSON
	Tables []Table
}

// Table is the batches of one scan, in order.
type Table struct {
	Scan    int
	Batches [][]Message // what each batch becomes
	Ends    []string    // queues that are told how many batches there are
	End     func(queue string, n int) []byte
}

// Load makes the messages that a client and its gateways send for a job whose
// tables open opens.
func Load(ctx context.Context, spec *job.Spec, open func(table string) (vfs.File, error)) (Input, error) {
	in := Input{Spec: spec}
	var err error
	if in.Text, err = spec.Encode(); err != nil {
		return in, err
	}
	fs := vfs.NewMem()
	if err := fs.MkdirAll("/tmp"); err != nil {
		return in, err
	}
	rt := &operators.Runtime{
		Alloc: memory.DefaultAllocator, Budget: budget.New(0), Env: expr.NewEnv(),
		Scratch: segment.NewScratch(fs, "/tmp", segment.Options{}),
	}
	for _, stage := range spec.Plan.Stages {
		for _, n := range spec.Scans(stage.ID) {
			t, err := loadScan(ctx, rt, spec, stage, n, open)
			if err != nil {
				return in, fmt.Errorf("scan %d of %s: %w", n.ID, n.Scan.Table, err)
			}
			in.Tables = append(in.Tables, t)
		}
	}
	return in, rt.Scratch.Close()
}

func loadScan(ctx context.Context, rt *operators.Runtime, spec *job.Spec, stage *planner.Stage, n *planner.Node,
	open func(table string) (vfs.File, error),
) (t Table, err error) {
	f, err := open(n.Scan.Table)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	table := spec.Table(n.Scan.Table)
	s, err := scan.Open(ctx, f, table, pipeline.ScanColumns(table, []*planner.Scan{n.Scan}), scan.Options{CSV: csv.Options{BlockSize: spec.Block}})
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	bare := *n.Scan
	bare.Filters = nil
	sel, err := pipeline.NewSelection(rt, &bare, s.Schema(), nil)
	if err != nil {
		return t, err
	}
	l := &loader{rt: rt, spec: spec, stage: stage, scan: n.ID}
	t = Table{Scan: n.ID, Ends: l.queues(), End: l.end}
	w := s.NewWorker()
	for {
		c, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return t, err
		}
		batch, err := l.batch(ctx, uint64(len(t.Batches)), c, sel)
		if err != nil {
			return t, err
		}
		t.Batches = append(t.Batches, batch)
	}
}

// loader makes the messages of one scan.
type loader struct {
	rt    *operators.Runtime
	spec  *job.Spec
	stage *planner.Stage
	scan  int
}

// exits returns the outlets that the scan's rows leave its stage by, with the
// node each belongs to.
func (l *loader) exits() (nodes []int, ways []job.Outlet) {
	for _, id := range l.stage.Nodes {
		if l.spec.ScanOf(id) != l.scan {
			continue
		}
		for _, way := range l.spec.Outlets(id) {
			nodes, ways = append(nodes, id), append(ways, way)
		}
	}
	return nodes, ways
}

func (l *loader) queues() []string {
	var out []string
	_, ways := l.exits()
	for _, way := range ways {
		for _, r := range way.Receivers {
			out = append(out, l.spec.Queue(way.Node, way.Input, r))
		}
	}
	return out
}

// end makes the message that tells a queue how many batches there are.
func (l *loader) end(queue string, n int) []byte {
	_, ways := l.exits()
	for _, way := range ways {
		for _, r := range way.Receivers {
			if l.spec.Queue(way.Node, way.Input, r) == queue {
				return l.message(way, r, envelope.End, uint64(n), 0, nil)
			}
		}
	}
	return nil
}

func (l *loader) message(way job.Outlet, replica int, kind envelope.Kind, id uint64, rows int, body []byte) []byte {
	m, err := envelope.Append(nil, envelope.Envelope{
		Job: l.spec.ID, Node: way.Node, Input: way.Input, Replica: replica,
		Sender: envelope.ScanSender(l.scan), Kind: kind, ID: id, Rows: rows,
	}, body)
	if err != nil {
		panic(err)
	}
	return m
}

// batch runs the rows of a chunk through the scan's part of the stage and makes
// one message for every receiver.
func (l *loader) batch(ctx context.Context, id uint64, c *scan.Chunk, sel *pipeline.Selection) ([]Message, error) {
	nodes, ways := l.exits()
	boxes := make([][]*columnar.Rows, len(ways))
	p, err := pipeline.New(l.rt, l.spec.Plan, l.stage, func(node int) ([]pipeline.Outlet, error) {
		var out []pipeline.Outlet
		for i, way := range ways {
			if nodes[i] != node {
				continue
			}
			schema := l.spec.Plan.Nodes[node].Schema
			keys, err := schema.Positions(way.Keys)
			if err != nil {
				return nil, err
			}
			var receivers []shuffle.Receiver
			for range way.Receivers {
				rows := columnar.NewRows(schema)
				boxes[i] = append(boxes[i], &rows)
				receivers = append(receivers, box{schema, &rows})
			}
			out = append(out, shuffle.NewOutbox(l.rt.Alloc, schema, keys, receivers))
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	port := pipeline.Port{Node: l.scan}
	err = sel.Each(c, func(rows columnar.Rows) error { return p.Push(ctx, port, rows) })
	if err == nil {
		err = p.Finish(ctx, port)
	}
	if err = errors.Join(err, p.Close()); err != nil {
		return nil, err
	}
	var out []Message
	for i, way := range ways {
		for r, rows := range boxes[i] {
			body, err := wire.Append(nil, l.spec.Plan.Nodes[nodes[i]].Schema, *rows)
			if err != nil {
				return nil, err
			}
			replica := way.Receivers[r]
			out = append(out, Message{
				Queue: l.spec.Queue(way.Node, way.Input, replica),
				Body:  l.message(way, replica, envelope.Data, id, rows.Len, body),
			})
		}
	}
	return out, nil
}

// box collects what is sent to one receiver.
type box struct {
	schema columnar.Schema
	rows   *columnar.Rows
}

func (b box) Send(_ context.Context, batch columnar.RecordBatch) error {
	defer batch.Release()
	rows := columnar.View(b.schema, batch)
	b.rows.AppendRange(rows, 0, rows.Len)
	return nil
}

func (b box) Done() {}
