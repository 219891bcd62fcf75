package plantext

import (
	"fmt"
	"io"
	"strings"

	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
)

// Rules collects what rules make of a logical plan.
type Rules struct{ out strings.Builder }

// Add adds what a rule made of a plan, and if it is the first one, the plan before it.
func (r *Rules) Add(rule rules.Rule, before, after *plan.Node) {
	if r.out.Len() == 0 {
		fmt.Fprintf(&r.out, "the statement\n%s", indented(before))
	}
	fmt.Fprintf(&r.out, "\n%s: %s\n%s", rule.Name, rule.Does, indented(after))
}

// Write shows what was collected.
func (r *Rules) Write(w io.Writer) error {
	_, err := io.WriteString(w, r.out.String())
	return err
}

func indented(n *plan.Node) string {
	var out strings.Builder
	for line := range strings.Lines(plan.Text(n)) {
		out.WriteString("  " + line)
	}
	return out.String()
}
