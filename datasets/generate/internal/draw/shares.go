package draw

import "math/bits"

// Odds chooses an index with a probability in proportion to its weight. It may be shared.
type Odds struct{ slots []uint16 }

// NewOdds makes Odds from positive integer weights. Its memory is in proportion to their sum.
func NewOdds(weights []int) Odds {
	var slots []uint16
	for i, w := range weights {
		for range w {
			slots = append(slots, uint16(i))
		}
	}
	return Odds{slots}
}

// Pick returns an index into the weights.
func (o Odds) Pick(s *Source) int { return int(o.slots[s.Below(len(o.slots))]) }

// PickOther is like Pick, but seldom returns before.
func (o Odds) PickOther(s *Source, before int) int {
	for range 3 {
		if i := o.Pick(s); i != before {
			return i
		}
	}
	return o.Pick(s)
}

// Zipf returns n weights that fall as 1/(rank+shift), after Zipf and Mandelbrot:
// the popularity of films, games and books. A larger shift flattens the top.
func Zipf(n, shift int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = (1 << 32) / uint64(i+shift)
	}
	return w
}

// Split divides total in proportion to the weights: the share of i is from
// Split(w, total)[i] to Split(w, total)[i+1]. The shares add up to total exactly, and
// each is exact to within one.
func Split(weights []uint64, total int) []int {
	var sum uint64
	for _, w := range weights {
		sum += w
	}
	bounds := make([]int, len(weights)+1)
	var upTo uint64
	for i, w := range weights {
		upTo += w
		hi, lo := bits.Mul64(upTo, uint64(total))
		quotient, _ := bits.Div64(hi, lo, sum)
		bounds[i+1] = int(quotient)
	}
	return bounds
}

// Permutation returns the numbers from 0 to n-1 in an order that depends on key.
func Permutation(key uint64, n int) []int32 {
	p := make([]int32, n)
	var src Source
	src.Reset(key, n)
	for i := range p {
		j := src.Below(i + 1)
		p[i] = p[j]
		p[j] = int32(i)
	}
	return p
}
