package exec

import (
	"fmt"
	"slices"

	"analyzer/operators/query/physical"
)

// SubStage returns the part of a scan stage that one of its scans feeds: the
// scan and all nodes of the stage that are made from its rows. It fails if one
// of these nodes also has rows of another origin, which no plan for a cluster
// has.
func SubStage(p *physical.Plan, stage *physical.Stage, scan int) (*physical.Stage, error) {
	out := *stage
	out.Nodes = nil
	for _, id := range stage.Nodes {
		n := p.Nodes[id]
		if id == scan {
			out.Nodes = append(out.Nodes, id)
			continue
		}
		fed := 0
		for _, in := range n.Inputs {
			if in.Exchange == nil && slices.Contains(out.Nodes, in.Node) {
				fed++
			}
		}
		if fed == 0 {
			continue
		}
		if fed < len(n.Inputs) {
			return nil, fmt.Errorf("stage %d: node %d is made of more than scan %d", stage.ID, id, scan)
		}
		out.Nodes = append(out.Nodes, id)
	}
	if len(out.Nodes) == 0 {
		return nil, fmt.Errorf("stage %d has no scan %d", stage.ID, scan)
	}
	return &out, nil
}
