package bind

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

// checkAggregateOrder refuses an order in an aggregate to which it makes no difference, but
// that by its argument, and within DISTINCT an order of something else. To quantiles and the
// most frequent value it makes one if it goes downwards.
func checkAggregateOrder(e *sql.Expr, f aggregateFunction) {
	ordered := slices.Contains([]string{"string_agg", "list", "first", "last", "any_value"}, f.names[0])
	for _, o := range e.Order {
		own := len(e.Order) == 1 && len(e.Args) > 0 && o.Expr.String() == e.Args[0].String()
		switch {
		case !own && !ordered:
			panic(sql.Unsupported(o.At, "", "orders within "+e.Text))
		case o.Desc && slices.Contains([]string{"quantile_cont", "quantile_disc", "mode"}, f.names[0]):
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
	text := asText(c.v)
	if len(c.e.Order) == 0 {
		return b.agg(g, plan.Agg{Func: aggregate.StringAgg, Param: separator}, typed{e: text, t: columnar.Text}, c)
	}
	held, directions := b.inOrder(c, text)
	return b.agg(g, plan.Agg{Func: aggregate.StringAggBy, Param: directions + "|" + separator}, held, c)
}

// bindList binds the list of all values, null or not. Those that ORDER BY leaves in no
// order are in their own.
func bindList(b *binder, g *groups, c aggregateCall) typed {
	if columnar.ListOf(c.v.t) == columnar.Invalid {
		panic(noListOf(c.v.t, c.e.At))
	}
	null, value := nullOf(ones(c.v)) // before each value, so that nulls are there as well
	a, item := plan.Agg{Func: aggregate.ListOf(c.v.t)}, expr.Call(expr.OpPair, null, value)
	held, directions := b.inOrder(c, item)
	if a.Param = directions; c.where != nil {
		held.e = expr.If(c.where, held.e, expr.Null(columnar.Text))
	}
	return b.agg(g, a, held, c)
}

// inOrder puts the values of ORDER BY before what is collected, and says of each whether
// it orders upwards or downwards.
func (b *binder) inOrder(c aggregateCall, item *expr.Expr) (held typed, directions string) {
	for _, o := range slices.Backward(b.orderWithin(c)) {
		null, value := nullOf(o.typed)
		item = expr.Call(expr.OpPair, null, expr.Call(expr.OpPair, value, item))
		letters := map[bool]string{false: "a", true: "d"}
		directions = letters[o.nullsFirst] + letters[o.desc] + directions
	}
	return typed{e: item, t: columnar.Text}, directions
}

// orderKey is a value that rows are in order by.
type orderKey struct {
	typed
	desc, nullsFirst bool
}

// orderWithin binds the ORDER BY of an aggregate.
func (b *binder) orderWithin(c aggregateCall) []orderKey {
	var keys []orderKey
	for _, o := range c.e.Order {
		k := ones(b.expr(o.Expr, c.s).floatOfWide())
		if k.t.Item() != columnar.Invalid {
			panic(sql.Unsupported(o.At, "", "orders by "+TypeName(k.t)))
		}
		keys = append(keys, orderKey{k, o.Desc, o.Nulls == "FIRST"})
	}
	return keys
}

// nullOf is 1 where a value is null, and the value with another one in the place of null.
func nullOf(v typed) (null, value *expr.Expr) {
	return expr.Call(expr.OpToInt, expr.IsNull(v.e)), expr.Coalesce(v.e, zeroOf(v.t))
}

// bindFirstOf binds the value, null or not, of the first row in an order, or the last one: the
// least text of all that the rows of the order and the value make, or the greatest.
func bindFirstOf(f aggregate.Func) aggregateBinding {
	return func(b *binder, g *groups, c aggregateCall) typed {
		keys := b.orderWithin(c)
		if len(keys) == 0 {
			keys = b.places(g, c)
		}
		return b.firstBy(g, f, keys, nullItem, c)
	}
}

// bindAnyValue binds the least value, or with an order the first that is not null.
func bindAnyValue(b *binder, g *groups, c aggregateCall) typed {
	if len(c.e.Order) == 0 {
		return of(plan.Min, itself)(b, g, c)
	}
	return b.firstBy(g, plan.Min, b.orderWithin(c), expr.Null(columnar.Text), c)
}

// nullItem stands for a value that is null, behind those that are not.
var nullItem = expr.Str("~")

// firstBy binds the value of the row that is the least by some keys, or the greatest; of
// several the least or greatest value. Values that are null are taken for a text, or for none
// if that is null.
func (b *binder) firstBy(g *groups, f aggregate.Func, keys []orderKey, null *expr.Expr, c aggregateCall) typed {
	v := c.v
	noList(v.t, c.e.At, c.e.Text)
	held := expr.If(expr.IsNull(v.e), null, expr.Call(expr.OpPair, expr.Int(0), v.e))
	for i := len(keys) - 1; i >= 0; i-- {
		held = keys[i].before(held)
	}
	if c.where != nil {
		held = expr.If(c.where, held, expr.Null(columnar.Text))
	}
	item := b.agg(g, plan.Agg{Func: f}, typed{e: held, t: columnar.Text}, c).e
	for range 2 * len(keys) {
		item = expr.PairSecond(item, columnar.Text)
	}
	return typed{e: expr.If(expr.Eq(item, nullItem), expr.Null(v.t), expr.PairSecond(item, v.t)), t: v.t}
}

// before makes a text that orders by the key, and by an item where that is the same.
func (k orderKey) before(item *expr.Expr) *expr.Expr {
	pair := map[bool]expr.Op{false: expr.OpPair, true: expr.OpPairDown}
	null, value := nullOf(k.typed)
	return expr.Call(pair[k.nullsFirst], null, expr.Call(pair[k.desc], value, item))
}

// places are the places of rows in their files, which they are in order by. Other rows have
// none that all runs agree on.
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

// unnests reports whether a plan makes several rows of one, which have its place. Groups have
// none.
func unnests(n *plan.Node) bool {
	return n.Op == plan.Unnest || n.Op != plan.Aggregate && slices.ContainsFunc(n.Inputs, unnests)
}
