package physical

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/operators/aggregate"
	"analyzer/operators/order"
	"analyzer/operators/query/plan"
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

// Describe says where the rows go, and how.
func (x *Exchange) Describe() string {
	to := "to one replica"
	if len(x.Keys) > 0 {
		to = "by " + strings.Join(x.Keys, ", ")
	}
	switch x.Kind {
	case InOrder:
		return "in the order of the file"
	case HandedOver:
		return "handed over " + to
	case Joined:
		return to + ", or joined in place"
	}
	return to
}

// Describe says in a few words what an operator of the plan does.
func (n *Node) Describe(p *Plan) string {
	switch {
	case n.Scan != nil:
		return n.Scan.describe(p) + p.Stages[n.Stage].ends()
	case n.Filter != nil:
		return "filter " + n.Filter.String()
	case n.Project != nil:
		return (&plan.Node{Op: plan.Project, Exprs: n.Project}).Describe()
	case n.Unnest != nil:
		return (&plan.Node{Op: plan.Unnest, Lists: n.Unnest.Lists}).Describe()
	case n.Aggregate != nil:
		return describeAggregate(n.Aggregate)
	case n.Join != nil:
		text := plan.DescribeJoin(n.Join.Kind, n.Join.On)
		if len(p.Bounds(n)) > 0 {
			text += " within the bounds of its filter"
		}
		return text
	case n.Sort != nil:
		return plan.DescribeSort(n.Sort.Order, n.Sort.Limit, n.Sort.Offset)
	case n.Percentile != nil:
		return plan.DescribePercentile(n.Percentile.Column, n.Percentile.Quantile)
	}
	switch {
	case n.Window != nil:
		return plan.DescribeWindow(n.Window.Keys, append(slices.Clone(n.Window.Order), n.Window.Ties...), n.Window.Calls)
	case n.Top != nil:
		return strings.TrimSuffix(fmt.Sprintf("keep what may be among the first %d in order of %s by %s",
			n.Top.Rows, order.Describe([]plan.Order{n.Top.Order}), strings.Join(n.Top.Keys, ", ")), " by ")
	}
	if len(n.Inputs) == 1 {
		return "rows as they come"
	}
	return "union"
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

// ends says when a stage has read enough, if it need not read all of its table.
func (s *Stage) ends() string {
	if s.First == nil {
		return ""
	}
	return fmt.Sprintf("; ends after %d rows", *s.First)
}

func describeAggregate(c *aggregate.Config) string {
	phase := ""
	switch {
	case c.FromStates && c.ToStates:
		phase = "merge partial"
	case c.FromStates:
		phase = "final"
	case c.ToStates:
		phase = "partial"
	}
	return plan.DescribeAggregate(phase, c.Keys, c.Aggs)
}
