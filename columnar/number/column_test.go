package number

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cellsOf returns a column of cells with the given number of other cells after each.
func cellsOf(rng *rand.Rand, cells []string, others int) *Cells {
	c := &Cells{Bounds: []int32{-1}, Stride: others + 1}
	add := func(cell string) {
		c.Data = append(append(c.Data, cell...), ',')
		c.Bounds = append(c.Bounds, int32(len(c.Data)-1))
	}
	for _, cell := range cells {
		add(cell)
		for range others {
			add(strconv.FormatInt(rng.Int64N(1e6), 10))
		}
	}
	for range Behind {
		c.Data = append(c.Data, byte(rng.Uint32()))
	}
	return c
}

// randomCells returns numbers, or dates and timestamps, and a few other texts among them.
func randomCells(rng *rand.Rand, seed uint64) []string {
	const alphabet = "0123456789012345678901234567890123456789.....-/:\x00\xff e"
	cells := make([]string, 1+rng.IntN(150))
	odd := []int{8, 80, 800}[rng.IntN(3)] // in so many cells one is; groups are to be free of them as well
	minus := rng.IntN(2) == 0
	sizes := []int64{10, 1000, 1e6, 1e9, 1e12, 1e17}[:1+rng.IntN(6)] // groups of short cells are to be there as well
	for i := range cells {
		switch {
		case seed%3 == 0:
			cells[i] = string(AppendDate(nil, rng.Int64N(4e6)-730_000))
			if seed%2 == 0 {
				cells[i] += " 07:08:09.5"[:11*rng.IntN(2)]
			}
		case rng.IntN(odd) > 0:
			cells[i] = strconv.FormatInt(rng.Int64N(sizes[rng.IntN(len(sizes))]), 10)
			if n := len(cells[i]); seed%3 == 1 && rng.IntN(4) > 0 {
				at := rng.IntN(n + 1)
				if odd > 8 {
					at = min(1, n-1) + at*max(0, n-2)/(n+1)
				}
				cells[i] = cells[i][:at] + "." + cells[i][at:]
			}
			if minus && rng.IntN(2) == 0 {
				cells[i] = "-" + cells[i]
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
	return cells
}

// TestColumns parses columns of random cells with each implementation that the processor
// supports, and compares the results with the parsers of single cells.
func TestColumns(t *testing.T) {
	for name, use := range columnForms() {
		t.Run(name, func(t *testing.T) {
			defer use()()
			taken, short := 0, 0
			for seed := range uint64(3000) {
				rng := rand.New(rand.NewPCG(seed, 7))
				cells := randomCells(rng, seed)
				c := cellsOf(rng, cells, rng.IntN(4))
				checkColumn(t, c, cells)
				n := len(cells)
				out := make([]int64, n)
				taken += c.plain(out, 0, n, &decimals) + c.dates(nil, 0, n) + c.plainFloats(make([]float64, n), 0)
				short += c.shortInts(out, 0) + c.shortDecimals(out, 0)
			}
			if short == 0 {
				t.Skip("this processor reads cells one by one")
			}
			if short < 2000 || taken > 0 && taken < 2000 {
				t.Errorf("%d short cells were taken in groups, and %d others", short, taken)
			}
		})
	}
}

// checkColumn compares all methods of a column with the parsers of single cells.
func checkColumn(t *testing.T, c *Cells, cells []string) {
	t.Helper()
	checkParse(t, c, cells, "ints", c.ParseInts, ParseInt)
	checkParse(t, c, cells, "decimals", c.ParseDecimals, ParseDecimal)
	checkParse(t, c, cells, "dates", c.ParseDates, ParseDate)
	checkParse(t, c, cells, "timestamps", c.ParseTimestamps, ParseTimestamp)
	checkParse(t, c, cells, "floats", func(out []uint64, from int) int {
		floats := make([]float64, len(out))
		n := c.ParseFloats(floats, from)
		for i, f := range floats[:n] {
			out[i] = math.Float64bits(f)
		}
		return n
	}, func(cell []byte) (uint64, bool) { f, ok := ParseAnyFloat(cell); return math.Float64bits(f), ok })
	plain := func(places int) func(cell []byte) (bool, bool) {
		return func(cell []byte) (bool, bool) {
			return false, isPlain(append(cell, make([]byte, Behind)...)[:len(cell)], places, '.')
		}
	}
	skip := func(skip func(from, n int) int) func(out []bool, from int) int {
		return func(out []bool, from int) int { return skip(from, len(out)) }
	}
	checkParse(t, c, cells, "skipped ints", skip(c.SkipInts), plain(-1))
	checkParse(t, c, cells, "skipped decimals", skip(c.SkipDecimals), plain(Scale))
	checkParse(t, c, cells, "skipped numbers", skip(c.SkipNumbers), plain(maxPlain))
	checkParse(t, c, cells, "skipped dates", skip(c.SkipDates), func(cell []byte) (bool, bool) { return false, IsDay(cell) })
	checkParse(t, c, cells, "skipped timestamps", skip(c.SkipTimestamps), func(cell []byte) (bool, bool) {
		_, ok := ParseTimestamp(cell)
		return false, ok
	})
}

// FuzzColumns reads columns of which all cells are equal.
func FuzzColumns(f *testing.F) {
	for _, s := range []string{"", "1", "12345678", "123456789", "4.5", "19.99", ".5", "5.", "1.2.3", "-1", "-", "-0", "-.5", "1e3", "0.000001", "999999.9", "\xb0\xb1", "1/2", "1:2", "2000-02-29"} {
		f.Add([]byte(s), uint64(0))
	}
	f.Fuzz(func(t *testing.T, cell []byte, seed uint64) {
		cells := slices.Repeat([]string{string(cell)}, 9)
		checkColumn(t, cellsOf(rand.New(rand.NewPCG(seed, 1)), cells, 0), cells)
	})
}

// checkParse reads a column, and continues after each cell that is not accepted.
func checkParse[T comparable](t *testing.T, c *Cells, cells []string, name string, read func(out []T, from int) int, one func([]byte) (T, bool)) {
	t.Helper()
	for from := 0; from < len(cells); {
		out := make([]T, len(cells)-from)
		n := read(out, from)
		for i, got := range out[:n] {
			if want, ok := one([]byte(cells[from+i])); !ok || got != want {
				t.Fatalf("%s: %q is %v, not %v, %v", name, cells[from+i], got, want, ok)
			}
		}
		if from += n; from == len(cells) {
			return
		}
		if _, ok := one([]byte(cells[from])); ok {
			t.Fatalf("%s: %q was not read, behind %d", name, cells[from], n)
		}
		from++
	}
}

// TestLongCell has a cell whose length ends with that of a plain number.
func TestLongCell(t *testing.T) {
	cells := slices.Repeat([]string{"7"}, 24)
	cells[12] = strings.Repeat("7", 1<<16+1)
	c := cellsOf(rand.New(rand.NewPCG(1, 2)), cells, 0)
	if n := c.SkipInts(0, len(cells)); n > 12 {
		t.Errorf("%d cells were skipped", n)
	}
}

func BenchmarkColumns(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 1 << 14
	floats, out := make([]float64, n), make([]int64, n)
	places := func(places int, most float64) func() string {
		return func() string { return strconv.FormatFloat(rng.Float64()*most, 'f', places, 64) }
	}
	whole := func() string { return strconv.Itoa(rng.IntN(1e6)) }
	parseInts := func(c *Cells) int { return c.ParseInts(out, 0) }
	parseDecimals := func(c *Cells) int { return c.ParseDecimals(out, 0) }
	for _, c := range []struct {
		name string
		read func(c *Cells) int
		cell func() string
	}{
		{"ints", parseInts, whole},
		{"signed", parseInts, func() string { return strconv.Itoa(1 - 2*rng.IntN(2)) }},
		{"tenths", parseDecimals, places(1, 9)},
		{"cents", parseDecimals, places(2, 1e5)},
		{"millionths", parseDecimals, places(6, 1e2)},
		{"dates", func(c *Cells) int { return c.ParseDates(out, 0) }, func() string { return string(AppendDate(nil, 8000+rng.Int64N(2500))) }},
		{"timestamps", func(c *Cells) int { return c.ParseTimestamps(out, 0) }, func() string {
			return string(AppendTimestamp(nil, rng.Int64N(50*365*Day)/Second*Second))
		}},
		{"floats", func(c *Cells) int { return c.ParseFloats(floats, 0) }, places(6, 100)},
		{"skipped", func(c *Cells) int { return c.SkipInts(0, n) }, whole},
	} {
		b.Run(c.name, func(b *testing.B) {
			cells := make([]string, n)
			for i := range cells {
				cells[i] = c.cell()
			}
			column := cellsOf(rng, cells, 0)
			for b.Loop() {
				if done := c.read(column); done != n {
					b.Fatalf("%d of %d, %q", done, n, cells[done])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/cell")
		})
	}
}
