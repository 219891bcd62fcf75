package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteJSON writes every single measurement, and for each point the spreads
// that the other forms show.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// MarshalJSON adds the spreads of what was measured.
func (p Point) MarshalJSON() ([]byte, error) {
	type plain Point
	return json.Marshal(struct {
		plain
		Wall           Spread[time.Duration] `json:"wallNanos"`
		CPU            Spread[time.Duration] `json:"cpuNanos"`
		Peak           Spread[int64]         `json:"peak"`
		Spilled        Spread[int64]         `json:"spilled"`
		BytesPerSecond Spread[float64]       `json:"bytesPerSecond"`
		RowsPerSecond  Spread[float64]       `json:"rowsPerSecond"`
	}{plain(p), p.Wall(), p.CPU(), p.Peak(), p.Spilled(), p.BytesPerSecond(), p.RowsPerSecond()})
}

// WriteMarkdown writes the report as a page to read.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Throughput\n\n%s\n\n%s\n\n", r.where(), legend)
	writeRow := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	writeRow(heads)
	b.WriteString(strings.Repeat("|---", 2) + strings.Repeat("|--:", len(heads)-2) + "|\n")
	for _, cells := range r.rows() {
		writeRow(cells)
	}
	b.WriteByte('\n')
	for _, line := range r.verdicts() {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return writeAll(w, b.Bytes())
}

// WriteTable writes the report as aligned text.
func (r *Report) WriteTable(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n", r.where())
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, cells := range append([][]string{heads}, r.rows()...) {
		_, _ = fmt.Fprintf(t, "%s\t\n", strings.Join(cells, "\t")) // Flush says what went wrong
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	b.WriteByte('\n')
	for _, line := range r.verdicts() {
		fmt.Fprintln(&b, line)
	}
	return writeAll(w, b.Bytes())
}

func writeAll(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

const legend = `Each run is a process of its own, timed from start to exit, after one that is not counted. Times, rates and CPU
seconds are medians, in parentheses the least and the greatest; memory is the highest peak of resident memory of all runs.`

var heads = []string{"workload", "memory", "replicas", "wall s", "MB/s", "M rows/s", "CPU s", "peak MiB", "spilled MiB"}

// rows returns a row of cells for each point.
func (r *Report) rows() [][]string {
	var all [][]string
	for _, w := range r.Workloads {
		for _, p := range w.Points {
			all = append(all, []string{
				w.Name, p.memory(), p.replicas(),
				spreadCell(p.Wall(), 2, time.Duration.Seconds), spreadCell(p.BytesPerSecond(), 0, millions),
				spreadCell(p.RowsPerSecond(), 2, millions), spreadCell(p.CPU(), 2, time.Duration.Seconds),
				mib(p.Peak().Max), mib(p.Spilled().Median),
			})
		}
	}
	return all
}

// where says what was measured on what.
func (r *Report) where() string {
	data := "data of " + r.Data.Dir
	if r.Data.Dir == "" {
		data = fmt.Sprintf("generated data, scale %v, seed %d", r.Data.Scale, r.Data.Seed)
	}
	return r.Machine + "; " + data
}

// verdicts says of each workload whether its answers are the same, and of those
// with limits whether they were kept.
func (r *Report) verdicts() []string {
	var lines []string
	for _, w := range r.Workloads {
		line := fmt.Sprintf("%s: all %d runs gave the same answers, byte by byte (SHA-256 %.12s…)", w.Name, w.Runs(), w.Answers()[0])
		if n := len(w.Answers()); n > 1 {
			line = fmt.Sprintf("%s: THE ANSWERS DIFFER: %d runs gave %d different ones", w.Name, w.Runs(), n)
		}
		lines = append(lines, line+w.excess())
	}
	return lines
}

// excess says how the runs kept their limits.
func (w *Result) excess() string {
	worst, limited := int64(0), false
	for _, p := range w.Points {
		worst, limited = max(worst, p.Excess()), limited || p.Memory > 0
	}
	switch {
	case !limited:
		return ""
	case worst == 0:
		return "; every run stayed within its memory limit"
	case worst > MemorySlack:
		return fmt.Sprintf("; MORE MEMORY THAN ALLOWED: %s MiB over the limit", mib(worst))
	}
	return fmt.Sprintf("; at most %s MiB over the memory limit", mib(worst))
}
