package versus

import (
	"cmp"
	"slices"
)

// Spread is the least, the middle and the greatest of a sample.
type Spread[T cmp.Ordered] struct {
	Min    T `json:"min"`
	Median T `json:"median"`
	Max    T `json:"max"`
}

// SpreadOf returns the spread of a sample of one or more. Of an even number, the median is the lower middle one, so
// that it is a value that was measured.
func SpreadOf[T cmp.Ordered](sample []T) Spread[T] {
	s := slices.Sorted(slices.Values(sample))
	return Spread[T]{s[0], s[(len(s)-1)/2], s[len(s)-1]}
}
