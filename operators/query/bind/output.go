package bind

import (
	"slices"
	"strings"

	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// outputOf names the columns of a SELECT within the plan. It adds hidden columns for sort keys
// that are not selected.
func outputOf(sc *scope, q *sql.Query, items []*selected, in, out *relation) []plan.Named {
	var columns []plan.Named
	made := make(map[string]string) // columns by their expressions
	taken := make(map[string]bool)
	for _, item := range items {
		item.column = sc.b.Unique(item.name)
		named := item.ast == nil || item.ast.Kind == sql.Column // it already has a name in the plan
		if named && !sc.outer.reads(item.Expr) && item.Expr.Op == expr.OpColumn && made[item.Expr.String()] == "" && !taken[item.Expr.Name] {
			item.column = item.Expr.Name
		}
		if what := item.result().String(); made[what] == "" {
			made[what] = item.column
		}
		columns, taken[item.column] = append(columns, plan.As(item.column, item.Expr)), true
		out.fields = append(out.fields, field{name: item.name, column: item.column, typ: item.Type, null: item.Null, untyped: item.Untyped, json: item.IsJSON()})
	}
	if q.OrderAll != nil {
		out.order = orderAll(*q.OrderAll, out.fields)
		return columns
	}
	hidden := func(name string, e *expr.Expr) string {
		if made[e.String()] == "" {
			column := e.Name
			if e.Op != expr.OpColumn || taken[column] || sc.outer.reads(e) {
				column = sc.b.Unique(name)
			}
			made[e.String()] = column
			columns, taken[column] = append(columns, plan.As(column, e)), true
		}
		return made[e.String()]
	}
	distinct := q.Select.Distinct && q.Select.DistinctOn == nil
	for _, o := range ordersOf(sc.b, q, in.fields) {
		e := orderKeyOf(sc, o, items)
		unknown := func(column string) bool { return made[expr.Col(column).String()] == "" }
		if distinct && made[e.String()] == "" && slices.ContainsFunc(e.Columns(), unknown) {
			panic(sql.Wrong(o.Expr.At, "Next: select it as well.", "with DISTINCT the order must be by columns that are selected"))
		}
		out.order = append(out.order, orderBy(hidden("order", e), o))
	}
	if len(q.Order) == 0 && sc.groups == nil && !distinct {
		for _, o := range in.order {
			o.Column = hidden(o.Column, expr.Col(o.Column))
			out.order = append(out.order, o)
		}
	}
	return columns
}

// orderKeyOf binds a key of ORDER BY: a column of the SELECT by its number or name, or an
// expression. In an expression, names refer to columns of the tables first.
func orderKeyOf(sc *scope, o sql.Order, items []*selected) *expr.Expr {
	at, ok := place(o.Expr, len(items))
	if !ok && o.Expr.Kind == sql.Column && len(o.Expr.Path) == 1 {
		at, ok = namedItem(sc, o.Expr.Path[0], items)
	}
	switch {
	case ok && items[at].collated:
		o.Expr = items[at].ast
	case ok:
		return items[at].result()
	}
	return sc.expr(scalar.SortKey(o.Expr)).Expr
}

// namedItem returns the place of the column of SELECT to which a name in ORDER BY refers: the one that is given the
// name there. If none is, several with the name are those of the tables, whose names must say which is meant.
func namedItem(sc *scope, name string, items []*selected) (at int, ok bool) {
	given := sc.aliases[strings.ToLower(name)]
	if at = slices.IndexFunc(items, func(item *selected) bool { return given != nil && item.ast == given }); at >= 0 {
		return at, true
	}
	is := func(item *selected) bool { return strings.EqualFold(item.name, name) }
	if at = slices.IndexFunc(items, is); at < 0 {
		return at, false
	}
	another := func(item *selected) bool { return is(item) && item.result().String() != items[at].result().String() }
	return at, given != nil || !slices.ContainsFunc(items[at+1:], another)
}

// result is the value of the column after unnesting.
func (s *selected) result() *expr.Expr {
	if s.unnest {
		return expr.Col(s.column)
	}
	return s.Expr
}
