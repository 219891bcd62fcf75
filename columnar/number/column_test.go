package number

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cellsOf is a column of cells, each behind so many others.
func cellsOf(rng *rand.Rand, cells []string, others int) (data []byte, bounds []int32) {
	bounds = append(bounds, int32(len(data)-1))
	for _, cell := range cells {
		data = append(append(data, cell...), ',')
		bounds = append(bounds, int32(len(data)-1))
		for range others {
			data = append(strconv.AppendInt(data, rng.Int64N(1e6), 10), ',')
			bounds = append(bounds, int32(len(data)-1))
		}
	}
	for range 16 {
		data = append(data, byte(rng.Uint32()))
	}
	return data, bounds
}

func parseFloatBits(out []int64, data []byte, bounds []int32, stride int) int {
	floats := make([]float64, len(out))
	n := ParseFloats(floats, data, bounds, stride)
	for i, f := range floats[:n] {
		out[i] = int64(math.Float64bits(f))
	}
	return n
}

// TestColumns reads columns of random cells in each form that the processor can, and compares
// each with what reads one.
func TestColumns(t *testing.T) {
	for name, use := range columnForms() {
		t.Run(name, func(t *testing.T) {
			defer use()()
			testColumns(t)
		})
	}
}

func testColumns(t *testing.T) {
	type read = func(out []int64, data []byte, bounds []int32, stride int) int
	type skip = func(n int, data []byte, bounds []int32, stride int) int
	const alphabet = "0123456789012345678901234567890123456789.....-/:\x00\xff e"
	taken := make(map[string]int)
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		cells, others := make([]string, 1+rng.IntN(40)), rng.IntN(4)
		odd := []int{8, 80}[seed%2] // in so many cells one is; groups are to be free of them as well
		for i := range cells {
			switch {
			case seed%3 == 0:
				cells[i] = string(AppendDate(nil, rng.Int64N(4e6)-730_000))
			case rng.IntN(odd) > 0:
				cells[i] = strconv.FormatFloat(float64(rng.Int64N([]int64{10, 1000, 1e6, 1e9, 1e12}[rng.IntN(5)])), 'f', -1, 64)
				if n := len(cells[i]); rng.IntN(2) == 0 {
					at := rng.IntN(n + 1)
					if odd > 8 {
						at = min(1, n-1) + at*max(0, n-2)/(n+1)
					}
					cells[i] = cells[i][:at] + "." + cells[i][at:]
				}
			default:
				cell := make([]byte, rng.IntN(24))
				for i := range cell {
					cell[i] = alphabet[rng.IntN(len(alphabet))]
				}
				cells[i] = string(cell)
			}
			if cell := []byte(cells[i]); len(cell) > 0 && rng.IntN(3*odd) == 0 {
				cell[rng.IntN(len(cell))] = alphabet[rng.IntN(len(alphabet))]
				cells[i] = string(cell)
			}
		}
		data, bounds := cellsOf(rng, cells, others)
		for _, f := range []struct {
			name string
			read read
			skip skip
			one  func([]byte) (int64, bool)
		}{
			{"decimals", ParseDecimals, SkipDecimals, ParseDecimal},
			{"floats", parseFloatBits, nil, func(cell []byte) (int64, bool) { f, ok := ParseFloat(cell); return int64(math.Float64bits(f)), ok }},
			{"dates", ParseDates, SkipDates, ParseDate},
			{"ints", nil, SkipInts, ParseInt},
			{"numbers", nil, SkipNumbers, func(cell []byte) (int64, bool) { _, ok := ParseFloat(cell); return 0, ok }},
		} {
			for i := range cells {
				n, from := len(cells)-i, bounds[i*(others+1):]
				out := slices.Repeat([]int64{-7}, n)
				var skipped int
				if f.skip != nil {
					skipped = f.skip(n, data, from, others+1)
				} else {
					skipped = f.read(out, data, from, others+1)
				}
				taken[f.name] += skipped
				for _, cell := range cells[i : i+skipped] {
					if _, ok := f.one([]byte(cell)); !ok || f.name == "ints" && slices.Contains([]byte(cell), '.') || len(cell) > 1 && cell[0] == '0' && cell[1]-'0' <= 9 && f.name != "dates" {
						t.Fatalf("seed %d: %q was skipped as one of %s", seed, cell, f.name)
					}
				}
				if f.read == nil {
					continue
				}
				if done := f.read(out, data, from, others+1); done != skipped {
					t.Fatalf("seed %d: of %d %s %d were read, and %d skipped", seed, n, f.name, done, skipped)
				}
				for j, cell := range cells[i : i+skipped] {
					if want, _ := f.one([]byte(cell)); out[j] != want {
						t.Fatalf("seed %d: %q is %d, not %d", seed, cell, out[j], want)
					}
				}
			}
		}
	}
	if n := SkipInts(2, []byte(",,,,,,,,,,,,,,,,1,2,0123456789abcdef"), []int32{15, 17, 19}, 1); n == 0 {
		t.Skip("this processor reads cells one by one")
	}
	for name, n := range taken {
		if n < 1000 {
			t.Errorf("%d %s were taken", n, name)
		}
	}
}

// TestLongCell has a cell whose length ends with that of a plain number.
func TestLongCell(t *testing.T) {
	cells := slices.Repeat([]string{"7"}, 24)
	cells[12] = strings.Repeat("7", 1<<16+1)
	data, bounds := cellsOf(rand.New(rand.NewPCG(1, 2)), cells, 0)
	if n := SkipInts(len(cells), data, bounds, 1); n > 12 {
		t.Errorf("%d cells were skipped", n)
	}
}

func BenchmarkColumns(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 1 << 14
	floats := make([]float64, n)
	for _, c := range []struct {
		name string
		read func(out []int64, data []byte, bounds []int32, stride int) int
		cell func() string
	}{
		{"cents", ParseDecimals, func() string { return strconv.FormatFloat(rng.Float64()*1e5+1, 'f', 2, 64) }},
		{"floats", func(out []int64, data []byte, bounds []int32, stride int) int {
			return ParseFloats(floats, data, bounds, stride)
		}, func() string { return strconv.FormatFloat(rng.Float64()*100, 'f', 6, 64) }},
		{"dates", ParseDates, func() string { return string(AppendDate(nil, 8100+rng.Int64N(1000))) }},
		{"ints", func(out []int64, data []byte, bounds []int32, stride int) int {
			return SkipInts(len(out), data, bounds, stride)
		}, func() string { return strconv.Itoa(rng.IntN(1e6)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			cells := []string{"01234567890123456"}
			for range n {
				cells = append(cells, c.cell())
			}
			data, bounds := cellsOf(rng, cells, 0)
			out := make([]int64, n)
			for b.Loop() {
				if done := c.read(out, data, bounds[1:], 1); done != n {
					b.Fatalf("%d of %d, %q", done, n, cells[1+done])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/cell")
		})
	}
}
