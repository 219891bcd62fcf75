package bind

import (
	"math"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/window"
)

// The conditions on the number of a row, from 1 on, that a LIMIT leaves which is computed, or is in percent
// of all rows.
var (
	amongFirst   = scalar.NewFormula("n, skip, most", "n > coalesce(skip, 0) AND (most IS NULL OR n - coalesce(skip, 0) <= most)")
	amongPercent = scalar.NewFormula("n, skip, part, total", "n > coalesce(skip, 0) AND (part IS NULL OR n - coalesce(skip, 0) <= total * part / 100)")
)

// limit keeps the rows of a query that its LIMIT and OFFSET leave.
func (w around) limit(q *sql.Query, rel *relation) {
	if q.Limit == nil && q.Offset == nil {
		return
	}
	sc := w.scope("LIMIT", nil).asking(w.with)
	most, skip := rowCount(sc, q.Limit, "limit", q.Percent), rowCount(sc, q.Offset, "offset", false)
	rows, known := literalCount(most)
	first, also := literalCount(skip)
	if known && also && !q.Percent {
		if first == nil {
			first = new(int64)
		}
		rel.node = rel.node.Slice(*first, rows, rel.order...)
		return
	}
	visible, number := rel.fields, w.b.hidden(w.b.Unique("number"), columnar.Int)
	rel.node = rel.node.Window(nil, rel.order, plan.Call{Func: window.RowNumber, Name: number.column})
	rel.fields = append(rel.fields[:len(rel.fields):len(rel.fields)], number)
	values, among := []scalar.Value{w.b.columnOf(number, q.At), skip, most}, amongFirst
	if q.Percent {
		total := w.b.hidden(w.b.Unique("total"), columnar.Int)
		rel.node = rel.node.Window(nil, nil, plan.Call{Func: window.Func(aggregate.Count), Name: total.column})
		rel.fields = append(rel.fields, total)
		values, among = append(values, w.b.columnOf(total, q.At)), amongPercent
	}
	where := among.Value(w.b.Statement, q.At, values).Expr
	sc.queries.attach(rel)
	rel.node, rel.fields = rel.node.Filter(where), visible
	rel.order = []plan.Order{plan.Asc(number.column)}
}

// literalCount returns a number of rows that is known, nil where there is none.
func literalCount(v scalar.Value) (n *int64, known bool) {
	if v.Null {
		return nil, true
	}
	literal := v.Expr.Literal()
	if literal == nil {
		return nil, false
	}
	return &literal.Int, true
}

// rowCount binds a limit or an offset, which is null if there is none.
func rowCount(sc *scope, of *sql.Expr, what string, percent bool) scalar.Value {
	if of == nil {
		return scalar.NullAt(sql.Span{})
	}
	v := sc.expr(of)
	if v.Null {
		return v
	}
	is, most := map[string]string{"limit": "a limit is a whole number from 0 on", "offset": "an offset is a whole number from 0 on"}[what], int64(math.MaxInt64)
	if percent {
		is, most = "a limit in percent is a number from 0 to 100", 100
	}
	if sc.b.Attempt(func() { v = scalar.AsNumber(v) }) == nil {
		if v.Type != columnar.Int && !percent {
			v = scalar.IntOf(expr.Call(expr.OpToInt, v.Expr))
		}
		v.Expr = v.Expr.Fold()
		within := expr.And(scalar.Compare(expr.OpGe, v, scalar.IntOf(expr.Int(0))), scalar.Compare(expr.OpLe, v, scalar.IntOf(expr.Int(most))))
		if yes := within.Fold().Literal(); yes == nil || yes.Null || yes.Bool {
			return v
		}
	}
	panic(sql.Wrong(of.At, "", "%s", is))
}
