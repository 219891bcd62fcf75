package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// checkAggregateOrder refuses a text as a key, a key of mode other than its value, and other orders of DISTINCT
// values than their own.
func checkAggregateOrder(e *sql.Expr, f *aggregateFunction) {
	for _, o := range e.Order {
		if len(e.Order) == 1 && len(e.Args) > 0 && o.Expr.String() == e.Args[0].String() {
			continue // its own order
		}
		refuseText(o.Expr)
		switch {
		case f.Names[0] == "mode":
			panic(sql.Unsupported(o.At, "", "orders within mode other than that of its value"))
		case e.Distinct && dependsOnOrder(f):
			panic(sql.Wrong(o.At, "Next: order by it alone.", "DISTINCT values are in no other order than their own"))
		}
	}
}

// dependsOnOrder reports whether the value of an aggregate depends on an order; f is nil if there is no
// such aggregate here.
func dependsOnOrder(f *aggregateFunction) bool {
	return f != nil && slices.Contains([]string{"string_agg", "list", "first", "last", "any_value"}, f.Names[0])
}

func bindStringAgg(g *groups, c aggregateCall) scalar.Value {
	separator := ","
	if len(c.e.Args) > 1 {
		constant := g.b.constant("a separator")
		if constant.IsNull(c.e.Args[1]) {
			c.v = scalar.NullAt(c.e.At) // with which there is no text
		} else {
			separator = constant.LiteralText(c.e.Args[1], "a separator")
		}
	}
	c.order = g.collectedOrder(c)
	return g.agg(plan.Agg{Func: aggregate.StringAgg, Param: separator}, c, scalar.TextOf(scalar.AsText(c.v)))
}

// bindList binds the list of all values, nulls included. Values that ORDER BY leaves tied are
// ordered by themselves.
func bindList(g *groups, c aggregateCall) scalar.Value {
	if columnar.ListOf(c.v.Type) == columnar.Invalid {
		panic(scalar.NoListOf(c.v.Type, c.e.At))
	}
	c.order = g.collectedOrder(c)
	return g.agg(plan.Agg{Func: aggregate.ArrayAgg}, c, c.v)
}

// orderKeyOf is a sort key.
type orderKey struct {
	scalar.Value
	desc, nullsFirst bool
}

// orderWithin binds the ORDER BY of an aggregate.
func (c aggregateCall) orderWithin() []orderKey {
	var keys []orderKey
	for _, o := range c.e.Order {
		k := c.s.expr(scalar.SortKey(o.Expr))
		keys = append(keys, orderKey{k, o.Desc, o.Nulls == "FIRST"})
	}
	return keys
}

// collectedOrder returns the order of the values that an aggregate keeps: that of its ORDER BY, or of the rows if they
// have one. It is empty if the values are in their own, as DISTINCT ones are.
func (g *groups) collectedOrder(c aggregateCall) []orderKey {
	if len(c.e.Order) > 0 || c.e.Distinct {
		return c.orderWithin()
	}
	return g.places()
}

// bindFirstOf binds the value, which may be null, of the first or last row in an order.
func bindFirstOf(f aggregate.Func) aggregateBinding {
	return func(g *groups, c aggregateCall) scalar.Value {
		if c.order = c.orderWithin(); len(c.order) == 0 {
			c.order = g.places()
		}
		if len(c.order) == 0 { // nothing orders the rows the same in all runs but their values
			c.order = []orderKey{{Value: c.v}}
		}
		return g.agg(plan.Agg{Func: f}, c, c.v)
	}
}

// bindAnyValue binds the least value, or with ORDER BY the first value that is not null.
func bindAnyValue(g *groups, c aggregateCall) scalar.Value {
	if len(c.e.Order) == 0 {
		return extremeOf(plan.Min, aggregate.ArgMin)(g, c)
	}
	c.order = c.orderWithin()
	return g.agg(plan.Agg{Func: aggregate.AnyValue}, c, c.v)
}

// places returns the order of rows as sort keys: their positions in their files, or that of the query
// that they come from. It returns none for rows without an order.
func (g *groups) places() []orderKey {
	ofFile := func(o plan.Order) bool { return g.b.ofFile[o.Column] }
	if g.rows == nil || slices.ContainsFunc(g.rows.order, ofFile) && unnests(g.rows.node) {
		return nil
	}
	var keys []orderKey
	for _, o := range g.rows.order {
		t := g.b.Types[o.Column]
		if g.b.ofFile[o.Column] {
			t = columnar.Int
		}
		if t == columnar.Invalid || t.Item() != columnar.Invalid {
			return nil
		}
		keys = append(keys, orderKey{scalar.Value{Expr: expr.Col(o.Column), Type: t}, o.Desc, o.NullsFirst})
	}
	return keys
}

// unnests reports whether a plan turns one row into several, which then share its position. It
// does not look below groups, which have no position.
func unnests(n *plan.Node) bool {
	return n.Op == plan.Unnest || n.Op != plan.Aggregate && slices.ContainsFunc(n.Inputs, unnests)
}
