package engine

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/scan"
	"analyzer/operators/exec"
	"analyzer/operators/order"
	"analyzer/operators/query/physical"
)

// scanWorker runs a pipeline of a scan stage over blocks.
type scanWorker struct {
	e          *embedded
	ctx        context.Context
	pipeline   *exec.Pipeline
	scans      []*physical.Node
	selections []*exec.Selection // of the scans
	enough     *enough
	inTurn     []*inTurn        // outlets that take rows in the order of the file
	pass       *pass            // nil unless the run is followed
	more       bool             // the pipeline finishes one part, and another one follows
	probing    []*exec.Pipeline // of later stages that this worker runs as well
}

func (e *embedded) newScanWorker(ctx context.Context, p *Pass) (BlockWorker, error) {
	w := &scanWorker{e: e, ctx: ctx, scans: p.Scans, enough: p.enough}
	if e.cutter != nil {
		w.pass = e.cutter.pass(p)
	}
	for _, n := range p.Scans {
		sel, err := exec.NewSelection(e.rt, n.Scan, p.Schema, p.Sets[n.ID])
		if err != nil {
			return nil, fmt.Errorf("stage %d: node %d: %w", p.Stage.ID, n.ID, err)
		}
		w.selections = append(w.selections, sel)
	}
	var err error
	if w.pipeline, err = e.newPipeline(p.Stage, w.outlets); err != nil {
		return nil, errors.Join(err, w.closeProbing())
	}
	for i, n := range w.scans {
		w.selections[i].TakeCoded(w.pipeline.TakesCoded(n.ID))
		if w.enough == nil && w.pass == nil { // which want the rows of each block, or of each part
			first := w.pipeline.First(n.ID, &p.firsts[i])
			w.selections[i].TakeFirst(first)
			w.seek(p, n, first)
		}
		w.selections[i].TakeKnown(func(rows int, of func(int) input.Bounds) (bool, error) {
			return w.pipeline.TakeKnown(ctx, n.ID, rows, of)
		})
	}
	return w, nil
}

// seek has rows come first that are likely to be among the first of a sort, so that others are left out soon. What only this
// worker is to do in the order of the file, or another scan of the table wants, is not for that.
func (w *scanWorker) seek(p *Pass, n *physical.Node, first *order.First) {
	if first != nil && len(w.scans) == 1 && len(w.inTurn) == 0 {
		p.scan.Seek(first.Sought(n.Scan.Columns[first.Column()]))
	}
}

// outlets returns the outlets of e, wrapped in what only scan workers do: keeping rows for
// those who follow, sending in file order, and probing in place.
func (w *scanWorker) outlets(node int) (out []exec.Outlet, err error) {
	for _, port := range w.e.ports[node] {
		to, err := w.e.outlet(port)
		if err != nil {
			return nil, err
		}
		if w.pass != nil {
			to = &keeper{Outlet: to, worker: w, port: port}
		}
		if f := w.e.feeds[port]; f != nil {
			t := &inTurn{turns: f.turns, to: to}
			w.inTurn = append(w.inTurn, t)
			to = t
		}
		d, err := w.newProbing(port, to)
		if err != nil {
			return nil, err
		}
		if d != nil {
			to = d
		}
		out = append(out, to)
	}
	return out, nil
}

func (w *scanWorker) Take(c scan.Chunk) error {
	if w.pass != nil {
		if err := w.pass.enter(w.ctx, c, w.endPart); err != nil {
			return err
		}
	}
	for _, t := range w.inTurn {
		t.block = c.Index()
	}
	yield := 0
	for i, n := range w.scans {
		push := func(rows columnar.Rows) error {
			yield += rows.Len
			return w.pipeline.Push(w.ctx, exec.Port{Node: n.ID}, rows)
		}
		if err := w.selections[i].Each(c, push); err != nil {
			return err
		}
	}
	for _, t := range w.inTurn {
		if err := t.end(w.ctx); err != nil {
			return err
		}
	}
	if w.enough != nil {
		w.enough.add(c.Index(), int64(yield))
	}
	return nil
}

// endPart has the pipeline emit everything it still holds of the blocks so far.
func (w *scanWorker) endPart(ctx context.Context) error {
	w.more = true
	defer func() { w.more = false }()
	return w.finish(ctx)
}

func (w *scanWorker) finish(ctx context.Context) error {
	for _, n := range w.scans {
		if err := w.pipeline.Finish(ctx, exec.Port{Node: n.ID}); err != nil {
			return err
		}
	}
	return nil
}

func (w *scanWorker) Finish(ctx context.Context) error {
	if err := w.finish(ctx); err != nil || w.pass == nil {
		return err
	}
	return w.pass.leave(ctx)
}

func (w *scanWorker) Close() error {
	for i, n := range w.scans {
		w.pipeline.LeaveOut(n.ID, w.selections[i].LeftOut())
	}
	return errors.Join(w.e.closePipeline(w.pipeline), w.closeProbing())
}

func (w *scanWorker) closeProbing() (err error) {
	for _, l := range w.probing {
		err = errors.Join(err, w.e.closePipeline(l))
	}
	return err
}
