package sim

import (
	"context"
	"errors"
	"fmt"
	"io"

	"analyzer/columnar/budget"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/shuffle/broker"
)

// Input is a job with the messages that its gateways send.
type Input struct {
	Spec   *protocol.Spec
	Tables []Table
	// Keys are the distinct key hashes of the build sides that scans make, sorted, by
	// join.
	Keys map[int][]uint64
}

// Table is the batches of one scan, as gateways scatter them: those of its splits in turn.
type Table struct {
	Scan    int
	Batches [][]broker.Message // of each batch
	// Filtered is the messages of each batch from a gateway that knows the keys of Joins;
	// nil if no keys filter this scan.
	Filtered [][]broker.Message
	Joins    []int
	Ends     []broker.Message // that say how many batches there are
}

// Load scatters the tables of a job; open opens them. Scattering is deterministic, so the
// messages are made only once.
func Load(ctx context.Context, spec *protocol.Spec, open func(table string) (vfs.File, error)) (in Input, err error) {
	l := loader{in: Input{Spec: spec, Keys: make(map[int][]uint64)}, open: open, scans: make(map[int]*scatter.Scan)}
	fs := vfs.NewMem()
	if err := fs.MkdirAll("/tmp"); err != nil {
		return in, err
	}
	rt := &operators.Runtime{
		Budget: budget.New(0), Env: expr.NewEnv(),
		Scratch: segment.NewScratch(fs, "/tmp"),
	}
	for _, stage := range spec.Plan.Stages {
		for _, n := range spec.Scans(stage.ID) {
			if err := l.load(ctx, rt, n); err != nil {
				return in, fmt.Errorf("scan %d of %s: %w", n.ID, n.Scan.Table, err)
			}
		}
	}
	for i := range l.in.Tables {
		if err := l.filter(ctx, &l.in.Tables[i]); err != nil {
			return in, fmt.Errorf("filter scan %d: %w", l.in.Tables[i].Scan, err)
		}
	}
	for _, s := range l.scans {
		err = errors.Join(err, s.Close())
	}
	return l.in, errors.Join(err, rt.Scratch.Close())
}

// loader makes an Input.
type loader struct {
	in    Input
	open  func(table string) (vfs.File, error)
	scans map[int]*scatter.Scan // by node
}

// load scatters the table of a scan.
func (l *loader) load(ctx context.Context, rt *operators.Runtime, n *physical.Node) error {
	s, err := scatter.New(rt, l.in.Spec, n.ID)
	if err != nil {
		return err
	}
	l.scans[n.ID] = s
	t := Table{Scan: n.ID}
	if t.Batches, err = l.batches(ctx, n.ID); err != nil {
		return err
	}
	splits := len(l.in.Spec.Splits(n.Scan.Table))
	for split := range splits {
		ends, err := s.Ends(split, uint64((len(t.Batches)-split+splits-1)/splits))
		if err != nil {
			return err
		}
		t.Ends = append(t.Ends, ends...)
	}
	l.in.Tables = append(l.in.Tables, t)
	return nil
}

// batches reads the table of a scan, block by block, and scatters each; the splits take turns.
func (l *loader) batches(ctx context.Context, node int) (out [][]broker.Message, err error) {
	n := l.in.Spec.Plan.Nodes[node].Scan
	f, err := l.open(n.Table)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	table := l.in.Spec.Table(n.Table)
	s, err := scan.Open(ctx, f, table, exec.ScanColumns(table, []*physical.Scan{n}), scan.Options{CSV: csv.Options{BlockSize: l.in.Spec.Block}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	all := make([]int, len(s.Schema()))
	for i := range all {
		all[i] = i
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
		rows, err := c.Materialise(all, nil)
		if err != nil {
			return nil, err
		}
		splits := len(l.in.Spec.Splits(n.Table))
		messages, err := l.scans[node].Batch(ctx, len(out)%splits, uint64(len(out)/splits), rows)
		if err != nil {
			return nil, err
		}
		out = append(out, messages)
	}
}
