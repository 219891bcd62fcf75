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
	"analyzer/operators/expr"
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
	docs := aggregate.Docs()
	for _, d := range docs {
		name, _, _ := strings.Cut(d.Usage, "(")
		arg := "n"
		if strings.HasSuffix(d.Usage, "of bool") {
			arg = "flag"
		}
		if strings.HasSuffix(d.Usage, ", of text") {
			arg = "text"
		}
		if strings.HasSuffix(d.Usage, ", of wide") {
			arg = "wide"
		}
		_, want, _ := strings.Cut(d.Example, " it is ")
		if f, err := strconv.ParseFloat(want, 64); err == nil && strings.Contains(want, ".") {
			want = rowtest.Value(float(f), 0)
		}
		want = strings.NewReplacer(", ", " ", "]", " ]").Replace(want)
		for _, open := range []func(columnar.Rows, []string, []aggregate.Agg) optest.Case{inOne, inThree} {
			c := open(rows, nil, []aggregate.Agg{{Func: aggregate.Func(name), Arg: arg, Name: "x"}})
			c.Want = []string{want}
			c.Check(t, []int64{0}, []int{2})
		}
		if d.Help == "" || want == "" {
			t.Errorf("%s is not described", d.Usage)
		}
	}
	if len(docs) < 7 {
		t.Errorf("there are only %d functions", len(docs))
	}
}

func TestDocs(t *testing.T) {
	docs := aggregate.Docs()
	for i, want := range []expr.Doc{
		{Usage: "count(a): int, of any value", Help: "how many values are not null; without argument, rows", Example: "of 1, null, 2, 4 it is 3"},
		{Usage: "count_if(a): int, of bool", Help: "in how many rows it is true", Example: "of true, null, false it is 1"},
		{Usage: "sum(a): int or wide or float, of int or decimal or float", Help: "the exact sum", Example: "of 1, null, 2, 4 it is 7"},
	} {
		if docs[i] != want {
			t.Errorf("%v, want %v", docs[i], want)
		}
	}
}
