package bench

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// Measure is one figure of a cell that can be compared with the same figure of another report:
// a time, a ratio of two times, or a count. More is worse.
type Measure struct {
	Workload string
	Setting  Setting
	Figure   string // such as "seconds"
	Ratio           // the figure, and its range over the runs
}

// Counted reports whether the figure is a count. What else runs on the machine changes times
// and their ratios, but no count.
func (m Measure) Counted() bool {
	return m.Figure == spilledBytes || m.Figure == messages || m.Figure == messageBytes
}

// The figures that are counts.
const (
	spilledBytes = "spilled bytes"
	messages     = "messages"
	messageBytes = "message bytes"
)

// key is equal for measures of two reports that can be compared.
func (m Measure) key() string { return fmt.Sprint(m.Workload, m.Setting, m.Figure) }

// Measures returns the measures of a report: ratios between its cells and counts, which are
// comparable between machines, and also times if times is set.
func (r *Report) Measures(times bool) []Measure {
	var all []Measure
	for w, c := range r.cells() {
		add := func(figure string, ratio Ratio) {
			if ratio.Value > 0 {
				all = append(all, Measure{w.Name, c.Setting, figure, ratio})
			}
		}
		count := func(figure string, of func(Run) float64) {
			s := c.Of(of)
			add(figure, Ratio{s.Median, min(s.Fastest, s.Median, s.Slowest), max(s.Fastest, s.Median, s.Slowest)})
		}
		if times {
			count("seconds", Run.seconds)
		}
		add("time over one replica", w.ratio(c, oneReplica))
		add("time over unlimited memory", w.ratio(c, unlimited))
		add("time over one process", w.ratio(c, oneProcess))
		add("time over answers at the end", w.ratio(c, atEnd))
		add("time over no pages", w.ratio(c, unseen))
		count(spilledBytes, func(r Run) float64 { return float64(r.Spilled) })
		count(messages, func(r Run) float64 { return float64(r.Messages) })
		count(messageBytes, func(r Run) float64 { return float64(r.MessageBytes) })
	}
	return all
}

// Comparable reports whether times of two reports may be compared, which takes the same
// machine and the same data, and machines of clusters with as many cores.
func (r *Report) Comparable(o *Report) bool {
	return r.Machine.Same(o.Machine) && r.Data.Dir == o.Data.Dir && r.Data.Seed == o.Data.Seed && r.MachineCores == o.MachineCores
}

// Change is how a measure moved from one report to another.
type Change struct {
	Measure
	New Ratio
}

// Factor returns the new figure over the old one: above 1 is worse.
func (c Change) Factor() float64 { return c.New.Value / c.Value }

// Noise reports whether the figure changed by less than it varies: its two ranges overlap.
func (c Change) Noise() bool { return c.Low <= c.New.High && c.New.Low <= c.High }

// Comparison is the changes from one report to another.
type Comparison struct {
	Changes []Change
	Missing int // measures of the old report that the new one lacks
}

// Compare compares the measures that two reports have in common.
func Compare(old, now []Measure) (*Comparison, error) {
	c := &Comparison{}
	found := make(map[string]Ratio, len(now))
	for _, m := range now {
		found[m.key()] = m.Ratio
	}
	for _, m := range old {
		if ratio, ok := found[m.key()]; ok {
			c.Changes = append(c.Changes, Change{m, ratio})
		} else {
			c.Missing++
		}
	}
	if len(c.Changes) == 0 {
		return nil, errors.New("the two reports have no cell in common: measure the same workloads with the same settings")
	}
	return c, nil
}

// Regressions returns the changes for the worse that are not noise and are larger than a share
// most of the old figure, such as 0.1.
func (c *Comparison) Regressions(most float64) []Change {
	return slices.DeleteFunc(slices.Clone(c.Changes), func(change Change) bool {
		return change.Factor() <= 1+most || change.Noise()
	})
}

// WriteTable writes the measures that changed by more than a share most, and how many were
// compared.
func (c *Comparison) WriteTable(w io.Writer, most float64) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	moved := 0
	for _, change := range c.Changes {
		f := change.Factor()
		if f <= 1+most && f >= 1/(1+most) {
			continue
		}
		moved++
		note := "worse"
		switch {
		case change.Noise():
			note = "within the noise"
		case f < 1:
			note = "better"
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%.4g → %.4g\t%+.0f %%\t%s\n",
			change.Workload, change.Setting, change.Figure, change.Value, change.New.Value, 100*(f-1), note)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	fmt.Fprintf(&b, "%d of %d figures moved by more than %.0f %%.\n", moved, len(c.Changes), 100*most)
	if c.Missing > 0 {
		fmt.Fprintf(&b, "%d figures of the first report are not in the second.\n", c.Missing)
	}
	return writeAll(w, b.Bytes())
}

// fields are the columns of a file of measures.
func (m Measure) fields() []field {
	rounded := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	return append(m.Setting.fields(m.Workload),
		field{"figure", m.Figure}, field{"median", rounded(m.Value)}, field{"low", rounded(m.Low)}, field{"high", rounded(m.High)})
}

// WriteRatios writes the measures that are comparable between machines, one per line, so that
// they can be committed and later reports compared with them.
func (r *Report) WriteRatios(w io.Writer) error {
	heads, _ := lineOf(Measure{}.fields()...)
	lines := [][]string{heads}
	for _, m := range r.Measures(false) {
		_, values := lineOf(m.fields()...)
		lines = append(lines, values)
	}
	if err := csv.NewWriter(w).WriteAll(lines); err != nil {
		return fmt.Errorf("write the ratios: %w", err)
	}
	return nil
}

// readRatios reads what WriteRatios wrote.
func readRatios(in io.Reader) ([]Measure, error) {
	lines, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the ratios: %w", err)
	}
	if heads, _ := lineOf(Measure{}.fields()...); len(lines) == 0 || !slices.Equal(lines[0], heads) {
		return nil, fmt.Errorf("read the ratios: line 1 is not %q", heads)
	}
	var all []Measure
	for i, line := range lines[1:] {
		var errs []error
		number := func(column int) float64 {
			v, err := strconv.ParseFloat(line[column], 64)
			errs = append(errs, err)
			return v
		}
		all = append(all, Measure{
			line[0],
			Setting{number(1), Transport(line[2]), int64(number(3)), int(number(4)), Following(line[5]), int(number(6))},
			line[7],
			Ratio{number(8), number(9), number(10)},
		})
		if err := errors.Join(errs...); err != nil {
			return nil, fmt.Errorf("read the ratios: line %d: %w", i+2, err)
		}
	}
	return all, nil
}
