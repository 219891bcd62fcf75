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
	where   *expr.Evaluator
	decoder decoder
	hits    []int32
	columns []gathered
	out     columnar.Rows
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
	f := &Filter{where: where, decoder: newDecoder(in), columns: make([]gathered, len(in)), out: columnar.NewRows(in)}
	for i, v := range f.out.Cols {
		f.columns[i].values = v
	}
	for _, name := range condition.Columns() {
		f.decoder.read(in.Index(name))
	}
	return f, nil
}

// Push emits the rows that pass. If all pass, it emits the batch itself.
func (f *Filter) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	hits, err := f.where.Select(f.decoder.decode(rows), rows.Len, f.hits[:0])
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
	for i, v := range rows.Cols {
		f.out.Cols[i] = f.columns[i].of(v, hits)
	}
	f.out.Len = len(hits)
	return emit(f.out)
}

// HandsOn returns the column of the output that is a column of the input, which is coded then if that one is, and
// whether it may be.
func (f *Filter) HandsOn(column int) (as []int, whole bool) {
	return []int{column}, f.decoder.takesCoded(column)
}
