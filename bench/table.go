package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"analyzer/columnar"
)

// howMeasured explains the rows of a table.
const howMeasured = `Each run begins with the start of a process and ends with its exit; one that is not counted comes first.
Of all runs of a row the median by time is shown, in parentheses the fastest and the slowest.`

// meanings explains the heads of tables.
var meanings = []struct{ Head, Meaning string }{
	{"via", "what carries rows between replicas"},
	{"limit", "of memory, in MiB"},
	{"speed", "times as fast as one replica"},
	{"cost", "times as slow as without a limit"},
	{"model s", "seconds that bench model says, of what is busiest"},
	{"by model", "speed that bench model says"},
	{"share", "of the throughput of one process"},
	{"follow", "when there are answers while tables are read, if not at the end alone"},
	{"pages", "of the job that somebody looks at"},
	{"CPU/GB", "processor seconds for a billion bytes of input"},
	{"peak", "MiB resident, all processes together, the highest of all runs"},
	{"spill", "MiB written for lack of memory"},
	{"part", "of the throughput with fewer pages, or else of that with answers at the end"},
	{"cuts", "parts that were answered for meanwhile"},
	{"messages", "through the broker"},
	{"sent", "MiB in them"},
	{"client …", "MiB resident of a client, broker, gateway or worker, of several the one that took most"},
	{"delay", "seconds from when a block was read to the answers that hold it, the median of the run and the worst of all"},
}

// column is one column of a table of cells.
type column struct {
	head string
	left bool
	text func(*Result, *Cell) string
}

// keys are the columns that identify a row's cell.
var keys = []column{
	{"workload", true, func(w *Result, _ *Cell) string { return w.Name }},
	{"via", true, func(_ *Result, c *Cell) string { return string(c.Transport) }},
	{"limit", false, func(_ *Result, c *Cell) string { return limitText(c.Memory) }},
	{"repl", false, func(_ *Result, c *Cell) string { return c.replicas() }},
	{"follow", true, func(_ *Result, c *Cell) string { return string(c.Follow) }},
	{"pages", false, func(_ *Result, c *Cell) string { return countText(c.Pages) }},
}

// view defines a table, and which cells of a report it has rows for.
type view struct {
	title   string
	columns []column
	has     func(*Result, *Cell) bool
}

// views are the tables of the cells of one scale.
var views = []view{
	{"Throughput", []column{
		{"wall s", false, func(_ *Result, c *Cell) string { return spreadText(c.Wall()) }},
		{"MB/s", false, func(_ *Result, c *Cell) string { return rateText(c.MedianRun().BytesPerSecond()) }},
		{"speed", false, func(w *Result, c *Cell) string { return ratioText(inverse(w.ratio(c, oneReplica).Value)) }},
		{"cost", false, func(w *Result, c *Cell) string { return ratioText(w.ratio(c, unlimited).Value) }},
		{"share", false, func(w *Result, c *Cell) string { return ratioText(inverse(w.ratio(c, oneProcess).Value)) }},
		{"CPU/GB", false, func(_ *Result, c *Cell) string { return fmt.Sprintf("%.2f", c.MedianRun().CPUPerGB()) }},
		{"peak", false, func(_ *Result, c *Cell) string { return mib(c.Peak()) }},
		{"spill", false, func(_ *Result, c *Cell) string { return mib(c.MedianRun().Spilled) }},
	}, func(*Result, *Cell) bool { return true }},
	{"Clusters: messages, and the peak MiB of one process of each kind", []column{
		{"messages", false, func(_ *Result, c *Cell) string { return whole(c.MedianRun().Messages) }},
		{"sent", false, func(_ *Result, c *Cell) string {
			return fmt.Sprintf("%.1f", float64(c.MedianRun().MessageBytes)/(1<<20))
		}},
		peakColumn(clientProcess), peakColumn(brokerProcess), peakColumn(gatewayProcess), peakColumn(workerProcess),
	}, func(_ *Result, c *Cell) bool { return c.Transport == RabbitMQ }},
	{"Throughput that is kept", []column{
		{"part", false, func(w *Result, c *Cell) string { return ratioText(w.kept(c)) }},
		{"cuts", false, func(_ *Result, c *Cell) string { return countText(c.MedianRun().Cuts) }},
		{"delay s", false, func(_ *Result, c *Cell) string { return delayText(c) }},
	}, func(w *Result, c *Cell) bool { return !c.plain() && w.kept(c) > 0 }},
}

// more are views that only pages show, since they are seldom needed.
var more = []view{
	{"Rows, processor seconds, and files of spill", []column{
		{"rows/s", false, func(_ *Result, c *Cell) string {
			r := c.MedianRun()
			return fmt.Sprintf("%.0f", float64(r.Rows)/r.Wall)
		}},
		{"CPU s", false, func(_ *Result, c *Cell) string { return fmt.Sprintf("%.2f", c.MedianRun().CPU) }},
		{"files", false, func(_ *Result, c *Cell) string { return whole(c.MedianRun().SpillFiles) }},
	}, func(*Result, *Cell) bool { return true }},
}

// views returns the tables of the cells of one scale, of emulated machines with what a model says.
func (r *Report) views() []view {
	if m := r.machinesModel(); m != nil {
		return append(slices.Clone(views), m.view())
	}
	return views
}

func peakColumn(kind string) column {
	return column{kind, false, func(_ *Result, c *Cell) string { return mib(c.peakOf(kind)) }}
}

// kept returns the throughput of a cell with early answers or open pages, as a share of that
// of the cell without; 0 if there is no such cell.
func (w *Result) kept(c *Cell) float64 {
	return inverse(cmp.Or(w.ratio(c, unseen).Value, w.ratio(c, atEnd).Value))
}

// table is the content of a view.
type table struct {
	Title string
	Heads []string
	Rows  [][]string
	left  []bool // by column: whether it is aligned to the left
	keys  int    // columns that identify a row
}

// table returns a view of the cells of one scale, without empty columns. It has no rows if
// there is nothing to show.
func (v view) table(r *Report, scale float64) table {
	all := slices.Concat(keys, v.columns)
	var rows [][]string
	for w, c := range r.cells() {
		if c.Scale != scale || !v.has(w, c) {
			continue
		}
		row := columnar.Each(all, func(column column) string { return column.text(w, c) })
		rows = append(rows, row)
	}
	t := table{Title: v.title, Rows: make([][]string, len(rows))}
	for n, column := range all {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[n] != "" && row[n] != string(InMemory) }) {
			continue
		}
		t.Heads, t.left = append(t.Heads, column.head), append(t.left, column.left)
		for i, row := range rows {
			t.Rows[i] = append(t.Rows[i], row[n])
		}
		if n < len(keys) {
			t.keys++
		}
	}
	return t
}

// tables returns the tables of one scale that are not empty.
func (r *Report) tables(scale float64, views ...view) []table {
	var all []table
	for _, v := range views {
		if t := v.table(r, scale); len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// tableColumns is the greatest width of a line of text.
const tableColumns = 100

// WriteTable writes the report as aligned text of at most 100 columns.
func (r *Report) WriteTable(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(folded(r.where()))
	for _, scale := range r.scales() {
		fmt.Fprintf(&b, "\n%s", heading("", scale))
		for i, t := range r.tables(scale, r.views()...) {
			if i > 0 {
				fmt.Fprintf(&b, "\n%s:\n\n", t.Title)
			}
			if err := writeAligned(&b, t); err != nil {
				return err
			}
		}
	}
	b.WriteByte('\n')
	for _, line := range r.verdicts() {
		b.WriteString(folded(line))
	}
	return writeAll(w, b.Bytes())
}

// folded breaks a line between words so that no part is wider than tableColumns, and indents
// the continuation.
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

// writeAligned writes a table with aligned columns. If they do not fit, it narrows the gaps
// between them; if that is not enough, it writes the table in pieces, each with the key
// columns.
func writeAligned(w io.Writer, t table) error {
	lines := slices.Concat([][]string{t.Heads}, t.Rows)
	whole, err := aligned(lines, 2)
	if err == nil && widest(whole) > tableColumns {
		whole, err = aligned(lines, 1)
	}
	if err != nil {
		return err
	}
	if widest(whole) <= tableColumns || len(t.Heads) <= t.keys+1 {
		return writeAll(w, whole)
	}
	half := (t.keys + len(t.Heads) + 1) / 2
	first, second := table{keys: t.keys}, table{keys: t.keys}
	for i, line := range lines {
		one, other := line[:half], slices.Concat(line[:t.keys], line[half:])
		if i == 0 {
			first.Heads, second.Heads = one, other
			continue
		}
		first.Rows, second.Rows = append(first.Rows, one), append(second.Rows, other)
	}
	if err := writeAligned(w, first); err != nil {
		return err
	}
	if err := writeAll(w, []byte("\n")); err != nil {
		return err
	}
	return writeAligned(w, second)
}

// aligned returns lines of cells as text, with room spaces between columns.
func aligned(lines [][]string, room int) ([]byte, error) {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, room, ' ', tabwriter.AlignRight)
	for _, cells := range lines {
		_, _ = fmt.Fprintf(t, "%s\t\n", strings.Join(cells, "\t")) // Flush reports the error
	}
	if err := t.Flush(); err != nil {
		return nil, fmt.Errorf("write the report: %w", err)
	}
	return b.Bytes(), nil
}

func widest(text []byte) int {
	most := 0
	for line := range bytes.Lines(text) {
		most = max(most, utf8.RuneCount(line)-1)
	}
	return most
}

// WriteMarkdown writes the report as a Markdown page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Throughput\n\n%s\n\n%s\n\n", r.where(), howMeasured)
	for _, m := range meanings {
		fmt.Fprintf(&b, "- %s: %s\n", m.Head, m.Meaning)
	}
	for _, scale := range r.scales() {
		fmt.Fprintf(&b, "\n%s", heading("## ", scale))
		for i, t := range r.tables(scale, slices.Concat(r.views(), more)...) {
			if i > 0 {
				fmt.Fprintf(&b, "\n%s:\n\n", t.Title)
			}
			writeMarkdownTable(&b, t)
		}
	}
	for i := range r.Workloads {
		if t, ok := r.stageTable(&r.Workloads[i]); ok {
			fmt.Fprintf(&b, "\n%s:\n\n", t.Title)
			writeMarkdownTable(&b, t)
		}
	}
	b.WriteByte('\n')
	for _, line := range r.verdicts() {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return writeAll(w, b.Bytes())
}

func writeMarkdownTable(b *bytes.Buffer, t table) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(t.Heads, " | "))
	for _, left := range t.left {
		b.WriteString(map[bool]string{true: "|---", false: "|--:"}[left])
	}
	b.WriteString("|\n")
	for _, cells := range t.Rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// stageTable returns the figures of the chart by stage as a table; ok is false if there are
// none.
func (r *Report) stageTable(w *Result) (t table, ok bool) {
	c := byStage(w.Name, r.charted(w))
	if len(c.Series) == 0 {
		return t, false
	}
	t = table{Title: c.Title + ", in seconds", Heads: []string{c.X}, left: []bool{true}, keys: 1}
	for _, s := range c.Series {
		t.Heads, t.left = append(t.Heads, s.Name), append(t.left, false)
	}
	for i, place := range c.Places {
		row := []string{place}
		for _, s := range c.Series {
			text := ""
			if v := s.Values[i]; v.Known {
				text = fmt.Sprintf("%.2f", v.Mid)
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, true
}

// scales returns the scales that were measured, in order.
func (r *Report) scales() []float64 {
	var all []float64
	for _, c := range r.cells() {
		if !slices.Contains(all, c.Scale) {
			all = append(all, c.Scale)
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

// rateText shows bytes per second in MB/s, with one more digit for small rates.
func rateText(v float64) string {
	if v < 10e6 {
		return fmt.Sprintf("%.1f", v/1e6)
	}
	return fmt.Sprintf("%.0f", v/1e6)
}

func inverse(v float64) float64 {
	if v == 0 {
		return 0
	}
	return 1 / v
}

// delayText shows how long blocks waited, as “median (worst)”: the median in the median run,
// and the worst in any run.
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

func whole(v int64) string { return strconv.FormatInt(v, 10) }

func writeAll(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
