package bind

import (
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// sumOfIntervals binds the sum of intervals, part by part.
func sumOfIntervals(g *groups, c aggregateCall) scalar.Value {
	switch {
	case g.window:
		panic(sql.UnsupportedTypes(c.e.At, "Next: compute with epoch(…), in seconds.", "sums and means of intervals in windows"))
	case c.e.Distinct:
		panic(sql.UnsupportedTypes(c.e.At, "Next: make the values distinct in a query within FROM.", "DISTINCT sums and means of intervals"))
	}
	var steps []scalar.Step
	for k, op := range []expr.Op{expr.OpMonthsOf, expr.OpDaysOf, expr.OpMicrosOf} {
		part := g.agg(plan.Agg{Func: plan.Sum}, c, scalar.IntOf(expr.Call(op, c.v.Expr)))
		steps = append(steps, scalar.Step{Op: scalar.Shifts[k], By: part.Expr})
	}
	return scalar.IntervalOf(steps, c.e.At)
}

// meanInterval binds the mean of intervals, part by part: what is left of a month is days.
func meanInterval(g *groups, c aggregateCall) scalar.Value {
	sum, count := sumOfIntervals(g, c), g.agg(plan.Agg{Func: plan.Count}, c, c.v)
	return scalar.TimesInterval(sum, count, expr.OpIntervalOver)
}
