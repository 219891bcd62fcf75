package exec

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/join"
	"analyzer/operators/order"
	"analyzer/operators/plan"
	"analyzer/operators/planner"
	"analyzer/operators/rowwise"
	"analyzer/operators/window"
)

// newOperator makes the operator of a node, nil for a scan or a union, which
// only pass rows on.
func newOperator(rt *operators.Runtime, p *planner.Plan, n *planner.Node) (operators.Operator, error) {
	in := make([]columnar.Schema, len(n.Inputs))
	for i, input := range n.Inputs {
		in[i] = p.Nodes[input.Node].Schema
	}
	switch {
	case n.Scan != nil || n.Union:
		return nil, nil
	case n.Filter != nil:
		return rowwise.NewFilter(rt, in[0], n.Filter)
	case n.Project != nil:
		return rowwise.NewProject(rt, in[0], n.Project)
	case n.Unnest != nil:
		return rowwise.NewUnnest(in[0], n.Unnest.Column, n.Unnest.As)
	case n.Aggregate != nil:
		return aggregate.New(rt, *n.Aggregate)
	case n.Join != nil:
		return newJoin(rt, n.Join, in[0], in[1])
	case n.Sort != nil:
		return newSort(rt, n.Sort, in[0])
	case n.Percentile != nil:
		column, err := in[0].Positions([]string{n.Percentile.Column})
		if err != nil {
			return nil, err
		}
		return order.NewPercentile(rt, order.PercentileConfig{Schema: in[0], Column: column[0], Quantile: n.Percentile.Quantile})
	}
	switch {
	case n.Window != nil:
		return newWindow(rt, n.Window, in[0])
	case n.Top != nil:
		by, err := keysOf(in[0], []plan.Order{n.Top.Order})
		if err != nil {
			return nil, fmt.Errorf("first of partitions: %w", err)
		}
		return aggregate.NewTopFilter(rt, aggregate.TopConfig{Input: in[0], Keys: n.Top.Keys, Rows: n.Top.Rows, Words: order.Words(by[0])})
	}
	return nil, fmt.Errorf("node %d has no operator", n.ID)
}

// LeastMemory returns the bytes of state that the operators of a stage hold together
// whatever their budget says: a smaller budget cannot be kept.
func LeastMemory(p *planner.Plan, stage *planner.Stage) (bytes int64) {
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

func newJoin(rt *operators.Runtime, j *planner.Join, build, probe columnar.Schema) (operators.Operator, error) {
	cfg := join.Config{Kind: j.Kind, Build: build, Probe: probe}
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

func newSort(rt *operators.Runtime, s *planner.Sort, in columnar.Schema) (operators.Operator, error) {
	cfg := order.SortConfig{Schema: in, Limit: s.Limit, Offset: s.Offset}
	var err error
	if cfg.Order, err = keysOf(in, s.Order); err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	return order.NewSort(rt, cfg)
}

func newWindow(rt *operators.Runtime, w *planner.Window, in columnar.Schema) (operators.Operator, error) {
	cfg := window.Config{Schema: in, Calls: w.Calls}
	var err error
	if cfg.Partition, err = in.Positions(w.Keys); err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	if cfg.Order, err = keysOf(in, w.Order); err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	if cfg.Ties, err = keysOf(in, w.Ties); err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	return window.New(rt, cfg)
}

// keysOf finds the columns of an order.
func keysOf(in columnar.Schema, by []plan.Order) ([]order.Key, error) {
	var keys []order.Key
	for _, o := range by {
		at := in.Index(o.Column)
		if at < 0 {
			return nil, fmt.Errorf("there is no column %q", o.Column)
		}
		keys = append(keys, order.Key{Column: at, Desc: o.Desc, NullsFirst: o.NullsFirst})
	}
	return keys, nil
}
