package physical

import (
	"cmp"
	"slices"
)

// cut groups the nodes into stages: a node joins the stage of the inputs that it reads without
// an exchange. Scans start stages, one for each table and phase, since a table is read once for
// all its scans of a phase.
func (p *planner) cut() {
	stageOf := make([]int, len(p.plan.Nodes)) // for each node, a node that represents its stage
	for i := range stageOf {
		stageOf[i] = i
	}
	unite := func(node, with int) {
		before, now := stageOf[node], stageOf[with]
		for i, s := range stageOf {
			if s == before {
				stageOf[i] = now
			}
		}
	}
	type pass struct {
		table string
		phase int
	}
	scans := make(map[pass]int)
	for _, n := range p.plan.Nodes {
		if n.Scan != nil {
			key := pass{n.Scan.Table, n.Scan.Phase}
			if first, ok := scans[key]; ok {
				unite(n.ID, first)
			} else {
				scans[key] = n.ID
			}
		}
		for _, in := range n.Inputs {
			if in.Exchange == nil {
				unite(n.ID, in.Node)
			}
		}
	}
	numbers := make(map[int]*Stage)
	for _, n := range p.plan.Nodes {
		s := numbers[stageOf[n.ID]]
		if s == nil {
			s = &Stage{ID: len(p.plan.Stages), Single: true}
			numbers[stageOf[n.ID]] = s
			p.plan.Stages = append(p.plan.Stages, s)
		}
		n.Stage = s.ID
		s.Nodes = append(s.Nodes, n.ID)
		s.Single = s.Single && p.placed[n.ID].kind == onOne
		if n.Scan != nil {
			s.Table, s.Phase = n.Scan.Table, n.Scan.Phase
		}
	}
}

// keepApart makes more inputs of a node cross an exchange, so that no stage ever waits for
// itself. crosses says which inputs already do.
//
// The level of a node is the most exchanges that its rows have crossed. Nodes of
// different levels never share a stage, so what a stage reads comes from stages
// of lower levels alone.
func (p *planner) keepApart(inputs []int, crosses []bool) {
	for again := true; again; {
		again = false
		level, phase := 0, 0
		for i, id := range inputs {
			level, phase = max(level, p.levelBehind(id, crosses[i])), max(phase, p.phases[id])
		}
		for i, id := range inputs {
			early := p.levels[id] < level || p.onePhase && p.phases[id] < phase
			if early && !crosses[i] {
				crosses[i], again = true, true
			}
		}
	}
}

// levelBehind returns the level of a node that reads the given one.
func (p *planner) levelBehind(id int, crosses bool) int {
	if crosses {
		return p.levels[id] + 1
	}
	return p.levels[id]
}

// Phases returns, for each node, the highest phase of the scans that its rows come from. Code
// that takes several inputs one after the other must take those of lower phases first, because
// the scans of a phase wait for everything that is made of lower ones.
func (p *Plan) Phases() []int { return p.highest(func(s *Scan) int { return s.Phase }) }

// highest returns, for each node, the highest number of the scans that its rows come from.
func (p *Plan) highest(of func(*Scan) int) []int {
	out := make([]int, len(p.Nodes))
	for i, n := range p.Nodes {
		if n.Scan != nil {
			out[i] = of(n.Scan)
		}
		for _, in := range n.Inputs {
			out[i] = max(out[i], out[in.Node])
		}
	}
	return out
}

// InReadingOrder compares stages by when their tables are read.
func InReadingOrder(a, b *Stage) int { return cmp.Or(a.Phase-b.Phase, a.ID-b.ID) }

// follows reports whether node i of a stage reads only the node before it in the stage, and
// is that node's only reader.
func (p *Plan) follows(s *Stage, i int) bool {
	n, before := p.Nodes[s.Nodes[i]], s.Nodes[i-1]
	return len(n.Inputs) == 1 && n.Inputs[0].Node == before && !p.readElsewhere(before, n.ID)
}

// readElsewhere reports whether an answer, or a node other than by, reads a node.
func (p *Plan) readElsewhere(node, by int) bool {
	return p.answers(node) || slices.ContainsFunc(p.Nodes, func(n *Node) bool {
		return n.ID != by && slices.ContainsFunc(n.Inputs, func(in Input) bool { return in.Node == node })
	})
}

// Tables returns the tables that the plan reads, in the order of the phases in which they are
// first read.
func (p *Plan) Tables() (out []string) {
	stages := slices.Clone(p.Stages)
	slices.SortStableFunc(stages, func(a, b *Stage) int { return a.Phase - b.Phase })
	for _, s := range stages {
		if s.Table != "" && !slices.Contains(out, s.Table) {
			out = append(out, s.Table)
		}
	}
	return out
}

// QueriesOf returns the queries whose answers depend on a stage, in the order of the plan.
func (p *Plan) QueriesOf(stage int) []string {
	from := make([]bool, len(p.Nodes)) // which nodes depend on the stage
	for i, n := range p.Nodes {
		from[i] = n.Stage == stage
		for _, in := range n.Inputs {
			from[i] = from[i] || from[in.Node]
		}
	}
	var out []string
	for _, a := range p.Answers {
		if from[a.Node] {
			out = append(out, a.Query)
		}
	}
	return out
}
