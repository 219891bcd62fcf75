package number

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// benchmarkCells runs parse over cells of which the branch predictor cannot
// learn the lengths.
func benchmarkCells(b *testing.B, cell func(*rand.Rand) string, parse func([]byte) bool) {
	random := rand.New(rand.NewPCG(1, 2))
	var buffer []byte // cells lie in a large buffer, as those of a file do
	var ends []int
	for range 1 << 12 {
		buffer = append(buffer, cell(random)...)
		ends = append(ends, len(buffer))
		buffer = append(buffer, ',')
	}
	b.ReportAllocs()
	for b.Loop() {
		begin := 0
		for _, end := range ends {
			if !parse(buffer[begin:end]) {
				b.Fatalf("not parsed: %q", buffer[begin:end])
			}
			begin = end + 1
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ends)), "ns/cell")
}

func parsesInt(cell []byte) bool     { _, ok := ParseInt(cell); return ok }
func parsesDecimal(cell []byte) bool { _, ok := ParseDecimal(cell); return ok }
func parsesBool(cell []byte) bool    { _, ok := ParseBool(cell); return ok }
func findsYear(cell []byte) bool     { _, ok := Year(cell); return ok }

func below(n int64) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return strconv.FormatInt(r.Int64N(n), 10) }
}

func oneOf(cells ...string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return cells[r.IntN(len(cells))] }
}

func BenchmarkParseInt(b *testing.B) {
	b.Run("user", func(b *testing.B) { benchmarkCells(b, below(270_000), parsesInt) })
	b.Run("time", func(b *testing.B) { benchmarkCells(b, below(1_500_000_000), parsesInt) })
	b.Run("point", func(b *testing.B) { benchmarkCells(b, oneOf("862.0", "1234.0", "15602.0"), parsesInt) })
}

func BenchmarkParseDecimal(b *testing.B) {
	b.Run("rating", func(b *testing.B) { benchmarkCells(b, oneOf("4.5", "4.0", "3.0", "0.5"), parsesDecimal) })
	b.Run("budget", func(b *testing.B) {
		benchmarkCells(b, oneOf("0", "30000000", "373554033.0", "262797249", "1"), parsesDecimal)
	})
	b.Run("price", func(b *testing.B) {
		benchmarkCells(b, func(r *rand.Rand) string { return strconv.FormatFloat(float64(r.Int64N(10_000_000))/100, 'f', 2, 64) }, parsesDecimal)
	})
	b.Run("long", func(b *testing.B) { benchmarkCells(b, oneOf("0.33333333333333331", "-1e-3", " 17 "), parsesDecimal) })
}

func BenchmarkParseBool(b *testing.B) {
	benchmarkCells(b, oneOf("True", "False"), parsesBool)
}

func BenchmarkParseDate(b *testing.B) {
	date := func(r *rand.Rand) string { return string(AppendDate(nil, 8000+r.Int64N(2500))) }
	benchmarkCells(b, date, func(cell []byte) bool { _, ok := ParseDate(cell); return ok })
}

func BenchmarkParseTimestamp(b *testing.B) {
	moment := func(r *rand.Rand) string { return string(AppendTimestamp(nil, r.Int64N(50*365*Day)/Second*Second)) }
	benchmarkCells(b, moment, func(cell []byte) bool { _, ok := ParseTimestamp(cell); return ok })
}

func BenchmarkParseFloat(b *testing.B) {
	places := func(r *rand.Rand) string { return strconv.FormatFloat(float64(r.Int64N(100_000_000))/1e6, 'f', -1, 64) }
	benchmarkCells(b, places, func(cell []byte) bool { _, ok := ParseFloat(cell); return ok })
}

func BenchmarkYear(b *testing.B) {
	benchmarkCells(b, oneOf("Oct 21, 2008", "1995-10-30", "1963*"), findsYear)
}

func BenchmarkFloatSumAdd(b *testing.B) {
	values := make([]float64, 1<<12)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range values {
		values[i] = random.NormFloat64() * 1000
	}
	b.SetBytes(int64(8 * len(values)))
	b.ReportAllocs()
	for b.Loop() {
		var sum FloatSum
		for _, v := range values {
			sum.Add(v)
		}
	}
}

func BenchmarkShortSumAdd(b *testing.B) {
	values := make([]float64, 1<<12)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range values {
		values[i] = random.NormFloat64() * 1000
	}
	b.SetBytes(int64(8 * len(values)))
	b.ReportAllocs()
	for b.Loop() {
		var sum ShortSum
		for _, v := range values {
			if !sum.Add(v) {
				b.Fatal(v)
			}
		}
	}
}

func BenchmarkFloatSumMerge(b *testing.B) {
	b.ReportAllocs()
	sum, part := sumFloats(1, 2.5), sumFloats(1e10, 1e-10)
	for b.Loop() {
		sum.AddSum(part)
	}
}

func BenchmarkMean(b *testing.B) {
	b.ReportAllocs()
	b.Run("small", func(b *testing.B) {
		for b.Loop() {
			Mean(decimal128.FromI64(110_250_000_500_000), 26_024_289, One)
		}
	})
	b.Run("large", func(b *testing.B) {
		for b.Loop() {
			Mean(decimal128.New(17, 5), 26_024_289, One)
		}
	})
}
