package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// Lifted is a plan that reads no outer columns. Its rows, kept where Conditions are true, are
// those of the plan that it was made of. The conditions read outer columns and columns of Node.
type Lifted struct {
	Node       *plan.Node
	Conditions []*expr.Expr
}

// Lift takes the conditions that read outer columns off a plan. Above an aggregation, a limit
// and a window only equalities can be, since they become keys there. ok is false if the plan
// reads outer columns other than in such conditions.
func Lift(work *budget.Work, n *plan.Node, outer Outer, tables plan.Tables, fresh Fresh) (l Lifted, ok bool) {
	return newLift(work, outer, tables, fresh).off(n)
}

// LiftGroup is Lift for an aggregation without keys, which gets keys. So it has no row where
// there are no rows to aggregate, which the caller must make up for.
func LiftGroup(work *budget.Work, n *plan.Node, outer Outer, tables plan.Tables, fresh Fresh) (l Lifted, ok bool) {
	return newLift(work, outer, tables, fresh).aggregate(n)
}

func newLift(work *budget.Work, outer Outer, tables plan.Tables, fresh Fresh) *lift {
	return &lift{newPlans(work, tables, outer, fresh)}
}

type lift struct{ plans }

// off takes conditions off a node and those below it.
func (p *lift) off(n *plan.Node) (l Lifted, ok bool) {
	p.work.Do(1)
	if !p.dependent(n) {
		return Lifted{Node: n}, true
	}
	switch n.Op {
	case plan.Filter:
		return p.filter(n)
	case plan.Project:
		return p.project(n)
	case plan.Join:
		return p.join(n)
	case plan.Aggregate:
		if len(n.Keys) > 0 {
			return p.aggregate(n)
		}
	case plan.Sort:
		return p.sort(n)
	case plan.Window:
		return p.keyed(n.Inputs[0], func(in *plan.Node, keys []string) *plan.Node {
			m := *n
			m.Inputs, m.Keys = []*plan.Node{in}, columnar.Union(keys, n.Keys)
			return &m
		})
	case plan.Unnest:
		if l, ok = p.off(n.Inputs[0]); ok {
			isList := columnar.SetOf(plan.ListColumns(n.Lists)).Has
			ok = !slices.ContainsFunc(l.Conditions, func(c *expr.Expr) bool { return slices.ContainsFunc(c.Columns(), isList) })
			l.Node = l.Node.UnnestAll(n.Lists...)
		}
		return l, ok
	}
	return l, false
}

func (p *lift) filter(n *plan.Node) (l Lifted, ok bool) {
	if l, ok = p.off(n.Inputs[0]); !ok {
		return l, false
	}
	var rest []*expr.Expr
	for _, c := range expr.Conjuncts(n.Where) {
		if p.outer.Reads(c) {
			l.Conditions = append(l.Conditions, c)
		} else {
			rest = append(rest, c)
		}
	}
	if where := expr.Conjoin(rest); where != nil {
		l.Node = l.Node.Filter(where)
	}
	return l, true
}

// project passes on the columns that lifted conditions read.
func (p *lift) project(n *plan.Node) (l Lifted, ok bool) {
	if slices.ContainsFunc(n.Exprs, func(e plan.Named) bool { return p.outer.Reads(e.Expr) }) {
		return l, false
	}
	if l, ok = p.off(n.Inputs[0]); !ok {
		return l, false
	}
	columns := slices.Clone(n.Exprs)
	for _, c := range l.Conditions {
		for _, name := range c.Columns() {
			same := func(e plan.Named) bool { return e.Name == name }
			if !p.outer[name] && !slices.ContainsFunc(columns, same) {
				columns = append(columns, plan.As(name, expr.Col(name)))
			}
		}
	}
	l.Node = l.Node.Project(columns...)
	return l, true
}

// join takes conditions off both sides of an inner join, and off the side of an outer join all
// of whose rows are kept.
func (p *lift) join(n *plan.Node) (l Lifted, ok bool) {
	if n.Kind.KeepsBuild() && p.dependent(n.Inputs[1]) || n.Kind.KeepsProbe() && p.dependent(n.Inputs[0]) {
		return l, false
	}
	build, okBuild := p.off(n.Inputs[0])
	probe, okProbe := p.off(n.Inputs[1])
	if !okBuild || !okProbe || p.alike(build, probe) {
		return l, false
	}
	if n.Kind == plan.Inner { // it drops the keys of the probe side, which equal those of the build side
		for i, c := range probe.Conditions {
			probe.Conditions[i] = c.Rename(func(name string) *expr.Expr {
				at := slices.IndexFunc(n.On, func(pair plan.Pair) bool { return pair.Probe == name })
				if at < 0 {
					return nil
				}
				return expr.Col(n.On[at].Build)
			})
		}
	}
	m := *n
	m.Inputs = []*plan.Node{build.Node, probe.Node}
	return Lifted{&m, slices.Concat(build.Conditions, probe.Conditions)}, true
}

// alike reports whether the sides of a join read the same query, whose conditions would give
// both sides columns of one name.
func (p *lift) alike(build, probe Lifted) bool {
	if len(build.Conditions) == 0 || len(probe.Conditions) == 0 {
		return false
	}
	return slices.ContainsFunc(p.columns(build.Node), columnar.SetOf(p.columns(probe.Node)).Has)
}

func (p *lift) aggregate(n *plan.Node) (l Lifted, ok bool) {
	return p.keyed(n.Inputs[0], func(in *plan.Node, keys []string) *plan.Node {
		return in.Aggregate(columnar.Union(keys, n.Keys), n.Aggs...)
	})
}

// sort keeps, of the rows with equal keys, those that a sort with a limit keeps. Without one the
// order of rows does not matter.
func (p *lift) sort(n *plan.Node) (l Lifted, ok bool) {
	if !n.Limited() {
		return p.off(n.Inputs[0])
	}
	return p.keyed(n.Inputs[0], func(in *plan.Node, keys []string) *plan.Node {
		return firstOf(in, keys, columnar.Union(keys, p.columns(n.Inputs[0])), n, p.fresh("row", nil))
	})
}

// keyed takes equalities off a plan and makes keys of them. over makes the node above it, which
// passes the keys on.
func (p *lift) keyed(below *plan.Node, over func(in *plan.Node, keys []string) *plan.Node) (l Lifted, ok bool) {
	if l, ok = p.off(below); !ok {
		return l, false
	}
	k := l.Keyed(p.outer, p.fresh)
	if len(k.Rest) > 0 {
		return l, false
	}
	l.Node = over(k.with(l.Node, p.columns(l.Node)), columnar.Union(k.Keys))
	for i, key := range k.Keys {
		l.Conditions[i] = expr.Eq(k.Outer[i], expr.Col(key))
	}
	return l, true
}

// Keyed is lifted conditions as the keys of a join with the outer rows.
type Keyed struct {
	Keys  []string     // columns
	Inner []plan.Named // those of Keys that are yet to be computed
	Outer []*expr.Expr // over outer columns: what the keys must equal
	Rest  []*expr.Expr // the conditions that cannot be keys
}

// Keyed makes keys of the conditions. An equality between an outer and another expression is
// one, and so is a condition on outer columns alone, for which the key is true.
func (l Lifted) Keyed(outer Outer, fresh Fresh) (k Keyed) {
	for _, c := range l.Conditions {
		theirs, own, ok := outer.split(c)
		switch {
		case !ok:
			k.Rest = append(k.Rest, c)
			continue
		case own == nil:
			theirs, own = expr.If(c, expr.Bool(true), expr.Null(columnar.Bool)), expr.Bool(true)
		}
		name := own.Name
		if own.Op != expr.OpColumn {
			name = fresh("key", own)
			k.Inner = append(k.Inner, plan.As(name, own))
		}
		k.Keys, k.Outer = append(k.Keys, name), append(k.Outer, theirs)
	}
	return k
}

// Own returns the expression that gives the i-th key.
func (k Keyed) Own(i int) *expr.Expr {
	for _, e := range k.Inner {
		if e.Name == k.Keys[i] {
			return e.Expr
		}
	}
	return expr.Col(k.Keys[i])
}

// with returns a node with the keys that are yet to be computed, beside its columns.
func (k Keyed) with(n *plan.Node, columns []string) *plan.Node {
	if len(k.Inner) == 0 {
		return n
	}
	return n.Project(slices.Concat(plan.Cols(columns...), k.Inner)...)
}

// split splits an equality into the side over outer columns and the other one. For a condition
// over outer columns alone, inner is nil.
func (o Outer) split(c *expr.Expr) (outer, inner *expr.Expr, ok bool) {
	if o.alone(c) {
		return c, nil, true
	}
	op, outer, inner := o.Comparison(c)
	return outer, inner, op == expr.OpEq
}

// Comparison splits a comparison into an outer expression and one over columns that are not
// outer; inner is nil if it cannot be split so. op compares inner with outer.
func (o Outer) Comparison(c *expr.Expr) (op expr.Op, outer, inner *expr.Expr) {
	if !slices.Contains([]expr.Op{expr.OpEq, expr.OpNe, expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe}, c.Op) {
		return "", nil, nil
	}
	switch x, y := c.Args[0], c.Args[1]; {
	case o.alone(x) && !o.Reads(y):
		return c.Op.Mirrored(), x, y
	case o.alone(y) && !o.Reads(x):
		return c.Op, y, x
	}
	return "", nil, nil
}

// alone reports whether an expression reads outer columns and no others.
func (o Outer) alone(e *expr.Expr) bool {
	return o.Reads(e) && !slices.ContainsFunc(e.Columns(), func(c string) bool { return !o[c] })
}
