package scalar

import (
	"math"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(histogramFunctions) }

func histogramFunctions() []Function {
	anyValue, numbers := in(registry.AnyValue), in(registry.Numbers)
	return []Function{
		anyValue("histogram_other_bin", "(value)", "the key under which histogram(value, bins) counts what lies in none of them",
			"histogram_other_bin(2.5)", "inf", func(s *Scope, e *sql.Expr) Value { return otherBin(s.Expr(e.Args[0]), e.At) }),
		anyValue("is_histogram_other_bin", "(value)", "whether a value is the key under which histogram(value, bins) counts what lies in none of them",
			"is_histogram_other_bin('')", "true", func(s *Scope, e *sql.Expr) Value {
				v := s.Expr(e.Args[0])
				other := otherBin(v, e.At)
				return Truth(expr.Eq(v.As(other.Type), other.Expr))
			}),
		numbers("equi_width_bins", "(least, greatest, bins, nice)", "a list of the ends of bins of equal width; of nice numbers, of which there may be more",
			"equi_width_bins(0, 17, 5, true)", "[5, 10, 15, 20]", equiWidthBins),
	}
}

// otherBin is a value of the type of others that lies beyond all bins.
func otherBin(v Value, at sql.Span) Value {
	switch {
	case v.Type == columnar.Int:
		return IntOf(expr.Int(math.MaxInt64))
	case v.Type == columnar.Text:
		return TextOf(expr.Str(""))
	case v.Type == columnar.Float || v.Type == columnar.Decimal || v.Type.IsWide():
		return FloatOf(expr.CastText(expr.Str("inf"), columnar.Float, false))
	}
	panic(sql.UnsupportedTypes(at, "Next: cast the values to VARCHAR or to a number.", "histograms with bins of "+TypeName(v.Type)))
}

// Ends of bins, as DOUBLEs and as integers. The width of nice ones is 1, 2, 5 or 10 times a power of ten, and so are their ends.
var (
	binWidth     = NewFormula("least, greatest, bins", "(greatest - least) / bins")
	powerOfTen   = NewFormula("width", "pow(10, floor(log10(width)))")
	niceWidth    = NewFormula("width, power", "CASE WHEN width < 1.5 * power THEN power WHEN width < 3 * power THEN 2 * power WHEN width < 7 * power THEN 5 * power ELSE 10 * power END")
	niceBins     = NewFormula("least, greatest, width", "list_transform(range(CAST(floor(least / width) AS BIGINT) + 1, CAST(ceil(greatest / width) AS BIGINT) + 1), lambda i: i * width)")
	plainBins    = NewFormula("greatest, width, bins", "list_transform(range(1, bins + 1), lambda i: greatest - (bins - i) * width)")
	integralBins = NewFormula("bins", "list_distinct(list_transform(bins, lambda x: CAST(floor(x) AS BIGINT)))")
	eitherBins   = NewFormula("least, greatest, bins, nice, plain, nice_bins", "CASE WHEN least = greatest THEN [greatest] WHEN least < greatest AND bins > 0 THEN CASE WHEN nice THEN nice_bins ELSE plain END END")
)

func equiWidthBins(s *Scope, e *sql.Expr) Value {
	args := s.values(e.Args)
	of := func(f Formula, values ...Value) Value { return f.Value(s.Statement, e.At, values) }
	float := func(v Value) Value { return FloatOf(v.As(columnar.Float)) }
	least, greatest, bins := float(args[0]), float(args[1]), IntOf(args[2].As(columnar.Int))
	width := of(binWidth, least, greatest, bins)
	plain := of(plainBins, greatest, width, bins)
	nice := of(niceBins, least, greatest, of(niceWidth, width, of(powerOfTen, width)))
	if args[0].Type == columnar.Int && args[1].Type == columnar.Int {
		plain, nice = of(integralBins, plain), of(integralBins, nice)
		least, greatest = args[0], args[1]
	}
	return of(eitherBins, least, greatest, bins, Truth(args[3].AsCondition()), plain, nice)
}
