package rowwise

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Project replaces the columns of each row by computed ones. Its output is
// borrowed from its expressions and its input; nothing is copied.
type Project struct {
	stateless
	columns []computed
	out     columnar.Rows
}

// computed is an expression over some columns of the input. An expression is not compiled for all
// columns of the input, as there may be as many expressions as columns.
type computed struct {
	reads []int
	by    *expr.Evaluator
	of    []*columnar.Vector // the columns that it reads of the rows that are pushed
}

// NewProject returns a projection of rows with the columns in. It fails when an
// expression does not fit these columns.
func NewProject(rt *operators.Runtime, in columnar.Schema, exprs []plan.Named) (*Project, error) {
	p := &Project{out: columnar.Rows{Cols: make([]*columnar.Vector, len(exprs))}}
	known := in.Lookup()
	for _, e := range exprs {
		names := e.Expr.Columns()
		ev, err := expr.Compile(e.Expr, known.Only(names), rt.Env)
		if err != nil {
			return nil, fmt.Errorf("project: column %q: %w", e.Name, err)
		}
		c := computed{by: ev, reads: make([]int, len(names)), of: make([]*columnar.Vector, len(names))}
		for i, name := range names {
			c.reads[i] = known.Index(name)
		}
		p.columns = append(p.columns, c)
	}
	return p, nil
}

// Push emits the computed columns.
func (p *Project) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, c := range p.columns {
		for k, at := range c.reads {
			c.of[k] = rows.Cols[at]
		}
		v, err := c.by.Eval(c.of, rows.Len)
		if err != nil {
			return fmt.Errorf("project: %w", err)
		}
		p.out.Cols[i] = v
	}
	p.out.Len = rows.Len
	return emit(p.out)
}
