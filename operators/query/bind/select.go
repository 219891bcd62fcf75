package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// selected is one column of a SELECT.
type selected struct {
	name string
	ast  *sql.Expr // nil for a column of a star
	at   sql.Span  // the column or the star
	scalar.Value
	column string // within the plan
	// collated means that it is a column of the answer with a collation.
	collated bool
	// unnest means that e is a list, and each of its items becomes a row.
	unnest bool
}

// selection binds a SELECT with its order.
func (w around) selection(q *sql.Query) *relation {
	s := q.Select
	in := w.from(s)
	sc := w.scope("", in.fields).asking(w.with)
	sc.places, sc.aliases = placesOf(in.fields), aliasesOf(s)
	items := w.items(s, in, sc)
	q = byCollations(w.b, q, items)
	s = q.Select
	rows := sc.queries
	if g := groupsOf(sc, s, q, items); g != nil {
		g.rows = in
		sc.groups, sc.queries = g, newSubqueries(w.b, w.with)
	}
	of := *sc
	of.clause = "HAVING"
	having := of.condition(s.Having)
	sc.windows = &windows{b: w.b, named: s.Windows}
	bindItems(sc, items)
	out := &relation{}
	if len(items) == 0 {
		panic(sql.Wrong(s.At, "", "no column is left"))
	}
	columns := outputOf(sc, q, items, in, out)
	qualify := qualify(sc, q, items)
	rows.attach(in)
	out.node = in.node
	if sc.groups != nil {
		groups := sc.groups.relation()
		groups.node = sc.groups.group(in.node)
		sc.queries.attach(groups)
		out.node = groups.node
	}
	if having != nil {
		out.node = out.node.Filter(having)
	}
	if len(sc.windows.all) > 0 {
		ties := in.order
		if sc.groups != nil {
			ties = nil
		}
		out.node = sc.windows.over(out.node, append(columns, plan.As("", qualify)), ties)
	}
	if qualify != nil {
		out.node = out.node.Filter(qualify)
	}
	out.node = out.node.Project(columns...)
	w.b.unnestItems(q, items, out)
	if s.Distinct && s.DistinctOn == nil {
		out.node = out.node.Distinct(names(columns)...)
	}
	return out
}

// unnestItems turns the items of lists in columns of a SELECT into rows. They are in their order if nothing else orders
// the rows.
func (b *binder) unnestItems(q *sql.Query, items []*selected, out *relation) {
	var lists []plan.Unnested
	for _, item := range items {
		if item.unnest {
			lists = append(lists, plan.Unnested{Column: item.column, As: item.column})
		}
	}
	if lists == nil {
		return
	}
	ordered := len(q.Order) > 0 || q.OrderAll != nil || q.Select.Distinct
	if ordered || len(out.order) == 0 && !hasOneRow(out.node, b.catalog.Nothing) {
		out.node = out.node.UnnestAll(lists...)
		return
	}
	var within plan.Order
	out.node, within = b.placed(out.node, names(out.node.Exprs), lists...)
	out.order = append(out.order, within)
}

// qualify binds the condition of QUALIFY or of DISTINCT ON. The latter is true for the first
// row, in the order of the query, of those with equal DISTINCT ON values.
func qualify(sc *scope, q *sql.Query, items []*selected) *expr.Expr {
	s := q.Select
	switch {
	case s.DistinctOn == nil:
		return sc.condition(s.Qualify)
	case q.OrderAll != nil:
		panic(sql.Unsupported(s.DistinctOn[0].At, "Next: name the columns of the order.", "DISTINCT ON clauses with ORDER BY ALL"))
	case slices.ContainsFunc(items, func(item *selected) bool { return item.unnest }):
		panic(sql.Unsupported(s.DistinctOn[0].At, "Next: put the query with unnest into FROM.", "DISTINCT ON clauses beside unnest"))
	case s.Qualify != nil:
		panic(sql.Unsupported(s.DistinctOn[0].At, "Next: put the query with QUALIFY into FROM.", "DISTINCT ON clauses beside QUALIFY"))
	}
	for _, e := range s.DistinctOn {
		refuseText(e)
	}
	at := s.DistinctOn[0].At
	first := &sql.Window{At: at, Partition: columnar.Each(s.DistinctOn, func(e *sql.Expr) *sql.Expr { return meant(e, items) })}
	for _, o := range q.Order {
		o.Expr = meant(o.Expr, items)
		first.Order = append(first.Order, o)
	}
	number := at.Call("row_number")
	number.Window = first
	return sc.condition(at.Binary("=", number, at.Number(1)))
}

// meant returns the column of the SELECT that an expression refers to by number or name, or
// else the expression itself.
func meant(e *sql.Expr, items []*selected) *sql.Expr {
	at, numbered := place(e, len(items))
	if numbered && items[at].ast == nil {
		panic(sql.Unsupported(e.At, "Next: name the column.", "numbers of columns that * stands for"))
	}
	if numbered {
		return items[at].ast
	}
	for _, item := range items {
		if e.Kind == sql.Column && len(e.Path) == 1 && strings.EqualFold(item.name, e.Path[0]) && item.ast != nil {
			return item.ast
		}
	}
	return e
}

// bindItems binds the columns of a SELECT.
func bindItems(sc *scope, items []*selected) {
	for _, item := range items {
		switch {
		case item.ast == nil && sc.groups != nil && sc.groups.keyOf(item.Value) < 0:
			panic(sql.Wrong(item.at, "", "the column %q, which * stands for, must be in GROUP BY or in an aggregate", item.name))
		case item.ast == nil:
			continue
		}
		s := *sc
		if sc.groups == nil {
			s.clause = ""
		}
		if name := strings.ToLower(item.name); sc.aliases[name] == item.ast {
			s = *sc.without(name) // a column cannot refer to itself
		}
		if isUnnest(item.ast) {
			s.unnest(item)
			continue
		}
		item.Value = s.expr(s.shown(item))
	}
}

// unnest binds a column that turns each item of a list into a row.
func (s *scope) unnest(item *selected) {
	scalar.Functions.Find(unnestName).CheckCount(item.ast)
	list := s.row().ListOf(item.ast.Args[0])
	item.Value, item.unnest = scalar.Value{Expr: list.Expr, Type: list.Type.Item()}, true
}
