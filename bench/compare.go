package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// Change is how one figure of a cell moved from one report to another.
type Change struct {
	Workload string
	Setting  Setting
	Figure   string  // such as "time" or "memory cost"
	Old, New float64 // more is worse
	// Noise says that the figure moved less than it varies: its ranges overlap.
	Noise bool
}

// Factor is how many times the old figure the new one is: above 1 is worse.
func (c Change) Factor() float64 { return c.New / c.Old }

// Comparison is what two reports have in common.
type Comparison struct {
	Changes []Change
	Times   bool // times were compared: both reports are of one machine
	Missing int  // cells of the old report that the new one lacks
}

// Compare compares the cells that two reports have in common. Ratios between cells
// of one report are compared always. Times are only if both reports are of the same
// machine and data: elsewhere they say nothing.
func Compare(old, now *Report) (*Comparison, error) {
	c := &Comparison{Times: old.Machine.Same(now.Machine) && old.sameData(now)}
	for i := range old.Workloads {
		before := &old.Workloads[i]
		after := now.workload(before.Name)
		for j := range before.Cells {
			a := &before.Cells[j]
			var b *Cell
			if after != nil {
				b = after.find(a.Setting)
			}
			if b == nil {
				c.Missing++
				continue
			}
			c.cells(before, after, a, b)
		}
	}
	if len(c.Changes) == 0 {
		return nil, errors.New("the two reports have no cell in common: measure the same workloads with the same settings")
	}
	return c, nil
}

// cells adds what became of one cell.
func (c *Comparison) cells(before, after *Result, a, b *Cell) {
	add := func(figure string, old, now Ratio) {
		if old.Value > 0 && now.Value > 0 {
			noise := old.Low <= now.High && now.Low <= old.High
			c.Changes = append(c.Changes, Change{before.Name, a.Setting, figure, old.Value, now.Value, noise})
		}
	}
	exact := func(v int64) Ratio { return Ratio{float64(v), float64(v), float64(v)} }
	if c.Times {
		x, y := a.Wall(), b.Wall()
		add("seconds", Ratio{x.Median, x.Fastest, x.Slowest}, Ratio{y.Median, y.Fastest, y.Slowest})
	}
	x, y := before.RatiosOf(a), after.RatiosOf(b)
	add("time over one replica", x.Replicas, y.Replicas)
	add("time over unlimited memory", x.Memory, y.Memory)
	add("time over one process", x.Cluster, y.Cluster)
	p, q := a.MedianRun(), b.MedianRun()
	add("spilled bytes", exact(p.Spilled), exact(q.Spilled))
	add("messages", exact(p.Messages), exact(q.Messages))
	add("message bytes", exact(p.MessageBytes), exact(q.MessageBytes))
}

// Regressions returns the changes for the worse that are larger than a part of the
// old figure, such as 0.1, and are not noise.
func (c *Comparison) Regressions(most float64) []Change {
	var worse []Change
	for _, change := range c.Changes {
		if change.Factor() > 1+most && !change.Noise {
			worse = append(worse, change)
		}
	}
	return worse
}

// WriteTable writes what moved by more than a part, and how much was compared.
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
		case change.Noise:
			note = "within the noise"
		case f < 1:
			note = "better"
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%.4g → %.4g\t%+.0f %%\t%s\n",
			change.Workload, change.Setting, change.Figure, change.Old, change.New, 100*(f-1), note)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	fmt.Fprintf(&b, "%d of %d figures moved by more than %.0f %%.\n", moved, len(c.Changes), 100*most)
	if !c.Times {
		fmt.Fprintln(&b, "The reports are of different machines or data: ratios were compared, times were not.")
	}
	if c.Missing > 0 {
		fmt.Fprintf(&b, "%d cells of the first report are not in the second.\n", c.Missing)
	}
	return writeAll(w, b.Bytes())
}

func (r *Report) workload(name string) *Result {
	for i := range r.Workloads {
		if r.Workloads[i].Name == name {
			return &r.Workloads[i]
		}
	}
	return nil
}

func (r *Report) sameData(o *Report) bool {
	return r.Data.Dir == o.Data.Dir && r.Data.Seed == o.Data.Seed
}
