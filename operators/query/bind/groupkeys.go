package bind

import (
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// groupsOf returns the groups of a SELECT, nil if it does not group.
func groupsOf(sc *scope, s *sql.Select, q *sql.Query, items []*selected) *groups {
	some := len(s.GroupBy) > 0 || s.Having != nil || sc.aggregates(s.Qualify) ||
		slices.ContainsFunc(items, func(item *selected) bool { return sc.aggregates(item.ast) }) ||
		slices.ContainsFunc(q.Order, func(o sql.Order) bool { return sc.aggregates(o.Expr) }) ||
		slices.ContainsFunc(s.Windows, func(w sql.NamedWindow) bool { return sc.aggregates(&sql.Expr{Window: w.Window}) })
	if !some && !s.GroupAll {
		return nil
	}
	in := *sc
	in.clause = "GROUP BY"
	g := &groups{b: sc.b, in: &in}
	asts := s.GroupBy
	if s.GroupAll {
		asts = nil
		for _, item := range items {
			switch {
			case item.ast == nil:
				g.addKey(item.Value, item.name)
			case !sc.isOfGroups(item.ast):
				asts = append(asts, item.ast)
			}
		}
	}
	if slices.ContainsFunc(asts, func(e *sql.Expr) bool { return e.Kind == sql.Grouping }) {
		g.groupingSets(asts, items)
		return g
	}
	for _, e := range asts {
		if !s.GroupAll {
			g.groupKey(e, items)
			continue
		}
		v := in.expr(e)
		if len(v.Expr.Columns()) > 0 { // as in DuckDB, a constant is not a key
			g.addKey(v, e.String())
		}
	}
	if !some && len(g.keys) == 0 { // GROUP BY ALL of constants alone does nothing
		return nil
	}
	return g
}

// groupKey binds a key of GROUP BY, which may be the number of a column, and returns its
// index among the keys.
func (g *groups) groupKey(e *sql.Expr, items []*selected) int {
	name := e.String()
	at, ok := place(e, len(items))
	switch {
	case ok && items[at].ast == nil:
		return g.addKey(items[at].Value, items[at].name)
	case ok:
		e, name = items[at].ast, items[at].name
	}
	return g.addKey(g.in.expr(scalar.SortKey(g.collatedKey(e))), name)
}

func (g *groups) addKey(v scalar.Value, name string) int {
	if i := g.keyOf(v); i >= 0 {
		return i
	}
	g.b.Work.Do(1 + len(g.keys)/32)
	k := key{Value: v, text: v.Expr.Canonical()}
	if k.column = v.Expr.Name; v.Expr.Op != expr.OpColumn || g.in.outer.reads(v.Expr) {
		k.column = g.b.Unique(name)
	}
	g.keys = append(g.keys, k)
	return len(g.keys) - 1
}

// keyOf returns the index of the key that equals a value, -1 if it is not a key.
func (g *groups) keyOf(v scalar.Value) int {
	if len(g.keys) == 0 {
		return -1
	}
	text := v.Expr.Canonical()
	return slices.IndexFunc(g.keys, func(k key) bool { return k.Type == v.Type && k.text == text })
}
