package physical

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/join"
	"analyzer/operators/query/plan"
)

// Bounds returns the comparisons between the sides of a join of all rows with all that the only node that reads it, a
// filter in the same stage, makes of its rows. So the join need not make pairs that the filter drops. Beside a single row,
// as that of a subquery's value, there are as few pairs without.
func (p *Plan) Bounds(n *Node) []join.Bound {
	if n.Join == nil || n.Join.Kind != plan.Inner || len(n.Join.On) > 0 || slices.ContainsFunc(n.Inputs, func(in Input) bool { return isOneRow(p, in) }) {
		return nil
	}
	filter := onlyReader(p, n)
	if filter == nil || filter.Filter == nil {
		return nil
	}
	var bounds []join.Bound
	build, probe := p.Nodes[n.Inputs[0].Node].Schema, p.Nodes[n.Inputs[1].Node].Schema
	for _, c := range expr.Conjuncts(filter.Filter) {
		if b, ok := boundOf(c, build, probe); ok {
			bounds = append(bounds, b)
		}
	}
	return bounds
}

// isOneRow reports whether an input has one row at most, since it is aggregated without keys.
func isOneRow(p *Plan, in Input) bool {
	switch n := p.Nodes[in.Node]; {
	case n.Filter != nil, n.Project != nil:
		return isOneRow(p, n.Inputs[0])
	default:
		return n.Aggregate != nil && len(n.Aggregate.Keys) == 0
	}
}

// onlyReader returns the node that alone reads the rows of another, in the same stage; nil if there is none.
func onlyReader(p *Plan, n *Node) (reader *Node) {
	for _, a := range p.Answers {
		if a.Node == n.ID {
			return nil
		}
	}
	for _, r := range p.Nodes {
		for _, in := range r.Inputs {
			switch {
			case in.Node != n.ID:
			case reader != nil || in.Exchange != nil:
				return nil
			default:
				reader = r
			}
		}
	}
	return reader
}

// boundOf returns a condition as a bound, if it is one.
func boundOf(c *expr.Expr, build, probe columnar.Schema) (b join.Bound, ok bool) {
	if !c.Op.Orders() || c.Args[0].Op != expr.OpColumn || c.Args[1].Op != expr.OpColumn {
		return b, false
	}
	op, x, y := c.Op, c.Args[0].Name, c.Args[1].Name
	if build.Index(x) < 0 {
		op, x, y = op.Mirrored(), y, x
	}
	b = join.Bound{Build: build.Index(x), Probe: probe.Index(y), Least: op == expr.OpGt || op == expr.OpGe, Strict: op == expr.OpGt || op == expr.OpLt}
	if b.Build < 0 || b.Probe < 0 {
		return b, false
	}
	t := build[b.Build].Type
	return b, t == probe[b.Probe].Type && join.CanBound(t)
}
