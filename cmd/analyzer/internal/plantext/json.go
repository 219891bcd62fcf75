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
	Run *run `json:"run,omitempty"`
}

type run struct {
	Rows    int64     `json:"rows"`
	Bytes   int64     `json:"bytes"`
	Spilled int64     `json:"spilled"`
	Nodes   []nodeRun `json:"nodes"`
}

type nodeRun struct {
	Node    int   `json:"node"`
	RowsIn  int64 `json:"rowsIn"`
	RowsOut int64 `json:"rowsOut"`
	Batches int64 `json:"batches"`
	Spilled int64 `json:"spilled"`
	Nanos   int64 `json:"nanos"`
}

// JSON writes the plan, and what a run did if there is a report.
func JSON(w io.Writer, p *planner.Plan, report *engine.Report) error {
	d := document{Plan: p}
	if report != nil {
		d.Run = &run{Rows: report.Rows, Bytes: report.Bytes, Spilled: report.Spilled}
		for _, n := range report.Nodes {
			d.Run.Nodes = append(d.Run.Nodes, nodeRun(n))
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}
