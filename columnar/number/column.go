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
// A plain number has 1 to 12 characters or, on some processors, 16, digits and perhaps a
// point between two of them, and does not begin with a zero before another digit.

// ParseDecimals does what ParseDecimal does to plain numbers with at most Scale places.
func ParseDecimals(out []int64, data []byte, bounds []int32, stride int) int {
	return plain(out, len(out), data, bounds, stride, &decimals)
}

// ParseFloats does what ParseFloat does to plain numbers with at most Scale places that are
// whole numbers of millionths in a float64.
func ParseFloats(out []float64, data []byte, bounds []int32, stride int) int {
	var millionths [64]int64
	done := 0
	for done < len(out) {
		done += plainFloats(out[done:], data, bounds[done*stride:], stride)
		some := out[done:min(done+len(millionths), len(out))]
		n := plain(millionths[:len(some)], len(some), data, bounds[min(done*stride, len(bounds)):], stride, &decimals)
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
	return plain(nil, n, data, bounds, stride, &decimals)
}

// SkipInts skips plain numbers without a point.
func SkipInts(n int, data []byte, bounds []int32, stride int) int {
	return plain(nil, n, data, bounds, stride, &anyInts)
}

// SkipNumbers skips plain numbers.
func SkipNumbers(n int, data []byte, bounds []int32, stride int) int {
	return plain(nil, n, data, bounds, stride, &anyNumbers)
}

// ParseDates does what ParseDate does to dates but 29 February and those of the year 0.
func ParseDates(out []int64, data []byte, bounds []int32, stride int) int {
	return dates(out, len(out), data, bounds, stride)
}

// SkipDates skips what ParseDates takes.
func SkipDates(n int, data []byte, bounds []int32, stride int) int {
	return dates(nil, n, data, bounds, stride)
}

// form is which plain numbers are taken, and how they are read. The assembly knows its
// layout.
type form struct {
	scales [17]int64 // of 12 characters at most, see below

	// Of 16 characters at most, in groups: how many digits there may be before and behind the
	// point, and to which of 16 digits they are brought, counted from the point.
	whole, places uint16
	digits        [16]byte
	one           float64 // divides what has become a float64; 0: nothing has
}

// They are read only.
var (
	decimals   = form{scales: decimalScales, whole: 16 - Scale, places: Scale, digits: around(16 - Scale)}
	floats     = form{whole: 15 - Scale, places: Scale, digits: around(16 - Scale), one: One} // below maxMantissa
	anyInts    = form{scales: intScales, whole: 12}
	anyNumbers = form{scales: anyScales, whole: 12, places: 14}
)

// around counts 16 digits from a point, so many of which stand before it.
func around(whole int) (digits [16]byte) {
	for i := range digits {
		if digits[i] = byte(i - whole); i >= whole {
			digits[i]++
		}
	}
	return digits
}

// scales are what plain numbers are multiplied with when the point was taken out, by where it
// stands among the last 16 bytes; 16: there is none. 0: they are not taken. They are read only.
var (
	intScales     = [17]int64{16: 1}
	decimalScales = [17]int64{9: 1, 10: 1e1, 11: 1e2, 12: 1e3, 13: 1e4, 14: 1e5, 16: One}
	anyScales     = [17]int64{5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 16: 1}
)
