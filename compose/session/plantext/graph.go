package plantext

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"analyzer/columnar/size"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
)

// syntax holds the formats of a graph language. The arguments of each are as its comment
// says, in this order.
type syntax struct {
	head, tail       string
	stage, end       string            // number, label
	node, answer     string            // name, label
	edge, bare, keys string            // from, to, label; bare is an edge without one
	escape           *strings.Replacer // of labels
}

// dot is the syntax of Graphviz: https://graphviz.org/doc/info/lang.html.
func dot() syntax {
	return syntax{
		head: "digraph plan {\n  rankdir=BT;\n  node [shape=box];\n", tail: "}\n",
		stage: "  subgraph cluster_%d {\n    label=\"%s\";\n", end: "  }\n",
		node: "    %s [label=\"%s\"];\n", answer: "  %s [label=\"%s\", shape=ellipse];\n",
		edge: "  %s -> %s [label=\"%s\"];\n", bare: "  %[1]s -> %[2]s;\n",
		keys:   "  %s -> %s [label=\"%s\", style=dashed, constraint=false];\n",
		escape: strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`),
	}
}

// mermaid is the syntax of graphs in Markdown: https://mermaid.js.org/syntax/flowchart.html.
func mermaid() syntax {
	return syntax{
		head:  "flowchart BT\n",
		stage: "  subgraph s%d [\"%s\"]\n", end: "  end\n",
		node: "    %s[\"%s\"]\n", answer: "  %s([\"%s\"])\n",
		edge: "  %[1]s -- \"%[3]s\" --> %[2]s\n", bare: "  %[1]s --> %[2]s\n",
		keys:   "  %[1]s -. \"%[3]s\" .-> %[2]s\n",
		escape: strings.NewReplacer(`"`, "#quot;", "#", "#35;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\n", "<br>"),
	}
}

// DOT writes the plan as a graph for Graphviz.
func DOT(w io.Writer, p *physical.Plan, titles map[string]string, report *engine.Report) error {
	return graph(w, p, titles, report, dot())
}

// Mermaid writes the plan as a graph for Markdown.
func Mermaid(w io.Writer, p *physical.Plan, titles map[string]string, report *engine.Report) error {
	return graph(w, p, titles, report, mermaid())
}

// graph writes the plan as a graph. Rows flow upward, from the tables to the answers; a box
// is a stage; dashed lines are the keys of build sides that scans use. With a report, edges
// show how many rows passed along them.
func graph(w io.Writer, p *physical.Plan, titles map[string]string, report *engine.Report, s syntax) error {
	out := bufio.NewWriter(w)
	draw := func(format string, a ...any) {
		last := len(a) - 1
		a[last] = s.escape.Replace(folded(a[last].(string)))
		fmt.Fprintf(out, format, a...)
	}
	fmt.Fprint(out, s.head)
	for _, stage := range p.Stages {
		draw(s.stage, stage.ID, fmt.Sprintf("stage %d, %s", stage.ID, stage.Where()))
		for _, id := range stage.Nodes {
			draw(s.node, name(id), fmt.Sprintf("#%d %s", id, p.Nodes[id].Describe(p)))
		}
		fmt.Fprint(out, s.end)
	}
	rows := rowsOf(report)
	for _, n := range p.Nodes {
		for _, in := range n.Inputs {
			label := rows(in.Node)
			if in.Exchange != nil {
				label = strings.TrimSpace(in.Exchange.Describe() + "\n" + label)
			}
			draw(s.line(label), name(in.Node), name(n.ID), label)
		}
		if n.Scan == nil {
			continue
		}
		for _, f := range n.Scan.Filters {
			build, keys := p.BuildSide(f.Join)
			draw(s.keys, name(build), name(n.ID), "keys "+strings.Join(keys, ", "))
		}
	}
	for _, a := range p.Answers {
		text := a.Query
		if titles[a.Query] != "" {
			text += ": " + titles[a.Query]
		}
		draw(s.answer, "answer_"+a.Query, strings.Join(strings.Fields(text), " "))
		label := rows(a.Node)
		draw(s.line(label), name(a.Node), "answer_"+a.Query, label)
	}
	fmt.Fprint(out, s.tail)
	return out.Flush()
}

// line is the format of an edge with a label, which may be "".
func (s syntax) line(label string) string {
	if label == "" {
		return s.bare
	}
	return s.edge
}

func name(node int) string { return fmt.Sprintf("n%d", node) }

// rowsOf returns how many rows left a node, as text; "": unknown.
func rowsOf(report *engine.Report) func(node int) string {
	left := make(map[int]string)
	if report != nil {
		for _, n := range report.Nodes {
			left[n.Node] = size.Count(n.RowsOut) + " rows"
		}
	}
	return func(node int) string { return left[node] }
}

// foldAt is how long a line in a box may be.
const foldAt = 40

// folded breaks a text into lines at spaces.
func folded(text string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
		case column+len(word) > foldAt:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
		}
		b.WriteString(word)
		column += len(word) + 1
	}
	return b.String()
}
