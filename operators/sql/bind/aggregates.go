package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// groups are the keys and aggregates of a SELECT in which rows become groups.
type groups struct {
	in       *scope // what the aggregates and keys are of
	keys     []key
	aggs     []plan.Agg
	inputs   []plan.Named // the arguments of aggregates
	distinct string       // the argument of DISTINCT aggregates, as it prints
	plain    *sql.Expr    // an aggregate that is not DISTINCT
	distinctAt
}

// distinctAt is where a DISTINCT aggregate stands.
type distinctAt struct{ at sql.Span }

// key is a key of groups.
type key struct {
	typed
	column string
}

func aggregateNames() []string {
	return []string{"count", "sum", "avg", "mean", "min", "max", "stddev", "stddev_samp", "count_if", "countif", "bool_and", "bool_or"}
}

// unknownAggregates are those of the language that cannot be computed.
func unknownAggregates() []string {
	return []string{
		"any_value", "approx_count_distinct", "approx_quantile", "arg_max", "arg_min", "array_agg", "corr", "covar_pop", "covar_samp",
		"first", "last", "list", "median", "mode", "quantile", "quantile_cont", "quantile_disc", "stddev_pop", "string_agg", "group_concat", "listagg",
		"var_pop", "var_samp", "variance", "product", "skewness", "kurtosis", "entropy", "histogram", "max_by", "min_by", "bit_and", "bit_or", "bit_xor",
	}
}

func isAggregate(name string) bool {
	return slices.Contains(aggregateNames(), name) || slices.Contains(unknownAggregates(), name)
}

// hasAggregate reports whether an expression has one that is no window's.
func hasAggregate(e *sql.Expr) bool {
	found := false
	e.Walk(func(e *sql.Expr) bool {
		found = found || e.Kind == sql.Call && e.Window == nil && isAggregate(e.Text)
		return !found
	})
	return found
}

// grouped binds what is a key or an aggregate; ok is false for everything else, of
// which the parts are to be bound.
func (b *binder) grouped(e *sql.Expr, s *scope) (v typed, ok bool, err error) {
	g := s.groups
	if e.Kind == sql.Call && e.Window == nil && isAggregate(e.Text) {
		v, err = b.aggregate(e, g)
		return v, true, err
	}
	if !hasAggregate(e) {
		joins := len(g.in.queries.joins)
		inner, err := b.expr(e, g.in)
		if err == nil {
			for _, k := range g.keys {
				if k.t == inner.t && k.e.String() == inner.e.String() {
					return typed{e: expr.Col(k.column), t: k.t}, true, nil
				}
			}
		}
		g.in.queries.forget(joins) // it is no key
		if e.Kind == sql.Column {
			if err != nil && s.aliases[strings.ToLower(e.Path[0])] != nil {
				return v, false, nil
			}
			if err != nil {
				return v, true, err
			}
			return v, true, sql.Wrong(e.At, "Next: add it to GROUP BY, or write an aggregate such as min("+e.String()+"); GROUP BY ALL groups by all columns without one.",
				"the column %q must be in GROUP BY or in an aggregate", e.Path[len(e.Path)-1])
		}
	}
	return v, false, nil
}

// aggregate binds an aggregate as a column of the groups.
func (b *binder) aggregate(e *sql.Expr, g *groups) (typed, error) {
	switch {
	case slices.Contains(unknownAggregates(), e.Text):
		return typed{}, sql.Unsupported(e.At, "There are "+strings.Join(aggregateNames(), ", ")+".", e.Text+" aggregates")
	case len(e.Order) > 0:
		return typed{}, sql.Unsupported(e.At, "", "aggregates in an order")
	case len(e.Args) > 1, len(e.Args) == 0 && e.Text != "count":
		return typed{}, sql.Wrong(e.At, "", "%s takes one argument", e.Text)
	}
	in := *g.in
	in.clause = ""
	var where *expr.Expr
	if e.Filter != nil {
		var err error
		if where, err = b.condition(e.Filter, &in); err != nil {
			return typed{}, err
		}
	}
	if len(e.Args) == 0 || e.Args[0].Kind == sql.Star {
		if e.Text != "count" || e.Distinct {
			return typed{}, sql.Wrong(e.At, "", "%s takes a column", e.Text)
		}
		g.plain = e
		if where != nil {
			return b.agg(g, plan.CountIf, typed{e: where, t: columnar.Bool}, e)
		}
		return b.agg(g, plan.Count, typed{}, e)
	}
	v, err := b.expr(e.Args[0], &in)
	if err != nil {
		return typed{}, err
	}
	if where != nil {
		v = v.floatOfWide()
		if v.t.Item() != columnar.Invalid {
			return typed{}, sql.Unsupported(e.At, "", "aggregates of lists with FILTER")
		}
		v.e = expr.If(where, v.e, expr.Null(v.t))
	}
	if e.Distinct && e.Text != "min" && e.Text != "max" {
		if g.distinct != "" && g.distinct != v.e.String() {
			return typed{}, sql.Unsupported(e.At, "", "DISTINCT aggregates of several columns in one SELECT")
		}
		g.distinct, g.at = v.e.String(), e.At
	} else {
		g.plain = e
	}
	return b.typedAggregate(e, g, v)
}

// typedAggregate makes an aggregate of an argument of a type that it takes.
func (b *binder) typedAggregate(e *sql.Expr, g *groups, v typed) (typed, error) {
	isBool := v.t == columnar.Bool
	ones := typed{t: columnar.Int}
	if isBool {
		ones.e = expr.Call(expr.OpToInt, v.e)
	}
	back := func(f aggregate.Func) (typed, error) {
		n, err := b.agg(g, f, ones, e)
		if err != nil {
			return n, err
		}
		return truth(expr.Eq(n.e, expr.Int(1))), nil
	}
	switch e.Text {
	case "count":
		return b.agg(g, plan.Count, v, e)
	case "count_if", "countif", "bool_and", "bool_or":
		if !isBool {
			return typed{}, sql.Wrong(e.Args[0].At, "", "%s takes a condition, and this is %s", e.Text, TypeName(v.t))
		}
		switch e.Text {
		case "bool_and":
			return back(plan.Min)
		case "bool_or":
			return back(plan.Max)
		}
		return b.agg(g, plan.CountIf, v, e)
	case "min", "max":
		switch {
		case isBool:
			return back(aggregate.Func(e.Text))
		case v.t == columnar.Wide:
			v = v.floatOfWide()
		case v.t == columnar.Text && !v.null, v.t.Item() != columnar.Invalid:
			return typed{}, sql.Unsupported(e.At, "", e.Text+" of "+TypeName(v.t))
		}
		return b.agg(g, aggregate.Func(e.Text), v, e)
	}
	if isBool && e.Text == "sum" {
		v = ones
	}
	n, err := asNumber(v, e.Args[0].At)
	if err != nil {
		return n, err
	}
	f := aggregate.Func(e.Text)
	switch e.Text {
	case "mean":
		f = plan.Avg
	case "stddev":
		f = aggregate.StddevSamp
	}
	return b.agg(g, f, n.floatOfWide(), e)
}

// agg adds an aggregate, unless it is there, and returns its column.
func (b *binder) agg(g *groups, f aggregate.Func, v typed, e *sql.Expr) (typed, error) {
	a := plan.Agg{Func: f}
	schema := columnar.Schema{}
	if v.e != nil {
		a.Arg = g.input(b, v.e)
		schema = append(schema, columnar.Field{Name: a.Arg, Type: v.t})
	}
	t, err := a.Type(schema)
	if err != nil {
		return typed{}, sql.Unsupported(e.At, "", e.Text+" of "+TypeName(v.t))
	}
	for _, known := range g.aggs {
		if known.Func == a.Func && known.Arg == a.Arg {
			return typed{e: expr.Col(known.Name), t: t}, nil
		}
	}
	a.Name = b.unique(e.String())
	g.aggs = append(g.aggs, a)
	return typed{e: expr.Col(a.Name), t: t}, nil
}

// input returns the column that holds the argument of an aggregate.
func (g *groups) input(b *binder, e *expr.Expr) string {
	if e.Op == expr.OpColumn {
		for _, k := range g.keys {
			if k.column == e.Name {
				return e.Name
			}
		}
	}
	for _, in := range g.inputs {
		if in.Expr.String() == e.String() {
			return in.Name
		}
	}
	name := ""
	if e.Op == expr.OpColumn {
		name = e.Name
	} else {
		name = b.unique("argument")
	}
	g.inputs = append(g.inputs, plan.As(name, e))
	return name
}

// relation returns the columns of the groups.
func (g *groups) relation() *relation {
	rel := &relation{}
	for _, k := range g.keys {
		rel.fields = append(rel.fields, hidden(k.column, k.t))
	}
	for _, a := range g.aggs {
		rel.fields = append(rel.fields, hidden(a.Name, columnar.Invalid))
	}
	return rel
}

// group puts the aggregation on top of a plan.
func (b *binder) group(g *groups, node *plan.Node) (*plan.Node, error) {
	var columns []plan.Named
	var keys []string
	for _, k := range g.keys {
		columns, keys = append(columns, plan.As(k.column, k.e)), append(keys, k.column)
	}
	node = node.Project(append(columns, g.inputs...)...)
	if g.distinct == "" {
		return node.Aggregate(keys, g.aggs...), nil
	}
	if g.plain != nil {
		return nil, sql.Unsupported(g.at, "Next: compute them in two queries.", "DISTINCT aggregates beside others in one SELECT")
	}
	arg := g.aggs[0].Arg
	return node.Distinct(append(slices.Clone(keys), arg)...).Aggregate(keys, g.aggs...), nil
}
