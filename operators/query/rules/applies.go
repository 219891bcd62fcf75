package rules

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/window"
)

// removeApplies returns an equivalent plan without Apply nodes. The columns of an Apply are those
// of its first input and then those of its second, of which the node above it may rely on the
// names alone, not on their order.
//
// No percentile may read outer columns, nor may a node below it.
func removeApplies(r *rewriting, root *plan.Node) *plan.Node {
	if !slices.ContainsFunc(root.All(), func(n *plan.Node) bool { return n.Op == plan.Apply }) {
		return root
	}
	fresh := newNames(r.work, root, r.tables)
	// The lowest come first. So a second input has none, but it may read columns of rows further out, which the
	// domain of an Apply above it has.
	return root.Transform(func(m *plan.Node) *plan.Node {
		if r.work.Do(1); m.Op != plan.Apply {
			return m
		}
		return r.withoutApply(m, fresh)
	})
}

// withoutApply returns the plan that an Apply stands for, whose second input has none.
func (r *rewriting) withoutApply(n *plan.Node, fresh Fresh) *plan.Node {
	of := n.Domain
	outer := make(Outer)
	for _, c := range of.Columns {
		outer[c] = true
	}
	p := &push{
		plans:  newPlans(r.work, r.tables, outer, fresh),
		domain: n.Inputs[0], keys: of.Keys, held: slices.Concat(of.Columns, of.Keys), done: make(map[*plan.Node]*plan.Node),
	}
	if of.LookedUp {
		return p.grouped(n.Inputs[1])
	}
	return p.into(n.Inputs[1])
}

// push moves a domain into a plan.
type push struct {
	plans
	domain *plan.Node
	keys   []string // of the domain
	held   []string // all columns of the domain
	done   map[*plan.Node]*plan.Node
}

// into returns the plan whose rows are, for each row of the domain, the rows of n.
func (p *push) into(n *plan.Node) *plan.Node {
	if m, ok := p.done[n]; ok {
		return m
	}
	p.work.Do(1 + len(p.held))
	var m *plan.Node
	if p.dependent(n) {
		m = p.intoDependent(n)
	} else {
		m = p.domain.Join(n)
	}
	p.done[n] = m
	return m
}

func (p *push) intoDependent(n *plan.Node) *plan.Node {
	m := *n
	switch n.Op {
	case plan.Filter:
		return p.filter(n)
	case plan.Join:
		return p.join(n)
	case plan.Union:
		return p.union(n)
	case plan.Sort:
		return p.sort(n)
	case plan.Project:
		m.Exprs = slices.Concat(plan.Cols(p.held...), columnar.Only(n.Exprs, func(e plan.Named) bool { return !slices.Contains(p.held, e.Name) }))
	case plan.Window:
		m.Keys = columnar.Union(p.keys, n.Keys)
	case plan.Aggregate:
		if len(n.Keys) == 0 {
			return p.always(p.grouped(n))
		}
		return p.grouped(n)
	}
	m.Inputs = []*plan.Node{p.into(n.Inputs[0])}
	return &m
}

// grouped aggregates the rows of each row of the domain.
func (p *push) grouped(n *plan.Node) *plan.Node {
	return p.into(n.Inputs[0]).Aggregate(columnar.Union(p.held, n.Keys), n.Aggs...)
}

// always gives an aggregation, which has one row for each row of the domain that has rows to
// aggregate, the rows of all others: counts of 0, and nulls.
func (p *push) always(agg *plan.Node) *plan.Node {
	some := p.again(agg)
	columns := plan.Cols(p.held...)
	for _, a := range agg.Aggs {
		columns = append(columns, plan.As(a.Name, OfNothing(a, expr.Col(a.Name))))
	}
	return p.domain.OuterJoin(plan.Left, some.node, some.on()...).Project(columns...)
}

// OfNothing returns the value of an aggregate where v is null because there are no rows to
// aggregate.
func OfNothing(a plan.Agg, v *expr.Expr) *expr.Expr {
	switch a.Func {
	case plan.Count, plan.CountIf:
		return expr.Coalesce(v, expr.Int(0))
	case aggregate.Entropy:
		return expr.Coalesce(v, expr.Float(0))
	}
	return v
}

// renamed is a plan over the domain in which the keys of the domain have other names.
type renamed struct {
	node *plan.Node
	keys []string // the keys of the domain
	as   []string // their names in node
}

// again gives the keys of the domain other names, and drops its other columns, so that the plan
// can be joined with another one over the domain.
func (p *push) again(n *plan.Node) renamed {
	out := renamed{keys: p.keys}
	columns := plan.Cols(columnar.Without(p.columns(n), p.held)...)
	for _, k := range p.keys {
		name := p.fresh(k, nil)
		out.as, columns = append(out.as, name), append(columns, plan.As(name, expr.Col(k)))
	}
	out.node = n.Project(columns...)
	return out
}

// on returns the conditions of a join whose build side has the keys of the domain.
func (r renamed) on() []plan.Pair {
	pairs := make([]plan.Pair, len(r.keys))
	for i, k := range r.keys {
		pairs[i] = plan.On(k, r.as[i])
	}
	return pairs
}

// filter moves the domain below conditions. Where only the conditions read it, an equality
// among them becomes the condition of the join with the domain.
func (p *push) filter(n *plan.Node) *plan.Node {
	if p.dependent(n.Inputs[0]) {
		return p.into(n.Inputs[0]).Filter(n.Where)
	}
	var rest []*expr.Expr
	var on []plan.Pair
	domain, rows := plan.Cols(p.held...), plan.Cols(p.columns(n.Inputs[0])...)
	for _, c := range expr.Conjuncts(n.Where) {
		outer, inner, ok := p.outer.split(c)
		if !ok || inner == nil || !p.sameType(outer, inner, n.Inputs[0]) {
			rest = append(rest, c)
			continue
		}
		pair := plan.On(p.fresh("key", nil), p.fresh("key", nil))
		domain, rows, on = append(domain, plan.As(pair.Build, outer)), append(rows, plan.As(pair.Probe, inner)), append(on, pair)
	}
	joined := p.domain.Join(n.Inputs[0])
	if len(on) > 0 {
		joined = p.domain.Project(domain...).Join(n.Inputs[0].Project(rows...), on...)
	}
	if where := expr.Conjoin(rest); where != nil {
		joined = joined.Filter(where)
	}
	return joined
}

// sameType reports whether expressions over the domain and over rows are known to be of one
// type.
func (p *push) sameType(outer, inner *expr.Expr, rows *plan.Node) bool {
	schemas := plan.NewSchemas(p.work, p.tables)
	left, err := schemas.Of(p.domain)
	if err != nil {
		return false // the domain reads columns of rows further out
	}
	right, err := schemas.Of(rows)
	if err != nil {
		return false
	}
	a, errA := outer.TypeOf(left)
	b, errB := inner.TypeOf(right)
	return errA == nil && errB == nil && a == b
}

// join moves the domain into the side of a join that depends on it, and into both sides if both
// do, or if the join keeps rows of the other side that have no partner.
func (p *push) join(n *plan.Node) *plan.Node {
	m := *n
	build, probe := p.dependent(n.Inputs[0]), p.dependent(n.Inputs[1])
	switch {
	case build && !probe && !n.Kind.KeepsProbe():
		m.Inputs = []*plan.Node{p.into(n.Inputs[0]), n.Inputs[1]}
		return &m
	case probe && !build && !n.Kind.KeepsBuild():
		m.Inputs = []*plan.Node{n.Inputs[0], p.keepKeys(p.into(n.Inputs[1]), &m)}
		return &m
	}
	other := p.again(p.keepKeys(p.into(n.Inputs[1]), &m))
	m.Inputs = []*plan.Node{p.into(n.Inputs[0]), other.node}
	m.On = slices.Concat(m.On, other.on())
	if !n.Kind.KeepsProbe() {
		return &m
	}
	return p.fromEither(&m, other)
}

// keepKeys gives columns of the domain by which a probe side is joined a column of their own,
// since an inner join drops the keys of its probe side.
func (p *push) keepKeys(probe *plan.Node, join *plan.Node) *plan.Node {
	join.On = slices.Clone(join.On)
	columns := plan.Cols(p.columns(probe)...)
	for i, pair := range join.On {
		if slices.Contains(p.held, pair.Probe) {
			join.On[i].Probe = p.fresh(pair.Probe, nil)
			columns = append(columns, plan.As(join.On[i].Probe, expr.Col(pair.Probe)))
		}
	}
	if len(columns) == len(p.columns(probe)) {
		return probe
	}
	return probe.Project(columns...)
}

// fromEither gives a join that keeps rows of its probe side the columns of the domain, of rows
// without a partner too. The domain is joined once more, by its keys.
func (p *push) fromEither(join *plan.Node, probe renamed) *plan.Node {
	columns := plan.Cols(columnar.Without(p.columns(join), columnar.Union(p.held, probe.as))...)
	var on []plan.Pair
	for i, k := range probe.keys {
		name := p.fresh(k, nil)
		columns = append(columns, plan.As(name, expr.Coalesce(expr.Col(probe.as[i]), expr.Col(k))))
		on = append(on, plan.On(k, name))
	}
	return p.domain.Join(join.Project(columns...), on...)
}

// union moves the domain into all inputs, which must have the same columns in the same order.
func (p *push) union(n *plan.Node) *plan.Node {
	m := *n
	m.Inputs = make([]*plan.Node, len(n.Inputs))
	for i, in := range n.Inputs {
		m.Inputs[i] = p.into(in).Select(columnar.Union(p.held, p.columns(in))...)
	}
	return &m
}

// sort keeps, for each row of the domain, the rows that a sort with a limit keeps. Without one
// the order of rows does not matter.
func (p *push) sort(n *plan.Node) *plan.Node {
	in := p.into(n.Inputs[0])
	if !n.Limited() {
		return in
	}
	return firstOf(in, p.keys, columnar.Union(p.held, p.columns(n.Inputs[0])), n, p.fresh("row", nil))
}

// firstOf keeps, of the rows with equal keys, those that a sort with a limit keeps. columns are
// the columns to yield; their order breaks ties, as in the sort. number names a column.
func firstOf(rows *plan.Node, keys, columns []string, sort *plan.Node, number string) *plan.Node {
	at := expr.Col(number)
	kept := expr.Gt(at, expr.Int(sort.Offset))
	if sort.Limit != nil {
		kept = expr.And(kept, expr.Le(at, expr.Int(sort.Offset+*sort.Limit)))
	}
	if sort.Offset == 0 && sort.Limit != nil {
		kept = expr.Le(at, expr.Int(*sort.Limit))
	}
	return rows.Select(columns...).Window(keys, sort.Order, plan.Call{Func: window.RowNumber, Name: number}).Filter(kept).Select(columns...)
}
