package bind

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/scalar"
)

// join joins inputs as they are written: it keeps those of all combinations of their rows for which
// the conditions are true. Package rules decides how to find them.
func (in *inputs) join() *relation {
	if len(in.rels) == 1 {
		in.rels[0].filter(in.conditions)
		return in.rels[0]
	}
	_, schema := ownersIn(in.rels...)
	sum := &relation{node: in.rels[0].node, fields: in.fields()}
	for _, r := range in.rels[1:] {
		sum.node = sum.node.Join(r.node)
	}
	sum.filter(columnar.Each(in.conditions, func(c *expr.Expr) *expr.Expr { return sameTypes(c, schema) }))
	if rows := columnar.Only(in.rels, func(r *relation) bool { return !r.semi }); len(rows) == 1 {
		sum.order = rows[0].order
	}
	return sum
}

// ownersIn returns which relation each column belongs to, and the types of all columns.
func ownersIn(rels ...*relation) (owner rules.Owners, schema columnar.Schema) {
	owner = make(rules.Owners)
	for i, r := range rels {
		for _, f := range r.fields {
			owner[f.column] = i
			schema = append(schema, columnar.Field{Name: f.column, Type: f.typ})
		}
	}
	return owner, schema
}

// filter keeps the rows for which all conditions are true.
func (r *relation) filter(conditions []*expr.Expr) {
	if where := expr.Conjoin(conditions); where != nil {
		r.node = r.node.Filter(where)
	}
}

// sameTypes converts the sides of an equality between two numeric types, or between a date and a
// timestamp, to one type, by which rows can be joined; also where it is one of several ways.
func sameTypes(c *expr.Expr, schema columnar.Schema) *expr.Expr {
	switch c.Op {
	case expr.OpAnd, expr.OpOr:
		return expr.Call(c.Op, columnar.Each(c.Args, func(a *expr.Expr) *expr.Expr { return sameTypes(a, schema) })...)
	case expr.OpEq:
	default:
		return c
	}
	a, errA := c.Args[0].TypeOf(schema)
	b, errB := c.Args[1].TypeOf(schema)
	if errA != nil || errB != nil || a == b {
		return c
	}
	both := scalar.OfOneType(scalar.Value{Expr: c.Args[0], Type: a}, scalar.Value{Expr: c.Args[1], Type: b})
	return expr.Eq(both[0], both[1])
}

// all returns the columns of a relation: its fields, and those of its order.
func (r *relation) all() []plan.Named {
	order := columnar.Each(r.order, func(o plan.Order) string { return o.Column })
	return plan.Cols(columnar.Union(columnsOf(r.fields), order)...)
}

// columnsOf returns the columns of fields, by their names within the plan.
func columnsOf(fields []field) []string {
	return columnar.Each(fields, func(f field) string { return f.column })
}
