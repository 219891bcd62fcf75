package engine

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/operators/exec"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// tableScan is one reading of a table, for all scan nodes of a stage.
type tableScan struct {
	e     *embedded
	stage *planner.Stage
	table *columnar.Table
	nodes []*planner.Node // the scans
	stats scan.Stats
}

func newTableScan(e *embedded, s *planner.Stage) *tableScan {
	t := &tableScan{e: e, stage: s, table: e.opts.Tables[s.Table]}
	for _, id := range s.Nodes {
		if n := e.plan.Nodes[id]; n.Scan != nil {
			t.nodes = append(t.nodes, n)
		}
	}
	return t
}

// run reads the table to its end and finishes the pipelines of the stage.
func (t *tableScan) run(ctx context.Context) (err error) {
	sets := make(map[int][]*keyset.Set)
	scans := make([]*planner.Scan, len(t.nodes))
	for i, n := range t.nodes {
		scans[i] = n.Scan
		for _, f := range n.Scan.Filters {
			set, err := t.e.builds.keys(ctx, f.Join)
			if err != nil {
				return err
			}
			sets[n.ID] = append(sets[n.ID], set)
		}
	}
	f, err := t.e.opts.Open(t.table.Name)
	if err != nil {
		return fmt.Errorf("open table %s: %w", t.table.Name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	s, err := scan.Open(ctx, f, t.table, exec.ScanColumns(t.table, scans), t.options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	t.e.progress.start(t.table.Name, s)
	defer func() {
		t.stats = s.Stats()
		t.e.progress.end(t.stats)
	}()
	g, ctx := errgroup.WithContext(ctx)
	for range t.e.scanWorkers() {
		g.Go(func() error { return t.work(ctx, s, sets) })
	}
	return g.Wait()
}

func (t *tableScan) options() scan.Options {
	o := t.e.opts
	return scan.Options{
		CSV:          csv.Options{BlockSize: o.BlockSize, MaxRecord: o.MaxRecord},
		Alloc:        o.Alloc,
		LimitRejects: o.MaxRejects >= 0,
		MaxRejects:   o.MaxRejects,
		OnReject:     t.onReject(),
	}
}

// onReject passes rejects on from the first reading of a table alone.
func (t *tableScan) onReject() func(scan.Reject) error {
	for _, s := range t.e.scans {
		if s != t && s.table == t.table {
			return nil
		}
	}
	return t.e.opts.Reject
}

// work runs one pipeline over the blocks that no other has.
func (t *tableScan) work(ctx context.Context, s *scan.Scan, sets map[int][]*keyset.Set) (err error) {
	l, err := t.e.newPipeline(t.stage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.e.closePipeline(l)) }()
	selections := make(map[int]*exec.Selection)
	for _, n := range t.nodes {
		sel, err := exec.NewSelection(t.e.rt, n.Scan, s.Schema(), sets[n.ID])
		if err != nil {
			return err
		}
		selections[n.ID] = sel
	}
	w := s.NewWorker()
	for {
		c, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			return t.finish(ctx, l)
		}
		if err != nil {
			return err
		}
		for id, sel := range selections {
			push := func(rows columnar.Rows) error { return l.Push(ctx, exec.Port{Node: id}, rows) }
			if err := sel.Each(c, push); err != nil {
				return err
			}
		}
	}
}

func (t *tableScan) finish(ctx context.Context, l *exec.Pipeline) error {
	for _, n := range t.nodes {
		if err := l.Finish(ctx, exec.Port{Node: n.ID}); err != nil {
			return err
		}
	}
	return nil
}
