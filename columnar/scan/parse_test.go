package scan

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// TestParsers parses random columns with every parser, and compares each cell
// with package number.
func TestParsers(t *testing.T) {
	for name, p := range availableParsers() {
		for seed := range uint64(2000) {
			rng := rand.New(rand.NewPCG(seed, 9))
			rows, stride, odd, whole := rng.IntN(50), 1+rng.IntN(5), rng.IntN(60), rng.IntN(2) == 0
			var data []byte
			bounds := []int32{-1}
			for range rows * stride {
				cell := randomNumber(rng, odd, whole)
				if seed%8 == 0 && len(cell) < 8 || seed%8 == 1 && rng.IntN(30) > 0 {
					cell = string(number.AppendDate(nil, rng.Int64N(40000))) + " 07:08:09.5"[:11*rng.IntN(2)*int(1-seed%8)]
				}
				data = append(append(data, cell...), ',')
				bounds = append(bounds, int32(len(data)-1))
			}
			for range csv.Behind {
				data = append(data, byte(rng.Uint32()))
			}
			column := rng.IntN(stride)
			check := func(kind string, parse parser, one func([]byte) (int64, bool)) {
				out := make([]int64, rows)
				for r := 0; r < rows; {
					from := bounds[column+r*stride:]
					n := parse(out[r:], data, from, stride)
					if _, ok := one(data[from[0]+1 : from[1]]); ok != (n > 0) {
						t.Fatalf("%s %s, seed %d: parsed %d from row %d on", name, kind, seed, n, r)
					}
					for i := r; i < r+n; i++ {
						at := bounds[column+i*stride:]
						cell := data[at[0]+1 : at[1]]
						if want, ok := one(cell); !ok || out[i] != want {
							t.Fatalf("%s %s, seed %d: %q is %d, not %d, %v", name, kind, seed, cell, out[i], want, ok)
						}
					}
					r += max(n, 1)
				}
			}
			check("ints", p.ints, number.ParseInt)
			check("decimals", p.decimals, number.ParseDecimal)
			check("dates", p.dates, number.ParseDate)
			check("timestamps", formats[columnar.FormatTimestamp].parse(parsers{}), number.ParseTimestamp)
		}
	}
}

// randomNumber returns a number, perhaps only a whole one, or one time in odd (0:
// never) something else.
func randomNumber(rng *rand.Rand, odd int, whole bool) string {
	digits := func(n int) string { return strconv.Itoa(rng.IntN([]int{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}[n])) }
	if odd > 0 && rng.IntN(odd) == 0 {
		b := make([]byte, rng.IntN(11))
		for i := range b {
			b[i] = "0123456789...\x00\xff/:-"[rng.IntN(18)]
		}
		return string(b)
	}
	if whole {
		return []string{"", "", "", "-"}[rng.IntN(4)] + digits(rng.IntN(9))
	}
	if rng.IntN(2) == 0 {
		return digits(rng.IntN(9))
	}
	n := 1 + rng.IntN(6)
	return digits(n) + "." + digits(1+rng.IntN(7-n))
}
