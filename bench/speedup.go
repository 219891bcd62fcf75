package bench

import (
	"cmp"
	"fmt"
	"slices"

	"analyzer/bench/chart"
)

// machinesModel returns a model of the emulated machines of a report; nil: it has none.
func (r *Report) machinesModel() *Model {
	if r.MachineCores == 0 {
		return nil
	}
	m, err := NewModel(r)
	if err != nil {
		return nil // no cluster was measured
	}
	return m
}

// predict returns what is busy longest in a run of a cell, and for how long.
func (m *Model) predict(w *Result, c *Cell) (name string, seconds float64) {
	of := load{workload: w.Name, scale: c.Scale, limit: c.Memory}
	for _, l := range m.smallest() {
		if l.alike(of) {
			return m.seconds(l.at(c.Replicas)).slowest()
		}
	}
	return "", 0
}

// speedUp returns how many times as fast as on one machine a cell is by the model; 0: one machine
// was not measured.
func (m *Model) speedUp(w *Result, c *Cell) float64 {
	one := w.other(c, oneReplica)
	if one == nil {
		return 0
	}
	_, alone := m.predict(w, one)
	_, together := m.predict(w, c)
	return alone / together
}

// view is the table of what was measured of machines beside what the model says of them.
func (m *Model) view() view {
	return view{"Machines, and what bench model says of them", []column{
		{"wall s", false, func(_ *Result, c *Cell) string { return spreadText(c.Wall()) }},
		{"model s", false, func(w *Result, c *Cell) string {
			_, seconds := m.predict(w, c)
			return fmt.Sprintf("%.2f", seconds)
		}},
		{"speed", false, func(w *Result, c *Cell) string { return ratioText(inverse(w.ratio(c, oneReplica).Value)) }},
		{"by model", false, func(w *Result, c *Cell) string { return ratioText(m.speedUp(w, c)) }},
		{"busiest", true, func(w *Result, c *Cell) string {
			name, _ := m.predict(w, c)
			return name
		}},
	}, func(_ *Result, c *Cell) bool { return modelled(c.Setting) }}
}

// chart shows how many times as fast as one machine several are, as measured and by the model; nil:
// one machine was not measured.
func (m *Model) chart(w *Result, cells []*Cell) *chart.Chart {
	cells = slices.DeleteFunc(slices.Clone(cells), func(c *Cell) bool { return !modelled(c.Setting) })
	slices.SortFunc(cells, func(a, b *Cell) int {
		return cmp.Or(compareLimits(b.Memory, a.Memory), cmp.Compare(a.Replicas, b.Replicas))
	})
	if len(cells) == 0 || cells[0].Replicas != 1 {
		return nil
	}
	most := cells[0].Memory
	c := &chart.Chart{Title: fmt.Sprintf("%s: machines of %g cores", w.Name, m.machine), X: "machines", Y: "times as fast as one"}
	measured, model, linear := chart.Series{Name: "measured"}, chart.Series{Name: "by the model"}, chart.Series{Name: "linear"}
	for _, cell := range cells {
		if cell.Memory != most {
			break
		}
		speed, by := chart.Exactly(1), 1.0
		if r := w.ratio(cell, oneReplica); r.Value > 0 {
			speed = chart.Value{Known: true, Low: inverse(r.High), Mid: inverse(r.Value), High: inverse(r.Low)}
			by = m.speedUp(w, cell)
		}
		c.Places = append(c.Places, cell.replicas())
		measured.Values = append(measured.Values, speed)
		model.Values = append(model.Values, chart.Exactly(by))
		linear.Values = append(linear.Values, chart.Exactly(float64(cell.Replicas)))
	}
	c.Series = []chart.Series{measured, model, linear}
	return c
}
