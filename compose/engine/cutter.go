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

// cutter answers for first parts of the tables while a run reads them. What leaves the scans
// goes on to the run's own stages, and is kept besides, by parts of the tables; the stages
// behind the scans are run anew over what is kept, with memory of their own.
type cutter struct {
	moments
	e      *embedded
	f      Following
	memory *budget.Budget // for what is kept
	rt     *operators.Runtime
	passes []*pass // in the order in which they are read
	before cut     // that was answered for last
}

// cut says of each table how many of its first blocks are answered for; MaxInt64: all.
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

// pass returns that of a worker that is about to read.
func (c *cutter) pass(p *Pass) *pass {
	at := slices.IndexFunc(c.passes, func(q *pass) bool { return q.stage.ID == p.Stage.ID })
	c.passes[at].begin(p.scan)
	return c.passes[at]
}

// read returns how many bytes of the files were read, as they are stored: in the last
// reading of each, since there are no answers for more before that.
func (c *cutter) read() (n int64) {
	for _, p := range c.passes {
		if p.scan != nil && !p.again {
			n += p.scan.Progress().File
		}
	}
	return n
}

// answer answers for the whole parts that were read, unless that was done.
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
	e := newEmbedded(o, c.rt, 1, false, to)
	to.begin = func() (Answers, error) { return c.f.Begin(c.report(at, e.tables.Report()), false) }
	err := errors.Join(e.compute(ctx, func(ctx context.Context) error {
		defer close(e.ready)
		return c.replay(ctx, e, at)
	}), e.end())
	switch {
	case scan.IsInput(err) && to.Answers == nil: // who reads that table will say so
		c.answered(c.read(), time.Since(began))
		return nil
	case err != nil:
		return err
	}
	c.before = at
	c.answered(c.read(), time.Since(began))
	return c.f.End()
}

// begun is where answers go, which is not asked for before there is one.
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

// cut is the least that all readings of each table have reached.
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

// report says which part of the tables a cut is. read tells of those that were read for it.
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

// rejects reports whether a run over a cut would be refused, since too much of a table is
// rejected.
func (c *cutter) rejects(at cut) bool {
	for _, p := range c.passes {
		to, most := reachOf(p.upTo(at[p.stage.Table])), c.e.opts.MaxRejectShare
		if most > 0 && float64(to.rejected) > most*float64(to.rows+to.rejected) {
			return true
		}
	}
	return false
}

// replay sends what has left the scans for a cut, and what leaves those of tables that are
// read for it.
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

// merge makes one of the parts of each table that were answered for, when there are many:
// no later answers are for less.
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

// mostParts is how many parts of a table are kept by themselves. Each costs a file, and
// states of all the groups that it has.
const mostParts = 16

// merged makes one part of several: of states of aggregates one for each group.
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
