package physical

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/query/plan"
)

// lowerJoin lowers the build side first, in the lowest possible phase, and then the probe side
// with the keys of the build side as a filter.
func (p *planner) lowerJoin(n *plan.Node, need []string, s scope) int {
	buildNeed, probeNeed := p.joinNeeds(n, need)
	build := p.lower(n.Inputs[0], buildNeed, scope{})
	probe := p.lower(n.Inputs[1], probeNeed, p.probeScope(n, build, s))
	probeOut := probeNeed
	if n.Kind == plan.Inner {
		probeOut = columnar.Without(probeNeed, plan.ProbeKeys(n.On))
	}
	return p.addJoin(n, build, probe, buildNeed, probeOut)
}

// joinNeeds splits the needed columns of a join into those of its two sides, and adds the keys.
func (p *planner) joinNeeds(n *plan.Node, need []string) (build, probe []string) {
	built := columnar.SetOf(p.schema(n.Inputs[0]).Names())
	for _, name := range need {
		if built.Has(name) {
			build = append(build, name)
		} else {
			probe = append(probe, name)
		}
	}
	return columnar.Union(build, plan.BuildKeys(n.On)), columnar.Union(probe, plan.ProbeKeys(n.On))
}

// probeScope returns the scope of the probe side of a join.
func (p *planner) probeScope(n *plan.Node, build int, s scope) scope {
	keys := plan.ProbeKeys(n.On)
	out := scope{least: max(s.least, p.phases[build])}
	build = p.keptSide(build, plan.BuildKeys(n.On))
	out.phase = max(s.phase, p.phases[build]+1)
	probe, joined := columnar.SetOf(p.schema(n.Inputs[1]).Names()), columnar.SetOf(keys)
	for _, f := range s.filters {
		// A build row must not lose its partner and then be emitted without one.
		if !n.Kind.KeepsBuild() && probe.HasAll(f.Columns) && !slices.ContainsFunc(f.Columns, joined.Has) {
			out.filters = append(out.filters, f)
		}
	}
	if len(keys) > 0 && !n.Kind.KeepsProbe() {
		out.filters = append(out.filters, KeyFilter{Join: p.toCome(build, plan.BuildKeys(n.On)), Columns: keys})
	}
	return out
}

// keptSide returns the node from which the keys of a build side are taken. If the build side is
// itself a left join by the same keys, which drops none of its own build rows, that is the
// inner build side: its keys are known earlier, so the probe sides of both joins can be read at
// once. That only applies if the probe side is still not read before the build side; otherwise
// some operator would have to keep it until then.
func (p *planner) keptSide(build int, keys []string) int {
	below := build
	for p.node(below).Filter != nil {
		below = p.node(below).Inputs[0].Node
	}
	n := p.node(below)
	if n.Join == nil || n.Join.Kind != plan.Left || len(keys) == 0 || !slices.Equal(plan.BuildKeys(n.Join.On), keys) {
		return build
	}
	if kept := p.keptSide(n.Inputs[0].Node, keys); p.phases[kept]+1 >= p.phases[build] {
		return kept
	}
	return build
}

// buildSide is the build side of a join that does not exist yet, while its probe side is
// lowered.
type buildSide struct {
	node int
	keys []string
}

// toCome returns a temporary number for a join of which only the build side exists. Filters
// below its probe side refer to it. It is negative, and the same for equal build sides.
func (p *planner) toCome(node int, keys []string) int {
	same := func(b buildSide) bool { return b.node == node && slices.Equal(b.keys, keys) }
	at := slices.IndexFunc(p.builds, same)
	if at < 0 {
		at = len(p.builds)
		p.builds = append(p.builds, buildSide{node, keys})
	}
	return -1 - at
}

// nameJoins replaces the temporary numbers in the filters of all scans by those of the joins.
// Of several joins with the same build side, it takes the first.
func (p *planner) nameJoins() {
	joins := make(map[int]int) // by what toCome called them
	for _, n := range p.plan.Nodes {
		if n.Join == nil {
			continue
		}
		if side := p.toCome(p.plan.BuildSide(n.ID)); joins[side] == 0 {
			joins[side] = n.ID
		}
	}
	for _, n := range p.plan.Nodes {
		if n.Scan == nil {
			continue
		}
		filters := n.Scan.Filters
		n.Scan.Filters = nil
		for _, f := range filters {
			if join := joins[f.Join]; join != 0 {
				n.Scan.Filters = append(n.Scan.Filters, KeyFilter{Join: join, Columns: f.Columns})
			}
		}
	}
}

// addJoin adds the join of two nodes. It adds exchanges where rows are not yet placed by the
// hash of the keys.
func (p *planner) addJoin(n *plan.Node, build, probe int, buildOut, probeOut []string) int {
	on := n.On
	sides, keys := []int{build, probe}, [][]string{plan.BuildKeys(on), plan.ProbeKeys(on)}
	node := &Node{Join: &Join{Kind: n.Kind, On: on}}
	node.Inputs = p.inputs(sides, func(i int) (*Exchange, bool) {
		at := p.placed[sides[i]]
		if len(on) == 0 {
			return &Exchange{}, at.kind != onOne
		}
		return &Exchange{Keys: keys[i]}, at.kind != byHash || !slices.Equal(at.keys, keys[i])
	})
	take := func(side int, wanted []string) (names []string) {
		for _, f := range p.node(side).Schema {
			if slices.Contains(wanted, f.Name) {
				names, node.Schema = append(names, f.Name), append(node.Schema, f)
			}
		}
		return names
	}
	node.Join.BuildOut, node.Join.ProbeOut = take(build, buildOut), take(probe, probeOut)
	return p.add(node, joinedPlacement(n))
}

// joinedPlacement returns where the rows of a join are. If a side may be missing, its keys are
// null in some rows.
func joinedPlacement(n *plan.Node) placement {
	switch {
	case len(n.On) == 0 || !n.Kind.KeepsProbe():
		return exchanged(plan.BuildKeys(n.On))
	case !n.Kind.KeepsBuild():
		return exchanged(plan.ProbeKeys(n.On))
	}
	return placement{}
}
