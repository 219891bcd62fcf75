package bench

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// howMeasured says what a row of a table is.
const howMeasured = `Each run begins with the start of a process and ends with its exit; one that is not counted comes first.
Of all runs of a row the median by time is shown, in parentheses the fastest and the slowest.`

// meanings are those of the heads of tables.
var meanings = []struct{ Head, Meaning string }{
	{"via", "what carries rows between replicas"},
	{"limit", "of memory, in MiB"},
	{"speed", "times as fast as one replica"},
	{"cost", "times as slow as without a limit"},
	{"share", "of the throughput of one process"},
	{"follow", "when there are answers while tables are read, if not at the end alone"},
	{"pages", "of the job that somebody looks at"},
	{"CPU/GB", "processor seconds for a billion bytes of input"},
	{"peak", "MiB resident, all processes together, the highest of all runs"},
	{"spill", "MiB written for lack of memory"},
	{"part", "of the throughput with fewer pages, or else of that with answers at the end"},
	{"cuts", "parts that were answered for meanwhile"},
	{"delay", "seconds from when a block was read to the answers that hold it, the median of the run and the worst of all"},
}

// columns are those of a table; some are left out where they would say nothing.
var columns = []struct {
	head string
	left bool
	text func(*Result, *Cell) string
}{
	{"workload", true, func(w *Result, _ *Cell) string { return w.Name }},
	{"via", true, func(_ *Result, c *Cell) string { return string(c.Transport) }},
	{"limit", false, func(_ *Result, c *Cell) string { return limitText(c.Memory) }},
	{"repl", false, func(_ *Result, c *Cell) string { return c.replicas() }},
	{"follow", true, func(_ *Result, c *Cell) string { return string(c.Follow) }},
	{"pages", false, func(_ *Result, c *Cell) string { return countText(c.Pages) }},
	{"wall s", false, func(_ *Result, c *Cell) string { return spreadText(c.Wall()) }},
	{"MB/s", false, func(_ *Result, c *Cell) string { return fmt.Sprintf("%.0f", c.MedianRun().BytesPerSecond()/1e6) }},
	{"speed", false, func(w *Result, c *Cell) string { return ratioText(inverse(w.RatiosOf(c).Replicas.Value)) }},
	{"cost", false, func(w *Result, c *Cell) string { return ratioText(w.RatiosOf(c).Memory.Value) }},
	{"share", false, func(w *Result, c *Cell) string { return ratioText(inverse(w.RatiosOf(c).Cluster.Value)) }},
	{"CPU/GB", false, func(_ *Result, c *Cell) string { return fmt.Sprintf("%.2f", c.MedianRun().CPUPerGB()) }},
	{"peak", false, func(_ *Result, c *Cell) string { return mib(c.Peak()) }},
	{"spill", false, func(_ *Result, c *Cell) string { return mib(c.MedianRun().Spilled) }},
}

// rows returns the heads and the rows of a table of the cells of one scale, without
// columns in which nothing stands.
func (r *Report) rows(scale float64) (rows [][]string, left []bool) {
	var all [][]string
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for j := range w.Cells {
			if w.Cells[j].Scale != scale {
				continue
			}
			row := make([]string, len(columns))
			for n, column := range columns {
				row[n] = column.text(w, &w.Cells[j])
			}
			all = append(all, row)
		}
	}
	rows = make([][]string, len(all)+1)
	for n, column := range columns {
		if !slices.ContainsFunc(all, func(row []string) bool { return row[n] != "" && row[n] != string(InMemory) }) {
			continue
		}
		left = append(left, column.left)
		rows[0] = append(rows[0], column.head)
		for i, row := range all {
			rows[i+1] = append(rows[i+1], row[n])
		}
	}
	return rows, left
}

// tableColumns is how wide a line of text may be.
const tableColumns = 100

// WriteTable writes the report as aligned text of at most 100 columns.
func (r *Report) WriteTable(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(folded(r.where()))
	for _, scale := range r.scales() {
		fmt.Fprintf(&b, "\n%s", heading("", scale))
		rows, _ := r.rows(scale)
		if err := writeAligned(&b, rows); err != nil {
			return err
		}
		for _, rows := range [][][]string{r.peaks(scale), r.kept(scale)} {
			if len(rows) > 1 {
				b.WriteString("\n")
				if err := writeAligned(&b, rows); err != nil {
					return err
				}
			}
		}
	}
	b.WriteByte('\n')
	for _, line := range r.verdicts() {
		b.WriteString(folded(line))
	}
	return writeAll(w, b.Bytes())
}

// folded breaks a line between words where it is longer than the table may be, and
// indents what follows.
func folded(line string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(line) {
		n := utf8.RuneCountInString(word)
		switch {
		case column > 0 && column+1+n > tableColumns:
			b.WriteString("\n  ")
			column = 2
		case column > 0:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
	return b.String()
}

// writeAligned writes a table whose columns end below one another.
func writeAligned(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, cells := range rows {
		_, _ = fmt.Fprintf(t, "%s\t\n", strings.Join(cells, "\t")) // Flush says what went wrong
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// WriteMarkdown writes the report as a page to read.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Throughput\n\n%s\n\n%s\n\n", r.where(), howMeasured)
	for _, m := range meanings {
		fmt.Fprintf(&b, "- %s: %s\n", m.Head, m.Meaning)
	}
	for _, scale := range r.scales() {
		fmt.Fprintf(&b, "\n%s", heading("## ", scale))
		rows, left := r.rows(scale)
		writeMarkdownTable(&b, rows, left)
		for _, rows := range [][][]string{r.peaks(scale), r.kept(scale)} {
			if len(rows) > 1 {
				b.WriteString("\n")
				writeMarkdownTable(&b, rows, []bool{true, false, false, false, false, false, false})
			}
		}
	}
	b.WriteByte('\n')
	for _, line := range r.verdicts() {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return writeAll(w, b.Bytes())
}

// writeMarkdownTable writes a table of which some columns are set to the left.
func writeMarkdownTable(b *bytes.Buffer, rows [][]string, left []bool) {
	for i, cells := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
		if i > 0 {
			continue
		}
		for _, l := range left {
			b.WriteString(map[bool]string{true: "|---", false: "|--:"}[l])
		}
		b.WriteString("|\n")
	}
}

// peaks returns the heads and the rows of a table of what processes of clusters took at
// most, in MiB: of each kind the one that took most. Without clusters it has heads alone.
func (r *Report) peaks(scale float64) [][]string {
	kinds := []string{clientProcess, brokerProcess, "gateway", "worker"}
	rows := [][]string{append([]string{"peak MiB of one", "limit", "repl"}, kinds...)}
	for _, w := range r.Workloads {
		for _, c := range w.Cells {
			if c.Scale != scale || c.Transport != RabbitMQ {
				continue
			}
			row := []string{w.Name, limitText(c.Memory), c.replicas()}
			for _, kind := range kinds {
				row = append(row, mib(c.peakOf(kind)))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// kept returns the heads and the rows of a table of what is kept of the throughput by
// runs that answer meanwhile, or that somebody looks at, and how long blocks waited for
// their answers. Without such runs it has heads alone.
func (r *Report) kept(scale float64) [][]string {
	rows := [][]string{{"throughput kept", "via", "follow", "pages", "part", "cuts", "delay s"}}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for _, c := range w.ofScale(scale) {
			ratios := w.RatiosOf(c)
			kept := inverse(cmp.Or(ratios.Pages.Value, ratios.Follow.Value))
			if c.plain() || kept == 0 {
				continue
			}
			rows = append(rows, []string{
				w.Name, string(c.Transport), string(c.Follow), countText(c.Pages), ratioText(kept), countText(c.MedianRun().Cuts), delayText(c),
			})
		}
	}
	return rows
}

// WriteCSV writes one line for each run, in seconds and bytes.
func (r *Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"workload", "scale", "transport", "memory", "replicas", "follow", "pages", "run", "wall_seconds", "cpu_seconds", "peak_bytes", "rows",
		"input_bytes", "spilled_bytes", "spill_files", "messages", "message_bytes", "cuts", "delay_median_seconds", "delay_worst_seconds", "answers",
	}}
	for _, work := range r.Workloads {
		for _, c := range work.Cells {
			for i, run := range c.Runs {
				line := []string{work.Name, float(c.Scale), string(c.Transport), whole(c.Memory), strconv.Itoa(c.Replicas), string(c.Follow), strconv.Itoa(c.Pages), strconv.Itoa(i + 1)}
				line = append(line, float(run.Wall), float(run.CPU))
				for _, n := range []int64{run.Peak, run.Rows, run.Bytes, run.Spilled, run.SpillFiles, run.Messages, run.MessageBytes, int64(run.Cuts)} {
					line = append(line, whole(n))
				}
				lines = append(lines, append(line, float(run.Delay.Median), float(run.Delay.Worst), run.Answers))
			}
		}
	}
	if err := out.WriteAll(lines); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func float(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func whole(v int64) string { return strconv.FormatInt(v, 10) }

func writeAll(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// scales returns the scales that were measured, in order.
func (r *Report) scales() []float64 {
	var all []float64
	for _, w := range r.Workloads {
		for _, c := range w.Cells {
			if !slices.Contains(all, c.Scale) {
				all = append(all, c.Scale)
			}
		}
	}
	slices.Sort(all)
	return all
}

func heading(mark string, scale float64) string {
	if scale == 0 {
		return ""
	}
	return fmt.Sprintf("%sscale %v\n\n", mark, scale)
}

func atScale(scale float64) string {
	if scale == 0 {
		return ""
	}
	return fmt.Sprintf(" at scale %v", scale)
}

// where says what was measured on what.
func (r *Report) where() string {
	data := "data of " + r.Data.Dir
	if r.Data.Dir == "" {
		data = fmt.Sprintf("generated data, seed %d", r.Data.Seed)
	}
	return fmt.Sprintf("%s; %s; %s", r.Machine, r.Program, data)
}

// verdicts says of each workload whether its answers are the same, of those with
// limits whether they were kept, and of a sweep of limits whether they mattered.
func (r *Report) verdicts() []string {
	var lines []string
	for _, w := range r.Workloads {
		runs, worst := 0, 1
		for _, c := range w.Cells {
			runs += len(c.Runs)
		}
		for _, n := range w.answers() {
			worst = max(worst, n)
		}
		line := fmt.Sprintf("%s: all %d runs gave the same answers, byte by byte", w.Name, runs)
		if worst > 1 {
			line = fmt.Sprintf("%s: THE ANSWERS DIFFER: of %d runs there are %d different ones", w.Name, runs, worst)
		}
		lines = append(lines, line+w.excess())
	}
	for _, f := range r.Floors {
		lines = append(lines, r.distance(f))
	}
	if hint := r.spillHint(); hint != "" {
		lines = append(lines, hint)
	}
	return lines
}

// distance says how far the fastest cell of a workload in one process is from what
// its files cost without a question.
func (r *Report) distance(f Floor) string {
	best := math.Inf(1)
	for _, c := range r.workload(f.Workload).ofScale(f.Scale) {
		if c.Transport == InMemory {
			best = min(best, c.MedianRun().Wall)
		}
	}
	text := fmt.Sprintf("%s%s: reading its %.0f MB takes %.3f s, finding their cells %.3f s", f.Workload, atScale(f.Scale), float64(f.Bytes)/1e6, f.Read, f.Index)
	if math.IsInf(best, 1) {
		return text
	}
	return text + fmt.Sprintf("; the fastest answer took %.1f times the one, %.1f times the other", best/f.Read, best/f.Index)
}

// excess says how the runs kept their limits.
func (w *Result) excess() string {
	worst, who, limited := int64(0), "", false
	for _, c := range w.Cells {
		limited = limited || c.Memory > 0
		if excess, name := c.Excess(); excess > worst {
			worst, who = excess, name
		}
	}
	switch {
	case !limited:
		return ""
	case worst == 0:
		return "; every process stayed within its memory limit"
	case worst > MemorySlack:
		return fmt.Sprintf("; MORE MEMORY THAN ALLOWED: %s MiB over the limit%s", mib(worst), inCluster(who))
	}
	return fmt.Sprintf("; at most %s MiB over the memory limit%s", mib(worst), inCluster(who))
}

// inCluster names a process with a limit, which needs no name where there is one alone.
func inCluster(process string) string {
	if process == clientProcess {
		return ""
	}
	return ", by " + process
}

// spillHint says that memory limits were compared under which nothing spilled, and
// what would make it so; "" if something did, or there were no limits.
func (r *Report) spillHint() string {
	least, scale, size := int64(0), 0.0, int64(0)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if w.spilled() {
			return ""
		}
		for _, c := range w.Cells {
			size = max(size, c.MedianRun().Bytes)
			if c.Memory > 0 && (least == 0 || c.Memory < least) {
				least = c.Memory
			}
			scale = max(scale, c.Scale)
		}
	}
	switch {
	case least == 0:
		return ""
	case scale > 0:
		return fmt.Sprintf("NOTHING SPILLED: these limits are compared by nothing. Take --memory %dMiB or less, or --scale %.2g, "+
			"and one of the workloads groups, selfjoin and listagg.", max(least>>22, 1), max(scale*4, 0.1))
	}
	return fmt.Sprintf("NOTHING SPILLED: these limits are compared by nothing. Of input of %s MiB, take --memory %dMiB or less "+
		"and one of the workloads groups, selfjoin and listagg.", mib(size), max(least>>22, 1))
}

// spreadText shows a spread as “median (fastest–slowest)”, and a single run alone.
func spreadText(s Spread) string {
	if s.Fastest == s.Slowest {
		return fmt.Sprintf("%.2f", s.Median)
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Fastest, s.Slowest)
}

// limitText shows a memory limit in MiB.
func limitText(n int64) string {
	if n == 0 {
		return "none"
	}
	return mib(n)
}

// ratioText shows a ratio, and nothing where there is none.
func ratioText(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", v)
}

func inverse(v float64) float64 {
	if v == 0 {
		return 0
	}
	return 1 / v
}

// delayText shows how long blocks waited in the median run, and at worst in any, as
// “median (worst)”.
func delayText(c *Cell) string {
	worst := 0.0
	for _, r := range c.Runs {
		worst = max(worst, r.Delay.Worst)
	}
	if worst == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f (%.2f)", c.MedianRun().Delay.Median, worst)
}

// countText shows a count, and nothing where there is none.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// mib shows bytes in MiB.
func mib(n int64) string { return fmt.Sprintf("%.0f", float64(n)/(1<<20)) }
