package bind

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/window"
)

// setOperation binds UNION, INTERSECT and EXCEPT.
func (w around) setOperation(q *sql.Query) *relation {
	if q.ByName && q.Op != sql.Union && q.Op != sql.UnionAll {
		panic(sql.Unsupported(q.OpAt, "", string(q.Op)+" operations BY NAME"))
	}
	left, right := w.query(q.Left), w.query(q.Right)
	out := &relation{}
	var sides [2][]plan.Named
	var keys []string
	for _, p := range pairColumns(w.b, q, left.fields, right.fields) {
		both, like := combined(p.values[:])
		name := w.b.Unique(p.name)
		for i := range sides {
			sides[i] = append(sides[i], plan.As(name, both[i]))
		}
		out.fields = append(out.fields, field{name: p.name, column: name, typ: like.Type, null: like.Null, untyped: like.Untyped, json: like.JSON})
		keys = append(keys, name)
	}
	switch q.Op {
	case sql.Union, sql.UnionAll:
		out.node = plan.UnionAll(left.node.Project(sides[0]...), right.node.Project(sides[1]...))
		if q.Op == sql.Union {
			out.node = out.node.Distinct(keys...)
		}
	case sql.Intersect, sql.Except:
		out.node = w.b.inBoth(left.node.Project(sides[0]...), right.node.Project(sides[1]...), keys, q.Op == sql.Intersect)
	default:
		// Each side numbers its equal rows, so that the numbers tell duplicates apart.
		number := w.b.Unique("number")
		l, r := numbered(left.node.Project(sides[0]...), keys, number), numbered(right.node.Project(sides[1]...), keys, number)
		out.node = w.b.inBoth(l, r, append(slices.Clone(keys), number), q.Op == sql.IntersectAll).Select(keys...)
	}
	w.b.orderOutput(q, out)
	return out
}

// numbered adds a column that numbers equal rows of a plan from 1.
func numbered(node *plan.Node, keys []string, name string) *plan.Node {
	return node.Window(keys, nil, plan.Call{Func: window.RowNumber, Name: name})
}

// columnPair is a column of a set operation, with its value on each side.
type columnPair struct {
	name   string
	values [2]scalar.Value
}

// pairColumns pairs the columns of two sides by position or by name. By name, a column that
// one side lacks is null there.
func pairColumns(b *binder, q *sql.Query, left, right []field) (pairs []columnPair) {
	if !q.ByName && len(left) != len(right) {
		panic(sql.Wrong(q.OpAt, "Next: select as many columns on both sides, or write UNION BY NAME.", "the two sides of %s have %d and %d columns", q.Op, len(left), len(right)))
	}
	column := func(of *sql.Query, fields []field, at int) scalar.Value {
		if at < 0 {
			return scalar.NullAt(of.At)
		}
		return b.Roomed(b.columnOf(fields[at], of.At))
	}
	for i, f := range left {
		at := i
		if q.ByName {
			at = indexOf(right, f.name)
		}
		pairs = append(pairs, columnPair{f.name, [2]scalar.Value{column(q.Left, left, i), column(q.Right, right, at)}})
	}
	for i, f := range right {
		if q.ByName && indexOf(left, f.name) < 0 {
			pairs = append(pairs, columnPair{f.name, [2]scalar.Value{column(q.Left, left, -1), column(q.Right, right, i)}})
		}
	}
	return pairs
}

// inBoth returns the distinct rows of the left side that the right side has too, or those that
// it does not have. Nulls are equal here, as in groups.
func (b *binder) inBoth(left, right *plan.Node, keys []string, both bool) *plan.Node {
	l, r := b.Unique("left"), b.Unique("right")
	side := func(n *plan.Node, isLeft, isRight int64) *plan.Node {
		return n.Project(append(plan.Cols(keys...), plan.As(l, expr.Int(isLeft)), plan.As(r, expr.Int(isRight)))...)
	}
	inLeft, inRight := b.Unique("in_left"), b.Unique("in_right")
	groups := plan.UnionAll(side(left, 1, 0), side(right, 0, 1)).
		Aggregate(keys, plan.Agg{Func: plan.Max, Args: []string{l}, Name: inLeft}, plan.Agg{Func: plan.Max, Args: []string{r}, Name: inRight})
	there := int64(0)
	if both {
		there = 1
	}
	return groups.Filter(expr.And(expr.Eq(expr.Col(inLeft), expr.Int(1)), expr.Eq(expr.Col(inRight), expr.Int(there)))).Select(keys...)
}

// mostValues bounds the rows of VALUES, since each becomes a part of the plan.
const mostValues = 400

// rowsOf binds VALUES as a union with one projection of nothing for each row.
func (w around) rowsOf(q *sql.Query) *relation {
	if len(q.Values) > mostValues {
		panic(sql.Unsupported(q.At, "Next: put the rows into a file.", fmt.Sprintf("VALUES lists of more than %d rows", mostValues)))
	}
	base, at := w.b.nothing(q.At), w.b.Unique("row")
	sc := w.scope("VALUES", nil).asking(w.with)
	rows := make([][]plan.Named, len(q.Values))
	out := &relation{order: []plan.Order{plan.Asc(at)}}
	w.b.Types[at] = columnar.Int
	for c := range q.Values[0] {
		var values []scalar.Value
		for _, row := range q.Values {
			if len(row) != len(q.Values[0]) {
				panic(sql.Wrong(row[0].At, "", "there is a row of %d values and one of %d", len(q.Values[0]), len(row)))
			}
			values = append(values, sc.expr(row[c]))
		}
		all, like := scalar.CommonLike(values)
		name := fmt.Sprintf("col%d", c)
		column := w.b.Unique(name)
		for i := range rows {
			rows[i] = append(rows[i], plan.As(column, all[i]))
		}
		out.fields = append(out.fields, field{name: name, column: column, typ: like.Type, null: like.Null, untyped: like.Untyped, json: like.JSON})
	}
	var parts []*plan.Node
	sc.queries.attach(base)
	for i, row := range rows {
		parts = append(parts, base.node.Project(append(row, plan.As(at, expr.Int(int64(i))))...))
	}
	if out.node = unionOf(parts); len(q.Order) > 0 || q.OrderAll != nil {
		w.b.orderOutput(q, out)
	}
	return out
}

// combined is common for columns of set operations, whose numbers, dates and the like become texts beside
// texts. Texts become UUIDs and bytes beside these.
func combined(values []scalar.Value) ([]*expr.Expr, scalar.Value) {
	for _, t := range []columnar.Type{columnar.UUID, columnar.Bytes} {
		if slices.ContainsFunc(values, func(v scalar.Value) bool { return v.Type == t }) {
			values = columnar.Each(values, func(v scalar.Value) scalar.Value {
				if v.Type == columnar.Text && !v.Null {
					v = scalar.Value{Expr: expr.CastText(v.Expr, t, false), Type: t, At: v.At}
				}
				return v
			})
		}
	}
	texts := slices.ContainsFunc(values, func(v scalar.Value) bool { return v.Type == columnar.Text && !v.Null })
	others := slices.ContainsFunc(values, func(v scalar.Value) bool { return v.Type != columnar.Text && !v.Null })
	nested := slices.ContainsFunc(values, func(v scalar.Value) bool { return v.Type.Item() != columnar.Invalid || v.Type.IsNested() })
	if texts && others && !nested {
		return columnar.Each(values, scalar.AsText), scalar.Value{Type: columnar.Text}
	}
	return scalar.CommonLike(values)
}
