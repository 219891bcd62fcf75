package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/exec"
)

// cutter answers for the first parts of the tables while a run reads them. The rows that the
// scans emit go on to the run's own stages, and are also kept, by part of their table. For
// each set of early answers the stages behind the scans run again over the kept rows, with
// their own memory.
type cutter struct {
	moments
	e      *embedded
	f      Following
	memory *budget.Budget // for the kept rows
	rt     *operators.Runtime
	passes []*pass // in reading order
	before cut     // of the last answers
}

// cut says, by table, how many of its first blocks answers cover; MaxInt64: all.
type cut map[string]int64

func newCutter(e *embedded, f Following, m moments, memory *budget.Budget, rt *operators.Runtime) *cutter {
	c := &cutter{moments: m, e: e, f: f, memory: memory, rt: rt, before: make(cut)}
	last := make(map[string]*pass)
	for _, s := range scanStages(e.plan) {
		p := &pass{cutter: c, stage: s, before: last[s.Table]}
		if p.before != nil {
			p.before.again = true
		}
		last[s.Table] = p
		c.passes = append(c.passes, p)
	}
	return c
}

// pass returns the pass of a worker that is about to read, and begins it.
func (c *cutter) pass(p *Pass) *pass {
	at := slices.IndexFunc(c.passes, func(q *pass) bool { return q.stage.ID == p.Stage.ID })
	c.passes[at].begin(p.scan)
	return c.passes[at]
}

// read returns how many bytes of the files, as stored, were read in the last reading of each
// table: earlier readings let no answer cover more.
func (c *cutter) read() (n int64) {
	for _, p := range c.passes {
		if p.scan != nil && !p.again {
			n += p.scan.Progress().File
		}
	}
	return n
}

// answer answers for the complete parts read so far, unless it already has.
func (c *cutter) answer(ctx context.Context) error {
	at := c.cut()
	if !slices.ContainsFunc(c.passes, func(p *pass) bool { return at[p.stage.Table] > c.before[p.stage.Table] }) {
		return nil
	}
	began := time.Now()
	if c.rejects(at) {
		c.answered(c.read(), 0)
		return nil
	}
	o := c.e.opts
	o.Reject, o.Progress, o.Watch, o.Read, o.MaxRejects = nil, nil, nil, nil, -1
	to := new(begun)
	e := newEmbedded(o, c.rt, 1, to)
	to.begin = func() (Answers, error) { return c.f.Begin(c.report(at, e.tables.Report()), false) }
	err := errors.Join(e.compute(ctx, func(ctx context.Context) error {
		defer close(e.ready)
		return c.replay(ctx, e, at)
	}), e.end())
	switch {
	case scan.IsInput(err) && to.Answers == nil: // the run reports it when it reads that table
		c.answered(c.read(), time.Since(began))
		return nil
	case err != nil:
		return err
	}
	c.before = at
	c.answered(c.read(), time.Since(began))
	return c.f.End()
}

// begun passes answers on to a destination that it asks for when the first one begins.
type begun struct {
	Answers
	begin func() (Answers, error)
}

func (b *begun) Begin(query string, columns columnar.Schema) (err error) {
	if b.Answers == nil {
		if b.Answers, err = b.begin(); err != nil {
			return err
		}
	}
	return b.Answers.Begin(query, columns)
}

// cut returns the cut of the parts that all readings of each table have reached.
func (c *cutter) cut() cut {
	at := make(cut)
	for _, p := range c.passes {
		n := p.reached()
		if m, ok := at[p.stage.Table]; !ok || n < m {
			at[p.stage.Table] = n
		}
	}
	return at
}

// report describes the part of each table that a cut covers. read is the report on the
// tables that were read just for these answers.
func (c *cutter) report(at cut, read *Report) *Report {
	r := new(Report)
	for _, table := range c.e.plan.Tables() {
		t := TableReport{Table: table}
		if n := slices.IndexFunc(read.Tables, func(t TableReport) bool { return t.Table == table }); n >= 0 {
			t = read.Tables[n]
		}
		for _, p := range c.passes {
			if parts := p.upTo(at[table]); p.stage.Table == table && len(parts) > 0 {
				to := reachOf(parts)
				t.Stats.Progress = p.scan.Progress()
				t.Stats.Blocks, t.Stats.End, t.Stats.Rows = to.blocks, to.bytes, to.rows
			}
		}
		r.Tables = append(r.Tables, t)
	}
	return r
}

// rejects reports whether a run over a cut would fail because too large a share of a table's
// rows is rejected.
func (c *cutter) rejects(at cut) bool {
	for _, p := range c.passes {
		to, most := reachOf(p.upTo(at[p.stage.Table])), c.e.opts.MaxRejectShare
		if most > 0 && float64(to.rejected) > most*float64(to.rows+to.rejected) {
			return true
		}
	}
	return false
}

// replay sends the kept rows of a cut, and reads the small tables that the run has not read.
func (c *cutter) replay(ctx context.Context, e *embedded, at cut) error {
	small := make(map[int]bool) // by stage
	for _, p := range c.passes {
		if p.small() {
			small[p.stage.ID] = true
			continue
		}
		for _, node := range p.stage.Nodes {
			for _, port := range e.ports[node] {
				if err := p.replay(ctx, e, port, at[p.stage.Table]); err != nil {
					return err
				}
			}
		}
	}
	e.tables.Wanted = func(scan int) bool { return small[e.plan.Nodes[scan].Stage] }
	e.tables.Duplicates = c.e.repeated.Tables
	return e.tables.Run(ctx)
}

// merge combines the parts of a table that were answered for into one, once there are
// mostParts of them: later answers never cover less.
func (c *cutter) merge(ctx context.Context) error {
	for _, p := range c.passes {
		answered := len(p.upTo(c.before[p.stage.Table]))
		if answered < mostParts {
			continue
		}
		merged, err := p.merged(ctx, p.parts[:answered])
		if err != nil {
			return errors.Join(fmt.Errorf("merge what is kept of table %s: %w", p.stage.Table, err), merged.close())
		}
		for _, t := range p.parts[:answered] {
			err = errors.Join(err, t.close())
		}
		if p.parts = slices.Replace(p.parts, 0, answered, merged); err != nil {
			return err
		}
	}
	return nil
}

// mostParts is how many parts of a table are answered for before they are merged. Each part
// costs a file, and the states of all groups in it.
const mostParts = 16

// merged combines parts into one. Aggregate states are combined to one per group.
func (p *pass) merged(ctx context.Context, parts []*part) (*part, error) {
	out := p.newPart()
	out.upTo = reachOf(parts)
	for port, to := range out.kept {
		if err := p.mergePort(ctx, parts, port, to); err != nil {
			return out, err
		}
	}
	return out, p.seal(out)
}

func (p *pass) mergePort(ctx context.Context, parts []*part, port exec.Port, to *shared) (err error) {
	push, finish := to.add, func() error { return nil }
	if states := p.e.plan.States(p.e.plan.Nodes[port.Node].Inputs[port.Input].Node); states != nil {
		op, err := aggregate.New(p.rt, *states)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, op.Close()) }()
		push = func(rows columnar.Rows) error { return op.Push(ctx, 0, rows, to.add) }
		finish = func() error { return op.Finish(ctx, 0, to.add) }
	}
	for _, t := range parts {
		if err := t.kept[port].rows.Each(ctx, 0, push); err != nil {
			return err
		}
	}
	return finish()
}

func (c *cutter) close() (err error) {
	for _, p := range c.passes {
		err = errors.Join(err, p.close())
	}
	return err
}
