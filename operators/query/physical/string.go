package physical

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/operators/order"
	"analyzer/operators/window"
)

// String prints the plan stage by stage. For each operator it shows what it
// reads, what it does and the columns it yields. The answers come last.
func (p *Plan) String() string {
	var b strings.Builder
	for _, s := range p.Stages {
		fmt.Fprintf(&b, "stage %d %s\n", s.ID, s.Where())
		for _, id := range s.Nodes {
			n := p.Nodes[id]
			fmt.Fprintf(&b, "  #%d %s%s [%s]\n", id, n.Describe(p), n.sources(), strings.Join(n.Schema.Names(), ", "))
		}
	}
	for _, a := range p.Answers {
		fmt.Fprintf(&b, "answer %s #%d\n", a.Query, a.Node)
	}
	return b.String()
}

// Where says what feeds a stage and how often it runs.
func (s *Stage) Where() string {
	switch {
	case s.Table != "":
		return fmt.Sprintf("reads %s in phase %d", s.Table, s.Phase)
	case s.Single:
		return "on one replica"
	}
	return "on every replica"
}

// sources names the nodes that a node reads, and the exchanges their rows
// cross.
func (n *Node) sources() string {
	var parts []string
	for _, in := range n.Inputs {
		part := fmt.Sprintf("#%d", in.Node)
		if in.Exchange != nil {
			part += " " + in.Exchange.Describe()
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return ""
	}
	return " <- " + strings.Join(parts, "; ")
}

// Describe says where the rows go.
func (x *Exchange) Describe() string {
	if len(x.Keys) == 0 {
		return "to one replica"
	}
	return "by " + strings.Join(x.Keys, ", ")
}

// Describe says in a few words what an operator of the plan does.
func (n *Node) Describe(p *Plan) string {
	switch {
	case n.Scan != nil:
		return n.Scan.describe(p)
	case n.Filter != nil:
		return "filter " + n.Filter.String()
	case n.Project != nil:
		var parts []string
		for _, e := range n.Project {
			parts = append(parts, named(e.Name, e.Expr.String()))
		}
		return strings.TrimSpace("project " + strings.Join(parts, ", "))
	case n.Unnest != nil:
		return "unnest " + named(n.Unnest.As, n.Unnest.Column)
	case n.Aggregate != nil:
		return n.describeAggregate()
	case n.Join != nil:
		var on []string
		for _, pair := range n.Join.On {
			on = append(on, pair.Build+" = "+pair.Probe)
		}
		switch {
		case len(on) == 0:
			return strings.TrimSpace(string(n.Join.Kind) + " join of all with all")
		default:
			return strings.TrimSpace(string(n.Join.Kind) + " join on " + strings.Join(on, " and "))
		}
	case n.Sort != nil:
		return describeSort(n.Sort)
	case n.Percentile != nil:
		return fmt.Sprintf("keep %s at or over quantile %v", n.Percentile.Column, n.Percentile.Quantile)
	}
	switch {
	case n.Window != nil:
		return describeWindow(n.Window)
	case n.Top != nil:
		return strings.TrimSuffix(fmt.Sprintf("keep what may be among the first %d in order of %s by %s",
			n.Top.Rows, describeOrder([]order.Key{n.Top.Order}), strings.Join(n.Top.Keys, ", ")), " by ")
	}
	return "union"
}

func named(name, what string) string {
	if name == what {
		return what
	}
	return what + " as " + name
}

func (s *Scan) describe(p *Plan) string {
	out := "scan " + s.Table
	if len(s.Columns) > 0 {
		out += " (" + strings.Join(s.Columns, ", ") + ")"
	}
	for i, c := range s.Where {
		out += []string{" and ", " where "}[max(0, 1-i)] + c.String()
	}
	for _, f := range s.Filters {
		build, keys := p.BuildSide(f.Join)
		out += fmt.Sprintf("; %s among %s of #%d", strings.Join(f.Columns, ", "), strings.Join(keys, ", "), build)
	}
	return out
}

func (n *Node) describeAggregate() string {
	c := n.Aggregate
	out := "aggregate"
	if len(c.Aggs) == 0 {
		out = "distinct"
	}
	switch {
	case c.FromStates && c.ToStates:
		out = "merge partial " + out
	case c.FromStates:
		out = "final " + out
	case c.ToStates:
		out = "partial " + out
	}
	if len(c.Keys) > 0 {
		out += " by " + strings.Join(c.Keys, ", ")
	}
	for i, a := range c.Aggs {
		out += []string{", ", ": "}[max(0, 1-i)] + named(a.Name, fmt.Sprintf("%s(%s)", a.Func, strings.TrimSuffix(strings.Join(a.Args, ", ")+", "+a.Param, ", ")))
	}
	return out
}

func describeSort(s *order.SortConfig) string {
	out := "sort by "
	if s.Limit >= 0 {
		out = fmt.Sprintf("first %d by ", s.Limit)
	}
	if s.Offset > 0 {
		out = fmt.Sprintf("after the first %d: %s", s.Offset, out)
	}
	return strings.TrimSuffix(out+describeOrder(s.Order), " by ")
}

func describeWindow(w *window.Config) string {
	out := "window"
	if len(w.Keys) > 0 {
		out += " by " + strings.Join(w.Keys, ", ")
	}
	if by := append(slices.Clone(w.Order), w.Ties...); len(by) > 0 {
		out += " in order of " + describeOrder(by)
	}
	for i, c := range w.Calls {
		out += []string{", ", ": "}[max(0, 1-i)] + named(c.Name, c.String())
	}
	return out
}

func describeOrder(by []order.Key) string {
	var keys []string
	for _, o := range by {
		key := o.Column
		if o.Desc {
			key += " desc"
		}
		if o.NullsFirst {
			key += " nulls first"
		}
		keys = append(keys, key)
	}
	return strings.Join(keys, ", ")
}
