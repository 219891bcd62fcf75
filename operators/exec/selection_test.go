package exec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/query/physical"
)

func TestSelectionOfRowsInMemory(t *testing.T) {
	rt := newRuntime(t)
	where := []*expr.Expr{expr.Gt(expr.Col("k"), expr.Int(2)), expr.Ne(expr.Lower(expr.Col("v")), expr.Str("c"))}
	scan := &physical.Scan{
		Columns: []string{"k"}, Where: where,
		Filters: []physical.KeyFilter{{Columns: []string{"k"}}, {Columns: []string{"v"}}},
	}
	odd := keyset.NewBuilder(budget.New(0))
	defer odd.Close()
	odd.Add(columnar.HashRows(nil, pairsOf("1_ 3_ 5_ 7_ 9_").Cols[:1], 5))
	sel, err := NewSelection(rt, scan, pairs, []*keyset.Set{odd.Build(), nil})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var words, want []string
		for range rapid.IntRange(0, 50).Draw(t, "rows") {
			k, v := rapid.IntRange(0, 9).Draw(t, "k"), rapid.SampledFrom([]string{"a", "b", "c", "C"}).Draw(t, "v")
			words = append(words, fmt.Sprintf("%d%s", k, v))
			if k > 2 && k%2 == 1 && strings.ToLower(v) != "c" {
				want = append(want, fmt.Sprint(k))
			}
		}
		var got []string
		err := sel.EachOf(pairsOf(strings.Join(words, " ")), func(rows columnar.Rows) error {
			got = append(got, written(rows)...)
			return nil
		})
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("of %q: %q, %v, want %q", words, got, err, want)
		}
	})
}

func TestSelectionWithoutTestsYieldsAllRows(t *testing.T) {
	sel, err := NewSelection(newRuntime(t), &physical.Scan{Columns: []string{"k"}}, pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	if err := sel.EachOf(pairsOf(""), func(columnar.Rows) error { calls++; return nil }); err != nil || calls != 0 {
		t.Errorf("of no rows: %d calls, %v", calls, err)
	}
	err = sel.EachOf(pairsOf("1a 2b"), func(rows columnar.Rows) error {
		calls++
		if got := written(rows); !slices.Equal(got, []string{"1", "2"}) {
			t.Errorf("got %q", got)
		}
		return nil
	})
	if err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
