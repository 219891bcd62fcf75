package engine

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/spill"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/planner"
)

// collector takes the rows of a node that answers queries. It keeps them until it is
// their turn, or is direct.
type collector struct {
	rows   *spill.Spool
	held   int64   // bytes in memory
	direct *direct // hands them on as they come; nil: they are kept
}

// direct hands the rows of the only answer on as they come.
type direct struct {
	*answering
	ready <-chan struct{} // closed when an answer may begin
}

// heldAnswer is how many bytes of an answer are kept in memory if the budget allows it:
// the rest lies on disk until it is written.
const heldAnswer = 32 << 20

func (e *embedded) makeCollectors() {
	for _, a := range e.plan.Answers {
		if e.answers[a.Node] != nil {
			continue
		}
		c := &collector{rows: spill.New(spill.Config{
			Schema: e.plan.Nodes[a.Node].Schema, Partitions: 1, Scratch: e.rt.Scratch, Budget: e.rt.Budget, Holder: "answer",
		})}
		if len(e.plan.Answers) == 1 && (e.opts.Early || endsInSort(e.plan, a.Node)) {
			c.direct = &direct{answering: e.answering(a), ready: e.ready}
		}
		e.answers[a.Node] = c
	}
}

// endsInSort reports whether the rows of an answer only come when all tables were read, and
// nothing that is done to them then can fail but for want of room.
func endsInSort(p *planner.Plan, id int) bool {
	n := p.Nodes[id]
	for n.Project != nil && n.Inputs[0].Exchange == nil {
		for _, c := range n.Project {
			if c.Expr.Op != expr.OpColumn {
				return false
			}
		}
		n = p.Nodes[n.Inputs[0].Node]
	}
	return n.Sort != nil
}

// Push takes rows in the order of the answer.
func (c *collector) Push(ctx context.Context, rows columnar.Rows) error {
	if c.direct != nil {
		select {
		case <-c.direct.ready:
			return c.direct.wrap(c.direct.write(rows))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if err := c.rows.AddTo(0, rows); err != nil {
		return err
	}
	if c.held += rows.ValueBytes(); c.held < heldAnswer {
		return nil
	}
	c.held = 0
	return c.rows.Flush()
}

// Finish completes the answer.
func (c *collector) Finish(context.Context) error { return c.rows.Seal() }

func (c *collector) close() error { return c.rows.Close() }

// answering is the answer to a query on its way to whoever asked.
type answering struct {
	to     Answers
	query  string
	schema columnar.Schema
	begun  bool
}

func (e *embedded) answering(a planner.Answer) *answering {
	return &answering{to: e.to, query: a.Query, schema: e.plan.Nodes[a.Node].Schema}
}

func (a *answering) begin() error {
	if a.begun {
		return nil
	}
	a.begun = true
	return a.to.Begin(a.query, a.schema)
}

// write hands on rows in pages.
func (a *answering) write(rows columnar.Rows) error {
	if err := a.begin(); err != nil {
		return err
	}
	for lo := 0; lo < rows.Len; lo += operators.PageRows {
		if err := a.to.Write(rows.Slice(lo, min(lo+operators.PageRows, rows.Len))); err != nil {
			return err
		}
	}
	return nil
}

func (a *answering) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("query %s: %w", a.query, err)
	}
	return nil
}

// deliver hands out the answers in the order of the queries.
func (e *embedded) deliver(ctx context.Context) error {
	for _, a := range e.plan.Answers {
		c := e.answers[a.Node]
		to := e.answering(a)
		if c.direct != nil {
			to = c.direct.answering
		}
		err := to.begin()
		if err == nil {
			err = c.rows.Each(ctx, 0, to.write)
		}
		if err == nil {
			err = to.to.End()
		}
		if err != nil {
			return to.wrap(err)
		}
	}
	return nil
}
