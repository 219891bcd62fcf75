package physical

import (
	"slices"

	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// ExchangeKind says how rows get from one stage to another.
type ExchangeKind string

const (
	// Moved rows go to the replica of the hash of their keys, or all to replica 0. It is the only
	// kind that crosses processes.
	Moved ExchangeKind = ""
	// InOrder rows of files pass in the order in which they stand there, without a sort.
	InOrder ExchangeKind = "in order"
	// HandedOver are the groups of a partial aggregation, which keeps all of them, by partitions
	// of their keys. The replicas of the final aggregation take partition after partition.
	HandedOver ExchangeKind = "handed over"
	// Joined rows are joined by the worker that reads them, if the build sides lie in memory.
	// Otherwise they are moved.
	Joined ExchangeKind = "joined"
)

// inProcess chooses kinds of exchanges for a plan that one process runs.
func (p *Plan) inProcess(tables plan.Tables) {
	p.passInOrder(tables)
	p.narrow()
	p.handOver()
	p.joinWhereRead()
	p.stopEarly()
}

// stopEarly finds the sorts that need no more than the first rows of a series, in its order.
func (p *Plan) stopEarly() {
	for _, n := range p.Nodes {
		if n.Sort != nil && n.Sort.Limit >= 0 && len(n.Sort.Order) > 0 && n.Inputs[0].Exchange == nil {
			n.Sort.Ordered = p.inSteps(n.Inputs[0].Node, n.Sort.Order[0])
		}
	}
}

// inSteps reports whether the rows of a node come in the order of a key, and no two have the same.
func (p *Plan) inSteps(node int, key plan.Order) bool {
	n := p.Nodes[node]
	switch {
	case n.Unnest != nil:
		item := n.Unnest.Lists[0]
		return len(n.Unnest.Lists) == 1 && item.As == key.Column && (item.Step > 0 && !key.Desc || item.Step < 0 && key.Desc)
	case n.Filter == nil && n.Project == nil, n.Inputs[0].Exchange != nil:
		return false
	case n.Filter != nil:
		return p.inSteps(n.Inputs[0].Node, key)
	}
	at := slices.IndexFunc(n.Project, func(e plan.Named) bool { return e.Name == key.Column })
	if key.Column = n.Project[at].Expr.Name; n.Project[at].Expr.Op != expr.OpColumn {
		return false
	}
	return p.inSteps(n.Inputs[0].Node, key)
}

// handOver finds the exchanges between partial and final aggregations that groups need not
// cross, and lets the partial aggregations keep all of their groups.
func (p *Plan) handOver() {
	for _, s := range p.Stages {
		if in, partial := p.mergesGroups(s); partial != nil {
			in.Exchange.Kind, partial.Aggregate.Streaming = HandedOver, false
		}
	}
}

// mergesGroups returns the input of a stage that does a final aggregation, and the partial
// aggregation it reads; nil for any other stage. Nothing else in the stage may need all groups
// of a key in one place.
func (p *Plan) mergesGroups(s *Stage) (in *Input, partial *Node) {
	for _, id := range s.Nodes {
		n := p.Nodes[id]
		switch {
		case alone(s, n) && len(n.Inputs) == 1 && n.Inputs[0].Exchange == nil:
			continue
		case partial != nil || n.Aggregate == nil || len(n.Inputs) != 1 || n.Inputs[0].Exchange == nil:
			return nil, nil
		}
		from, final := p.Nodes[n.Inputs[0].Node], n.Aggregate
		if a := from.Aggregate; a == nil || !a.Streaming || !a.CanHandOver() || !final.FromStates || final.ToStates ||
			!slices.Equal(a.Keys, final.Keys) || !slices.EqualFunc(a.Aggs, final.Aggs, aggregate.Agg.Same) || p.readElsewhere(from.ID, id) {
			return nil, nil
		}
		in, partial = &n.Inputs[0], from
	}
	return in, partial
}

// alone reports whether a node can run wherever its rows are: it needs no other rows of their
// keys, or leaves that work to its readers.
func alone(s *Stage, n *Node) bool {
	return n.Filter != nil || n.Project != nil || n.Unnest != nil || n.Top != nil ||
		n.Aggregate != nil && n.Aggregate.ToStates || n.Sort != nil && !s.Single
}

// joinWhereRead finds the exchanges in front of joins that rows need not cross.
func (p *Plan) joinWhereRead() {
	phases := p.Phases()
	for _, s := range p.Stages {
		if in := p.probed(s, phases); in != nil && p.Stages[p.Nodes[in.Node].Stage].Table != "" {
			in.Exchange.Kind = Joined
		}
	}
}

// probed returns the only input of a stage beside the build sides of its joins, nil if the stage
// cannot run where that input is read: if more than its joins needs all rows of a key in one
// place, or a build side depends on a table that is not read before.
func (p *Plan) probed(s *Stage, phases []int) (probe *Input) {
	if s.Table != "" {
		return nil
	}
	last := -1 // phase of the build sides
	for _, id := range s.Nodes {
		n := p.Nodes[id]
		inputs := n.Inputs
		switch {
		case n.Join != nil && !n.Join.Kind.KeepsBuild() && inputs[0].Exchange != nil:
			last = max(last, phases[inputs[0].Node])
			inputs = inputs[1:]
		case !alone(s, n) || p.answers(id):
			return nil
		}
		for i := range inputs {
			if inputs[i].Exchange == nil {
				continue
			}
			if probe != nil {
				return nil
			}
			probe = &inputs[i]
		}
	}
	if probe == nil || last < 0 || last >= p.Stages[p.Nodes[probe.Node].Stage].Phase {
		return nil
	}
	return probe
}

// answers reports whether a node is the end of a query.
func (p *Plan) answers(node int) bool {
	return slices.ContainsFunc(p.Answers, func(a Answer) bool { return a.Node == node })
}
