package bind

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// mostSets bounds the grouping sets, since each becomes a part of the plan.
const mostSets = 64

// groupingSets binds a GROUP BY that stands for several sets of keys: the cross product of the
// sets of its elements.
func (g *groups) groupingSets(asts []*sql.Expr, items []*selected) {
	g.grouping = [][]int{{}}
	for _, e := range asts {
		sets := g.setsOf(e, items)
		var all [][]int
		for _, left := range g.grouping {
			for _, right := range sets {
				all = append(all, united(left, right))
			}
		}
		if g.grouping = all; len(all) > mostSets {
			panic(sql.Unsupported(e.At, "", fmt.Sprintf("more than %d grouping sets", mostSets)))
		}
	}
}

// united returns the union of sets of keys.
func united(sets ...[]int) []int {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return slices.Compact(all)
}

// setsOf returns the sets of keys that an element of GROUP BY stands for.
func (g *groups) setsOf(e *sql.Expr, items []*selected) (sets [][]int) {
	if e.Kind != sql.Grouping {
		return [][]int{g.keysOf(e, items)}
	}
	var units [][]int
	for _, a := range e.Args {
		if a.Kind == sql.Grouping && e.Text != "GROUPING SETS" {
			panic(sql.Wrong(a.At, "", "%s takes keys, and this is %s", e.Text, a.Text))
		}
		units = append(units, g.setsOf(a, items)...)
	}
	switch {
	case len(units) > mostSets || e.Text == "CUBE" && len(units) > 6:
		panic(sql.Unsupported(e.At, "", fmt.Sprintf("more than %d grouping sets", mostSets)))
	case e.Text == "GROUPING SETS":
		return units
	case e.Text == "ROLLUP":
		for n := len(units); n >= 0; n-- {
			sets = append(sets, united(units[:n]...))
		}
		return sets
	}
	for some := range 1 << len(units) {
		var of [][]int
		for i, u := range units {
			if some>>i&1 == 1 {
				of = append(of, u)
			}
		}
		sets = append(sets, united(of...))
	}
	return sets
}

// keysOf binds a key, or several in parentheses, which act as one.
func (g *groups) keysOf(e *sql.Expr, items []*selected) []int {
	parts := []*sql.Expr{e}
	if e.Kind == sql.Tuple {
		parts = e.Args
	}
	set := []int{}
	for _, p := range parts {
		set = append(set, g.groupKey(p, items))
	}
	return set
}

// groupingCall is a column of groups that says which of its keys are null because the grouping
// set lacks them: one bit for each key, the last key in the lowest bit.
type groupingCall struct {
	column string
	keys   []int
}

// groupingOf binds grouping(key, …).
func (g *groups) groupingOf(e *sql.Expr) scalar.Value {
	call := groupingCall{}
	for _, a := range e.Args {
		v := g.in.expr(a)
		at := g.keyOf(v)
		if at < 0 {
			panic(sql.Wrong(a.At, "", "%s takes keys of GROUP BY", e.Text))
		}
		call.keys = append(call.keys, at)
	}
	switch {
	case len(e.Args) == 0 || len(e.Args) > 63:
		panic(sql.Wrong(e.At, "", "it is %s(key, …)", e.Text))
	case g.grouping == nil:
		return scalar.IntOf(expr.Int(0))
	}
	call.column = g.b.Unique(e.String())
	g.calls = append(g.calls, call)
	return scalar.IntOf(expr.Col(call.column))
}

// of returns the value of the call for a grouping set.
func (c groupingCall) of(set []int) int64 {
	n := int64(0)
	for _, k := range c.keys {
		n <<= 1
		if !slices.Contains(set, k) {
			n |= 1
		}
	}
	return n
}

// groupSets returns the union of the groups of all sets. Those of many keys come first, since the planner
// computes others from them.
func (g *groups) groupSets(node *plan.Node) *plan.Node {
	var parts []*plan.Node
	sets := slices.Clone(g.grouping)
	slices.SortStableFunc(sets, func(a, b []int) int { return len(b) - len(a) })
	for _, set := range sets {
		own := *g
		own.keys = nil
		var keys []string
		var columns []plan.Named
		for i, k := range g.keys {
			if !slices.Contains(set, i) {
				columns = append(columns, plan.As(k.column, expr.Null(k.Type)))
				continue
			}
			own.keys, keys = append(own.keys, k), append(keys, k.column)
			columns = append(columns, plan.As(k.column, expr.Col(k.column)))
		}
		part := own.groupOnce(keys, node)
		columns = append(columns, plan.Cols(columnar.Each(g.columns(), func(a plan.Agg) string { return a.Name })...)...)
		for _, c := range g.calls {
			columns = append(columns, plan.As(c.column, expr.Int(c.of(set))))
		}
		parts = append(parts, part.Project(columns...))
	}
	return plan.UnionAll(parts...)
}
