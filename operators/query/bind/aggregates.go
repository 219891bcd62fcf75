package bind

import (
	"math"
	"slices"
	"strconv"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

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
	aggregateFunctions.Add(func() []aggregateFunction { return columnar.Each(aggregate.AllCalled(), plainAggregate) })
}

func boundAggregates() []aggregateFunction {
	described := scalar.Described[aggregateBinding]
	return []aggregateFunction{
		described(registry.Aggregates, "count count_star", "([value])", "how many rows have a value; without a value or with *, how many rows there are",
			"count(n)", "3", of(plan.Count, itself)),
		described(registry.Aggregates, "sum", "(number)", "the sum; of numbers with decimal places it is exact",
			"sum(n)", "7", bindSum),
		described(registry.Aggregates, "min", "(value)", "the least value",
			"min(n)", "1", giving(extremeOf(plan.Min, aggregate.ArgMin))),
		described(registry.Aggregates, "max", "(value)", "the greatest value",
			"max(n)", "4", giving(extremeOf(plan.Max, aggregate.ArgMax))),
		described(registry.Aggregates, "any_value", "(value [ORDER BY …])", "the least value, or the first in an order, that is not NULL",
			"any_value(n)", "1", giving(bindAnyValue)),
		described(registry.Aggregates, "first arbitrary", "(value [ORDER BY …])", "the value of the first row, which may be NULL",
			"first(s ORDER BY n)", "b", giving(bindFirstOf(aggregate.First))),
		described(registry.Aggregates, "last", "(value [ORDER BY …])", "the value of the last row, which may be NULL",
			"last(n ORDER BY s)", "NULL", giving(bindFirstOf(aggregate.Last))),
		described(registry.Aggregates, "arg_min argmin min_by", "(value, by)", "the value in the row in which another is least",
			"arg_min(s, n)", "b", giving(bindArgOf(aggregate.ArgMin))),
		described(registry.Aggregates, "arg_max argmax max_by", "(value, by)", "the value in the row in which another is greatest",
			"arg_max(s, n)", "b", giving(bindArgOf(aggregate.ArgMax))),
		described(registry.Aggregates, "count_if countif", "(condition)", "in how many rows a condition is true",
			"count_if(n > 1)", "2", ofConditions(bindSum)),
		described(registry.Aggregates, "bool_and every", "(condition)", "whether a condition is true in all rows",
			"bool_and(n > 1)", "false", ofConditions(giving(of(plan.Min, itself)))),
		described(registry.Aggregates, "bool_or", "(condition)", "whether a condition is true in any row",
			"bool_or(n > 1)", "true", ofConditions(giving(of(plan.Max, itself)))),
		described(registry.Aggregates, "median", "(value)", "the middle value; of an even number of them, the mean of the two in the middle",
			"median(n)", "2", overTimes(bindQuantile(aggregate.QuantileCont))),
		described(registry.Aggregates, "quantile_cont", "(value, quantile)", "the value below which a share lies, interpolated between two values",
			"quantile_cont(n, 0.25)", "1.5", overTimes(bindQuantile(aggregate.QuantileCont))),
		described(registry.Aggregates, "quantile_disc quantile", "(value, quantile)", "the value below which a share lies, one of those that are there",
			"quantile_disc(n, 0.25)", "1", bindQuantile(aggregate.QuantileDisc)),
		described(registry.Aggregates, "approx_quantile reservoir_quantile", "(value, quantile)", "the value below which a share lies, one of those that are there; here it is exact",
			"approx_quantile(n, 0.5)", "2", bindQuantile(aggregate.QuantileDisc)),
		described(registry.Aggregates, "approx_count_distinct", "(value)", "how many different values there are; here it is exact",
			"approx_count_distinct(s)", "2", bindApproxCount),
		described(registry.Aggregates, "mode", "(value)", "the most frequent value; of several, the least",
			"mode(s)", "b", giving(bindMode)),
		described(registry.Aggregates, "string_agg group_concat listagg", "(text[, separator] [ORDER BY …])", "the texts with a separator between them, a comma by default, in the given order or that of the rows",
			"string_agg(s, '-')", "b-a-b", bindStringAgg),
		described(registry.Aggregates, "list array_agg", "(value [ORDER BY …])", "a list of all values, NULL among them, in the given order or that of the rows",
			"list(s ORDER BY n)", `["b", "a", "b", null]`, bindList),
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
		args := append([]scalar.Value{c.v}, columnar.Each(c.e.Args[1:], func(e *sql.Expr) scalar.Value { return c.s.expr(e) })...)
		types := columnar.Each(args, func(v scalar.Value) columnar.Type { return v.Type })
		left := columnar.Each(f.Takes, func(takes []columnar.Type) []columnar.Type { return registry.Signature{Takes: takes}.Of(types).Takes })
		for i, v := range args {
			args[i] = v.Among(columnar.Each(left, func(takes []columnar.Type) columnar.Type { return takes[i] }))
			left = columnar.Only(left, func(takes []columnar.Type) bool { return takes[i] == args[i].Type })
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
	q := b.constant("a quantile").ValueOf(e.Args[1], columnar.Float).Fold().Literal()
	if q == nil || !(math.Abs(q.Float) <= 1) {
		panic(sql.Wrong(e.Args[1].At, "", "a quantile is a number from -1 to 1"))
	}
	return q.Float
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
