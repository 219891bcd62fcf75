package bench

import (
	"cmp"
	"fmt"
	"slices"
)

// Spread is the least, the middle and the greatest of some measurements. Of an
// even number the lower of the two in the middle counts, so that it is one that
// was measured.
type Spread[T cmp.Ordered] struct {
	Min    T `json:"min"`
	Median T `json:"median"`
	Max    T `json:"max"`
}

// spreadOf returns the spread of what of takes from the samples, of which there
// is at least one.
func spreadOf[T cmp.Ordered](samples []Sample, of func(Sample) T) Spread[T] {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return Spread[T]{Min: values[0], Median: values[(len(values)-1)/2], Max: values[len(values)-1]}
}

// spreadCell shows a spread as "median (min–max)", and a single value alone.
func spreadCell[T cmp.Ordered](s Spread[T], places int, in func(T) float64) string {
	text := fmt.Sprintf("%.*f", places, in(s.Median))
	if s.Min != s.Max {
		text += fmt.Sprintf(" (%.*f–%.*f)", places, in(s.Min), places, in(s.Max))
	}
	return text
}

func millions(n float64) float64 { return n / 1e6 }

// mib shows bytes in MiB.
func mib(n int64) string { return fmt.Sprintf("%.0f", float64(n)/(1<<20)) }
