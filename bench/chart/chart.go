// Package chart draws charts of measurements as SVG.
//
// A Chart is data: places along the x axis, and for each series a value at each
// place. It is laid out once, as a scene of lines, areas and words, which are then
// written. Words stay text, in the font of the page or of whoever shows the file.
//
// This package exists because gonum/plot parses a dozen fonts when a program starts,
// whether or not it draws.
package chart

import (
	"fmt"
	"math"
)

// Kind is how the values of a chart are drawn.
type Kind int

// The kinds of charts.
const (
	Lines   Kind = iota // a line for each series, with its spread at each place
	Stacked             // a bar at each place, made of one piece for each series
)

// Chart is one diagram. It is read only while it is drawn.
type Chart struct {
	Title  string
	X, Y   string   // labels of the axes, with units
	Places []string // along the x axis, at equal distances
	Series []Series
	Kind   Kind
}

// Series is one value for each place.
type Series struct {
	Name   string
	Values []Value
}

// Value is what was measured at one place; the zero value is a gap.
type Value struct {
	Known          bool
	Low, Mid, High float64
}

// Exactly returns a value without a spread.
func Exactly(v float64) Value { return Value{Known: true, Low: v, Mid: v, High: v} }

// validate reports series that do not fit the places.
func (c *Chart) validate() error {
	for _, s := range c.Series {
		if len(s.Values) != len(c.Places) {
			return fmt.Errorf("chart %q: series %q has %d values for %d places", c.Title, s.Name, len(s.Values), len(c.Places))
		}
	}
	return nil
}

// Highest returns the greatest value that is drawn, 0 if there is none.
func (c *Chart) Highest() float64 {
	highest := 0.0
	for i := range c.Places {
		sum := 0.0
		for _, s := range c.Series {
			v := s.Values[i]
			if !v.Known {
				continue
			}
			sum += v.Mid
			highest = max(highest, v.High)
		}
		if c.Kind == Stacked {
			highest = max(highest, sum)
		}
	}
	return highest
}

// ticks returns five to nine round values, from 0 to the first one that is not below
// highest.
func ticks(highest float64) []float64 {
	if highest <= 0 || math.IsInf(highest, 0) || math.IsNaN(highest) {
		highest = 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(highest)))
	step := 2 * unit
	for _, part := range []float64{0.1, 0.2, 0.5, 1} {
		if highest <= 8*unit*part {
			step = unit * part
			break
		}
	}
	var all []float64
	for i := 0; ; i++ {
		v := float64(i) * step
		all = append(all, v)
		if v >= highest {
			return all
		}
	}
}

// tickText returns a tick with as many digits as its step needs.
func tickText(v, step float64) string {
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	return fmt.Sprintf("%.*f", digits, v)
}
