package bind

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// groups are the keys and aggregates of a SELECT in which rows become groups.
type groups struct {
	b      *binder
	in     *scope    // the scope of the arguments of aggregates and of keys
	rows   *relation // the rows that are grouped; nil in windows
	keys   []key
	aggs   []plan.Agg
	sets   []distinctSet
	inputs []plan.Named      // the arguments of aggregates
	made   map[string]string // their columns by the texts of the arguments
	reads  []scalar.Value    // what the aggregate that was bound last reads
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

// aggregateFunction is an aggregate.
type aggregateFunction = scalar.Called[aggregateBinding]

// aggregateBinding binds a call of an aggregate to a value of the groups.
type aggregateBinding func(g *groups, c aggregateCall) scalar.Value

// aggregateCall is a call of an aggregate whose first argument is bound.
type aggregateCall struct {
	e     *sql.Expr
	v     scalar.Value
	s     *scope     // for further arguments
	where *expr.Expr // the condition of FILTER, nil if there is none
	order []orderKey
}

// aggregateFunctions are the aggregates.
var aggregateFunctions = registry.New(scalar.NamesOf[aggregateBinding])

func init() {
	aggregateFunctions.Add(boundAggregates)
	aggregateFunctions.Add(func() []aggregateFunction { return each(aggregate.AllCalled(), plainAggregate) })
}

func boundAggregates() []aggregateFunction {
	return []aggregateFunction{
		{
			Doc: registry.Aggregates.Doc("count", "([value])", "how many rows have a value; without a value or with *, how many rows there are",
				"count(n)", "3"),
			Least: 0, Most: 1, Bind: of(plan.Count, itself),
		},
		{
			Doc: registry.Aggregates.Doc("sum", "(number)", "the sum; of numbers with decimal places it is exact",
				"sum(n)", "7"),
			Least: 1, Most: 1, Bind: bindSum,
		},
		{
			Doc: registry.Aggregates.Doc("min", "(value)", "the least value",
				"min(n)", "1"),
			Least: 1, Most: 1, Bind: giving(extremeOf(plan.Min, aggregate.ArgMin)),
		},
		{
			Doc: registry.Aggregates.Doc("max", "(value)", "the greatest value",
				"max(n)", "4"),
			Least: 1, Most: 1, Bind: giving(extremeOf(plan.Max, aggregate.ArgMax)),
		},
		{
			Doc: registry.Aggregates.Doc("any_value", "(value [ORDER BY …])", "the least value, or the first in an order, that is not NULL",
				"any_value(n)", "1"),
			Least: 1, Most: 1, Bind: giving(bindAnyValue),
		},
		{
			Doc: registry.Aggregates.Doc("first arbitrary", "(value [ORDER BY …])", "the value of the first row, which may be NULL",
				"first(s ORDER BY n)", "b"),
			Least: 1, Most: 1, Bind: giving(bindFirstOf(aggregate.First)),
		},
		{
			Doc: registry.Aggregates.Doc("last", "(value [ORDER BY …])", "the value of the last row, which may be NULL",
				"last(n ORDER BY s)", "NULL"),
			Least: 1, Most: 1, Bind: giving(bindFirstOf(aggregate.Last)),
		},
		{
			Doc: registry.Aggregates.Doc("arg_min argmin min_by", "(value, by)", "the value in the row in which another is least",
				"arg_min(s, n)", "b"),
			Least: 2, Most: 2, Bind: giving(bindArgOf(aggregate.ArgMin)),
		},
		{
			Doc: registry.Aggregates.Doc("arg_max argmax max_by", "(value, by)", "the value in the row in which another is greatest",
				"arg_max(s, n)", "b"),
			Least: 2, Most: 2, Bind: giving(bindArgOf(aggregate.ArgMax)),
		},
		{
			Doc: registry.Aggregates.Doc("count_if countif", "(condition)", "in how many rows a condition is true",
				"count_if(n > 1)", "2"),
			Least: 1, Most: 1, Bind: ofConditions(bindSum),
		},
		{
			Doc: registry.Aggregates.Doc("bool_and", "(condition)", "whether a condition is true in all rows",
				"bool_and(n > 1)", "false"),
			Least: 1, Most: 1, Bind: ofConditions(giving(of(plan.Min, itself))),
		},
		{
			Doc: registry.Aggregates.Doc("bool_or", "(condition)", "whether a condition is true in any row",
				"bool_or(n > 1)", "true"),
			Least: 1, Most: 1, Bind: ofConditions(giving(of(plan.Max, itself))),
		},
		{
			Doc: registry.Aggregates.Doc("median", "(value)", "the middle value; of an even number of them, the mean of the two in the middle",
				"median(n)", "2"),
			Least: 1, Most: 1, Bind: overTimes(bindQuantile(aggregate.QuantileCont)),
		},
		{
			Doc: registry.Aggregates.Doc("quantile_cont", "(value, quantile)", "the value below which a share lies, interpolated between two values",
				"quantile_cont(n, 0.25)", "1.5"),
			Least: 2, Most: 2, Bind: overTimes(bindQuantile(aggregate.QuantileCont)),
		},
		{
			Doc: registry.Aggregates.Doc("quantile_disc quantile", "(value, quantile)", "the value below which a share lies, one of those that are there",
				"quantile_disc(n, 0.25)", "1"),
			Least: 2, Most: 2, Bind: bindQuantile(aggregate.QuantileDisc),
		},
		{
			Doc: registry.Aggregates.Doc("approx_quantile reservoir_quantile", "(value, quantile)", "the value below which a share lies, one of those that are there; here it is exact",
				"approx_quantile(n, 0.5)", "2"),
			Least: 2, Most: 2, Bind: bindQuantile(aggregate.QuantileDisc),
		},
		{
			Doc: registry.Aggregates.Doc("approx_count_distinct", "(value)", "how many different values there are; here it is exact",
				"approx_count_distinct(s)", "2"),
			Least: 1, Most: 1, Bind: bindApproxCount,
		},
		{
			Doc: registry.Aggregates.Doc("mode", "(value)", "the most frequent value; of several, the least",
				"mode(s)", "b"),
			Least: 1, Most: 1, Bind: giving(bindMode),
		},
		{
			Doc: registry.Aggregates.Doc("string_agg group_concat listagg", "(text[, separator] [ORDER BY …])", "the texts with a separator between them, a comma by default, in the given order or by value",
				"string_agg(s, '-')", "a-b-b"),
			Least: 1, Most: 2, Bind: bindStringAgg,
		},
		{
			Doc: registry.Aggregates.Doc("list array_agg", "(value [ORDER BY …])", "a list of all values, NULL among them, in the given order or by value",
				"list(s ORDER BY n)", `["b", "a", "b", null]`),
			Least: 1, Most: 1, Bind: bindList,
		},
	}
}

func isAggregate(name string) bool { return aggregateFunctions.Find(name) != nil }

// hasAggregate reports whether an expression contains an aggregate that is not a window
// function.
func hasAggregate(e *sql.Expr) bool {
	return has(e, isAggregateCall)
}

// aggregates reports whether an expression of a SELECT has an aggregate of the SELECT's rows. One whose columns are
// all of the query around is an aggregate of that one's rows, and so is one in a query within the expression that reads
// no tables.
func (s *scope) aggregates(e *sql.Expr) bool {
	return has(e, func(e *sql.Expr) bool {
		if q := e.Query; q != nil && q.Select != nil && q.Select.From == nil {
			return slices.ContainsFunc(q.Select.Items, func(item sql.Item) bool { return s.aggregatesWithin(item.Expr) })
		}
		return isAggregateCall(e) && (s.outer == nil || !s.onlyOuter(e))
	})
}

// aggregatesWithin reports whether an expression of a query that reads no tables has an aggregate of a column of
// the scope's rows.
func (s *scope) aggregatesWithin(e *sql.Expr) bool {
	return has(e, func(e *sql.Expr) bool {
		return isAggregateCall(e) && has(e, func(e *sql.Expr) bool { return e.Kind == sql.Column && s.own().knows(e) })
	}) || s.aggregates(e) && has(e, func(e *sql.Expr) bool { return e.Query != nil })
}

func isAggregateCall(e *sql.Expr) bool {
	return e.Kind == sql.Call && e.Window == nil && isAggregate(e.Text)
}

// grouped binds a key or an aggregate. ok is false for any other expression, whose parts must
// be bound instead.
func (s *scope) grouped(e *sql.Expr, in *scalar.Scope) (v scalar.Value, ok bool) {
	g := s.groups
	if e.Kind == sql.Call && e.Window == nil && isAggregate(e.Text) {
		if made := s.b.inFormula(e); made != nil {
			return s.expr(made), true
		}
		return g.aggregate(e), true
	}
	if e.Kind == sql.Call && (e.Text == "grouping" || e.Text == "grouping_id") {
		return g.groupingOf(e), true
	}
	if !hasAggregate(e) && !has(e, g.isNoKey) && !has(e, in.IsParameter) {
		joins := len(g.in.queries.joins)
		var inner scalar.Value
		err := s.b.Attempt(func() { inner = g.in.expr(e) })
		if err == nil {
			s.b.Work.Do(s.b.PartsOf(inner.Expr) / 16)
			if i := g.keyOf(inner); i >= 0 {
				return scalar.Value{Expr: expr.Col(g.keys[i].column), Type: inner.Type}, true
			}
		}
		g.in.queries.forget(joins) // it is not a key
		if e.Kind == sql.Column {
			switch {
			case err != nil && s.alias(strings.ToLower(e.Path[0])) != nil:
				return v, false
			case err != nil:
				panic(err)
			case s.clause == "HAVING" && len(e.Path) == 1 && s.alias(strings.ToLower(e.Path[0])) != nil && g.in.own().knows(e):
				name := strings.ToLower(e.Path[0])
				return s.without(name).expr(s.alias(name)), true
			case !g.in.own().knows(e), inner.Expr.Literal() != nil: // of a query around, or such as current_date
				return inner, true
			}
			panic(notGrouped(e))
		}
	}
	return v, false
}

// isNoKey reports whether an expression is a query that no key has: keys were bound before.
func (g *groups) isNoKey(e *sql.Expr) bool {
	_, bound := g.in.queries.bound[e]
	return e.Query != nil && !bound
}

func notGrouped(column *sql.Expr) error {
	return sql.Wrong(column.At, "Next: add it to GROUP BY, or write an aggregate such as min("+column.String()+"); GROUP BY ALL groups by all columns without one.",
		"the column %q must be in GROUP BY or in an aggregate", column.Path[len(column.Path)-1])
}

// aggregate binds an aggregate as a column of the groups.
func (g *groups) aggregate(e *sql.Expr) scalar.Value {
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
			panic(sql.Wrong(e.At, "", "%s takes a column", e.Text))
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

// of binds an aggregate of its argument, converted by as.
func of(f aggregate.Func, as func(v scalar.Value) scalar.Value) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value { return g.agg(plan.Agg{Func: f}, c, as(c.v)) }
}

// extremeOf binds the least or the greatest value. Of lists, structs and maps it is the one in whose row it is
// least or greatest.
func extremeOf(f, row aggregate.Func) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		if c.v.Type.Item() != columnar.Invalid || c.v.Type.IsNested() {
			return g.agg(plan.Agg{Func: row}, c, c.v, c.v)
		}
		return g.agg(plan.Agg{Func: f}, c, c.v)
	}
}

func itself(v scalar.Value) scalar.Value { return v }

// bindSum binds a sum. Where sums of BIGINTs are too large, it is of HUGEINTs.
func bindSum(g *groups, c aggregateCall) scalar.Value {
	if c.v.Type == columnar.Interval {
		return sumOfIntervals(g, c)
	}
	v := scalar.AsNumber(ones(c.v))
	if g.b.catalog.LargeSums && v.Type == columnar.Int {
		v = scalar.Value{Expr: v.As(columnar.Huge), Type: columnar.Huge, At: v.At}
	}
	return g.agg(plan.Agg{Func: plan.Sum}, c, v)
}

func ofConditions(bind aggregateBinding) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		if c.v.Null {
			c.v = scalar.Value{Expr: expr.Null(columnar.Bool), Type: columnar.Bool, At: c.v.At}
		}
		if c.v.Type != columnar.Bool {
			panic(sql.Wrong(c.e.Args[0].At, "", "%s takes a condition, and this is %s", c.e.Text, scalar.TypeName(c.v.Type)))
		}
		return bind(g, c)
	}
}

// giving binds an aggregate that returns one of its values. Conditions are aggregated as
// integers, and the result becomes a condition again.
func giving(bind aggregateBinding) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		truths := c.v.Type == columnar.Bool
		c.v = ones(c.v)
		out := bind(g, c)
		if truths {
			return scalar.Truth(expr.Eq(out.Expr, expr.Int(1)))
		}
		return out
	}
}

// bindArgOf binds the value of the row in which another value is least or greatest. Of several
// such rows it takes the least or greatest value, so that the result does not depend on the
// order of rows.
func bindArgOf(f aggregate.Func) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		by := ones(c.s.expr(c.e.Args[1]))
		return g.agg(plan.Agg{Func: f}, c, c.v, by)
	}
}

// plainAggregate is an aggregate of package aggregate whose arguments are cast to what it takes,
// as those of an operation.
func plainAggregate(f aggregate.Called) aggregateFunction {
	n := len(f.Takes[0])
	out := aggregateFunction{Doc: f.Doc, Least: n, Most: n, Bind: func(g *groups, c aggregateCall) scalar.Value {
		args := append([]scalar.Value{c.v}, each(c.e.Args[1:], func(e *sql.Expr) scalar.Value { return c.s.expr(e) })...)
		types := each(args, func(v scalar.Value) columnar.Type { return v.Type })
		left := each(f.Takes, func(takes []columnar.Type) []columnar.Type { return registry.Signature{Takes: takes}.Of(types).Takes })
		for i, v := range args {
			args[i] = v.Among(each(left, func(takes []columnar.Type) columnar.Type { return takes[i] }))
			left = slices.DeleteFunc(slices.Clone(left), func(takes []columnar.Type) bool { return takes[i] != args[i].Type })
		}
		return g.agg(plan.Agg{Func: f.Func}, c, args...)
	}}
	if f.Func == aggregate.Avg {
		ofNumbers := overTimes(out.Bind)
		out.Bind = func(g *groups, c aggregateCall) scalar.Value {
			if c.v.Type == columnar.Interval {
				return meanInterval(g, c)
			}
			return ofNumbers(g, c)
		}
	}
	return out
}

// bindApproxCount binds approx_count_distinct as an exact count.
func bindApproxCount(g *groups, c aggregateCall) scalar.Value {
	distinct := *c.e
	distinct.Distinct = true
	c.e = &distinct
	return g.agg(plan.Agg{Func: plan.Count}, c, c.v)
}

// unmixed are the types between two values of which there is nothing.
var unmixed = []columnar.Type{columnar.Text, columnar.Bool, columnar.UUID, columnar.Bytes}

// bindQuantile binds an aggregate of a quantile, by default the median.
func bindQuantile(f aggregate.Func) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		a, down := plan.Agg{Func: f, Param: "0.5"}, false
		if len(c.e.Args) > 1 {
			q := g.b.quantile(c.e)
			a.Param = strconv.FormatFloat(math.Abs(q), 'f', -1, 64)
			down = q < 0
		}
		if down != (len(c.e.Order) > 0 && c.e.Order[0].Desc) {
			a.Param += aggregate.Descending
		}
		if slices.Contains(unmixed, c.v.Type) || c.v.Type == columnar.Interval && len(c.e.Args) == 1 { // between two of which there is nothing
			a.Func = aggregate.QuantileDisc
			return giving(func(g *groups, c aggregateCall) scalar.Value { return g.agg(a, c, c.v) })(g, c)
		}
		if f == aggregate.QuantileCont && c.v.Type == columnar.Huge { // between two of which there is no HUGEINT
			c.v = scalar.Value{Expr: expr.ToFloat(c.v.Expr), Type: columnar.Float, At: c.v.At}
		}
		return g.agg(a, c, c.v)
	}
}

// overTimes binds an aggregate of numbers that times have too, in microseconds.
func overTimes(bind aggregateBinding) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		t := c.v.Type
		if !slices.Contains(columnar.Times(), t) {
			return bind(g, c)
		}
		c.v = scalar.Value{Expr: expr.Call(expr.OpEpochMicros, scalar.TimestampOf(c.v).Expr), Type: columnar.Int, At: c.v.At}
		micros := expr.Call(expr.OpToInt, expr.Call(expr.OpTrunc, bind(g, c).Expr, expr.Int(0)))
		if t == columnar.Time {
			return scalar.Value{Expr: expr.Call(expr.OpToTime, micros), Type: t}
		}
		return scalar.Value{Expr: expr.Call(expr.OpMakeTimestamp, micros), Type: columnar.Timestamp}.Zoned(scalar.Value{Type: t})
	}
}

// quantile binds the second argument of a call, which must be a constant from 0 to 1, or from -1 on to count from the
// greatest value.
func (b *binder) quantile(e *sql.Expr) float64 {
	q := b.constant("a quantile").ValueOf(e.Args[1], columnar.Decimal).Fold().Literal()
	if q == nil || q.Int < -number.One || q.Int > number.One {
		panic(sql.Wrong(e.Args[1].At, "", "a quantile is a number from -1 to 1"))
	}
	return float64(q.Int) / number.One
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
		panic(sql.Unsupported(c.e.At, "", c.e.Text+" of "+scalar.TypesOf(args)))
	}
	aggs := &g.aggs
	g.b.Work.Do(1 + (len(*aggs)+len(g.sets))/32)
	if c.e.Distinct && a.Func != plan.Min && a.Func != plan.Max { // DISTINCT does not change min and max
		if g.distinct = g.window; !g.window {
			aggs = g.set(a.Reads(), c.e.At)
		}
	}
	for _, known := range *aggs {
		if known.Same(a) {
			return scalar.Value{Expr: expr.Col(known.Name), Type: t}
		}
	}
	a.Name = g.b.Unique(c.e.String())
	g.b.Types[a.Name] = t
	*aggs = append(*aggs, a)
	return scalar.Value{Expr: expr.Col(a.Name), Type: t}
}

// bindMode binds the most frequent value, of several the first in the order of values. Of texts, structs, maps and
// lists, and in descending order, it counts how often each occurs in its group, since a list of them all would be long.
func bindMode(g *groups, c aggregateCall) scalar.Value {
	down := len(c.e.Order) > 0 && c.e.Order[0].Desc
	word := !c.v.Type.Kind().Varies() && c.v.Type.Kind() != columnar.KindInt128
	switch {
	case c.v.Null, g.window, word && !down:
		if down && g.window {
			panic(sql.Unsupported(c.e.At, "", "descending orders within mode in windows"))
		}
		return g.agg(plan.Agg{Func: aggregate.Mode}, c, c.v)
	case c.e.Distinct && down: // each occurs once
		return extremeOf(plan.Max, aggregate.ArgMax)(g, c)
	case c.e.Distinct:
		return extremeOf(plan.Min, aggregate.ArgMin)(g, c)
	}
	a := plan.Agg{Func: aggregate.AnyValue, Args: []string{g.input(c.v.Expr, argumentName(c.e))}, Name: g.b.Unique(c.e.String())}
	if c.where != nil {
		a.Where = g.input(c.where, "condition")
	}
	set := distinctSet{args: a.Reads(), at: c.e.At, count: g.b.Unique("count")}
	a.Order = []plan.Order{{Column: set.count, Desc: true}, {Column: a.Args[0], Desc: down}}
	set.aggs = []plan.Agg{a}
	g.b.Types[a.Name] = c.v.Type
	g.sets = append(g.sets, set)
	return scalar.Value{Expr: expr.Col(a.Name), Type: c.v.Type}
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
func (g *groups) input(e *expr.Expr, like string) (name string) {
	if e.Op == expr.OpColumn {
		for _, k := range g.keys {
			if k.column == e.Name {
				return e.Name
			}
		}
	}
	text := e.String()
	if made := g.made[text]; made != "" {
		return made
	}
	if name = e.Name; e.Op != expr.OpColumn {
		name = g.b.Unique(like)
	}
	if g.made == nil {
		g.made = make(map[string]string)
	}
	g.inputs, g.made[text] = append(g.inputs, plan.As(name, e)), name
	return name
}

// relation returns the columns of the groups.
func (g *groups) relation() *relation {
	return &relation{fields: slices.Concat(
		each(g.keys, func(k key) field { return unnamed(k.column, k.Type) }),
		each(g.columns(), func(a plan.Agg) field { return unnamed(a.Name, columnar.Invalid) }),
		each(g.calls, func(c groupingCall) field { return unnamed(c.column, columnar.Int) }),
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
	columns := each(g.keys, func(k key) plan.Named { return plan.As(k.column, k.Expr) })
	keys := names(columns)
	node = node.Project(append(columns, g.inputs...)...)
	if g.grouping != nil {
		return g.groupSets(node)
	}
	return g.groupOnce(keys, node)
}

// groupOnce groups by one set of keys.
func (g *groups) groupOnce(keys []string, node *plan.Node) *plan.Node {
	var parts []*plan.Node
	var names [][]string
	add := func(node *plan.Node, aggs []plan.Agg) {
		own := each(aggs, func(a plan.Agg) string { return a.Name })
		parts, names = append(parts, node.Aggregate(keys, aggs...)), append(names, own)
	}
	if len(g.aggs) > 0 || len(g.sets) == 0 {
		add(node, g.aggs)
	}
	for _, s := range g.sets {
		of := distinct(slices.Concat(keys, s.args))
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
		return expr.Struct(t, each(t.Fields(), func(f columnar.Field) *expr.Expr { return zeroOf(f.Type) })...)
	}
	return expr.Zero(t)
}
