package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// groups are the keys and aggregates of a SELECT in which rows become groups.
type groups struct {
	b      *binder
	in     *scope    // the scope of the arguments of aggregates and of keys
	rows   *relation // the rows that are grouped; nil in windows
	keys   []key
	aggs   []plan.Agg
	sets   []distinctSet
	inputs computed       // the arguments of aggregates
	reads  []scalar.Value // what the aggregate that was bound last reads
	// grouping are the grouping sets, as indexes of keys. Each makes groups of its own, with
	// nulls for the other keys. nil means one set of all keys.
	grouping [][]int
	calls    []groupingCall
	// window says that the single aggregate is one of a window; distinct, that equal values count once
	// in it.
	window, distinct bool
}

// distinctSet is the aggregates over the distinct values of the same arguments.
type distinctSet struct {
	args []string
	at   sql.Span // of the first aggregate
	aggs []plan.Agg
	// count is "", or the column that counts the rows of each value, for aggregates that depend on
	// that.
	count string
}

// key is a key of groups.
type key struct {
	scalar.Value
	text   string // of e
	column string
}

// grouped binds a key or an aggregate. ok is false for any other expression, whose parts must
// be bound instead.
func (s *scope) grouped(e *sql.Expr, in *scalar.Scope) (v scalar.Value, ok bool) {
	g := s.groups
	switch {
	case e.Kind == sql.Call && e.Window == nil && isAggregate(e.Text):
		return s.aggregate(e), true
	case e.Kind == sql.Call && (e.Text == "grouping" || e.Text == "grouping_id"):
		return g.groupingOf(e), true
	case hasAggregate(e) || has(e, g.isNoKey) || has(e, in.IsParameter):
		return v, false
	}
	joins := len(g.in.queries.joins)
	var inner scalar.Value
	err := s.b.Attempt(func() { inner = g.in.expr(e) })
	if err == nil {
		s.b.Work.Do(s.b.PartsOf(inner.Expr) / 16)
		if i := g.keyOf(inner); i >= 0 {
			return g.keyColumn(i), true
		}
		if inner.Expr.Literal() != nil { // such as current_date, or the type of a column
			return inner, true
		}
	}
	g.in.queries.forget(joins) // it is not a key
	if e.Kind != sql.Column {
		return v, false
	}
	return s.columnOfGroups(e, inner, err)
}

// aggregate binds a call of an aggregate: of the groups, of those of a query around, or as a part of a formula.
func (s *scope) aggregate(e *sql.Expr) scalar.Value {
	if made := s.b.inFormula(e); made != nil {
		return s.expr(made)
	}
	if s.isOuterAggregate(e) {
		return s.outerAggregate(e)
	}
	return s.groups.aggregate(e)
}

// columnOfGroups binds a name that is no key. As a column of the rows it is inner, or not known, as err says.
// ok is false if it is the alias of an expression.
func (s *scope) columnOfGroups(e *sql.Expr, inner scalar.Value, err error) (v scalar.Value, ok bool) {
	if v, ok = s.groups.fieldOfKey(e); ok {
		return v, true
	}
	name, own := strings.ToLower(e.Path[0]), s.groups.in.own().knows(e)
	alias := s.alias(name)
	switch {
	case err != nil && alias != nil:
		return v, false
	case err != nil:
		panic(err)
	case s.clause == "HAVING" && len(e.Path) == 1 && alias != nil && own:
		return s.without(name).expr(alias), true
	case !own: // of a query around
		return inner, true
	}
	panic(notGrouped(e))
}

// keyColumn returns a key as a column of the groups.
func (g *groups) keyColumn(i int) scalar.Value {
	return scalar.Value{Expr: expr.Col(g.keys[i].column), Type: g.keys[i].Type, JSON: g.keys[i].IsJSON()}
}

// fieldOfKey binds the name of a field of a struct that is a key; ok is false if there is none.
func (g *groups) fieldOfKey(e *sql.Expr) (v scalar.Value, ok bool) {
	for n := len(e.Path) - 1; n > 0; n-- {
		var of scalar.Value
		err := g.b.Attempt(func() { of = g.in.column(e.At.Column(e.Path[:n]...)) })
		if err != nil || !scalar.HasFields(of.Type) {
			continue
		}
		if i := g.keyOf(of); i >= 0 {
			return g.b.FieldPath(g.keyColumn(i), e.Path[n:], e.At), true
		}
	}
	return v, false
}

// isNoKey reports whether an expression is a query that no key has: keys were bound before.
func (g *groups) isNoKey(e *sql.Expr) bool {
	if e.Query == nil {
		return false
	}
	_, bound := g.in.boundQuery(e)
	return !bound
}

func notGrouped(column *sql.Expr) error {
	return sql.Certainly(column.At, "Next: add it to GROUP BY, or write an aggregate such as min("+column.String()+"); GROUP BY ALL groups by all columns without one.",
		"the column %q must be in GROUP BY or in an aggregate", column.Path[len(column.Path)-1])
}

// extremeByKey returns min or max of a text with a collation as the text whose key in it is least or greatest.
func extremeByKey(e *sql.Expr) *sql.Expr {
	by := map[string]string{"min": "arg_min", "max": "arg_max"}[e.Text]
	if by == "" || len(e.Args) != 1 || e.Args[0].Kind != sql.Collate {
		return e
	}
	of := *e
	of.Text, of.Distinct, of.Args = by, false, []*sql.Expr{e.Args[0].Args[0], scalar.SortKey(e.Args[0])}
	return &of
}

// aggregate binds an aggregate as a column of the groups.
func (g *groups) aggregate(e *sql.Expr) scalar.Value {
	e = extremeByKey(e)
	f := aggregateFunctions.Find(e.Text)
	f.CheckCount(e)
	if e.IgnoreNulls {
		panic(ignoresNulls(e))
	}
	checkAggregateOrder(e, f)
	in := *g.in
	in.clause = ""
	where := in.condition(e.Filter)
	if len(e.Args) == 0 || e.Args[0].Kind == sql.Star {
		if f.Least > 0 || e.Distinct {
			panic(sql.Wrong(e.At, "Next: name a column; count(*) counts rows, and SELECT count(*) FROM (SELECT DISTINCT * FROM …) different ones.", "%s takes a column", e.Text))
		}
		if where != nil {
			return g.agg(plan.Agg{Func: plan.CountIf}, aggregateCall{e: e}, scalar.Truth(where))
		}
		return g.agg(plan.Agg{Func: plan.Count}, aggregateCall{e: e})
	}
	return f.Bind(g, aggregateCall{e: e, v: in.expr(e.Args[0]), s: &in, where: where})
}

// ones converts a condition to an integer, 1 for true; other values stay.
func ones(v scalar.Value) scalar.Value {
	if v.Type != columnar.Bool {
		return v
	}
	return scalar.IntOf(expr.Call(expr.OpToInt, v.Expr))
}

// agg returns the column of an aggregate, and adds the aggregate if it is new.
func (g *groups) agg(a plan.Agg, c aggregateCall, args ...scalar.Value) scalar.Value {
	g.reads = args
	for _, v := range args {
		a.Args = append(a.Args, g.input(v.Expr, argumentName(c.e)))
	}
	for _, k := range c.order {
		a.Order = append(a.Order, plan.Order{Column: g.input(k.Expr, "order"), Desc: k.desc, NullsFirst: k.nullsFirst})
		g.reads = append(g.reads, k.Value)
	}
	if c.where != nil {
		a.Where = g.input(c.where, "condition")
		g.reads = append(g.reads, scalar.Truth(c.where))
	}
	schema := columnar.Schema{}
	for i, column := range a.Reads() {
		schema = append(schema, columnar.Field{Name: column, Type: g.reads[i].Type})
	}
	t, err := a.Type(schema)
	if err != nil {
		panic(sql.UnsupportedTypes(c.e.At, "", c.e.Text+" of "+scalar.TypesOf(args)))
	}
	json := len(args) > 0 && args[0].IsJSON() && (t == columnar.Text && a.Func != aggregate.StringAgg || t == columnar.TextList)
	aggs := &g.aggs
	g.b.Work.Do(1 + (len(*aggs)+len(g.sets))/32)
	if c.e.Distinct && a.Func != plan.Min && a.Func != plan.Max { // DISTINCT does not change min and max
		if g.distinct = g.window; !g.window {
			aggs = g.set(a.Reads(), c.e.At)
		}
	}
	for _, known := range *aggs {
		if known.Same(a) {
			return scalar.Value{Expr: expr.Col(known.Name), Type: t, JSON: json}
		}
	}
	a.Name = g.b.Unique(c.e.String())
	g.b.Types[a.Name] = t
	*aggs = append(*aggs, a)
	return scalar.Value{Expr: expr.Col(a.Name), Type: t, JSON: json}
}

// set returns the aggregates over the distinct values of some columns.
func (g *groups) set(args []string, at sql.Span) *[]plan.Agg {
	i := slices.IndexFunc(g.sets, func(s distinctSet) bool { return slices.Equal(s.args, args) && s.count == "" })
	if i < 0 {
		i = len(g.sets)
		g.sets = append(g.sets, distinctSet{args: args, at: at})
	}
	return &g.sets[i].aggs
}

// argumentName returns a name for the argument of a call that is no column.
func argumentName(call *sql.Expr) string {
	if len(call.Args) > 0 && call.Args[0].Kind == sql.Call {
		return call.Args[0].Text
	}
	return "argument"
}

// input returns the column that holds what an aggregate reads. If it is no column of the rows, its
// name is like the given one.
func (g *groups) input(e *expr.Expr, like string) string {
	if e.Op == expr.OpColumn && slices.ContainsFunc(g.keys, func(k key) bool { return k.column == e.Name }) {
		return e.Name
	}
	return g.inputs.column(g.b, e, like)
}

// computed are columns that are made of expressions, of each once.
type computed struct {
	columns []plan.Named
	names   map[string]string // by the texts of the expressions
}

// column returns the column of an expression. If that is no column itself, its name is like the given one.
func (c *computed) column(b *binder, e *expr.Expr, like string) string {
	text := e.String()
	if name := c.names[text]; name != "" {
		return name
	}
	name := e.Name
	if e.Op != expr.OpColumn {
		name = b.Unique(like)
	}
	if c.names == nil {
		c.names = make(map[string]string)
	}
	c.columns, c.names[text] = append(c.columns, plan.As(name, e)), name
	return name
}

// relation returns the columns of the groups.
func (g *groups) relation() *relation {
	return &relation{fields: slices.Concat(
		columnar.Each(g.keys, func(k key) field { return unnamed(k.column, k.Type) }),
		columnar.Each(g.columns(), func(a plan.Agg) field { return unnamed(a.Name, columnar.Invalid) }),
		columnar.Each(g.calls, func(c groupingCall) field { return unnamed(c.column, columnar.Int) }),
	)}
}

// columns returns all aggregates.
func (g *groups) columns() []plan.Agg {
	aggs := slices.Clone(g.aggs)
	for _, s := range g.sets {
		aggs = append(aggs, s.aggs...)
	}
	return aggs
}

// group puts the aggregation on top of a plan. Aggregates over distinct values become
// aggregations of their own, which are joined by the keys. Each grouping set becomes an
// aggregation of its own too; their groups form a union.
func (g *groups) group(node *plan.Node) *plan.Node {
	columns := columnar.Each(g.keys, func(k key) plan.Named { return plan.As(k.column, k.Expr) })
	keys := names(columns)
	node = node.Project(append(columns, g.inputs.columns...)...)
	if g.grouping != nil {
		return g.groupSets(node)
	}
	return g.groupOnce(keys, node)
}

// mostAggregates is how many aggregates are computed together: the states of a group have a page of memory.
const mostAggregates = 500

// groupOnce groups by one set of keys.
func (g *groups) groupOnce(keys []string, node *plan.Node) *plan.Node {
	var parts []*plan.Node
	var names [][]string
	add := func(node *plan.Node, aggs []plan.Agg) {
		own := columnar.Each(aggs, func(a plan.Agg) string { return a.Name })
		parts, names = append(parts, node.Aggregate(keys, aggs...)), append(names, own)
	}
	for aggs := range slices.Chunk(g.aggs, mostAggregates) {
		add(node, aggs)
	}
	if len(g.aggs)+len(g.sets) == 0 {
		add(node, nil)
	}
	for _, s := range g.sets {
		of := columnar.Union(keys, s.args)
		rows := node.Distinct(of...)
		if s.count != "" {
			rows = node.Aggregate(of, plan.Agg{Func: plan.Count, Name: s.count})
		}
		add(rows, s.aggs)
	}
	out, have := parts[0], names[0]
	for i, part := range parts[1:] {
		build, on := g.nullSafe(part, names[i+1], true)
		probe, with := g.nullSafe(out, have, false)
		have = append(slices.Clone(have), names[i+1]...)
		g.b.Work.Do(len(keys) + len(have))
		out = build.Join(probe, pairsOf(on, with)...).Select(append(slices.Clone(keys), have...)...)
	}
	return out
}

// nullSafe projects groups to their aggregates and to join columns that are equal where the
// keys are equal, nulls included. Without leaves out the keys, which the other side of the
// join has.
func (g *groups) nullSafe(node *plan.Node, aggs []string, without bool) (*plan.Node, []string) {
	columns := plan.Cols(aggs...)
	var on []string
	for _, k := range g.keys {
		c := expr.Col(k.column)
		both := neverNull(scalar.Value{Expr: c, Type: k.Type})
		value, null := g.b.Unique("key"), g.b.Unique("null")
		on = append(on, value, null)
		columns = append(columns, plan.As(value, both[0]), plan.As(null, both[1]))
		if !without {
			columns = append(columns, plan.As(k.column, c))
		}
	}
	return node.Project(columns...), on
}

// neverNull returns two values, never null, that are equal where v is, nulls included.
func neverNull(v scalar.Value) [2]*expr.Expr {
	return [2]*expr.Expr{expr.Coalesce(v.Expr, zeroOf(v.Type)), expr.IsNull(v.Expr)}
}

// zeroOf returns some value of a type.
func zeroOf(t columnar.Type) *expr.Expr {
	switch {
	case t.Item() != columnar.Invalid:
		return scalar.EmptyList(t)
	case t.IsMap():
		return expr.Map(t, scalar.EmptyList(t.Entries()))
	case t.IsStruct():
		return expr.Struct(t, columnar.Each(t.Fields(), func(f columnar.Field) *expr.Expr { return zeroOf(f.Type) })...)
	}
	return expr.Zero(t)
}
