package bind

import (
	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
	"analyzer/operators/sql"
)

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
		return of(plan.Min)(b, g, c)
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
	if g.rows != nil && !unnests(g.rows.node) {
		for _, o := range g.rows.order {
			if !b.ofFile[o.Column] {
				keys = nil
				break
			}
			keys = append(keys, orderKey{typed: typed{e: expr.Col(o.Column), t: columnar.Int}})
		}
	}
	if keys == nil {
		panic(sql.Unsupported(c.e.At, "Next: write "+c.e.Text+"("+c.e.Args[0].String()+" ORDER BY …).", c.e.Text+" aggregates without ORDER BY, of rows in no order of a file,"))
	}
	return keys
}

// unnests reports whether a plan makes several rows of one, which have its place. Groups have
// none.
func unnests(n *plan.Node) bool {
	if n.Op == plan.Aggregate {
		return false
	}
	for _, in := range n.Inputs {
		if unnests(in) {
			return true
		}
	}
	return n.Op == plan.Unnest
}
