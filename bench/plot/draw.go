package main

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"analyzer/bench"
)

// The size of one panel.
const (
	width  = 5 * vg.Inch
	height = 3.5 * vg.Inch
	pad    = vg.Length(12)
)

// drawSVG draws one workload as an SVG image of panels side by side: its throughput
// over what was swept, and its peak memory over the limits.
func drawSVG(w io.Writer, r *bench.Result) error {
	panels := panelsOf(r)
	plots := make([]*plot.Plot, len(panels))
	for i, p := range panels {
		drawn, err := p.draw()
		if err != nil {
			return fmt.Errorf("plot %s: %s: %w", r.Name, p.title, err)
		}
		plots[i] = drawn
	}
	canvas := vgsvg.New(width*vg.Length(len(plots)), height)
	tiles := draw.Tiles{Rows: 1, Cols: len(plots), PadX: pad, PadTop: pad, PadBottom: pad, PadLeft: pad, PadRight: pad}
	for i, c := range plot.Align([][]*plot.Plot{plots}, tiles, draw.New(canvas))[0] {
		plots[i].Draw(c)
	}
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("write the plot of %s: %w", r.Name, err)
	}
	return nil
}

// draw lays a panel out. Places on the x axis are names at equal distances.
func (p *panel) draw() (*plot.Plot, error) {
	out := plot.New()
	out.Title.Text, out.X.Label.Text, out.Y.Label.Text = p.title, p.x, p.y
	out.Legend.Top = true
	out.Add(plotter.NewGrid())
	highest := 0.0
	for i, l := range p.lines {
		if err := add(out, l, i); err != nil {
			return nil, err
		}
		for _, v := range l.values {
			highest = max(highest, v.high)
		}
	}
	out.NominalX(p.places...)
	out.X.Min, out.X.Max = -0.5, float64(len(p.places))-0.5
	// The legend stands in the space above the highest value.
	out.Y.Min, out.Y.Max = 0, max(highest, math.SmallestNonzeroFloat32)*(1.1+0.08*float64(len(p.lines)))
	return out, nil
}

// add draws a line with its points, and from the least to the greatest value at
// each.
func add(out *plot.Plot, l line, number int) error {
	var points plotter.XYs
	var spreads plotter.YErrors
	for at, v := range l.values {
		if v.known {
			points = append(points, plotter.XY{X: float64(at), Y: v.middle})
			spreads = append(spreads, struct{ Low, High float64 }{v.middle - v.low, v.high - v.middle})
		}
	}
	drawn, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	bars, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{points, spreads})
	if err != nil {
		return err
	}
	drawn.Color, marks.Color, bars.Color = plotutil.Color(number), plotutil.Color(number), plotutil.Color(number)
	marks.Shape = plotutil.Shape(number)
	if l.bound {
		drawn.Dashes = plotutil.Dashes(1)
		out.Add(drawn)
		out.Legend.Add(l.name, drawn)
		return nil
	}
	out.Add(drawn, marks, bars)
	out.Legend.Add(l.name, drawn, marks)
	return nil
}
