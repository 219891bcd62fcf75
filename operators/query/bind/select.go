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
	// unnest means that e is a list, and each of its items becomes a row.
	unnest bool
}

// selection binds a SELECT with its order.
func (w around) selection(q *sql.Query) *relation {
	s := q.Select
	in := w.from(s)
	sc := &scope{b: w.b, fields: in.fields, places: placesOf(in.fields), aliases: aliasesOf(s), queries: newSubqueries(w.b, w.with), outer: w.outer}
	items := w.items(s, in, sc)
	rows := sc.queries
	if g := groupsOf(sc, s, q, items); g != nil {
		g.rows = in
		sc.groups, sc.queries = g, newSubqueries(w.b, w.with)
	}
	of := *sc
	of.clause = "HAVING"
	having := of.condition(s.Having)
	sc.windows = &windows{b: w.b, named: s.Windows, made: make(map[string]string)}
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
	var lists []plan.Unnested
	for _, item := range items {
		if item.unnest {
			lists = append(lists, plan.Unnested{Column: item.column, As: item.column})
		}
	}
	switch {
	case lists == nil:
	case len(q.Order) == 0 && q.OrderAll == nil && !s.Distinct && (len(out.order) > 0 || hasOneRow(out.node, w.b.catalog.Nothing)):
		var within plan.Order
		out.node, within = w.b.placed(out.node, names(columns), lists...)
		out.order = append(out.order, within)
	default:
		out.node = out.node.UnnestAll(lists...)
	}
	if s.Distinct && s.DistinctOn == nil {
		out.node = out.node.Distinct(names(columns)...)
	}
	return out
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

// items lists the columns of a SELECT, with stars expanded.
func (w around) items(s *sql.Select, in *relation, sc *scope) []*selected {
	b := w.b
	var all []*selected
	unnests := 0
	for _, item := range s.Items {
		if rowsList(item.Expr) != nil || item.Expr.Kind == sql.Call && item.Expr.Text == unnestName || unnestsWithin(item.Expr) != nil {
			unnests++
		}
	}
	for _, item := range s.Items {
		if item.Expr.Kind == sql.Star {
			all = append(all, b.star(item.Expr, in)...)
			continue
		}
		if fields := w.unnestedFields(item, unnests == 1, in); fields != nil {
			all = append(all, fields...)
			continue
		}
		of := withUnnested(b.unpacked(item.Expr, in.fields), sc.aliases, in.fields)
		if item.Alias == "" && (rowsList(of) != nil || unnestsWithin(of) != nil) {
			item.Alias = ownName(item.Expr)
		}
		item.Expr = asUnnest(of)
		if e := columnsWithin(item.Expr); e != nil {
			all = append(all, b.ofColumns(item, e, in)...)
			continue
		}
		name := item.Alias
		if name == "" {
			of := item.Expr
			if of.Kind == sql.Place {
				of = atPlace(of, in.fields)
			}
			name = spelled(of, sc)
		}
		all = append(all, &selected{name: name, at: item.Expr.At, ast: item.Expr})
	}
	return all
}

// ownName is the name of a column of SELECT that is given none: its text, or what it names.
func ownName(e *sql.Expr) string {
	if e.Kind == sql.Column {
		return e.Path[len(e.Path)-1]
	}
	return e.String()
}

// spelled is the ownName of an expression, in the letters in which a field has it.
func spelled(e *sql.Expr, in *scope) string {
	name := ownName(e)
	if e.Kind != sql.Column {
		return name
	}
	for _, f := range in.named(e.Path) {
		if at := len(f.name) - len(name); at >= 0 && strings.EqualFold(f.name[at:], name) {
			return f.name[at:]
		}
	}
	return name
}

func (b *binder) star(e *sql.Expr, in *relation) []*selected {
	if all := b.starOfStruct(e, in); all != nil {
		return all
	}
	named := b.starOf(e, in.fields)
	all := columnar.Each(named, func(f field) *selected { return &selected{name: f.name, at: e.At, Value: b.columnOf(f, e.At)} })
	for _, r := range e.Replace {
		for i, f := range named {
			if strings.EqualFold(f.name, r.Alias) {
				all[i] = &selected{name: f.name, at: e.At, ast: r.Expr}
			}
		}
	}
	for _, r := range e.Rename {
		column := (&scope{b: b, fields: named}).mustResolve(r.Expr).column
		for i, f := range named {
			if f.column == column {
				all[i].name = r.Alias
			}
		}
	}
	return all
}

// starOf returns the fields that a star stands for.
func (b *binder) starOf(e *sql.Expr, fields []field) []field {
	of := &scope{b: b, fields: fields}
	var named []field
	for _, f := range fields {
		if f.virtual {
			continue
		}
		if len(e.Path) == 0 && !f.merged || len(e.Path) > 0 && strings.EqualFold(f.table, e.Path[len(e.Path)-1]) {
			named = append(named, f)
		}
	}
	if len(named) == 0 && len(e.Path) > 0 {
		panic(of.unknown(e, e.Path[len(e.Path)-1], "*"))
	}
	for _, path := range e.Exclude {
		before := len(named)
		named = slices.DeleteFunc(named, func(f field) bool { return f.isAt(path) })
		if len(named) == before {
			panic(of.unknown(e, "", strings.Join(path, ".")))
		}
	}
	for _, r := range e.Replace {
		if indexOf(named, r.Alias) < 0 {
			panic(of.unknown(r.Expr, "", r.Alias))
		}
	}
	if len(e.Args) > 0 {
		return b.likeName(named, e)
	}
	return named
}

// isAt reports whether a path, which may begin with the name of a table, leads to a field, or to an object that the field is
// a part of.
func (f field) isAt(path []string) bool {
	name := strings.Join(path, ".")
	return strings.EqualFold(f.name, name) || isWithin(f, name+".") ||
		len(path) > 1 && strings.EqualFold(f.table, path[0]) && f.isAt(path[1:])
}

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
	return g.addKey(g.in.expr(e), name)
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
		if item.ast.Kind == sql.Call && item.ast.Text == unnestName {
			s.unnest(item)
			continue
		}
		item.Value = s.expr(item.ast)
	}
}

// unnest binds a column that turns each item of a list into a row.
func (s *scope) unnest(item *selected) {
	scalar.Functions.Find(unnestName).CheckCount(item.ast)
	list := s.row().ListOf(item.ast.Args[0])
	item.Value, item.unnest = scalar.Value{Expr: list.Expr, Type: list.Type.Item()}, true
}

// keyOf returns the index of the key that equals a value, -1 if it is not a key.
func (g *groups) keyOf(v scalar.Value) int {
	if len(g.keys) == 0 {
		return -1
	}
	text := v.Expr.Canonical()
	return slices.IndexFunc(g.keys, func(k key) bool { return k.Type == v.Type && k.text == text })
}

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
		out.fields = append(out.fields, field{name: item.name, column: item.column, typ: item.Type, null: item.Null, untyped: item.Untyped})
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
	if ok {
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
