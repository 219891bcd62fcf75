package physical

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// lowerAggregate makes one operator if all rows of a key are already on one replica, and
// otherwise two with an exchange between them.
func (p *planner) lowerAggregate(n *plan.Node, s scope) int {
	s = p.below(s, n.Keys) // where another column may have the same name as an aggregate
	if id, ok := p.fromFiner(n, s); ok {
		return id
	}
	if id, ok := p.aggregateOverJoin(n, s); ok {
		return id
	}
	need := columnar.Union(append([][]string{n.Keys}, columnar.Each(n.Aggs, plan.Agg.Reads)...)...)
	if n.Inputs[0].Op == plan.Union {
		return p.aggregateOverUnion(n, need, s)
	}
	in := p.lower(n.Inputs[0], need, s)
	if p.gatheredBy(in, n.Keys) {
		return p.aggregate(Input{Node: in}, aggregate.Config{Keys: n.Keys, Aggs: n.Aggs}, p.placed[in])
	}
	return p.final(p.partial(in, n.Keys, n.Aggs), n, argTypes(p.node(in).Schema, n.Aggs), s)
}

// aggregate adds an aggregation over an input.
func (p *planner) aggregate(in Input, cfg aggregate.Config, at placement) int {
	cfg.Input = p.node(in.Node).Schema
	return p.add(&Node{Schema: sound(cfg.Schema()), Inputs: []Input{in}, Aggregate: &cfg}, at)
}

// aggregateOverUnion aggregates each input of a union where its rows are. So all replicas read
// and aggregate a union of files, as they do with a single file.
func (p *planner) aggregateOverUnion(n *plan.Node, need []string, s scope) int {
	inputs, rows := p.unionInputs(n.Inputs[0], need, s)
	for i, in := range inputs {
		inputs[i] = p.partial(in, n.Keys, n.Aggs)
	}
	at := exchanged(n.Keys)
	union := &Node{Schema: p.node(inputs[0]).Schema, Union: true}
	union.Inputs = p.inputs(inputs, func(i int) (*Exchange, bool) {
		return &Exchange{Keys: n.Keys}, at.kind != onOne || p.placed[inputs[i]].kind != onOne
	})
	return p.final(p.add(union, at), n, argTypes(rows, n.Aggs), s)
}

// gatheredBy reports whether all rows with equal keys are on one replica.
func (p *planner) gatheredBy(id int, keys []string) bool {
	at := p.placed[id]
	return at.kind == onOne || at.kind == byHash && columnar.SetOf(keys).HasAll(at.keys)
}

// together returns an input that brings all rows with equal keys to one replica, and where the
// rows are then. Without keys, all rows are brought together.
func (p *planner) together(id int, keys []string) (Input, placement) {
	if p.gatheredBy(id, keys) {
		return Input{Node: id}, p.placed[id]
	}
	return Input{Node: id, Exchange: &Exchange{Keys: keys}}, exchanged(keys)
}

// partial adds a streaming aggregation from rows to states.
func (p *planner) partial(in int, keys []string, aggs []plan.Agg) int {
	at := p.placed[in]
	if at.kind == byHash && !columnar.SetOf(keys).HasAll(at.keys) {
		at = placement{}
	}
	return p.aggregate(Input{Node: in}, aggregate.Config{Keys: keys, Aggs: aggs, ToStates: true, Streaming: true}, at)
}

// final adds the aggregation from states to results, after an exchange if it needs one.
func (p *planner) final(states int, n *plan.Node, args [][]columnar.Type, s scope) int {
	in, at := p.together(states, n.Keys)
	final := p.aggregate(in, aggregate.Config{Keys: n.Keys, Aggs: n.Aggs, FromStates: true, ArgTypes: args}, at)
	if like := likenessOf(n, s); len(s.filters) == 0 {
		p.grouped[like] = append(p.grouped[like], &grouped{n.Keys, states, final, args})
	}
	return final
}

// States returns the aggregation that merges the states that a streaming aggregation emits into
// one row per group. It returns nil for any other node.
func (p *Plan) States(node int) *aggregate.Config {
	a := p.Nodes[node].Aggregate
	if a == nil || !a.Streaming {
		return nil
	}
	args := a.ArgTypes
	if !a.FromStates {
		args = argTypes(a.Input, a.Aggs)
	}
	return &aggregate.Config{Input: p.Nodes[node].Schema, Keys: a.Keys, Aggs: a.Aggs, FromStates: true, ToStates: true, ArgTypes: args}
}

// argTypes returns the types of the columns that each aggregate reads.
func argTypes(rows columnar.Schema, aggs []plan.Agg) [][]columnar.Type {
	types := make([][]columnar.Type, len(aggs))
	for i, a := range aggs {
		reads := a.Reads()
		types[i] = make([]columnar.Type, 0, len(reads))
		for _, arg := range reads {
			types[i] = append(types[i], rows[rows.Index(arg)].Type)
		}
	}
	return types
}

// aggregateOverJoin moves a partial aggregation of the probe side, grouped by the join's keys,
// below the join. That is possible where the groups consist of build columns only and the
// aggregates of probe columns only. Each build row then meets one state per key instead of many
// rows. Merging the states gives the same result as aggregating the joined rows.
func (p *planner) aggregateOverJoin(n *plan.Node, s scope) (id int, ok bool) {
	join := p.computedBelow(n.Inputs[0].ThroughCopies())
	if join.Op != plan.Join || join.Kind != plan.Inner || len(join.On) == 0 || len(n.Keys) == 0 {
		return 0, false
	}
	build := p.schema(join.Inputs[0])
	buildNeed := columnar.Union(n.Keys, plan.BuildKeys(join.On))
	clashes := func(column string) bool { // with the names of states, which come from the probe side
		return slices.ContainsFunc(n.Aggs, func(a plan.Agg) bool { return strings.HasPrefix(column, a.Name+".") })
	}
	if !columnar.SetOf(build.Names()).HasAll(n.Keys) || slices.ContainsFunc(columnar.Union(buildNeed, plan.ProbeKeys(join.On)), clashes) {
		return 0, false
	}
	args := columnar.Union(columnar.Each(n.Aggs, plan.Agg.Reads)...)
	if len(n.Aggs) == 0 || slices.ContainsFunc(args, columnar.SetOf(build.Names()).Has) {
		return 0, false
	}
	probeNeed := columnar.Union(args, plan.ProbeKeys(join.On))
	b := p.lower(join.Inputs[0], buildNeed, scope{})
	probe := p.lower(join.Inputs[1], probeNeed, p.probeScope(join, b, s))
	types := argTypes(p.node(probe).Schema, n.Aggs)
	keys := columnar.Union(plan.ProbeKeys(join.On))
	states := p.partial(probe, keys, n.Aggs)
	stateNames := p.node(states).Schema[len(keys):].Names()
	joined := p.addJoin(join, b, states, buildNeed, stateNames)
	if !p.gatheredBy(joined, n.Keys) {
		merged := aggregate.Config{Keys: n.Keys, Aggs: n.Aggs, FromStates: true, ArgTypes: types, ToStates: true, Streaming: true}
		joined = p.aggregate(Input{Node: joined}, merged, placement{})
	}
	return p.final(joined, n, types, s), true
}

// computedBelow moves a projection over a join into the probe side, and returns the new join.
// It returns n if that is not possible. An expression that can fail stays above the join,
// because it must not fail on rows that the join drops. A text model stays above too, unless a
// scan right below has already dropped the rows without a partner.
func (p *planner) computedBelow(n *plan.Node) *plan.Node {
	join := n
	if n.Op == plan.Project {
		join = n.Inputs[0].ThroughCopies()
	}
	if join == n || join.Op != plan.Join || join.Kind != plan.Inner {
		return n
	}
	build, probe := p.schema(join.Inputs[0]).Names(), join.Inputs[1]
	_, source := probe.ThroughCopies().Conditions()
	below := plan.Cols(columnar.Union(plan.ProbeKeys(join.On))...)
	for _, e := range n.Exprs {
		columns := e.Expr.Columns()
		switch copied := e.Expr.Op == expr.OpColumn && e.Expr.Name == e.Name; {
		case copied && slices.Contains(build, e.Name):
			continue
		case slices.Contains(build, e.Name), slices.Contains(plan.ProbeKeys(join.On), e.Name),
			slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(build, c) }),
			e.Expr.CanFail(), e.Expr.Cost() >= expr.Expensive && source.Op != plan.Scan:
			return n
		}
		below = append(below, e)
	}
	out := *join
	out.Inputs = []*plan.Node{join.Inputs[0], probe.Project(below...)}
	return &out
}

// dropUnread removes keys that no node reads from the output of aggregations. For example, if
// the groups are only counted, their keys need not be written.
func (p *Plan) dropUnread() {
	readers, all := make([][]*Node, len(p.Nodes)), make([]bool, len(p.Nodes))
	for _, n := range p.Nodes {
		for _, in := range n.Inputs {
			readers[in.Node] = append(readers[in.Node], n)
			all[in.Node] = all[in.Node] || in.Exchange != nil
		}
	}
	for _, a := range p.Answers {
		all[a.Node] = true
	}
	for i, n := range p.Nodes {
		if n.Aggregate == nil || n.Aggregate.ToStates || all[i] {
			continue
		}
		read := columnar.SetOf(n.Schema.Names()[len(n.Aggregate.Keys):])
		for _, r := range readers[i] {
			read.Add(r.reads(n.Schema)...)
		}
		n.Aggregate.Unread = slices.DeleteFunc(slices.Clone(n.Aggregate.Keys), read.Has)
		unread := columnar.SetOf(n.Aggregate.Unread)
		n.Schema = columnar.Only(n.Schema, func(f columnar.Field) bool { return !unread.Has(f.Name) })
		for _, r := range readers[i] {
			if r.Aggregate != nil {
				r.Aggregate.Input = n.Schema
			}
		}
	}
}

// reads returns the columns that a node reads from an input, as far as known.
func (n *Node) reads(input columnar.Schema) []string {
	var columns []string
	switch {
	case n.Aggregate != nil && !n.Aggregate.FromStates:
		columns = slices.Clone(n.Aggregate.Keys)
		for _, a := range n.Aggregate.Aggs {
			columns = append(columns, a.Reads()...)
		}
	case n.Project != nil:
		for _, e := range n.Project {
			columns = append(columns, e.Expr.Columns()...)
		}
	default:
		columns = input.Names()
	}
	return columns
}
