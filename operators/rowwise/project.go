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
	columns []*expr.Evaluator
	out     columnar.Rows
}

// NewProject returns a projection of rows with the columns in. It fails when an
// expression does not fit these columns.
func NewProject(rt *operators.Runtime, in columnar.Schema, exprs []plan.Named) (*Project, error) {
	p := &Project{out: columnar.Rows{Cols: make([]*columnar.Vector, len(exprs))}}
	for _, e := range exprs {
		ev, err := expr.Compile(e.Expr, in, rt.Env)
		if err != nil {
			return nil, fmt.Errorf("project: column %q: %w", e.Name, err)
		}
		p.columns = append(p.columns, ev)
	}
	return p, nil
}

// Push emits the computed columns.
func (p *Project) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, ev := range p.columns {
		v, err := ev.Eval(rows.Cols, rows.Len)
		if err != nil {
			return fmt.Errorf("project: %w", err)
		}
		p.out.Cols[i] = v
	}
	p.out.Len = rows.Len
	return emit(p.out)
}
