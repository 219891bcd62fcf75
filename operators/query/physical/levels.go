package physical

import (
	"encoding/json"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/query/plan"
)

// grouped is an aggregation whose states others may be computed from.
type grouped struct {
	keys          []string
	states, final int // the nodes that yield states, of a key perhaps several, and results
	args          [][]columnar.Type
}

// likeness is what aggregations have in common that can be computed from each other's states: the rows that
// they group, with no key filter and in the same phase, and what they compute, by the same names.
type likeness struct {
	rows  *plan.Node
	phase int
	aggs  string
}

func likenessOf(n *plan.Node, s scope) likeness {
	aggs := sound(json.Marshal(n.Aggs))
	return likeness{n.Inputs[0], s.phase, string(aggs)}
}

// fromFiner aggregates the states of groups by more keys, as there are with ROLLUP and its like: they are fewer
// than the rows. Of several such aggregations, it takes the one with the fewest keys.
func (p *planner) fromFiner(n *plan.Node, s scope) (id int, ok bool) {
	var of *grouped
	for _, g := range p.grouped[likenessOf(n, s)] {
		if columnar.SetOf(g.keys).HasAll(n.Keys) && (of == nil || len(g.keys) < len(of.keys)) {
			of = g
		}
	}
	switch {
	case of == nil:
		return 0, false
	case slices.Equal(of.keys, n.Keys):
		return of.final, true
	}
	cfg := aggregate.Config{Keys: n.Keys, Aggs: n.Aggs, FromStates: true, ArgTypes: of.args, ToStates: true, Streaming: true}
	return p.final(p.aggregate(Input{Node: of.states}, cfg, placement{}), n, of.args, s), true
}
