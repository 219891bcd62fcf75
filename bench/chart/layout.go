package chart

import (
	"math"
	"unicode/utf8"
)

// Sizes of a chart in pixels.
const (
	width       = 640.0
	plotHeight  = 260.0
	left        = 70.0
	right       = 20.0
	top         = 40.0
	below       = 52.0 // ticks and label of the x axis, if the names of places are not steep
	legendRow   = 20.0
	titleSize   = 15.0
	wordSize    = 12.0
	markRadius  = 3.5
	legendWidth = width - left - right
)

// frame draws the values of a chart onto its scene.
type frame struct {
	*Chart
	*scene
	ticks []float64
}

// layout places the parts of a chart: title, axes and values above, and the legend in
// separate rows below, so that it never covers the data.
func (c *Chart) layout() (*scene, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	rows := c.legendRows()
	f := frame{
		Chart: c, ticks: ticks(c.Highest()),
		scene: &scene{width: width, height: top + plotHeight + c.below() + legendRow*float64(len(rows)) + 8, title: c.Title},
	}
	f.box(white, 0, 0, f.scene.width, f.scene.height)
	f.word(point{width / 2, 24}, titleSize, middle, c.Title)
	f.axes()
	switch c.Kind {
	case Stacked:
		f.bars()
	default:
		for i, s := range c.Series {
			f.series(i, s)
		}
	}
	f.legend(rows)
	return f.scene, nil
}

func (f *frame) x(place int) float64 {
	return left + (float64(place)+0.5)*(width-left-right)/float64(max(len(f.Places), 1))
}

func (f *frame) y(v float64) float64 {
	return top + plotHeight*(1-v/f.ticks[len(f.ticks)-1])
}

func (f *frame) axes() {
	step := f.ticks[1]
	for _, v := range f.ticks {
		f.line(grid, 1, point{left, f.y(v)}, point{width - right, f.y(v)})
		f.word(point{left - 6, f.y(v) + wordSize/3}, wordSize, end, tickText(v, step))
	}
	f.line(ink, 1, point{left, top}, point{left, f.y(0)}, point{width - right, f.y(0)})
	for i, place := range f.Places {
		f.line(ink, 1, point{f.x(i), f.y(0)}, point{f.x(i), f.y(0) + 4})
		if f.steep() {
			f.upward(point{f.x(i) + wordSize/3, f.y(0) + 8}, end, place)
		} else {
			f.word(point{f.x(i), f.y(0) + 18}, wordSize, middle, place)
		}
	}
	f.word(point{left + (width-left-right)/2, f.y(0) + f.below() - 14}, wordSize, middle, f.X)
	f.upward(point{16, top + plotHeight/2}, middle, f.Y)
}

// steep reports whether the names of places are written upward, since they would touch
// side by side.
func (c *Chart) steep() bool {
	return c.widestPlace()+6 > (width-left-right)/float64(max(len(c.Places), 1))
}

func (c *Chart) widestPlace() float64 {
	widest := 0.0
	for _, place := range c.Places {
		widest = max(widest, 1.15*wordWidth(place, wordSize)) // see legendEntry
	}
	return widest
}

// below returns the height of the names of places and the label of the x axis.
func (c *Chart) below() float64 {
	if c.steep() {
		return below - wordSize + c.widestPlace()
	}
	return below
}

// letterWidth is about how wide a letter is beside its height, in the fonts of most pages.
const letterWidth = 0.56

// wordWidth returns about the width of a word in pixels. Places where it matters leave room.
func wordWidth(word string, size float64) float64 {
	return float64(utf8.RuneCountInString(word)) * letterWidth * size
}

// series draws a line through the middle values, and the spread at each place.
func (f *frame) series(number int, s Series) {
	c := seriesColor(number)
	var line []point
	flush := func() {
		if len(line) > 1 {
			f.line(c, 2, line...)
		}
		line = nil
	}
	for i, v := range s.Values {
		if !v.Known {
			flush()
			continue
		}
		at := point{f.x(i), f.y(v.Mid)}
		line = append(line, at)
		if v.Low != v.High {
			f.line(c, 1, point{at.x, f.y(v.Low)}, point{at.x, f.y(v.High)})
		}
		f.area(c, circle(at, markRadius)...)
	}
	flush()
}

// bars draws a stack of pieces at each place.
func (f *frame) bars() {
	half := 0.3 * (width - left - right) / float64(max(len(f.Places), 1))
	for i := range f.Places {
		sum := 0.0
		for n, s := range f.Series {
			if v := s.Values[i]; v.Known && v.Mid > 0 {
				f.box(seriesColor(n), f.x(i)-half, f.y(sum+v.Mid), f.x(i)+half, f.y(sum))
				sum += v.Mid
			}
		}
	}
}

// legendRows returns the series in each row of the legend.
func (c *Chart) legendRows() [][]int {
	var rows [][]int
	used := legendWidth
	for i, s := range c.Series {
		need := legendEntry(s.Name)
		if used+need > legendWidth {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
		used += need
	}
	return rows
}

// legendEntry returns the width of a series in the legend. It leaves room for words that
// are wider than letterWidth says.
func legendEntry(name string) float64 { return 40 + 1.15*wordWidth(name, wordSize) }

func (f *frame) legend(rows [][]int) {
	y := top + plotHeight + f.below() + 8
	for _, row := range rows {
		x := left
		for _, i := range row {
			s := f.Series[i]
			if f.Kind == Stacked {
				f.box(seriesColor(i), x+4, y-9, x+14, y+1)
			} else {
				f.line(seriesColor(i), 2, point{x, y - 4}, point{x + 18, y - 4})
				f.area(seriesColor(i), circle(point{x + 9, y - 4}, markRadius)...)
			}
			f.word(point{x + 23, y}, wordSize, start, s.Name)
			x += legendEntry(s.Name)
		}
		y += legendRow
	}
}

// circle returns a polygon that looks like a circle at the size of a mark.
func circle(at point, radius float64) []point {
	const corners = 16
	points := make([]point, corners)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		points[i] = point{at.x + radius*cos, at.y + radius*sin}
	}
	return points
}
