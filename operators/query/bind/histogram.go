package bind

import (
	"fmt"
	"strings"

	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// mostBins limits the bins of a histogram, each of which is counted by an aggregate.
const mostBins = 1000

// ofBins returns the formula of a histogram with bins, the counts of the values in each, and a call of it. A bin has the
// values up to it, or, where it is exact, those that equal it. constant binds what depends on no row.
func ofBins(e *sql.Expr, constant *scalar.Scope) (f aggregateFormula, call *sql.Expr) {
	bins := e.At.Call("list_sort", e.At.Call("list_distinct", e.Args[1]))
	length := e.Args[1].At.Call("length", bins)
	n := int64(0)
	if constant.Attempt(func() { n = constant.LiteralInt(length, 0, "how many bins there are") }) != nil {
		panic(sql.Unsupported(e.Args[1].At, "Next: write a list of constants, such as [10, 20].", "bins of a histogram that are not known beforehand"))
	}
	if n > mostBins {
		panic(sql.Wrong(e.Args[1].At, "", "a histogram has up to %d bins", mostBins))
	}
	var counts []string
	add := func(format string, args ...any) {
		counts = append(counts, "count(x) FILTER (WHERE "+fmt.Sprintf(format, args...)+")")
	}
	for i := range n {
		switch {
		case e.Text == "histogram_exact":
			add("x = bins[%d]", i+1)
		case i == 0:
			add("x <= bins[1]")
		default:
			add("x > bins[%d] AND x <= bins[%d]", i, i+1)
		}
	}
	of := *e
	if of.Args = []*sql.Expr{e.Args[0], bins}; n == 0 {
		return aggregateFormula{parameters: []string{"x", "bins"}, text: "CASE WHEN count(x) > 0 THEN map([histogram_other_bin(any_value(x))], [count(x)]) END"}, &of
	}
	switch e.Text {
	case "histogram_exact":
		add("NOT list_contains(bins, x)")
	default:
		add("x > bins[%d]", n)
	}
	all := strings.Join(counts, ", ")
	some := strings.Join(counts[:n], ", ")
	text := fmt.Sprintf("CASE WHEN count(x) > 0 THEN map(CASE WHEN %[1]s > 0 THEN list_concat(bins, [histogram_other_bin(any_value(x))]) ELSE bins END, "+
		"CASE WHEN %[1]s > 0 THEN [%[2]s] ELSE [%[3]s] END) END", counts[n], all, some)
	return aggregateFormula{parameters: []string{"x", "bins"}, text: text}, &of
}
