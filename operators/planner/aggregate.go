package planner

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/plan"
)

// lowerAggregate makes one operator where all rows of a key are on one replica
// already, and two around an exchange where they are not.
func (p *planner) lowerAggregate(n *plan.Node, s scope) (int, error) {
	// Other columns may have the name of one that the aggregation hides.
	s.filters = slices.DeleteFunc(slices.Clone(s.filters), func(f KeyFilter) bool { return !subset(f.Columns, n.Keys) })
	if id, ok, err := p.aggregateOverJoin(n, s); ok || err != nil {
		return id, err
	}
	need := slices.Clone(n.Keys)
	for _, a := range n.Aggs {
		if a.Arg != "" {
			need = merge(need, []string{a.Arg})
		}
	}
	schema, err := n.Schema(p.tables)
	if err != nil {
		return 0, err
	}
	if n.Inputs[0].Op == plan.Union {
		return p.aggregateOverUnion(n, need, schema, s)
	}
	in, err := p.lower(n.Inputs[0], need, s)
	if err != nil {
		return 0, err
	}
	rows := p.node(in).Schema
	if p.gatheredBy(in, n.Keys) {
		cfg := aggregate.Config{Input: rows, Keys: n.Keys, Aggs: n.Aggs}
		return p.add(&Node{Schema: schema, Inputs: []Input{{Node: in}}, Aggregate: &cfg}, p.placed[in]), nil
	}
	partial, err := p.partial(in, n.Keys, n.Aggs)
	if err != nil {
		return 0, err
	}
	return p.final(partial, n, argTypes(rows, n.Aggs), schema), nil
}

// aggregateOverUnion aggregates each input of a union where its rows are, so that a
// union of files is read and aggregated by all replicas, as one file is.
func (p *planner) aggregateOverUnion(n *plan.Node, need []string, schema columnar.Schema, s scope) (int, error) {
	inputs, rows, err := p.unionInputs(n.Inputs[0], need, s)
	if err != nil {
		return 0, err
	}
	for i, in := range inputs {
		if inputs[i], err = p.partial(in, n.Keys, n.Aggs); err != nil {
			return 0, err
		}
	}
	at := placement{kind: onOne}
	if len(n.Keys) > 0 {
		at = placement{kind: byHash, keys: n.Keys}
	}
	union := &Node{Schema: p.node(inputs[0]).Schema, Union: true}
	union.Inputs = p.inputs(inputs, func(i int) (*Exchange, bool) {
		return &Exchange{Keys: n.Keys}, at.kind != onOne || p.placed[inputs[i]].kind != onOne
	})
	return p.final(p.add(union, at), n, argTypes(rows, n.Aggs), schema), nil
}

// gatheredBy reports whether all rows that agree in the keys are on one replica.
func (p *planner) gatheredBy(id int, keys []string) bool {
	at := p.placed[id]
	return at.kind == onOne || at.kind == byHash && subset(at.keys, keys)
}

// partial adds a streaming aggregation to states.
func (p *planner) partial(in int, keys []string, aggs []plan.Agg) (int, error) {
	rows := p.node(in).Schema
	states, err := aggregate.StateSchema(rows, keys, aggs)
	if err != nil {
		return 0, err
	}
	cfg := aggregate.Config{Input: rows, Keys: keys, Aggs: aggs, ToStates: true, Streaming: true}
	at := p.placed[in]
	if at.kind == byHash && !subset(at.keys, keys) {
		at = placement{}
	}
	return p.add(&Node{Schema: states, Inputs: []Input{{Node: in}}, Aggregate: &cfg}, at), nil
}

// final adds the aggregation of states to values, behind an exchange if it needs
// one.
func (p *planner) final(states int, n *plan.Node, args []columnar.Type, schema columnar.Schema) int {
	cfg := aggregate.Config{Input: p.node(states).Schema, Keys: n.Keys, Aggs: n.Aggs, FromStates: true, ArgTypes: args}
	in, at := Input{Node: states}, p.placed[states]
	if !p.gatheredBy(states, n.Keys) {
		in.Exchange, at = &Exchange{Keys: n.Keys}, placement{kind: byHash, keys: n.Keys}
		if len(n.Keys) == 0 {
			at = placement{kind: onOne}
		}
	}
	return p.add(&Node{Schema: schema, Inputs: []Input{in}, Aggregate: &cfg}, at)
}

// argTypes returns the types of the aggregates' arguments; Int stands for that of
// a count of rows, since a plan that travels holds valid types alone.
func argTypes(rows columnar.Schema, aggs []plan.Agg) []columnar.Type {
	types := make([]columnar.Type, len(aggs))
	for i, a := range aggs {
		types[i] = columnar.Int
		if at := rows.Index(a.Arg); a.Arg != "" && at >= 0 {
			types[i] = rows[at].Type
		}
	}
	return types
}

// aggregateOverJoin aggregates the probe side of a join before the join, by the
// join's keys, where the groups are made of build columns and the aggregates of
// probe columns alone. Each build row then meets one state for a key in place of
// as many rows, and merging the states gives what aggregating the joined rows
// would have given.
func (p *planner) aggregateOverJoin(n *plan.Node, s scope) (id int, ok bool, err error) {
	join := throughCopies(n.Inputs[0])
	if join.Op != plan.Join || join.Kind != plan.Inner || len(join.On) == 0 || len(n.Keys) == 0 {
		return 0, false, nil
	}
	build, err := join.Inputs[0].Schema(p.tables)
	if err != nil {
		return 0, false, err
	}
	buildNeed := merge(n.Keys, buildKeys(join.On))
	clashes := func(name string) bool { return isState(name, n.Aggs) } // the states come from the probe side
	if !subset(n.Keys, build.Names()) || slices.ContainsFunc(buildNeed, clashes) {
		return 0, false, nil
	}
	var args []string
	for _, a := range n.Aggs {
		if a.Arg == "" {
			continue
		}
		if build.Index(a.Arg) >= 0 {
			return 0, false, nil
		}
		args = merge(args, []string{a.Arg})
	}
	if len(n.Aggs) == 0 {
		return 0, false, nil
	}
	probeNeed := merge(args, probeKeys(join.On))
	b, err := p.lower(join.Inputs[0], buildNeed, scope{})
	if err != nil {
		return 0, false, err
	}
	probe, err := p.lower(join.Inputs[1], probeNeed, p.probeScope(join, b, s))
	if err != nil {
		return 0, false, err
	}
	types := argTypes(p.node(probe).Schema, n.Aggs)
	keys := merge(nil, probeKeys(join.On)) // each once
	states, err := p.partial(probe, keys, n.Aggs)
	if err != nil {
		return 0, false, err
	}
	stateNames := p.node(states).Schema[len(keys):].Names()
	joined := p.addJoin(join, b, states, buildNeed, stateNames, n.Keys)
	schema, err := n.Schema(p.tables)
	if err != nil {
		return 0, false, err
	}
	if p.gatheredBy(joined, n.Keys) {
		return p.final(joined, n, types, schema), true, nil
	}
	merged, err := p.mergeStates(joined, n, types)
	if err != nil {
		return 0, false, err
	}
	return p.final(merged, n, types, schema), true, nil
}

// mergeStates adds a streaming aggregation of states to states.
func (p *planner) mergeStates(in int, n *plan.Node, types []columnar.Type) (int, error) {
	input := p.node(in).Schema
	cfg := aggregate.Config{
		Input: input, Keys: n.Keys, Aggs: n.Aggs,
		FromStates: true, ArgTypes: types, ToStates: true, Streaming: true,
	}
	var schema columnar.Schema
	for _, k := range n.Keys {
		i := input.Index(k)
		if i < 0 {
			return 0, fmt.Errorf("aggregate: the join does not yield %q", k)
		}
		schema = append(schema, input[i])
	}
	for _, f := range input {
		if !slices.Contains(n.Keys, f.Name) && isState(f.Name, n.Aggs) {
			schema = append(schema, f)
		}
	}
	return p.add(&Node{Schema: schema, Inputs: []Input{{Node: in}}, Aggregate: &cfg}, placement{}), nil
}

func isState(column string, aggs []plan.Agg) bool {
	return slices.ContainsFunc(aggs, func(a plan.Agg) bool {
		return len(column) > len(a.Name) && column[:len(a.Name)+1] == a.Name+"."
	})
}

// throughCopies passes over projections that only choose columns.
func throughCopies(n *plan.Node) *plan.Node {
	for n.Op == plan.Project {
		for _, e := range n.Exprs {
			if e.Expr.Op != expr.OpColumn || e.Expr.Name != e.Name {
				return n
			}
		}
		n = n.Inputs[0]
	}
	return n
}
