package rowwise

import (
	"context"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/expr"
)

// Filter passes on the rows for which a condition is true.
type Filter struct {
	stateless
	where *expr.Evaluator
	hits  []int32
	out   columnar.Rows
}

// NewFilter returns a filter of rows with the columns in. It fails when the
// condition does not fit these columns.
func NewFilter(rt *operators.Runtime, in columnar.Schema, condition *expr.Expr) (*Filter, error) {
	where, err := expr.Compile(condition, in, rt.Env)
	if err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	if t := where.Type(); t != columnar.Bool {
		return nil, fmt.Errorf("filter: %s is %s, not a condition", condition, t)
	}
	return &Filter{where: where, out: columnar.NewRows(in)}, nil
}

// Push emits the rows that pass. If all pass, it emits the batch itself.
func (f *Filter) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	hits, err := f.where.Select(rows.Cols, rows.Len, f.hits[:0])
	if err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	f.hits = hits
	switch len(hits) {
	case 0:
		return nil
	case rows.Len:
		return emit(rows)
	}
	f.out.Reset()
	f.out.AppendGather(rows, hits)
	return emit(f.out)
}
