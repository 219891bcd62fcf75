package compose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/spool"
	"analyzer/operators"
	"analyzer/operators/planner"
)

// pipeline is one replica's run of a stage, or one scan worker's: an operator
// for each node, wired to those that read it in the same stage and to the
// outlets that lead out of it. It has one user.
type pipeline struct {
	rt    *operators.Runtime
	plan  *planner.Plan
	steps map[int]*step
	order []int // node numbers, each after its inputs
	clock stopwatch
}

// outlet takes the rows of a node out of a stage.
type outlet interface {
	Push(ctx context.Context, rows columnar.Rows) error
	Finish(ctx context.Context) error
}

// step is a node of a pipeline.
type step struct {
	node      *planner.Node
	op        operators.Operator // nil: passes rows on
	readers   []reader           // in the same stage
	outlets   []outlet
	open      int // inputs not finished
	gate      *gate
	emit      operators.Emit
	onBuilt   func(operators.Operator) error // told when a join's build side is complete
	stats     NodeReport
	ctx       context.Context // of the call being made
	finishing bool
}

type reader struct {
	step  *step
	input int
}

// gate holds back the probe side of a join that comes before its build side is
// complete, which happens where both are made of the same rows.
type gate struct {
	built    bool
	held     *spool.Spool
	finished bool
}

// newPipeline makes the operators of a stage. outlets returns where else the
// rows of a node go.
func newPipeline(rt *operators.Runtime, p *planner.Plan, stage *planner.Stage, outlets func(node int) []outlet) (*pipeline, error) {
	l := &pipeline{rt: rt, plan: p, steps: make(map[int]*step), order: stage.Nodes}
	for _, id := range stage.Nodes {
		n := p.Nodes[id]
		op, err := newOperator(rt, p, n)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("node %d: %w", id, err), l.close())
		}
		s := &step{node: n, op: op, outlets: outlets(id), open: len(n.Inputs), stats: NodeReport{Node: id}}
		if n.Join != nil {
			s.gate = &gate{}
		}
		s.emit = func(rows columnar.Rows) error { return l.passOn(s, rows) }
		l.steps[id] = s
		for i, in := range n.Inputs {
			if in.Exchange == nil {
				from := l.steps[in.Node]
				from.readers = append(from.readers, reader{s, i})
			}
		}
	}
	return l, nil
}

// passOn hands rows that a step emits to all who read them.
func (l *pipeline) passOn(s *step, rows columnar.Rows) error {
	s.stats.RowsOut += int64(rows.Len)
	back := l.clock.enter(nil)
	defer l.clock.leave(back)
	for _, r := range s.readers {
		if err := l.push(s.ctx, r.step, r.input, rows); err != nil {
			return err
		}
	}
	for _, o := range s.outlets {
		if err := o.Push(s.ctx, rows); err != nil {
			return err
		}
	}
	return nil
}

// push hands rows to an input of a step.
func (l *pipeline) push(ctx context.Context, s *step, input int, rows columnar.Rows) error {
	s.ctx = ctx
	if rows.Len == 0 {
		return nil
	}
	s.stats.RowsIn += int64(rows.Len)
	s.stats.Batches++
	if s.op == nil {
		return l.passOn(s, rows)
	}
	if s.gate != nil && input == 1 && !s.gate.built {
		return l.hold(s, rows)
	}
	back := l.clock.enter(&s.stats.Nanos)
	defer l.clock.leave(back)
	return s.op.Push(ctx, input, rows, s.emit)
}

func (l *pipeline) hold(s *step, rows columnar.Rows) error {
	if s.gate.held == nil {
		s.gate.held = spool.New(spool.Config{
			Schema: l.plan.Nodes[s.node.Inputs[1].Node].Schema, Partitions: 1,
			Scratch: l.rt.Scratch, Alloc: l.rt.Alloc, Budget: l.rt.Budget, Holder: "join",
		})
	}
	return s.gate.held.AddTo(0, rows)
}

// finish says that an input of a step has no more rows.
func (l *pipeline) finish(ctx context.Context, s *step, input int) error {
	s.ctx = ctx
	if s.gate != nil && input == 1 && !s.gate.built {
		s.gate.finished = true
		return nil
	}
	if s.op != nil {
		if err := l.finishInput(ctx, s, input); err != nil {
			return err
		}
	}
	s.open--
	if s.gate != nil && input == 0 {
		if err := l.openGate(ctx, s); err != nil {
			return err
		}
	}
	if s.open > 0 || s.finishing {
		return nil
	}
	s.finishing = true
	return l.finished(ctx, s)
}

func (l *pipeline) finishInput(ctx context.Context, s *step, input int) error {
	back := l.clock.enter(&s.stats.Nanos)
	defer l.clock.leave(back)
	return s.op.Finish(ctx, input, s.emit)
}

// openGate lets the probe side of a join through whose build side is complete.
func (l *pipeline) openGate(ctx context.Context, s *step) error {
	s.gate.built = true
	if s.onBuilt != nil {
		if err := s.onBuilt(s.op); err != nil {
			return err
		}
	}
	if held := s.gate.held; held != nil {
		s.gate.held = nil
		err := held.Seal()
		if err == nil {
			err = held.Each(ctx, 0, func(rows columnar.Rows) error { return l.push(ctx, s, 1, rows) })
		}
		if err = errors.Join(err, held.Close()); err != nil {
			return err
		}
	}
	if s.gate.finished {
		return l.finish(ctx, s, 1)
	}
	return nil
}

// finished tells all who read a step that it has no more rows.
func (l *pipeline) finished(ctx context.Context, s *step) error {
	for _, r := range s.readers {
		if err := l.finish(ctx, r.step, r.input); err != nil {
			return err
		}
	}
	for _, o := range s.outlets {
		if err := o.Finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ports returns the inputs that come into the stage through exchanges, in the
// order in which they are best taken: what a join is built of before what it is
// probed with.
func (l *pipeline) ports() []reader {
	var out []reader
	seen := make(map[int]bool)
	var visit func(id int)
	visit = func(id int) {
		if seen[id] {
			return
		}
		seen[id] = true
		s := l.steps[id]
		for i, in := range s.node.Inputs {
			if in.Exchange != nil {
				out = append(out, reader{s, i})
			} else {
				visit(in.Node)
			}
		}
	}
	for i := len(l.order) - 1; i >= 0; i-- {
		if len(l.steps[l.order[i]].readers) == 0 {
			visit(l.order[i])
		}
	}
	return out
}

// close gives back what the operators hold.
func (l *pipeline) close() error {
	var errs []error
	for _, s := range l.steps {
		if s.op != nil {
			errs = append(errs, s.op.Close())
		}
		if s.gate != nil && s.gate.held != nil {
			errs = append(errs, s.gate.held.Close())
		}
	}
	return errors.Join(errs...)
}

// stopwatch charges time to the innermost of nested calls.
type stopwatch struct {
	since   time.Time
	charged *int64
}

// enter starts to charge another account, nil for none, and returns the one
// before for leave.
func (w *stopwatch) enter(account *int64) (before *int64) {
	before = w.charged
	w.charge(account)
	return before
}

func (w *stopwatch) leave(before *int64) { w.charge(before) }

func (w *stopwatch) charge(next *int64) {
	now := time.Now()
	if w.charged != nil {
		*w.charged += int64(now.Sub(w.since))
	}
	w.charged, w.since = next, now
}
