package bench

import (
	"cmp"
	"slices"
	"strings"
)

// Spread is one figure of three runs: the fastest, the median, and the slowest. All figures
// shown for a cell come from these runs, so that a time and its rate belong together. If the
// number of runs is even, the median is the faster of the two in the middle.
type Spread struct{ Fastest, Median, Slowest float64 }

// byWall returns the runs, the fastest first.
func (c *Cell) byWall() []Run {
	return slices.SortedStableFunc(slices.Values(c.Runs), func(a, b Run) int { return cmp.Compare(a.Wall, b.Wall) })
}

// FastestRun returns the run that was least disturbed.
func (c *Cell) FastestRun() Run { return c.byWall()[0] }

// MedianRun returns the median run by time, which represents the cell.
func (c *Cell) MedianRun() Run { return c.byWall()[(len(c.Runs)-1)/2] }

// Of applies of to the fastest, the median and the slowest run.
func (c *Cell) Of(of func(Run) float64) Spread {
	runs := c.byWall()
	return Spread{of(runs[0]), of(runs[(len(runs)-1)/2]), of(runs[len(runs)-1])}
}

// Wall returns seconds from start to exit.
func (c *Cell) Wall() Spread { return c.Of(func(r Run) float64 { return r.Wall }) }

// BytesPerSecond returns the bytes of input that a run read per second.
func (r Run) BytesPerSecond() float64 { return float64(r.Bytes) / r.Wall }

// ByKind returns processor seconds by kind of process, such as "worker".
func (r Run) ByKind() map[string]float64 {
	seconds := make(map[string]float64)
	for _, p := range r.Processes {
		seconds[p.kind()] += p.CPU
	}
	return seconds
}

// kind returns the kind of a process, such as "worker".
func (p Process) kind() string {
	kind, _, _ := strings.Cut(p.Name, " ")
	return kind
}

// CPUPerGB returns the processor seconds per billion bytes of input.
func (r Run) CPUPerGB() float64 { return r.CPU / float64(r.Bytes) * 1e9 }

// Peak returns the highest Run.Peak of all runs.
func (c *Cell) Peak() int64 {
	peak := int64(0)
	for _, r := range c.Runs {
		peak = max(peak, r.Peak)
	}
	return peak
}

// spilled reports whether any run of the workload spilled.
func (w *Result) spilled() bool {
	return slices.ContainsFunc(w.Cells, func(c Cell) bool {
		return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Spilled > 0 })
	})
}

// Excess returns by how many bytes the highest peak of a process exceeds its memory limit and its
// program, and which process that was. The client and the broker of a cluster have no limit.
func (c *Cell) Excess() (excess int64, who string) {
	if c.Memory == 0 {
		return 0, ""
	}
	for _, r := range c.Runs {
		for _, p := range r.Processes {
			limited := c.Transport == InMemory || p.Name != clientProcess && p.Name != brokerProcess
			if over := p.Peak - p.Program - c.Memory; limited && over > excess {
				excess, who = over, p.Name
			}
		}
	}
	return excess, who
}

// peakOf returns the highest peak of any process of a kind, such as "worker".
func (c *Cell) peakOf(kind string) int64 {
	peak := int64(0)
	for _, r := range c.Runs {
		for _, p := range r.Processes {
			if p.kind() == kind {
				peak = max(peak, p.Peak)
			}
		}
	}
	return peak
}

// Ratio is one time divided by another. Unlike times, ratios are comparable between machines.
type Ratio struct {
	Value     float64 // of the medians; 0: the sweep did not measure one of them
	Low, High float64 // the extremes over any two runs
}

func ratioOf(over, under Spread) Ratio {
	return Ratio{over.Median / under.Median, over.Fastest / under.Slowest, over.Slowest / under.Fastest}
}

// Each of these changes one part of a setting. A cell of a sweep is compared with the cell of
// the changed setting; the ratio is the cell's time over the other's, so that more is worse.
func oneReplica(s *Setting) { s.Replicas = 1 }
func unlimited(s *Setting)  { s.Memory = 0 }
func oneProcess(s *Setting) { s.Transport = InMemory }
func atEnd(s *Setting)      { s.Follow = AtEnd }
func unseen(s *Setting)     { s.Pages = 0 }

// ratio compares a cell with the cell of the changed setting.
func (w *Result) ratio(c *Cell, change func(*Setting)) Ratio {
	other := w.other(c, change)
	if other == nil {
		return Ratio{}
	}
	return ratioOf(c.Wall(), other.Wall())
}

// other returns the cell of the changed setting, nil if there is none.
func (w *Result) other(c *Cell, change func(*Setting)) *Cell {
	s := c.Setting
	change(&s)
	if s == c.Setting {
		return nil
	}
	return w.find(s)
}
