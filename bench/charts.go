package bench

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"analyzer/bench/chart"
)

// Figure is one chart of a report.
type Figure struct {
	Name     string // of its files, without an extension
	Workload string // "": several workloads
	Chart    *chart.Chart
}

// Figures returns the charts that are not empty: for each workload its throughput over
// replicas, its time and spill over memory, its time by stage, and how emulated machines add up;
// and for all workloads together the cost of growing data.
func (r *Report) Figures() []Figure {
	var all []Figure
	add := func(name, workload string, c *chart.Chart) {
		if c != nil && len(c.Places) > 1 && c.Highest() > 0 {
			all = append(all, Figure{fileName(name), workload, c})
		}
	}
	machines := r.machinesModel()
	for i := range r.Workloads {
		w := &r.Workloads[i]
		cells := r.charted(w)
		if len(cells) == 0 {
			continue
		}
		add(w.Name+"-replicas", w.Name, overReplicas.chart(w.Name+": throughput", "MB/s", cells, Run.rate))
		add(w.Name+"-memory", w.Name, overMemory.chart(w.Name+": time", "seconds", cells, Run.seconds))
		add(w.Name+"-spill", w.Name, overMemory.chart(w.Name+": spilled", "MiB", cells, Run.spilledMiB))
		add(w.Name+"-stages", w.Name, byStage(w.Name, cells))
		if machines != nil {
			add(w.Name+"-machines", w.Name, machines.chart(w, cells))
		}
	}
	add("scale", "", r.overScale())
	return all
}

// charted returns the cells of a workload that its charts show: those of the largest data,
// without early answers and pages.
func (r *Report) charted(w *Result) []*Cell {
	cells := w.ofScale(slices.Max(append(r.scales(), 0)))
	return slices.DeleteFunc(cells, func(c *Cell) bool { return !c.plain() })
}

// fileName returns a name in a form that can be part of a file's name.
func fileName(name string) string { return strings.ReplaceAll(name, "/", "-") }

func (r Run) seconds() float64    { return r.Wall }
func (r Run) rate() float64       { return r.BytesPerSecond() / 1e6 }
func (r Run) spilledMiB() float64 { return float64(r.Spilled) / (1 << 20) }

func (w *Result) ofScale(scale float64) []*Cell {
	var cells []*Cell
	for i := range w.Cells {
		if w.Cells[i].Scale == scale {
			cells = append(cells, &w.Cells[i])
		}
	}
	return cells
}

// axis says how cells are arranged in a chart: one place for each value of at, and one series
// for each value of by.
type axis struct {
	label  string
	order  func(a, b *Cell) int
	at, by func(*Cell) string
}

var (
	overReplicas = axis{
		"replicas", func(a, b *Cell) int { return cmp.Compare(a.Replicas, b.Replicas) },
		func(c *Cell) string { return c.replicas() }, func(c *Cell) string { return fmt.Sprintf("%s, %s", c.Transport, c.memory()) },
	}
	overMemory = axis{
		"memory limit", func(a, b *Cell) int { return compareLimits(a.Memory, b.Memory) },
		func(c *Cell) string { return c.memory() }, func(c *Cell) string { return fmt.Sprintf("%s, replicas: %s", c.Transport, c.replicas()) },
	}
)

// compareLimits orders memory limits. 0 means no limit, and is the largest.
func compareLimits(a, b int64) int { return cmp.Compare(uint64(a-1), uint64(b-1)) }

// chart charts cells by a figure, which of takes from their runs.
func (x axis) chart(title, unit string, cells []*Cell, of func(Run) float64) *chart.Chart {
	c := &chart.Chart{Title: title, X: x.label, Y: unit}
	cells = slices.SortedStableFunc(slices.Values(cells), x.order)
	for _, cell := range cells {
		if p := x.at(cell); !slices.Contains(c.Places, p) {
			c.Places = append(c.Places, p)
		}
	}
	for _, cell := range cells {
		v := cell.Of(of)
		seriesOf(c, x.by(cell))[slices.Index(c.Places, x.at(cell))] = chart.Value{
			Known: true, Mid: v.Median, Low: min(v.Fastest, v.Slowest), High: max(v.Fastest, v.Slowest),
		}
	}
	return c
}

// seriesOf returns the values of the series with a name. It adds the series if there is none.
func seriesOf(c *chart.Chart, name string) []chart.Value {
	i := slices.IndexFunc(c.Series, func(s chart.Series) bool { return s.Name == name })
	if i < 0 {
		i, c.Series = len(c.Series), append(c.Series, chart.Series{Name: name, Values: make([]chart.Value, len(c.Places))})
	}
	return c.Series[i].Values
}

// byStage shows where the processor time of each cell goes.
func byStage(name string, cells []*Cell) *chart.Chart {
	c := &chart.Chart{Title: name + ": processor time by stage", X: "transport, memory, replicas", Y: "CPU seconds", Kind: chart.Stacked}
	for _, cell := range cells {
		c.Places = append(c.Places, stageLabel(cell))
	}
	for i, cell := range cells {
		r := cell.MedianRun()
		rest := r.CPU
		for _, s := range r.Stages {
			if s.Time < leastShown*r.CPU {
				continue
			}
			seriesOf(c, s.Name)[i] = chart.Exactly(s.Time)
			rest -= s.Time
		}
		switch {
		case cell.Transport == InMemory && len(r.Stages) > 0:
			seriesOf(c, "reading, and small stages")[i] = chart.Exactly(max(rest, 0))
		case cell.Transport != InMemory:
			for name, seconds := range r.besides() {
				seriesOf(c, name)[i] = chart.Exactly(seconds)
			}
		}
	}
	return c
}

// besides yields the processor seconds that a cluster used beside computing stages, by kind of
// process.
func (r Run) besides() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		workers := 0.0
		for _, s := range r.Stages {
			workers -= s.Time
		}
		seconds := r.ByKind()
		for _, kind := range [...]struct{ name, shown string }{
			{clientProcess, "client: reading"}, {gatewayProcess, "gateways: scans"}, {brokerProcess, "broker"}, {workerProcess, "workers: receive, log, send"},
		} {
			v := seconds[kind.name]
			if kind.name == workerProcess {
				v = max(v+workers, 0)
			}
			if !yield(kind.shown, v) {
				return
			}
		}
	}
}

// leastShown is the least share of a run's processor time for which a stage gets a colour.
const leastShown = 0.02

func stageLabel(c *Cell) string {
	memory := "∞"
	if c.Memory > 0 {
		memory = mib(c.Memory)
	}
	via := ""
	if c.Transport != InMemory {
		via = "cluster "
	}
	return fmt.Sprintf("%s%s×%s", via, memory, c.replicas())
}

// overScale shows what a billion bytes cost as data grows, for the first cell of each
// workload.
func (r *Report) overScale() *chart.Chart {
	var cells []*Cell
	names := make(map[*Cell]string)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for _, scale := range r.scales() {
			if of := w.ofScale(scale); len(of) > 0 {
				cells = append(cells, of[0])
				names[of[0]] = w.Name
			}
		}
	}
	if len(cells) == 0 {
		return nil
	}
	over := axis{
		"scale", func(a, b *Cell) int { return cmp.Compare(a.Scale, b.Scale) },
		func(c *Cell) string { return fmt.Sprint(c.Scale) }, func(c *Cell) string { return names[c] },
	}
	return over.chart("Cost as data grows: "+cells[0].Setting.without(), "CPU seconds for a GB", cells, Run.CPUPerGB)
}

// without describes a setting, except its scale.
func (s Setting) without() string {
	s.Scale = 0
	return s.String()
}
