// Package plantext shows physical plans, and what a run of one did, as trees of
// text and as JSON.
package plantext

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"analyzer/cmd/analyzer/internal/size"
	"analyzer/compose/engine"
	"analyzer/operators/planner"
)

// Tree writes the plan as one tree per answer, inputs below what reads them. A
// node that stands in several trees is shown in full in the first. With a
// report, each line says how many rows left the operator, how long it took over
// all tasks, and what it spilled. titles say what queries answer.
func Tree(w io.Writer, p *planner.Plan, titles map[string]string, report *engine.Report) error {
	t := &tree{plan: p, seen: make(map[int]bool)}
	if report != nil {
		t.stats = make(map[int]engine.NodeReport)
		for _, n := range report.Nodes {
			t.stats[n.Node] = n
		}
	}
	for i, a := range p.Answers {
		if i > 0 {
			t.line("", "")
		}
		title := a.Query
		if titles[a.Query] != "" {
			title += ": " + titles[a.Query]
		}
		t.line(title, "")
		t.node(a.Node, 1)
	}
	return t.write(w)
}

type tree struct {
	plan  *planner.Plan
	stats map[int]engine.NodeReport // nil: the plan was not run
	seen  map[int]bool
	lines [][2]string // what a node is, what it did
}

func (t *tree) line(left, right string) { t.lines = append(t.lines, [2]string{left, right}) }

func (t *tree) node(id, depth int) {
	n := t.plan.Nodes[id]
	indent := strings.Repeat("  ", depth)
	label := fmt.Sprintf("%s%s #%d", indent, describe(t.plan, n), id)
	if t.seen[id] {
		t.line(label+" (see above)", "")
		return
	}
	t.seen[id] = true
	t.line(label, t.did(n))
	for i, in := range n.Inputs {
		below := depth + 1
		if n.Join != nil {
			t.line(indent+"  "+[]string{"build side", "probe side"}[i], "")
			below++
		}
		if in.Exchange != nil {
			t.line(strings.Repeat("  ", below)+exchange(in.Exchange), "")
			below++
		}
		t.node(in.Node, below)
	}
}

func (t *tree) did(n *planner.Node) string {
	if t.stats == nil {
		return ""
	}
	s := t.stats[n.ID]
	out := size.Plural(s.RowsOut, "row")
	if s.Nanos > 0 {
		out += "  " + time.Duration(s.Nanos).Round(10*time.Microsecond).String()
	}
	if s.Spilled > 0 {
		out += "  spilled " + size.Binary(s.Spilled)
	}
	return out
}

// widest is the column beyond which what a node did no longer waits for the
// longest line.
const widest = 96

func (t *tree) write(w io.Writer) error {
	margin := 0
	for _, l := range t.lines {
		if n := utf8.RuneCountInString(l[0]); l[1] != "" && n <= widest {
			margin = max(margin, n)
		}
	}
	out := bufio.NewWriter(w)
	for _, l := range t.lines {
		if l[1] == "" {
			fmt.Fprintln(out, l[0])
			continue
		}
		pad := max(0, margin-utf8.RuneCountInString(l[0]))
		fmt.Fprintf(out, "%s%s  %s\n", l[0], strings.Repeat(" ", pad), l[1])
	}
	return out.Flush()
}

func exchange(x *planner.Exchange) string {
	if len(x.Keys) == 0 {
		return "exchange: all rows to one replica"
	}
	return "exchange by " + strings.Join(x.Keys, ", ")
}

// describe says in a few words what a node does.
func describe(p *planner.Plan, n *planner.Node) string {
	switch {
	case n.Scan != nil:
		return scan(p, n.Scan)
	case n.Filter != nil:
		return "filter " + n.Filter.String()
	case n.Project != nil:
		return "project " + project(n)
	case n.Unnest != nil:
		return fmt.Sprintf("unnest %s as %s", n.Unnest.Column, n.Unnest.As)
	case n.Aggregate != nil:
		return aggregation(n)
	case n.Join != nil:
		var on []string
		for _, pair := range n.Join.On {
			on = append(on, pair.Build+" = "+pair.Probe)
		}
		return "join on " + strings.Join(on, " and ")
	case n.Sort != nil:
		return order(n.Sort)
	case n.Percentile != nil:
		return fmt.Sprintf("keep %s at or over quantile %v", n.Percentile.Column, n.Percentile.Quantile)
	}
	return "union"
}

func scan(p *planner.Plan, s *planner.Scan) string {
	out := "scan " + s.Table
	if len(s.Columns) > 0 {
		out += " (" + strings.Join(s.Columns, ", ") + ")"
	}
	for i, c := range s.Where {
		out += []string{" and ", " where "}[max(0, 1-i)] + c.String()
	}
	for _, f := range s.Filters {
		build, _ := p.BuildSide(f.Join)
		out += fmt.Sprintf("; %s among the keys of #%d", strings.Join(f.Columns, ", "), build)
	}
	return out
}

func project(n *planner.Node) string {
	var parts []string
	for _, e := range n.Project {
		text := e.Expr.String()
		if text != e.Name {
			text += " as " + e.Name
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func aggregation(n *planner.Node) string {
	c := n.Aggregate
	kind := "aggregate"
	switch {
	case len(c.Aggs) == 0:
		kind = "distinct"
	case c.FromStates && c.ToStates:
		kind = "merge partial aggregates"
	case c.ToStates:
		kind = "aggregate partially"
	}
	if len(c.Keys) > 0 {
		kind += " by " + strings.Join(c.Keys, ", ")
	}
	var parts []string
	for _, a := range c.Aggs {
		parts = append(parts, fmt.Sprintf("%s(%s) as %s", a.Func, a.Arg, a.Name))
	}
	if len(parts) > 0 {
		kind += ": " + strings.Join(parts, ", ")
	}
	return kind
}

func order(s *planner.Sort) string {
	var keys []string
	for _, o := range s.Order {
		key := o.Column
		if o.Desc {
			key += " desc"
		}
		keys = append(keys, key)
	}
	if s.Limit >= 0 {
		return fmt.Sprintf("first %d by %s", s.Limit, strings.Join(keys, ", "))
	}
	return "sort by " + strings.Join(keys, ", ")
}
