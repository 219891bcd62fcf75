package number

// What follows reads columns of cells in the forms that nearly all of a column have, many
// times as fast as one by one, where the processor can. The cell of out[r] is
//
//	data[bounds[r*stride]+1 : bounds[r*stride+1]]
//
// and data has 16 bytes more than all cells. Each function stops at the first cell that it
// does not take, which means nothing, and returns how many came before it. Those that skip
// look at n cells and keep nothing.
//
// A plain number has 1 to 12 characters, digits and perhaps a point between two of them, and
// does not begin with a zero before another digit.

// ParseDecimals does what ParseDecimal does to plain numbers with at most Scale places.
func ParseDecimals(out []int64, data []byte, bounds []int32, stride int) int {
	return plain(out, len(out), data, bounds, stride, &decimalScales)
}

// ParseFloats does what ParseFloat does to plain numbers with at most Scale places that are
// whole numbers of millionths in a float64.
func ParseFloats(out []float64, data []byte, bounds []int32, stride int) int {
	var millionths [64]int64
	done := 0
	for done < len(out) {
		some := out[done:min(done+len(millionths), len(out))]
		n := plain(millionths[:len(some)], len(some), data, bounds[done*stride:], stride, &decimalScales)
		for i, v := range millionths[:n] {
			if v > maxMantissa {
				return done + i
			}
			some[i] = float64(v) / One // of two that have a float64, which is rounded once
		}
		if done += n; n < len(some) {
			break
		}
	}
	return done
}

// SkipDecimals skips plain numbers with at most Scale places.
func SkipDecimals(n int, data []byte, bounds []int32, stride int) int {
	return plain(nil, n, data, bounds, stride, &decimalScales)
}

// SkipInts skips plain numbers without a point.
func SkipInts(n int, data []byte, bounds []int32, stride int) int {
	return plain(nil, n, data, bounds, stride, &intScales)
}

// SkipNumbers skips plain numbers.
func SkipNumbers(n int, data []byte, bounds []int32, stride int) int {
	return plain(nil, n, data, bounds, stride, &anyScales)
}

// ParseDates does what ParseDate does to dates but 29 February and those of the year 0.
func ParseDates(out []int64, data []byte, bounds []int32, stride int) int {
	return dates(out, len(out), data, bounds, stride)
}

// SkipDates skips what ParseDates takes.
func SkipDates(n int, data []byte, bounds []int32, stride int) int {
	return dates(nil, n, data, bounds, stride)
}

// scales are what plain numbers are multiplied with when the point was taken out, by where it
// stands among the last 16 bytes; 16: there is none. 0: they are not taken.
type scales [17]int64

// They are read only.
var (
	intScales     = scales{16: 1}
	decimalScales = scales{9: 1, 10: 1e1, 11: 1e2, 12: 1e3, 13: 1e4, 14: 1e5, 16: One}
	anyScales     = scales{5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 16: 1}
)
