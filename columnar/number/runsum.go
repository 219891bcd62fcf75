package number

import "math"

// MostInRun is how many values SumRun adds at most.
const MostInRun = 1 << runBits

const (
	runBits = 10
	// greatestRun and leastRun bound the exponent of the greatest value, so that nothing on the way is infinite or
	// has bits below the least float64.
	greatestRun = 900
	leastRun    = -800
)

// SumRun returns two numbers whose exact sum is that of up to MostInRun values. ok is false if it has no such
// numbers: if some values are not finite, or of magnitudes so different that bits were lost.
//
// Each value is divided into a multiple of a large power of two, a multiple of a small one, and nothing more.
// Multiples of one power add up without rounding, as long as they have few enough bits, as in Demmel and Nguyen,
// "Fast reproducible floating-point summation", 2013.
func SumRun(values []float64) (high, low float64, ok bool) {
	most := uint64(0)
	for _, x := range values {
		most = max(most, math.Float64bits(x)<<1)
	}
	exponent := int(most>>53) - 1022 // of a power of two that is greater than all
	if exponent > greatestRun || exponent < leastRun || len(values) > MostInRun {
		return 0, 0, most == 0
	}
	// What is added to 3·2^n loses its bits below 2^(n-51).
	coarse, fine := math.Ldexp(3, exponent+runBits-1), math.Ldexp(3, exponent+2*runBits-54)
	var high0, high1, low0, low1 float64
	var left uint64
	for ; len(values) >= 2; values = values[2:] {
		q, p, rest := splitOff(values[0], coarse, fine)
		high0, low0, left = high0+q, low0+p, left|rest
		q, p, rest = splitOff(values[1], coarse, fine)
		high1, low1, left = high1+q, low1+p, left|rest
	}
	for _, x := range values {
		q, p, rest := splitOff(x, coarse, fine)
		high0, low0, left = high0+q, low0+p, left|rest
	}
	return high0 + high1, low0 + low1, left == 0
}

// splitOff returns the parts of a value, and the bits of what is left.
func splitOff(x, coarse, fine float64) (q, p float64, rest uint64) {
	q = x + coarse - coarse
	x -= q
	p = x + fine - fine
	return q, p, math.Float64bits(x-p) << 1
}
