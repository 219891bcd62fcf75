package physical

import (
	"errors"
	"fmt"
)

// Validate checks that a plan from elsewhere has the structure of plans made by
// New, so that code that walks over it finds every number in range. It does not
// check whether operators fit their inputs; making the operators does.
func (p *Plan) Validate() error {
	for i, n := range p.Nodes {
		if n == nil {
			return fmt.Errorf("plan: node %d is missing", i)
		}
		if err := p.validateNode(i, n); err != nil {
			return fmt.Errorf("plan: node %d: %w", i, err)
		}
	}
	for i, s := range p.Stages {
		if s == nil || s.ID != i {
			return fmt.Errorf("plan: stage %d is not in its place", i)
		}
		for _, id := range s.Nodes {
			if id < 0 || id >= len(p.Nodes) || p.Nodes[id].Stage != i {
				return fmt.Errorf("plan: stage %d does not hold node %d", i, id)
			}
		}
	}
	for _, a := range p.Answers {
		if a.Node < 0 || a.Node >= len(p.Nodes) {
			return fmt.Errorf("plan: query %q ends in node %d", a.Query, a.Node)
		}
		if s := p.Stages[p.Nodes[a.Node].Stage]; !s.Single {
			return fmt.Errorf("plan: query %q does not end on one replica", a.Query)
		}
	}
	return nil
}

// ValidateDistributed is Validate for a plan whose stages run in several processes.
func (p *Plan) ValidateDistributed() error {
	if err := p.Validate(); err != nil {
		return err
	}
	for i, n := range p.Nodes {
		for _, in := range n.Inputs {
			if in.Exchange != nil && in.Exchange.Kind != Moved {
				return fmt.Errorf("plan: node %d: its rows come %q, which is for one process", i, in.Exchange.Kind)
			}
		}
	}
	return nil
}

func (p *Plan) validateNode(i int, n *Node) error {
	if n.ID != i {
		return fmt.Errorf("is number %d", n.ID)
	}
	if n.Stage < 0 || n.Stage >= len(p.Stages) {
		return fmt.Errorf("is of stage %d", n.Stage)
	}
	kinds := 0
	for _, set := range []bool{
		n.Scan != nil, n.Filter != nil, n.Project != nil, n.Unnest != nil, n.Aggregate != nil,
		n.Join != nil, n.Sort != nil, n.Percentile != nil, n.Union, n.Window != nil, n.Top != nil,
	} {
		if set {
			kinds++
		}
	}
	if kinds != 1 {
		return fmt.Errorf("is of %d kinds", kinds)
	}
	if n.Scan != nil {
		for _, f := range n.Scan.Filters {
			if f.Join < 0 || f.Join >= len(p.Nodes) || p.Nodes[f.Join] == nil || p.Nodes[f.Join].Join == nil {
				return fmt.Errorf("has a filter by the keys of node %d, which is no join", f.Join)
			}
		}
	}
	if n.Top != nil && (n.Top.Rows < 1 || n.Top.Rows > mostTop) {
		return fmt.Errorf("keeps the first %d of partitions", n.Top.Rows)
	}
	want := 1
	switch {
	case n.Scan != nil:
		want = 0
	case n.Join != nil:
		want = 2
	case n.Union:
		want = len(n.Inputs)
	}
	if len(n.Inputs) != want {
		return fmt.Errorf("has %d inputs, needs %d", len(n.Inputs), want)
	}
	for _, in := range n.Inputs {
		if in.Node < 0 || in.Node >= i {
			return errors.New("reads from a node that does not go before it")
		}
		if in.Exchange == nil {
			continue
		}
		if _, err := p.Nodes[in.Node].Schema.Positions(in.Exchange.Keys); err != nil {
			return fmt.Errorf("exchange: %w", err)
		}
	}
	return nil
}
