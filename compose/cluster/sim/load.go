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
	"analyzer/columnar/ipc"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
	"analyzer/shuffle"
	"analyzer/shuffle/envelope"
)

// Input is a job with the messages that its client will send.
type Input struct {
	Spec   *protocol.Spec
	Text   []byte // the spec's JSON
	Tables []Table
	// Keys are the distinct key hashes of the build sides that scans make, sorted, by
	// join.
	Keys map[int][]uint64
}

// Table is the batches of one scan, in order.
type Table struct {
	Scan    int
	Batches [][]Message // what each batch becomes
	// Filtered is what each batch becomes at a gateway that knows the keys of Joins;
	// nil if there are none for this scan.
	Filtered [][]Message
	Joins    []int
	Ends     []string // queues that are told how many batches there are
	End      func(queue string, n int) []byte
}

// Load makes the messages that a client and its gateways send for a job whose
// tables open opens.
func Load(ctx context.Context, spec *protocol.Spec, open func(table string) (vfs.File, error)) (Input, error) {
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
	var loads []scanLoad
	for _, stage := range spec.Plan.Stages {
		for _, n := range spec.Scans(stage.ID) {
			l := scanLoad{rt: rt, spec: spec, stage: stage, node: n, open: open}
			t := Table{Scan: n.ID, Ends: l.loader().queues(), End: l.loader().end}
			if t.Batches, err = l.batches(ctx, make([]*keyset.Set, len(n.Scan.Filters))); err != nil {
				return in, fmt.Errorf("scan %d of %s: %w", n.ID, n.Scan.Table, err)
			}
			loads, in.Tables = append(loads, l), append(in.Tables, t)
		}
	}
	for i, l := range loads {
		if err := in.filter(ctx, l, &in.Tables[i]); err != nil {
			return in, fmt.Errorf("filter scan %d: %w", l.node.ID, err)
		}
	}
	return in, rt.Scratch.Close()
}

// scanLoad is all that the batches of a scan are made of.
type scanLoad struct {
	rt    *operators.Runtime
	spec  *protocol.Spec
	stage *planner.Stage
	node  *planner.Node
	open  func(table string) (vfs.File, error)
}

func (l scanLoad) loader() *loader {
	return &loader{rt: l.rt, spec: l.spec, stage: l.stage, scan: l.node.ID}
}

// batches makes the messages of all batches, with the filters whose keys are given.
func (l scanLoad) batches(ctx context.Context, sets []*keyset.Set) (out [][]Message, err error) {
	name := l.node.Scan.Table
	f, err := l.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	table := l.spec.Table(name)
	s, err := scan.Open(ctx, f, table, exec.ScanColumns(table, []*planner.Scan{l.node.Scan}), scan.Options{CSV: csv.Options{BlockSize: l.spec.Block}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	sel, err := exec.NewSelection(l.rt, l.node.Scan, s.Schema(), sets)
	if err != nil {
		return nil, err
	}
	w := s.NewWorker()
	for {
		c, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		batch, err := l.loader().batch(ctx, uint64(len(out)), c, sel)
		if err != nil {
			return nil, err
		}
		out = append(out, batch)
	}
}

// loader makes the messages of one scan.
type loader struct {
	rt    *operators.Runtime
	spec  *protocol.Spec
	stage *planner.Stage
	scan  int
}

// exits returns the outlets that the scan's rows leave its stage by, with the
// node each belongs to.
func (l *loader) exits() (nodes []int, ways []protocol.Outlet) {
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

func (l *loader) message(way protocol.Outlet, replica int, kind envelope.Kind, id uint64, rows int, body []byte) []byte {
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
func (l *loader) batch(ctx context.Context, id uint64, c *scan.Chunk, sel *exec.Selection) ([]Message, error) {
	nodes, ways := l.exits()
	boxes := make([][]*columnar.Rows, len(ways))
	p, err := exec.New(l.rt, l.spec.Plan, l.stage, func(node int) ([]exec.Outlet, error) {
		var out []exec.Outlet
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
	port := exec.Port{Node: l.scan}
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
			body, err := ipc.Append(nil, l.spec.Plan.Nodes[nodes[i]].Schema, *rows)
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
