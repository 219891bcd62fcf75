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
	text := asText(c.v)
	if len(c.e.Order) == 0 {
		return b.agg(g, plan.Agg{Func: aggregate.StringAgg, Param: separator}, c, typed{e: text, t: columnar.Text})
	}
	held, directions := b.inOrder(c, text)
	return b.agg(g, plan.Agg{Func: aggregate.StringAggBy, Param: directions + "|" + separator}, c, held)
}

// bindList binds the list of all values, nulls included. Values that ORDER BY leaves tied are
// ordered by themselves.
func bindList(b *binder, g *groups, c aggregateCall) typed {
	if columnar.ListOf(c.v.t) == columnar.Invalid {
		panic(noListOf(c.v.t, c.e.At))
	}
	null, value := nullOf(ones(c.v)) // the flag before each value keeps nulls in the list
	a, item := plan.Agg{Func: aggregate.ListOf(c.v.t)}, expr.Call(expr.OpPair, null, value)
	held, directions := b.inOrder(c, item)
	if a.Param = directions; c.where != nil {
		held.e = expr.If(c.where, held.e, expr.Null(columnar.Text))
	}
	return b.agg(g, a, c, held)
}

// inOrder puts the sort keys of ORDER BY before the item that is collected. directions says for
// each key, and for its nulls, whether it is ascending or descending.
func (b *binder) inOrder(c aggregateCall, item *expr.Expr) (held typed, directions string) {
	for _, o := range slices.Backward(b.orderWithin(c)) {
		null, value := nullOf(o.typed)
		item = expr.Call(expr.OpPair, null, expr.Call(expr.OpPair, value, item))
		letters := map[bool]string{false: "a", true: "d"}
		directions = letters[o.nullsFirst] + letters[o.desc] + directions
	}
	return typed{e: item, t: columnar.Text}, directions
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
		k := ones(b.expr(o.Expr, c.s).floatOfWide())
		if k.t.Item() != columnar.Invalid {
			panic(sql.Unsupported(o.At, "", "orders by "+TypeName(k.t)))
		}
		keys = append(keys, orderKey{k, o.Desc, o.Nulls == "FIRST"})
	}
	return keys
}

// nullOf returns a flag that is 1 where a value is null, and the value with zeroOf in the place
// of null.
func nullOf(v typed) (null, value *expr.Expr) {
	return expr.Call(expr.OpToInt, expr.IsNull(v.e)), expr.Coalesce(v.e, zeroOf(v.t))
}

// bindFirstOf binds the value, which may be null, of the first or last row in an order. It is the
// least or greatest of the texts that encode each row's sort keys and value.
func bindFirstOf(f aggregate.Func) aggregateBinding {
	return func(b *binder, g *groups, c aggregateCall) typed {
		keys := b.orderWithin(c)
		if len(keys) == 0 {
			keys = b.places(g, c)
		}
		return b.firstBy(g, f, keys, nullItem, c)
	}
}

// bindAnyValue binds the least value, or with ORDER BY the first value that is not null.
func bindAnyValue(b *binder, g *groups, c aggregateCall) typed {
	if len(c.e.Order) == 0 {
		return of(plan.Min, itself)(b, g, c)
	}
	return b.firstBy(g, plan.Min, b.orderWithin(c), expr.Null(columnar.Text), c)
}

// nullItem encodes a value that is null. It sorts after those that are not.
var nullItem = expr.Str("~")

// firstBy binds the value of the row that is least or greatest by some keys; of tied rows it takes
// the least or greatest value. The expression null encodes values that are null; if it is a null
// itself, they are skipped.
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
	item := b.agg(g, plan.Agg{Func: f}, c, typed{e: held, t: columnar.Text}).e
	for range 2 * len(keys) {
		item = expr.PairSecond(item, columnar.Text)
	}
	return typed{e: expr.If(expr.Eq(item, nullItem), expr.Null(v.t), expr.PairSecond(item, v.t)), t: v.t}
}

// before returns a text that sorts by the key, and then by an item.
func (k orderKey) before(item *expr.Expr) *expr.Expr {
	pair := map[bool]expr.Op{false: expr.OpPair, true: expr.OpPairDown}
	null, value := nullOf(k.typed)
	return expr.Call(pair[k.nullsFirst], null, expr.Call(pair[k.desc], value, item))
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
