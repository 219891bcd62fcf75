package exec

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/join"
	"analyzer/operators/order"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
	"analyzer/operators/rowwise"
	"analyzer/operators/window"
)

// newOperator makes the operator of a node. It returns nil for a scan or a union, which only
// pass rows on.
func newOperator(rt *operators.Runtime, p *physical.Plan, n *physical.Node) (operators.Operator, error) {
	in := columnar.Each(n.Inputs, func(input physical.Input) columnar.Schema { return p.Nodes[input.Node].Schema })
	switch {
	case n.Scan != nil || n.Union:
		return nil, nil
	case n.Filter != nil:
		return rowwise.NewFilter(rt, in[0], n.Filter)
	case n.Project != nil:
		return rowwise.NewProject(rt, in[0], n.Project)
	case n.Unnest != nil:
		return rowwise.NewUnnest(in[0], n.Unnest.Lists)
	case n.Aggregate != nil:
		return aggregate.New(rt, *n.Aggregate)
	case n.Join != nil:
		return newJoin(rt, n.Join, p.Bounds(n), in[0], in[1])
	case n.Sort != nil:
		cfg := *n.Sort
		cfg.Columns = n.Schema.Names()
		return order.NewSort(rt, in[0], cfg)
	case n.Percentile != nil:
		return order.NewPercentile(rt, in[0], *n.Percentile)
	case n.Window != nil:
		cfg := *n.Window
		cfg.Columns = n.Schema.Names()[:len(n.Schema)-len(cfg.Calls)]
		return window.New(rt, in[0], cfg)
	case n.Top != nil:
		return aggregate.NewTopFilter(rt, in[0], *n.Top)
	}
	return nil, fmt.Errorf("node %d has no operator", n.ID)
}

// LeastMemory returns the bytes of state that the operators of a stage hold together whatever
// their budget says. A smaller budget cannot be kept to.
func LeastMemory(p *physical.Plan, stage *physical.Stage) (bytes int64) {
	for _, id := range stage.Nodes {
		switch n := p.Nodes[id]; {
		case n.Aggregate != nil, n.Top != nil:
			bytes += aggregate.LeastBytes
		case n.Join != nil:
			bytes += join.LeastBytes
		case n.Sort != nil:
			bytes += order.LeastBytes
		case n.Percentile != nil: // rows, and their values in order
			bytes += 2 * order.LeastBytes
		case n.Window != nil:
			bytes += order.LeastBytes + window.LeastBytes
		}
	}
	return bytes
}

func newJoin(rt *operators.Runtime, j *physical.Join, bounds []join.Bound, build, probe columnar.Schema) (operators.Operator, error) {
	cfg := join.Config{Kind: j.Kind, Build: build, Probe: probe, Bounds: bounds}
	var err error
	for _, side := range []struct {
		schema columnar.Schema
		names  []string
		into   *[]int
	}{
		{build, plan.BuildKeys(j.On), &cfg.BuildKeys},
		{probe, plan.ProbeKeys(j.On), &cfg.ProbeKeys},
		{build, j.BuildOut, &cfg.BuildOut},
		{probe, j.ProbeOut, &cfg.ProbeOut},
	} {
		if *side.into, err = side.schema.Positions(side.names); err != nil {
			return nil, err
		}
	}
	return join.New(rt, cfg)
}
