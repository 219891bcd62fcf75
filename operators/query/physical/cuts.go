package physical

import (
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// ForCuts returns the plan for answers that are computed while the tables are still being read.
// It leaves out key filters that could drop a row with a partner when only the first parts of
// the tables are known. Rows cross exchanges again, since they are needed part by part.
//
// A build side is complete before a scan is filtered by its keys. But if a table below it is
// read again, by that scan or later, early answers see only a part of that table. A part can
// produce keys that the whole does not: for example, each further order can only reduce the
// customers with a single order. Filters for which that cannot happen stay.
func (p *Plan) ForCuts() *Plan {
	out := *p
	out.Nodes = slices.Clone(p.Nodes)
	for i, n := range p.Nodes {
		node := *n
		node.Inputs = slices.Clone(n.Inputs)
		out.Nodes[i] = &node
	}
	out.keepFilters()
	out.moveRows()
	return &out
}

// keepFilters drops the key filters that early answers cannot have.
func (p *Plan) keepFilters() {
	last, grown := p.lastReadings(), p.growths()
	for _, n := range p.Nodes {
		if n.Scan == nil || len(n.Scan.Filters) == 0 {
			continue
		}
		scan := *n.Scan
		scan.Filters = columnar.Only(scan.Filters, func(f KeyFilter) bool {
			build, keys := p.BuildSide(f.Join)
			return last[build] < scan.Phase || grown[build].settled(keys...)
		})
		n.Scan = &scan
	}
}

// moveRows undoes handOver and joinWhereRead.
func (p *Plan) moveRows() {
	for _, n := range p.Nodes {
		for i, in := range n.Inputs {
			if in.Exchange == nil || in.Exchange.Kind == Moved || in.Exchange.Kind == InOrder {
				continue
			}
			n.Inputs[i].Exchange = &Exchange{Keys: in.Exchange.Keys}
			if in.Exchange.Kind == HandedOver {
				from := p.Nodes[in.Node]
				states := *from.Aggregate
				states.Streaming = true
				from.Aggregate = &states
			}
		}
	}
}

// lastReadings returns, for each node, the last phase in which any scan reads a table below it.
func (p *Plan) lastReadings() []int {
	phases := make(map[string]int)
	for _, n := range p.Nodes {
		if n.Scan != nil {
			phases[n.Scan.Table] = max(phases[n.Scan.Table], n.Scan.Phase)
		}
	}
	return p.highest(func(s *Scan) int { return phases[s.Table] })
}

// growth says what happens to the rows of a node when the tables below it grow. The present
// rows stay. Columns mapped to true keep their values; columns mapped to false keep them or get
// greater ones; other columns may change. A nil growth means that rows may disappear.
type growth map[string]bool

// settled reports whether columns keep their values.
func (g growth) settled(columns ...string) bool {
	return g != nil && !slices.ContainsFunc(columns, func(c string) bool { return !g[c] })
}

func (p *Plan) growths() []growth {
	out := make([]growth, len(p.Nodes))
	for i, n := range p.Nodes {
		in := columnar.Each(n.Inputs, func(input Input) growth { return out[input.Node] })
		if !slices.ContainsFunc(in, func(g growth) bool { return g == nil }) {
			out[i] = n.growth(in)
		}
	}
	return out
}

// growth returns the growth of a node from those of its inputs, none of which loses rows.
func (n *Node) growth(in []growth) growth {
	switch {
	case n.Scan != nil:
		return settledAll(n.Scan.Columns)
	case n.Filter != nil && in[0].keeps(n.Filter), n.Window != nil, n.Sort != nil && n.Sort.Limit < 0 && n.Sort.Offset == 0:
		return in[0]
	case n.Project != nil:
		return in[0].project(n.Project)
	case n.Unnest != nil && in[0].settled(plan.ListColumns(n.Unnest.Lists)...):
		out := maps.Clone(in[0])
		for _, l := range n.Unnest.Lists {
			out[l.As] = true
		}
		return out
	case n.Aggregate != nil && in[0].settled(n.Aggregate.Keys...):
		return groups(n.Aggregate)
	case n.Join != nil && n.Join.Kind == plan.Inner && in[0].settled(plan.BuildKeys(n.Join.On)...) && in[1].settled(plan.ProbeKeys(n.Join.On)...):
		out := maps.Clone(in[1])
		maps.Copy(out, in[0])
		return out
	case n.Union:
		out := maps.Clone(in[0])
		maps.DeleteFunc(out, func(c string, _ bool) bool {
			return slices.ContainsFunc(in, func(g growth) bool { return !g[c] })
		})
		return out
	}
	return nil
}

func settledAll(columns []string) growth {
	out := make(growth)
	for _, c := range columns {
		out[c] = true
	}
	return out
}

// keeps reports whether rows that pass a condition still pass it later.
func (g growth) keeps(condition *expr.Expr) bool {
	return !slices.ContainsFunc(expr.Conjuncts(condition), func(c *expr.Expr) bool {
		return !g.settled(c.Columns()...) && !g.wantsMore(c)
	})
}

// wantsMore reports whether a condition is a lower bound on a column that never decreases.
func (g growth) wantsMore(c *expr.Expr) bool {
	if c.Op != expr.OpGt && c.Op != expr.OpGe || c.Args[0].Op != expr.OpColumn || c.Args[1].Literal() == nil {
		return false
	}
	_, known := g[c.Args[0].Name]
	return known
}

func (g growth) project(columns []plan.Named) growth {
	out := make(growth)
	for _, c := range columns {
		settled, known := g[c.Expr.Name]
		switch {
		case c.Expr.Op == expr.OpColumn && known:
			out[c.Name] = settled
		case g.settled(c.Expr.Columns()...):
			out[c.Name] = true
		}
	}
	return out
}

// groups returns the growth of an aggregation whose keys keep their values: there will be more
// groups, with more rows.
func groups(a *aggregate.Config) growth {
	out := settledAll(a.Keys)
	for _, agg := range a.Aggs {
		if agg.Func == plan.Count && !a.ToStates {
			out[agg.Name] = false
		}
	}
	return out
}
