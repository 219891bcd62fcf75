package exec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/segment"
	"analyzer/columnar/spill"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/join"
	"analyzer/operators/order"
	"analyzer/operators/query/physical"
	"analyzer/operators/rowwise"
)

// Pipeline is the run of a stage on one replica, or of one scan worker. It has an operator for
// each node, wired to its readers in the same stage and to the outlets of the stage. It has one
// user at a time. After all inputs were finished it can be used again for another epoch.
type Pipeline struct {
	rt    *operators.Runtime
	plan  *physical.Plan
	steps map[int]*step
	order []int // node numbers, each after its inputs
	clock stopwatch
	// onBuilt is called when the build side of a join is complete.
	onBuilt func(join *physical.Node, op operators.Operator) error
}

// Outlet takes the rows of a node out of a stage.
type Outlet interface {
	// Push takes rows, which it borrows.
	Push(ctx context.Context, rows columnar.Rows) error
	// Finish says that there are no more rows.
	Finish(ctx context.Context) error
}

// Port is an input of a node.
type Port struct{ Node, Input int }

// NodeReport says what one operator did.
type NodeReport struct {
	Node    int   `json:"node"`
	RowsIn  int64 `json:"rowsIn"`
	RowsOut int64 `json:"rowsOut"`
	Batches int64 `json:"batches"`           // batches taken in
	Spilled int64 `json:"spilled"`           // bytes
	Nanos   int64 `json:"nanos"`             // time in the operator itself
	InPlace bool  `json:"inPlace,omitempty"` // of a join: rows were joined where they were read
	LeftOut int64 `json:"leftOut,omitempty"` // of a scan: rows not read since bounds of their values exclude them, or tell all
}

// Add adds the report of another run of the same operator to n.
func (n *NodeReport) Add(o NodeReport) {
	n.RowsIn += o.RowsIn
	n.RowsOut += o.RowsOut
	n.Batches += o.Batches
	n.Spilled += o.Spilled
	n.Nanos += o.Nanos
	n.InPlace = n.InPlace || o.InPlace
	n.LeftOut += o.LeftOut
}

// step is a node of a pipeline.
type step struct {
	node    *physical.Node
	op      operators.Operator // nil if the node only passes rows on
	readers []reader           // in the same stage
	outlets []Outlet
	open    int // inputs not finished yet
	gate    *gate
	emit    operators.Emit
	stats   NodeReport
	scratch *segment.Scratch
	ctx     context.Context // the context of the current call
}

type reader struct {
	step  *step
	input int
}

// gate holds back rows of a join's probe side that come before its build side is complete. That
// happens if both are made from the same rows.
type gate struct {
	built    bool
	held     *spill.Spool
	finished bool
}

// New makes the operators of a stage. outlets returns the outlets that also receive the rows of
// a node.
func New(rt *operators.Runtime, p *physical.Plan, stage *physical.Stage, outlets func(node int) ([]Outlet, error)) (*Pipeline, error) {
	l := &Pipeline{rt: rt, plan: p, steps: make(map[int]*step), order: stage.Nodes}
	for _, id := range stage.Nodes {
		n := p.Nodes[id]
		own := *rt
		own.Scratch = rt.Scratch.Part()
		op, err := newOperator(&own, p, n)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("stage %d: node %d: %w", stage.ID, id, err), l.Close())
		}
		s := &step{node: n, op: op, scratch: own.Scratch, open: len(n.Inputs), stats: NodeReport{Node: id}}
		l.steps[id] = s // so that Close reaches the operator
		if s.outlets, err = outlets(id); err != nil {
			return nil, errors.Join(fmt.Errorf("stage %d: node %d: %w", stage.ID, id, err), l.Close())
		}
		if n.Join != nil {
			s.gate = &gate{}
		}
		s.emit = func(rows columnar.Rows) error { return l.passOn(s, rows) }
		for i, in := range n.Inputs {
			if in.Exchange == nil {
				from := l.steps[in.Node]
				from.readers = append(from.readers, reader{s, i})
			}
		}
	}
	for _, s := range l.steps {
		if op, ok := s.op.(*rowwise.Unnest); ok {
			op.TakeCoded(s.mayBeCoded())
		}
	}
	return l, nil
}

// passOn hands the rows that a step emits to all its readers.
func (l *Pipeline) passOn(s *step, rows columnar.Rows) error {
	s.stats.RowsOut += int64(rows.Len)
	defer l.clock.charge(l.clock.charge(nil))
	enough := len(s.readers) > 0 && len(s.outlets) == 0
	for _, r := range s.readers {
		err := l.push(s.ctx, r.step, r.input, rows)
		if err != nil && !errors.Is(err, operators.ErrEnough) {
			return err
		}
		enough = enough && err != nil
	}
	for _, o := range s.outlets {
		if err := o.Push(s.ctx, rows); err != nil {
			return err
		}
	}
	if enough {
		return operators.ErrEnough
	}
	return nil
}

// Push hands rows to an input of a node, which borrows them. A scan has one input, 0.
func (l *Pipeline) Push(ctx context.Context, to Port, rows columnar.Rows) error {
	err := l.push(ctx, l.steps[to.Node], to.Input, rows)
	if errors.Is(err, operators.ErrEnough) { // of these rows; of others, little is read before the next answer
		return nil
	}
	return err
}

// Finish says that an input of a node has no more rows.
func (l *Pipeline) Finish(ctx context.Context, to Port) error {
	s := l.steps[to.Node]
	if s.node.Scan != nil {
		return l.finished(ctx, s)
	}
	return l.finish(ctx, s, to.Input)
}

// Probe makes a join of the pipeline probe a build side that other operators have built. Its
// build side then counts as complete.
func (l *Pipeline) Probe(node int, built *join.Shared) {
	s := l.steps[node]
	s.op.(*join.Operator).Probe(built)
	s.stats.InPlace = true
	s.gate.built = true
	s.open--
}

// LeaveOut says that so many rows of a scan were not read, since bounds of their values exclude them.
func (l *Pipeline) LeaveOut(scan int, rows int64) { l.steps[scan].stats.LeftOut += rows }

// Aggregation returns the operator of an aggregation node.
func (l *Pipeline) Aggregation(node int) *aggregate.Operator {
	return l.steps[node].op.(*aggregate.Operator)
}

// TakesCoded says which columns of a scan's rows may be coded: nobody needs their values row by row.
func (l *Pipeline) TakesCoded(scan int) []bool { return l.steps[scan].mayBeCoded() }

func (s *step) mayBeCoded() []bool {
	takes := make([]bool, len(s.node.Schema))
	for i := range takes {
		takes[i] = s.mayCode(i)
	}
	return takes
}

// TakeKnown hands on what is known of rows of a scan in place of their values, and reports whether that is enough for
// whoever reads them; see aggregate.Operator.TakeKnown.
func (l *Pipeline) TakeKnown(ctx context.Context, scan, rows int, of func(column int) input.Bounds) (bool, error) {
	s := l.steps[scan]
	if len(s.outlets) > 0 || len(s.readers) != 1 {
		return false, nil
	}
	to := s.readers[0].step
	op, ok := to.op.(*aggregate.Operator)
	if !ok {
		return false, nil
	}
	to.ctx = ctx
	defer l.clock.charge(l.clock.charge(&to.stats.Nanos))
	return op.TakeKnown(ctx, rows, of, to.emit)
}

// First returns what is known of the first rows of a sort with a limit that alone takes the rows of a scan, perhaps with
// their columns in another order; nil: there is none. What else lies between could fail for rows that are left out. The
// bound is shared with other pipelines whose rows meet in a sort afterwards.
func (l *Pipeline) First(scan int, shared *order.Shared) *order.First {
	return l.steps[scan].first(shared)
}

func (s *step) first(shared *order.Shared) *order.First {
	if len(s.outlets) > 0 || len(s.readers) != 1 {
		return nil
	}
	to := s.readers[0].step
	switch op := to.op.(type) {
	case *order.Sort:
		return op.First(shared)
	case *rowwise.Project:
		if picks := op.Picks(); picks != nil {
			return to.first(shared).Before(picks)
		}
	}
	return nil
}

// mayCode reports whether a column of the step's rows may be coded, since all who read it take it so: as keys
// of groups, behind operators that hand it on as it is.
func (s *step) mayCode(column int) bool {
	return len(s.outlets) == 0 && len(s.readers) > 0 && !slices.ContainsFunc(s.readers, func(r reader) bool {
		switch op := r.step.op.(type) {
		case *aggregate.Operator:
			return !op.TakesCoded(column)
		case interface {
			HandsOn(column int) ([]int, bool)
		}:
			as, whole := op.HandsOn(column)
			return !whole || slices.ContainsFunc(as, func(c int) bool { return !r.step.mayCode(c) })
		}
		return true
	})
}

// OnBuilt sets f to be called when the build side of a join is complete.
func (l *Pipeline) OnBuilt(f func(join *physical.Node, op operators.Operator) error) { l.onBuilt = f }

// Reports returns what each operator did so far.
func (l *Pipeline) Reports() []NodeReport {
	out := make([]NodeReport, 0, len(l.order))
	for _, id := range l.order {
		s := l.steps[id]
		r := s.stats
		r.Spilled = s.scratch.Stats().Bytes
		if a, ok := s.op.(*aggregate.Operator); ok {
			r.RowsIn += a.Crossed().In
			r.RowsOut += a.Crossed().Out
		}
		out = append(out, r)
	}
	return out
}

// push hands rows to an input of a step.
func (l *Pipeline) push(ctx context.Context, s *step, input int, rows columnar.Rows) error {
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
	defer l.clock.charge(l.clock.charge(&s.stats.Nanos))
	return s.op.Push(ctx, input, rows, s.emit)
}

func (l *Pipeline) hold(s *step, rows columnar.Rows) error {
	if s.gate.held == nil {
		s.gate.held = spill.New(spill.Config{
			Schema: l.plan.Nodes[s.node.Inputs[1].Node].Schema, Partitions: 1,
			Scratch: l.rt.Scratch, Budget: l.rt.Budget, Holder: "join",
		})
	}
	return s.gate.held.AddTo(0, rows)
}

// finish says that an input of a step has no more rows.
func (l *Pipeline) finish(ctx context.Context, s *step, input int) error {
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
	if s.open > 0 {
		return nil
	}
	s.nextEpoch()
	return l.finished(ctx, s)
}

// nextEpoch prepares a step for reuse, once all its inputs are finished.
func (s *step) nextEpoch() {
	s.open = len(s.node.Inputs)
	if s.gate != nil {
		s.gate = &gate{}
	}
}

func (l *Pipeline) finishInput(ctx context.Context, s *step, input int) error {
	defer l.clock.charge(l.clock.charge(&s.stats.Nanos))
	err := s.op.Finish(ctx, input, s.emit)
	if errors.Is(err, operators.ErrEnough) {
		return nil
	}
	return err
}

// openGate lets the probe side of a join through. The build side must be complete.
func (l *Pipeline) openGate(ctx context.Context, s *step) error {
	s.gate.built = true
	if l.onBuilt != nil {
		if err := l.onBuilt(s.node, s.op); err != nil {
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

// finished tells all readers of a step that it has no more rows.
func (l *Pipeline) finished(ctx context.Context, s *step) error {
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

// Ports returns the inputs that come into the stage through exchanges, in the order in which
// they must be read. Ports of lower phases come first, so that no scan waits for a build side
// that waits for the scan. Within a phase they follow the flow of rows. The build side of a
// join never has a higher phase than its probe side, and so comes first.
func (l *Pipeline) Ports() []Port {
	var out []Port
	for _, id := range l.order {
		for i, in := range l.steps[id].node.Inputs {
			if in.Exchange != nil {
				out = append(out, Port{id, i})
			}
		}
	}
	phases := l.plan.Phases()
	phase := func(p Port) int { return phases[l.plan.Nodes[p.Node].Inputs[p.Input].Node] }
	slices.SortStableFunc(out, func(a, b Port) int { return phase(a) - phase(b) })
	return out
}

// Close gives back what the operators hold.
func (l *Pipeline) Close() error {
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

// charge starts to charge time to account, or to nothing if it is nil. It returns the account
// charged before, which the caller passes to charge again at the end of its call.
func (w *stopwatch) charge(account *int64) (before *int64) {
	now := time.Now()
	if w.charged != nil {
		*w.charged += int64(now.Sub(w.since))
	}
	before, w.charged, w.since = w.charged, account, now
	return before
}
