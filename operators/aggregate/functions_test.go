package aggregate_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// TestExamplesAreTrue computes the example of every function, in one step and
// via states.
func TestExamplesAreTrue(t *testing.T) {
	rows := columnar.NewRows(rowSchema)
	rows.Len = 4
	for i, f := range rowSchema {
		for j, n := range []int64{1, 0, 2, 4} {
			switch {
			case j != 1 && f.Name == "text":
				rows.Cols[i].AppendBytes([]byte{"bbab"[j]})
			case j%2 == 0 && f.Name == "wide":
				x := float64(n)
				rows.Cols[i].AppendWide(decimal128.New(int64(math.Float64bits(x)), math.Float64bits(2*x)))
			case j == 1 || f.Name != "n" && f.Name != "flag" || f.Name == "flag" && j == 3:
				rows.Cols[i].AppendNull()
			case f.Name == "n":
				rows.Cols[i].AppendInt(n)
			default:
				rows.Cols[i].AppendBool(n == 1)
			}
		}
	}
	for _, e := range aggregate.AllExamples() {
		arg := map[columnar.Type]string{columnar.Bool: "flag", columnar.Text: "text", columnar.Wide: "wide"}[e.Takes]
		if arg == "" {
			arg = "n"
		}
		want := e.Value
		if f, err := strconv.ParseFloat(want, 64); err == nil && strings.Contains(want, ".") {
			want = rowtest.Value(float(f), 0)
		}
		want = strings.NewReplacer(", ", " ", "]", " ]").Replace(want)
		for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
			c := open(rows, nil, []aggregate.Agg{{Func: e.Func, Arg: arg, Name: "x"}})
			c.Want = []string{want}
			c.Check(t, []int64{0}, []int{2})
		}
		if want == "" {
			t.Errorf("%s has no example", e.Func)
		}
	}
}
