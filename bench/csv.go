package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// field is one value in a line of a CSV file, with the head of its column.
type field struct {
	head  string
	value any
}

// fields returns the fields that identify a line's cell.
func (s Setting) fields(workload string) []field {
	return []field{
		{"workload", workload},
		{"scale", s.Scale},
		{"transport", s.Transport},
		{"memory", s.Memory},
		{"replicas", s.Replicas},
		{"follow", s.Follow},
		{"pages", s.Pages},
	}
}

// fields returns the measurements of a run, in seconds and bytes.
func (r Run) fields() []field {
	cpu := r.ByKind()
	return []field{
		{"wall_seconds", r.Wall},
		{"cpu_seconds", r.CPU},
		{"peak_bytes", r.Peak},
		{"rows", r.Rows},
		{"input_bytes", r.Bytes},
		{"spilled_bytes", r.Spilled},
		{"spill_files", r.SpillFiles},
		{"messages", r.Messages},
		{"message_bytes", r.MessageBytes},
		{"cuts", r.Cuts},
		{"delay_median_seconds", r.Delay.Median},
		{"delay_worst_seconds", r.Delay.Worst},
		{"answers", r.Answers},
		{"uploaded_messages", r.Uploaded},
		{"received_rows", r.Received},
		{"commits", r.Commits},
		{"commit_seconds", r.CommitTime},
		{"client_cpu_seconds", cpu[clientProcess]},
		{"broker_cpu_seconds", cpu[brokerProcess]},
		{"gateway_cpu_seconds", cpu[gatewayProcess]},
		{"worker_cpu_seconds", cpu[workerProcess]},
	}
}

// lineOf returns the heads of fields and their values as text.
func lineOf(fields ...field) (heads, values []string) {
	for _, f := range fields {
		text := fmt.Sprint(f.value)
		if v, ok := f.value.(float64); ok {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		heads, values = append(heads, f.head), append(values, text)
	}
	return heads, values
}

// WriteCSV writes one line for each run, in seconds and bytes.
func (r *Report) WriteCSV(w io.Writer) error {
	line := func(workload string, s Setting, number int, run Run) (heads, values []string) {
		return lineOf(slices.Concat(s.fields(workload), []field{{"run", number}}, run.fields())...)
	}
	heads, _ := line("", Setting{}, 0, Run{})
	lines := [][]string{heads}
	for w, c := range r.cells() {
		for i, run := range c.Runs {
			_, values := line(w.Name, c.Setting, i+1, run)
			lines = append(lines, values)
		}
	}
	if err := csv.NewWriter(w).WriteAll(lines); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
