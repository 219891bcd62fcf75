// Package plantext shows physical plans, and the statistics of a run, as trees of text, as
// graphs and as JSON.
package plantext

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"analyzer/columnar/size"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
)

// Writer shows a plan. titles describe the answers by query; report is nil if the plan was
// not run.
type Writer func(w io.Writer, p *physical.Plan, titles map[string]string, report *engine.Report) error

// JSON writes the plan and the statistics of a run.
func JSON(w io.Writer, p *physical.Plan, _ map[string]string, report *engine.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		*physical.Plan
		Run *engine.Report `json:"run,omitempty"`
	}{p, report})
}

// Tree writes the plan as one tree per answer, with the inputs of a node below it. A node
// that appears in several trees is shown in full in the first only. With a report, columns
// show how many rows left each operator, how long it took over all tasks, and what it
// spilled; those of operators that the report lacks are empty.
func Tree(w io.Writer, p *physical.Plan, titles map[string]string, report *engine.Report) error {
	t := &tree{plan: p, seen: make(map[int]bool)}
	if report != nil {
		t.stats = make(map[int]engine.NodeReport)
		for _, n := range report.Nodes {
			t.stats[n.Node] = n
		}
		head := line{did: [3]string{"rows", "time"}}
		if report.Spilled > 0 {
			head.did[2] = "spilled"
		}
		t.lines = append(t.lines, head)
	}
	for i, a := range p.Answers {
		if i > 0 {
			t.say("")
		}
		title := a.Query
		if titles[a.Query] != "" {
			title += ": " + titles[a.Query]
		}
		t.say(title)
		t.node(a.Node, 1)
	}
	return t.write(w)
}

type tree struct {
	plan  *physical.Plan
	stats map[int]engine.NodeReport // nil: the plan was not run
	seen  map[int]bool
	lines []line
}

// line is one line of the tree: a node, and the columns of its statistics.
type line struct {
	text string
	did  [3]string
}

func (t *tree) say(text string) { t.lines = append(t.lines, line{text: text}) }

func (t *tree) node(id, depth int) {
	n := t.plan.Nodes[id]
	indent := strings.Repeat("  ", depth)
	label := fmt.Sprintf("%s%s #%d", indent, answers.Visible(n.Describe(t.plan)), id)
	if rows := t.stats[id].LeftOut; rows > 0 {
		label += fmt.Sprintf(" (%s rows left out by bounds)", size.Count(rows))
	}
	if t.seen[id] {
		t.say(label + " (see above)")
		return
	}
	t.seen[id] = true
	t.lines = append(t.lines, line{label, t.did(n)})
	for i, in := range n.Inputs {
		below := depth + 1
		if n.Join != nil {
			t.say(indent + "  " + []string{"build side", "probe side"}[i])
			below++
		}
		if in.Exchange != nil {
			t.say(strings.Repeat("  ", below) + "exchange " + t.exchange(n, in.Exchange))
			below++
		}
		t.node(in.Node, below)
	}
}

// exchange says how rows reach a node, and after a run which of two ways they took.
func (t *tree) exchange(n *physical.Node, x *physical.Exchange) string {
	if t.stats == nil || x.Kind != physical.Joined {
		return x.Describe()
	}
	inPlace := func(id int) bool { return t.stats[id].InPlace }
	if slices.ContainsFunc(t.plan.Stages[n.Stage].Nodes, inPlace) {
		return "not needed: joined in place"
	}
	return (&physical.Exchange{Keys: x.Keys}).Describe()
}

func (t *tree) did(n *physical.Node) (did [3]string) {
	s, known := t.stats[n.ID]
	if !known {
		return did
	}
	did[0] = size.Count(s.RowsOut)
	if s.Nanos > 0 {
		did[1] = time.Duration(s.Nanos).Round(10 * time.Microsecond).String()
	}
	if s.Spilled > 0 {
		did[2] = size.Binary(s.Spilled)
	}
	return did
}

// widest bounds the margin of the columns: a longer line does not push them further right.
const widest = 96

func (t *tree) write(w io.Writer) error {
	margin, columns := 0, [3]int{}
	for _, l := range t.lines {
		if n := utf8.RuneCountInString(l.text); l.did[0] != "" && n <= widest {
			margin = max(margin, n)
		}
		for i, text := range l.did {
			columns[i] = max(columns[i], utf8.RuneCountInString(text))
		}
	}
	out := bufio.NewWriter(w)
	for _, l := range t.lines {
		text := l.text
		if l.did[0] != "" {
			text += strings.Repeat(" ", max(0, margin-utf8.RuneCountInString(text)))
			for i, did := range l.did {
				text += fmt.Sprintf("  %*s", columns[i], did)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(text, " "))
	}
	return out.Flush()
}
