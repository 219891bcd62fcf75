package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"analyzer/operators/query/physical"
)

// malformed returns what is wrong with a plan's structure: a stage that waits for itself,
// rows of one replica in a stage of many, or a plan that JSON changes.
func malformed(p *physical.Plan, distributed bool) string {
	if err := p.Validate(); err != nil {
		return err.Error()
	}
	if wrong := waitsForItself(p); wrong != "" {
		return wrong
	}
	phases := p.Phases()
	for _, s := range p.Stages {
		for _, id := range s.Nodes {
			n := p.Nodes[id]
			if wrong := misplaced(p, s, n); wrong != "" {
				return wrong
			}
			if distributed && phases[id] != phases[s.Nodes[0]] {
				return fmt.Sprintf("stage %d waits for phases %d and %d", s.ID, phases[id], phases[s.Nodes[0]])
			}
		}
	}
	for _, n := range p.Nodes {
		names := n.Schema.Names()
		if slices.Sort(names); len(slices.Compact(names)) != len(n.Schema) {
			return fmt.Sprintf("#%d has two columns of one name: %s", n.ID, n.Schema)
		}
		if n.Join != nil && phases[n.Inputs[0].Node] > phases[n.Inputs[1].Node] {
			return fmt.Sprintf("the build side of #%d comes after its probe side", n.ID)
		}
	}
	return changedByTravel(p)
}

// misplaced reports whether a node lacks rows that it needs on its replica.
func misplaced(p *physical.Plan, s *physical.Stage, n *physical.Node) string {
	apart := n.Union && !slices.ContainsFunc(n.Inputs, func(in physical.Input) bool { return in.Exchange == nil || len(in.Exchange.Keys) == 0 })
	whole := n.Percentile != nil || n.Union && !apart || n.Window != nil && len(n.Window.Keys) == 0 || n.Aggregate != nil && len(n.Aggregate.Keys) == 0 && !n.Aggregate.ToStates
	if whole && !s.Single {
		return fmt.Sprintf("#%d is on every replica", n.ID)
	}
	if n.Scan != nil && (s.Table != n.Scan.Table || s.Phase != n.Scan.Phase) {
		return fmt.Sprintf("#%d scans %s in phase %d within stage %d", n.ID, n.Scan.Table, n.Scan.Phase, s.ID)
	}
	if s.Table != "" && n.Scan == nil && n.Inputs[0].Exchange != nil {
		return fmt.Sprintf("#%d of a scan's stage waits for another stage", n.ID)
	}
	for _, in := range n.Inputs {
		if in.Exchange == nil && p.Nodes[in.Node].Stage != s.ID {
			return fmt.Sprintf("#%d reads #%d of another stage", n.ID, in.Node)
		}
	}
	return ""
}

// waitsForItself looks for a cycle of stages.
func waitsForItself(p *physical.Plan) string {
	reads := make([]map[int]bool, len(p.Stages))
	for _, n := range p.Nodes {
		if reads[n.Stage] == nil {
			reads[n.Stage] = make(map[int]bool)
		}
		for _, in := range n.Inputs {
			if in.Exchange != nil {
				reads[n.Stage][p.Nodes[in.Node].Stage] = true
			}
		}
	}
	const visiting, visited = 1, 2
	state := make([]int, len(p.Stages))
	var visit func(stage int) bool
	visit = func(stage int) bool {
		if state[stage] == visiting {
			return true
		}
		if state[stage] == visited {
			return false
		}
		state[stage] = visiting
		for from := range reads[stage] {
			if visit(from) {
				return true
			}
		}
		state[stage] = visited
		return false
	}
	for stage := range p.Stages {
		if visit(stage) {
			return fmt.Sprintf("stage %d waits for itself", stage)
		}
	}
	return ""
}

// changedByTravel writes a plan as JSON, reads it back and compares.
func changedByTravel(p *physical.Plan) string {
	sent, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	var back physical.Plan
	if err := json.Unmarshal(sent, &back); err != nil {
		return err.Error()
	}
	again, err := json.Marshal(&back)
	if err != nil {
		return err.Error()
	}
	if string(again) != string(sent) || back.String() != p.String() {
		return fmt.Sprintf("the plan changes on its way:\n%s\n%s", sent, again)
	}
	return ""
}
