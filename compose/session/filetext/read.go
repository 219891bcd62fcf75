package filetext

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar/scan"
	"analyzer/columnar/size"
	"analyzer/compose/engine"
)

// Samples is how many rejected rows of a table are shown at most.
const Samples = 5

// Table says in lines what was read of a table, and which rows were rejected.
func Table(t engine.TableReport) []string {
	stats := &t.Stats
	line := fmt.Sprintf("%s: %s", t.Table, size.Plural(stats.Rows, "row"))
	if n := stats.RejectedRows(); n > 0 {
		line += fmt.Sprintf(", %s rejected (%s)", size.Count(n), counts(stats.Rejected))
	}
	if t.Stopped {
		line += ", and no more was needed"
	}
	if len(stats.Warnings) > 0 {
		line += "; noted " + counts(stats.Warnings)
	}
	lines := []string{line}
	for _, notice := range stats.Notices {
		lines = append(lines, fmt.Sprintf("  %s: %s", stats.File, notice))
	}
	for _, r := range various(stats.Samples) {
		lines = append(lines, "  "+rejectText(r))
	}
	return lines
}

// various picks a few rejected rows, one of each reason and column.
func various(all []scan.Reject) []scan.Reject {
	var chosen []scan.Reject
	for _, r := range all {
		same := func(c scan.Reject) bool { return c.Reason == r.Reason && c.Column == r.Column }
		if len(chosen) < Samples && !slices.ContainsFunc(chosen, same) {
			chosen = append(chosen, r)
		}
	}
	return chosen
}

// counts writes how often each thing happened, the most frequent first.
func counts(all []scan.Count) string {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b scan.Count) int { return int(min(max(b.Count-a.Count, -1), 1)) })
	var parts []string
	for _, c := range sorted {
		if c.What == scan.RejectBlank {
			continue
		}
		part := size.Count(c.Count) + " " + c.What
		if c.Column != "" {
			part += " " + c.Column
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func rejectText(r scan.Reject) string {
	where := fmt.Sprintf("%s:%d: ", r.File, r.Line)
	switch {
	case r.Column == "":
		return where + r.Reason
	case r.Reason == scan.RejectEmpty:
		return fmt.Sprintf("%scolumn %q is empty", where, r.Column)
	}
	return fmt.Sprintf("%scolumn %q: %s: %q", where, r.Column, r.Reason, r.Cell)
}
