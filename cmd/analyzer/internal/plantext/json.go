package plantext

import (
	"encoding/json"
	"io"

	"analyzer/compose/engine"
	"analyzer/operators/planner"
)

// document is a plan with what a run of it did.
type document struct {
	*planner.Plan
	Run *engine.Report `json:"run,omitempty"`
}

// JSON writes the plan, and what a run did if there is a report.
func JSON(w io.Writer, p *planner.Plan, report *engine.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document{p, report})
}
