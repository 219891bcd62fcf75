package window_test

import (
	"context"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/window"
)

// aggregated returns the result that an aggregation has for a call over rows of
// its argument only.
func aggregated(c window.Call, rows columnar.Rows) (*columnar.Vector, error) {
	agg := aggregate.Agg{Func: aggregate.Func(c.Func), Args: c.Args, Param: c.Param, Name: "value"}
	columns := []int{0}
	if len(c.Args) > 0 {
		columns[0] = schema.Index(c.Args[0])
	}
	in := schema.Project(columns)
	op, err := aggregate.New(&operators.Runtime{Budget: budget.New(0)}, aggregate.Config{Input: in, Aggs: []aggregate.Agg{agg}})
	if err != nil {
		return nil, err
	}
	if rows.Len > 0 {
		if err := op.Push(context.Background(), 0, rows, nil); err != nil {
			return nil, err
		}
	}
	out := columnar.NewRows(op.Schema())
	err = op.Finish(context.Background(), 0, func(page columnar.Rows) error {
		out.AppendRange(page, 0, page.Len)
		return nil
	})
	return out.Cols[0], err
}
