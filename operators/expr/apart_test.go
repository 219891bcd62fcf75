package expr

import (
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// apartTexts are texts that begin or end with what would belong to a text beside them, and some that mean something.
var apartTexts = []string{
	"e", "\u0301x", "o", "\u0308", "\u1100", "\u1161", "\u11a8a", "🇩", "🇪", "👩", "\u200d👧", "Σ", "ς", "", "a b", "%C3", "%A9", "ẞ", "a/b.c", "1", "-2.5", "3",
	"2020-02-29", "2020-02-29 12:34:56", "12:34", "true", `{"a": [1, {"b": null}]}`, "[1, 2]", "{'a': 1}", "{x=y}", "month", "Europe/Berlin", "a1", "YQ==", "%Y", "$.a", "([a-z])", "x%", "abc", "ABC",
	"019482e4-1441-7aad-8127-eec637573dc2",
}

// TestRowsAreApart compares all functions over many rows, whose results lie behind each other in memory, with the same
// over each row by itself.
func TestRowsAreApart(t *testing.T) {
	rng, compared := rand.New(rand.NewPCG(1, 2)), 0
	for _, f := range functions.All() {
		for _, s := range f.types {
			if f.cost < Expensive && !slices.Contains(s.Takes, columnar.FloatSum) {
				compared += compareApart(t, rng, f, s.Of(nil).Takes)
			}
		}
	}
	if compared < 50_000 {
		t.Errorf("%d rows were compared", compared)
	}
}

// compareApart compares a function of some types, and returns for how many rows it has a value.
func compareApart(t *testing.T, rng *rand.Rand, f *function, takes []columnar.Type) (compared int) {
	e, schema := f.sample(takes), columnar.Schema{}
	literal := e.Args
	for i, typ := range takes {
		schema = append(schema, columnar.Field{Name: string(rune('a' + i)), Type: typ})
	}
	var ev *Evaluator
	for columns := len(takes); columns > 0 && ev == nil; columns-- { // the last arguments of some must be literals
		e.Args = slices.Clone(literal)
		for i := range columns {
			if e.Args[i].Op != OpVariable && (i > 0 || f.op != OpStruct && f.op != OpMap) {
				e.Args[i] = Col(schema[i].Name)
			}
		}
		if e.Validate() == nil {
			ev, _ = Compile(e, schema, NewEnv())
		}
	}
	if ev == nil {
		return 0
	}
	rows := rowtest.Random(rng, schema, 0, 0)
	var alone []string
	for range 150 {
		row := apartRow(rng, schema)
		if v, err := ev.Eval(row.Cols, 1); err == nil {
			alone = append(alone, shown(v, 0))
			rows.AppendGather(row, []int32{0})
		}
	}
	v, err := ev.Eval(rows.Cols, rows.Len)
	if err != nil {
		t.Errorf("%s: %v", e, err)
		return 0
	}
	for i, want := range alone {
		if got := shown(v, i); got != want {
			t.Errorf("%s of %s is %s beside other rows and %s alone", e, rowtest.Line(rows, i), got, want)
			break
		}
	}
	return len(alone)
}

// apartRow returns a row of values that are often small, or texts that mean something.
func apartRow(rng *rand.Rand, schema columnar.Schema) columnar.Rows {
	row := rowtest.Random(rng, schema, 1, 1)
	for _, v := range row.Cols {
		switch {
		case v.IsNull(0) || rng.IntN(4) == 0:
		case v.Type == columnar.Text:
			v.Reset()
			some := apartTexts
			if rng.IntN(2) == 0 {
				some = apartTexts[:12]
			}
			v.AppendBytes([]byte(some[rng.IntN(len(some))]))
		case v.Type.Kind() == columnar.KindInt64:
			v.Ints[0] = rng.Int64N(40) - 10
		}
	}
	return row
}
