package bind

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
	"analyzer/operators/window"
)

// setOperation binds UNION, INTERSECT and EXCEPT.
func (b *binder) setOperation(q *sql.Query, w *withs) (*relation, error) {
	switch {
	case q.ByName && q.Op != sql.Union && q.Op != sql.UnionAll:
		return nil, sql.Unsupported(q.OpAt, "", string(q.Op)+" operations BY NAME")
	}
	left, err := b.query(q.Left, w)
	if err != nil {
		return nil, err
	}
	right, err := b.query(q.Right, w)
	if err != nil {
		return nil, err
	}
	pairs, err := pairColumns(q, left.visible(), right.visible())
	if err != nil {
		return nil, err
	}
	out := &relation{bytes: left.bytes + right.bytes}
	var sides [2][]plan.Named
	var keys []string
	for _, p := range pairs {
		both, t, err := b.common(p.values[:], []sql.Span{q.Left.At, q.Right.At})
		if err != nil {
			return nil, err
		}
		name := b.unique(p.name)
		for i := range sides {
			sides[i] = append(sides[i], plan.As(name, both[i]))
		}
		out.fields = append(out.fields, field{name: p.name, column: name, typ: t, null: allNull(p.values[:])})
		keys = append(keys, name)
	}
	switch q.Op {
	case sql.Union, sql.UnionAll:
		out.node = plan.UnionAll(left.node.Project(sides[0]...), right.node.Project(sides[1]...))
		if q.Op == sql.Union {
			out.node = out.node.Distinct(keys...)
		}
	case sql.Intersect, sql.Except:
		out.node = b.inBoth(left.node.Project(sides[0]...), right.node.Project(sides[1]...), keys, q.Op == sql.Intersect)
	default:
		// Of rows that are equal each side numbers its own.
		number := b.unique("number")
		l, r := numbered(left.node.Project(sides[0]...), keys, number), numbered(right.node.Project(sides[1]...), keys, number)
		out.node = b.inBoth(l, r, append(slices.Clone(keys), number), q.Op == sql.IntersectAll).Select(keys...)
	}
	return out, b.orderOutput(q, out)
}

// numbered numbers the rows of a plan that are equal.
func numbered(node *plan.Node, keys []string, name string) *plan.Node {
	return node.Window(keys, nil, plan.Call{Func: window.RowNumber, Name: name})
}

// columnPair is a column of a set operation: a value of each side.
type columnPair struct {
	name   string
	values [2]typed
}

func partOf(f field) typed { return typed{e: expr.Col(f.column), t: f.typ, null: f.null} }

// pairColumns puts the columns of two sides beside each other, by place or by name;
// by name, what one side does not have is null.
func pairColumns(q *sql.Query, left, right []field) ([]columnPair, error) {
	var pairs []columnPair
	if !q.ByName {
		if len(left) != len(right) {
			return nil, sql.Wrong(q.OpAt, "", "the two sides of %s have %d and %d columns", q.Op, len(left), len(right))
		}
		for i, f := range left {
			pairs = append(pairs, columnPair{f.name, [2]typed{partOf(f), partOf(right[i])}})
		}
		return pairs, nil
	}
	null := typed{e: expr.Null(columnar.Int), t: columnar.Int, null: true}
	for _, f := range left {
		p := columnPair{f.name, [2]typed{partOf(f), null}}
		if at := indexOf(right, f.name); at >= 0 {
			p.values[1] = partOf(right[at])
		}
		pairs = append(pairs, p)
	}
	for _, f := range right {
		if indexOf(left, f.name) < 0 {
			pairs = append(pairs, columnPair{f.name, [2]typed{null, partOf(f)}})
		}
	}
	return pairs, nil
}

// inBoth keeps the distinct rows of the left side that are, or are not, on the right
// side too. Nulls are equal here, as they are in groups.
func (b *binder) inBoth(left, right *plan.Node, keys []string, both bool) *plan.Node {
	l, r := b.unique("left"), b.unique("right")
	side := func(n *plan.Node, isLeft, isRight int64) *plan.Node {
		return n.Project(append(plan.Cols(keys...), plan.As(l, expr.Int(isLeft)), plan.As(r, expr.Int(isRight)))...)
	}
	inLeft, inRight := b.unique("in_left"), b.unique("in_right")
	groups := plan.UnionAll(side(left, 1, 0), side(right, 0, 1)).
		Aggregate(keys, plan.Agg{Func: plan.Max, Arg: l, Name: inLeft}, plan.Agg{Func: plan.Max, Arg: r, Name: inRight})
	there := int64(0)
	if both {
		there = 1
	}
	return groups.Filter(expr.And(expr.Eq(expr.Col(inLeft), expr.Int(1)), expr.Eq(expr.Col(inRight), expr.Int(there)))).Select(keys...)
}

// mostValues is how many rows VALUES can have, each of which is a part of the plan.
const mostValues = 400

// rowsOf binds VALUES: the columns of each row over one row of nothing.
func (b *binder) rowsOf(q *sql.Query) (*relation, error) {
	switch {
	case b.catalog.Nothing == nil:
		return nil, sql.Unsupported(q.At, "", "queries without FROM")
	case len(q.Values) > mostValues:
		return nil, sql.Unsupported(q.At, "Next: put the rows into a file.", fmt.Sprintf("VALUES lists of more than %d rows", mostValues))
	}
	base, at := b.table("", b.catalog.Nothing), b.unique("row")
	rows := make([][]plan.Named, len(q.Values))
	out := &relation{order: []plan.Order{plan.Asc(at)}}
	for c := range q.Values[0] {
		var values []typed
		var places []sql.Span
		for _, row := range q.Values {
			if len(row) != len(q.Values[0]) {
				return nil, sql.Wrong(row[0].At, "", "there is a row of %d values and one of %d", len(q.Values[0]), len(row))
			}
			v, err := b.expr(row[c], &scope{clause: "VALUES"})
			if err != nil {
				return nil, err
			}
			values, places = append(values, v), append(places, row[c].At)
		}
		all, t, err := b.common(values, places)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("col%d", c)
		column := b.unique(name)
		for i := range rows {
			rows[i] = append(rows[i], plan.As(column, all[i]))
		}
		out.fields = append(out.fields, field{name: name, column: column, typ: t, null: allNull(values)})
	}
	var parts []*plan.Node
	for i, row := range rows {
		parts = append(parts, base.node.Project(append(row, plan.As(at, expr.Int(int64(i))))...))
	}
	if out.node = parts[0]; len(parts) > 1 {
		out.node = plan.UnionAll(parts...)
	}
	if len(q.Order) > 0 || q.OrderAll != nil {
		return out, b.orderOutput(q, out)
	}
	return out, nil
}
