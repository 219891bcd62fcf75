package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// checkAggregateOrder refuses ORDER BY in an aggregate that does not depend on the order, unless
// it orders by the aggregate's argument. Within DISTINCT it refuses any other order than that. It
// refuses DESC for quantiles and mode, on whose result it would have an effect.
func checkAggregateOrder(e *sql.Expr, f *aggregateFunction) {
	ordered := slices.Contains([]string{"string_agg", "list", "first", "last", "any_value"}, f.Names[0])
	for _, o := range e.Order {
		own := len(e.Order) == 1 && len(e.Args) > 0 && o.Expr.String() == e.Args[0].String()
		switch {
		case !own && !ordered:
			panic(sql.Unsupported(o.At, "", "orders within "+e.Text))
		case o.Desc && slices.Contains([]string{"quantile_cont", "quantile_disc", "mode"}, f.Names[0]):
			panic(sql.Unsupported(o.At, "", "orders with DESC within "+e.Text))
		case !own && e.Distinct:
			panic(sql.Wrong(o.At, "Next: order by it alone.", "DISTINCT values are in no other order than their own"))
		}
	}
}

func bindStringAgg(b *binder, g *groups, c aggregateCall) typed {
	separator := ","
	if len(c.e.Args) > 1 {
		separator = b.literalText(c.e.Args[1], &scope{clause: "a separator"}, "a separator")
	}
	c.order = b.orderWithin(c)
	return b.agg(g, plan.Agg{Func: aggregate.StringAgg, Param: separator}, c, typed{e: asText(c.v), t: columnar.Text})
}

// bindList binds the list of all values, nulls included. Values that ORDER BY leaves tied are
// ordered by themselves.
func bindList(b *binder, g *groups, c aggregateCall) typed {
	if columnar.ListOf(c.v.t) == columnar.Invalid {
		panic(noListOf(c.v.t, c.e.At))
	}
	c.order = b.orderWithin(c)
	return b.agg(g, plan.Agg{Func: aggregate.ArrayAgg}, c, c.v)
}

// orderKey is a sort key.
type orderKey struct {
	typed
	desc, nullsFirst bool
}

// orderWithin binds the ORDER BY of an aggregate.
func (b *binder) orderWithin(c aggregateCall) []orderKey {
	var keys []orderKey
	for _, o := range c.e.Order {
		k := b.expr(o.Expr, c.s)
		keys = append(keys, orderKey{k, o.Desc, o.Nulls == "FIRST"})
	}
	return keys
}

// bindFirstOf binds the value, which may be null, of the first or last row in an order.
func bindFirstOf(f aggregate.Func) aggregateBinding {
	return func(b *binder, g *groups, c aggregateCall) typed {
		if c.order = b.orderWithin(c); len(c.order) == 0 {
			c.order = b.places(g, c)
		}
		return b.agg(g, plan.Agg{Func: f}, c, c.v)
	}
}

// bindAnyValue binds the least value, or with ORDER BY the first value that is not null.
func bindAnyValue(b *binder, g *groups, c aggregateCall) typed {
	if len(c.e.Order) == 0 {
		return extremeOf(plan.Min, aggregate.ArgMin)(b, g, c)
	}
	c.order = b.orderWithin(c)
	return b.agg(g, plan.Agg{Func: aggregate.AnyValue}, c, c.v)
}

// places returns the positions of rows in their files as sort keys. It refuses rows in another
// order, since nothing else orders them the same in all runs.
func (b *binder) places(g *groups, c aggregateCall) []orderKey {
	var keys []orderKey
	elsewhere := func(o plan.Order) bool { return !b.ofFile[o.Column] }
	if g.rows != nil && !unnests(g.rows.node) && !slices.ContainsFunc(g.rows.order, elsewhere) {
		keys = each(g.rows.order, func(o plan.Order) orderKey { return orderKey{typed: intOf(expr.Col(o.Column))} })
	}
	if len(keys) == 0 {
		panic(sql.Unsupported(c.e.At, "Next: write "+c.e.Text+"("+c.e.Args[0].String()+" ORDER BY …).", c.e.Text+" aggregates without ORDER BY, of rows in no order of a file,"))
	}
	return keys
}

// unnests reports whether a plan turns one row into several, which then share its position. It
// does not look below groups, which have no position.
func unnests(n *plan.Node) bool {
	return n.Op == plan.Unnest || n.Op != plan.Aggregate && slices.ContainsFunc(n.Inputs, unnests)
}
