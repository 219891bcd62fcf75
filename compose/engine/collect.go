package engine

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/spill"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
)

// collector takes the rows of a node that answers queries. It keeps them until it is
// their answer's turn; if there is only one answer, it may pass them on as they come.
type collector struct {
	kept
	direct *answering      // the answer that rows are written to at once; nil: they are kept
	ready  <-chan struct{} // closed when an answer may begin
}

// kept is rows in the order in which they came.
type kept struct {
	rows *spill.Spool
	held int64 // bytes in memory
}

// mostHeld is how many bytes of an answer are collected in memory, if the budget allows it,
// before they go to disk.
const mostHeld = 32 << 20

func (e *embedded) keep(schema columnar.Schema, b *budget.Budget, holder string) kept {
	return kept{rows: spill.New(e.spool(schema, b, holder))}
}

// spool returns the configuration of a spool with one partition.
func (e *embedded) spool(schema columnar.Schema, b *budget.Budget, holder string) spill.Config {
	return spill.Config{Schema: schema, Partitions: 1, Scratch: e.rt.Scratch, Budget: b, Holder: holder}
}

func (k *kept) add(rows columnar.Rows) error {
	if err := k.rows.AddTo(0, rows); err != nil {
		return err
	}
	if k.held += rows.ValueBytes(); k.held < mostHeld {
		return nil
	}
	k.held = 0
	return k.rows.Flush()
}

func (e *embedded) makeCollectors() {
	for _, a := range e.plan.Answers {
		if e.answers[a.Node] != nil {
			continue
		}
		c := &collector{kept: e.keep(e.plan.Nodes[a.Node].Schema, e.rt.Budget, "answer"), ready: e.ready}
		if len(e.plan.Answers) == 1 && (e.opts.Early || endsInSort(e.plan, a.Node)) {
			c.direct = e.answering(a)
		}
		e.answers[a.Node] = c
	}
}

// endsInSort reports whether the rows of an answer come only after all tables were read, and
// whether what is done to them after that can fail only for lack of space.
func endsInSort(p *physical.Plan, id int) bool {
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
	if c.direct == nil {
		return c.add(rows)
	}
	if err := wait(ctx, c.ready); err != nil {
		return err
	}
	return c.direct.wrap(c.direct.write(rows))
}

// Finish completes the answer.
func (c *collector) Finish(context.Context) error { return c.rows.Seal() }

// answering is one query's answer while it is written to Answers.
type answering struct {
	to     Answers
	query  string
	schema columnar.Schema
	begun  bool
}

func (e *embedded) answering(a physical.Answer) *answering {
	return &answering{to: e.to, query: a.Query, schema: e.plan.Nodes[a.Node].Schema}
}

func (a *answering) begin() error {
	if a.begun {
		return nil
	}
	a.begun = true
	return a.to.Begin(a.query, a.schema)
}

func (a *answering) write(rows columnar.Rows) error {
	if err := a.begin(); err != nil {
		return err
	}
	return a.to.Write(rows)
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
		c, to := e.answers[a.Node], e.answering(a)
		if c.direct != nil {
			to = c.direct
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
