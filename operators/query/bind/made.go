package bind

import (
	"cmp"
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// makesRows reports whether a call in FROM makes rows from a list.
func makesRows(call *sql.Expr) bool {
	return call != nil && (slices.Contains([]string{unnestName, "range", "generate_series"}, call.Text) || makesParts(call))
}

// makesParts reports whether a call makes rows from parts of JSON, each with several columns.
func makesParts(call *sql.Expr) bool { return call.Text == "json_each" || call.Text == "json_tree" }

// spread puts the fields of structs in the place of their column, behind the others.
func (b *binder) spread(rel *relation, of field) *relation {
	fields := columnar.Only(rel.fields, func(f field) bool { return f.column != of.column })
	columns := columnar.Only(rel.all(), func(c plan.Named) bool { return c.Name != of.column })
	order := columnar.Only(rel.order, func(o plan.Order) bool { return o.Column != of.column })
	for i, f := range of.typ.Fields() {
		column := b.Unique(cmp.Or(f.Name, "item"))
		columns = append(columns, plan.As(column, expr.FieldAt(expr.Col(of.column), i+1)))
		fields = append(fields, field{name: f.Name, column: column, typ: f.Type})
	}
	return &relation{node: rel.node.Project(columns...), fields: fields, order: order}
}

// isLateral reports whether an item of FROM makes its rows from columns of the items before
// it.
func isLateral(f *sql.From) bool {
	if f.Join != nil || !makesRows(f.Call) {
		return false
	}
	return has(f.Call, func(e *sql.Expr) bool { return e.Kind == sql.Column })
}

// made binds a function in FROM that makes rows. The column has the name of the function.
func (w around) made(f *sql.From) *relation {
	if isLateral(f) && w.outer == nil {
		panic(sql.Unsupported(f.At, "Next: make unnest a column of SELECT, in a query in FROM.", "lists of other tables here"))
	}
	call := f.Call
	switch {
	case f.Ordinality:
		call = numberedItems(call)
	case makesParts(call), call.Text != unnestName && has(call, func(e *sql.Expr) bool { return e.Query != nil }):
		call = call.At.Call(unnestName, call)
	case call.Text != unnestName:
		return w.series(call)
	}
	rows := &sql.Query{At: f.At, Select: &sql.Select{At: f.At, Items: []sql.Item{{Expr: call, Alias: f.Call.Text}}}}
	rel := w.query(rows)
	if f.Ordinality || makesParts(f.Call) {
		rel = w.b.spread(rel, rel.fields[0])
	}
	if nameNumbered(rel.fields, f); f.Ordinality {
		rel.order = []plan.Order{{Column: rel.fields[len(rel.fields)-1].column}}
	}
	return rel
}

// numberedItems is a call that makes rows from a list as one that makes pairs of each item and its number, from 1 on.
func numberedItems(call *sql.Expr) *sql.Expr {
	list := call
	switch {
	case makesParts(call):
		panic(sql.Unsupported(call.At, "Next: number the rows by row_number() OVER ().", "WITH ORDINALITY behind "+call.Text))
	case call.Text == unnestName:
		scalar.Functions.Find(unnestName).CheckCount(call)
		list = call.Args[0]
	}
	at := call.At
	numbers := at.Call("generate_series", at.Number(1), at.Call("length", list))
	return at.Call(unnestName, at.Call("list_zip", list, numbers))
}

// nameNumbered names the last two columns, which numberedItems made, if it did.
func nameNumbered(fields []field, f *sql.From) {
	if f.Ordinality {
		fields[len(fields)-2].name, fields[len(fields)-1].name = f.Call.Text, "ordinality"
	}
}

// nothing is a relation of one row without columns.
func (b *binder) nothing(at sql.Span) *relation {
	if b.catalog.Nothing != nil {
		rel := b.table(b.catalog.Nothing)
		rel.fields, rel.order = nil, nil
		return rel
	}
	names := slices.Sorted(maps.Keys(b.catalog.Tables))
	if len(names) == 0 {
		panic(sql.Unsupported(at, "", "queries without FROM"))
	}
	// An aggregation without keys gives one row, even of no rows.
	none := b.table(b.catalog.Tables[names[0]]).node.Filter(expr.Bool(false))
	return &relation{node: none.Aggregate(nil, plan.Agg{Func: plan.Count, Name: b.Unique("none")})}
}

// lateral joins the inputs into one relation that has a row for each item of a list of their
// columns. If outer is set, it keeps rows whose list has no items, with a null. Conditions of
// WHERE that concern the inputs alone are applied before.
func (in *inputs) lateral(f *sql.From, w around, outer bool) {
	fields := in.fields()
	list := w.scope("FROM", fields).row().ListOf(listArgument(f))
	if len(in.rels) > 1 {
		in.filterBy(w.scope("WHERE", fields))
	}
	if outer {
		list.Expr = expr.If(expr.Gt(expr.Len(list.Expr), expr.Int(0)), list.Expr, expr.Call(expr.OpListOf, expr.Null(list.Type.Item())))
	}
	rel := in.join()
	before := len(rel.fields)
	made, item := in.unnested(rel, list, f.Call.Text)
	if f.Ordinality || makesParts(f.Call) {
		made = in.b.spread(made, item)
	}
	nameNumbered(made.fields, f)
	named := (&relation{fields: made.fields[before:]}).renamed(cmp.Or(f.Alias, f.Call.Text), f.Columns, f.At)
	made.fields = append(made.fields[:before:before], named.fields...)
	in.rels, in.conditions = []*relation{made}, nil
}

// listArgument returns the list of whose items a function in FROM makes rows.
func listArgument(f *sql.From) *sql.Expr {
	call := f.Call
	if f.Ordinality {
		call = numberedItems(call)
	}
	if call.Text != unnestName {
		return call
	}
	scalar.Functions.Find(unnestName).CheckCount(call)
	return call.Args[0]
}

// filterBy takes over the conditions of WHERE that can be bound in a scope of the inputs so far.
func (in *inputs) filterBy(s *scope) {
	for _, c := range conjuncts(in.where, nil) {
		var v *expr.Expr
		if in.b.Attempt(func() { v = s.condition(c) }) == nil {
			in.conditions = append(in.conditions, expr.Conjuncts(v)...)
		}
	}
}

// unnested returns a relation with a row for each item of a list, which is its last field. The items keep
// their order where the rows have one.
func (in *inputs) unnested(rel *relation, list scalar.Value, name string) (made *relation, item field) {
	item = field{name: name, column: in.b.Unique(name), typ: list.Type.Item()}
	columns := append([]plan.Named{plan.As(item.column, list.Expr)}, rel.all()...)
	made = &relation{node: rel.node.Project(columns...), fields: append(slices.Clone(rel.fields), item)}
	items := plan.Unnested{Column: item.column, As: item.column}
	if rel.order == nil && !hasOneRow(rel.node, in.b.catalog.Nothing) {
		made.node = made.node.UnnestAll(items)
		return made, item
	}
	var within plan.Order
	made.node, within = in.b.placed(made.node, names(columns), items)
	made.order = append(slices.Clone(rel.order), within)
	return made, item
}
