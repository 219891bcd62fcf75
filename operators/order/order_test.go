package order_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// skipShort leaves out a test that takes long with the race detector, and has hardly any rows for
// a second goroutine.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("tests the order of rows, not goroutines")
	}
}

// sorted is a sort of rows and its answer.
func sorted(schema columnar.Schema, rows columnar.Rows, keys []order.Key, limit int64) optest.Case {
	return slice(schema, rows, keys, 0, limit)
}

// slice is a sort that skips the first rows.
func slice(schema columnar.Schema, rows columnar.Rows, keys []order.Key, offset, limit int64) optest.Case {
	cfg := order.SortConfig{Order: keys, Offset: offset, Limit: limit}
	want := linesOf(rows, naiveSort(schema, rows, keys, limit))
	return optest.Case{
		New:    func(rt *operators.Runtime) (operators.Operator, error) { return order.NewSort(rt, schema, cfg) },
		Inputs: []optest.Input{{Schema: schema, Rows: rows}},
		Output: schema, Ordered: true,
		Want: want[min(offset, int64(len(want))):],
	}
}

// some is a sort that emits some columns.
func some(schema columnar.Schema, rows columnar.Rows, keys []order.Key, limit int64, columns []int) optest.Case {
	c := sorted(schema, rows, keys, limit)
	c.Output = schema.Project(columns)
	cfg := order.SortConfig{Order: keys, Limit: limit, Columns: c.Output.Names()}
	c.New = func(rt *operators.Runtime) (operators.Operator, error) { return order.NewSort(rt, schema, cfg) }
	c.Want = linesOf(rows.Project(columns), naiveSort(schema, rows, keys, limit))
	return c
}

func linesOf(rows columnar.Rows, index []int) (lines []string) {
	for _, i := range index {
		lines = append(lines, rowtest.Line(rows, i))
	}
	return lines
}

// naiveSort sorts by the keys, then by all columns, and finally -0 before 0. It returns where the rows were.
func naiveSort(schema columnar.Schema, rows columnar.Rows, keys []order.Key, limit int64) []int {
	keys = slices.Clone(keys)
	for _, f := range schema {
		keys = append(keys, order.Key{Column: f.Name})
	}
	index := make([]int, rows.Len)
	for i := range index {
		index[i] = i
	}
	slices.SortFunc(index, func(i, j int) int {
		for _, k := range keys {
			if d := naiveCompare(rows.Cols[schema.Index(k.Column)], i, j, k); d != 0 {
				return d
			}
		}
		for _, v := range rows.Cols { // equal zeros
			if d := naiveZeros(v, i, j); d != 0 {
				return d
			}
		}
		return 0
	})
	if limit >= 0 && int64(len(index)) > limit {
		index = index[:limit]
	}
	return index
}

// naiveZeros compares zeros of equal values.
func naiveZeros(v *columnar.Vector, i, j int) int {
	switch {
	case v.IsNull(i):
	case v.Type == columnar.Float && v.Floats[i] == 0:
		return cmp.Compare(1/v.Floats[i], 1/v.Floats[j])
	case v.Type == columnar.FloatList:
		for n := range int(v.Offsets[i+1] - v.Offsets[i]) {
			if d := naiveZeros(v.Child, int(v.Offsets[i])+n, int(v.Offsets[j])+n); d != 0 {
				return d
			}
		}
	}
	return 0
}

func naiveCompare(v *columnar.Vector, i, j int, k order.Key) int {
	if v.IsNull(i) || v.IsNull(j) {
		switch {
		case v.IsNull(i) == v.IsNull(j):
			return 0
		case v.IsNull(i) == k.NullsFirst:
			return -1
		}
		return 1
	}
	d := 0
	switch v.Type.Kind() {
	case columnar.KindBool:
		d = cmp.Compare(fmt.Sprint(v.Bools[i]), fmt.Sprint(v.Bools[j])) // false, true
	case columnar.KindInt64:
		d = cmp.Compare(v.Ints[i], v.Ints[j])
	case columnar.KindFloat64:
		d = naiveFloats(v.Floats[i], v.Floats[j])
	case columnar.KindInt128:
		d = v.Wides[i].BigInt().Cmp(v.Wides[j].BigInt())
	case columnar.KindBytes:
		d = strings.Compare(string(v.Bytes(i)), string(v.Bytes(j)))
	default:
		for n := int32(0); d == 0; n++ {
			x, y := v.Offsets[i]+n, v.Offsets[j]+n
			if x == v.Offsets[i+1] || y == v.Offsets[j+1] {
				d = cmp.Compare(v.Offsets[i+1]-x, v.Offsets[j+1]-y)
				break
			}
			d = naiveCompare(v.Child, int(x), int(y), order.Key{})
		}
	}
	if k.Desc {
		return -d
	}
	return d
}

func TestOffset(t *testing.T) {
	skipShort(t)
	schema := optest.EveryType()
	rows := optest.Random(rand.New(rand.NewPCG(3, 3)), schema, 1500, optest.Shape{Distinct: 9, Nulls: 1})
	for _, offset := range []int64{0, 1, 700, 1499, 1500, 2000} {
		for _, limit := range []int64{-1, 0, 1, 701, 4000} {
			slice(schema, rows, []order.Key{{Column: schema[0].Name}}, offset, limit).Check(t, []int64{0, 1}, []int{400})
		}
	}
}

func naiveFloats(x, y float64) int {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return -cmp.Compare(x, y) // cmp puts them first
	}
	return cmp.Compare(x, y)
}

var (
	budgets = []int64{0, 1, 400 << 10}
	batches = []int{100, 3000}
)

func TestSortByEveryType(t *testing.T) {
	skipShort(t)
	for c, f := range optest.EveryType() {
		schema := columnar.Schema{f, {Name: "other", Type: columnar.Text}}
		for i, k := range []order.Key{{}, {Desc: true}, {NullsFirst: true}, {Desc: true, NullsFirst: true}} {
			distinct := 5000
			if k.NullsFirst == k.Desc {
				distinct = 5
			}
			k.Column = f.Name
			t.Run(fmt.Sprintf("%s %+v distinct=%d", f.Name, k, distinct), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(c), uint64(distinct)))
				rows := optest.Random(rng, schema, 1500, optest.Shape{Distinct: distinct, Nulls: 2})
				if (c+i)%2 == 0 {
					sorted(schema, rows, []order.Key{k}, -1).Check(t, budgets, batches)
				} else {
					sorted(schema, rows, []order.Key{k}, 40).Check(t, budgets[:2], batches[:1])
				}
			})
		}
	}
}

func TestSortBySeveralColumns(t *testing.T) {
	skipShort(t)
	schema := optest.EveryType()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := optest.Random(rng, schema, 1500, optest.Shape{Distinct: 4, Nulls: int(seed % 3), Long: 3000})
		var keys []order.Key
		for _, c := range rng.Perm(len(schema))[:1+rng.IntN(len(schema))] {
			keys = append(keys, order.Key{Column: schema[c].Name, Desc: rng.IntN(2) == 0, NullsFirst: rng.IntN(2) == 0})
		}
		sorted(schema, rows, keys, -1).Check(t, budgets, batches)
		columns := rng.Perm(len(schema))[:rng.IntN(len(schema))]
		some(schema, rows, keys, 1000, columns).Check(t, budgets, batches)
	}
}

// TestRowsWithoutColumns sorts rows as only a plan from outside can.
func TestRowsWithoutColumns(t *testing.T) {
	c := sorted(nil, columnar.Rows{Len: 100}, nil, 60)
	c.Check(t, []int64{0}, []int{7, 100})
}

func TestLimits(t *testing.T) {
	skipShort(t)
	schema := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Text}, {Name: "c", Type: columnar.Decimal}}
	for _, rows := range []columnar.Rows{
		optest.Random(rand.New(rand.NewPCG(1, 2)), schema, 30_000, optest.Shape{Distinct: 1000, Nulls: 1}),
		optest.Random(rand.New(rand.NewPCG(1, 3)), schema, 12_000, optest.Shape{Distinct: 2}),
		optest.Random(rand.New(rand.NewPCG(1, 4)), schema, 0, optest.Shape{Distinct: 2}),
	} {
		for _, limit := range []int64{0, 1, 10, 9000, 40_000} {
			for _, desc := range []bool{false, true} {
				sorted(schema, rows, []order.Key{{Column: schema[0].Name, Desc: desc}}, limit).Check(t, []int64{0, 1}, []int{700, 30_000})
			}
		}
	}
}

// Rows come in ascending or in descending order.
func TestRowsComeSorted(t *testing.T) {
	schema := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Float}}
	rows := columnar.NewRows(schema)
	for i := range 20_000 {
		rows.Cols[0].AppendInt(int64(i))
		if i < 100 {
			rows.Cols[1].AppendNull() // in the first rows alone
		} else {
			rows.Cols[1].AppendFloat(float64(i % 3))
		}
		rows.Len++
	}
	for _, limit := range []int64{-1, 5} {
		for _, desc := range []bool{false, true} {
			sorted(schema, rows, []order.Key{{Column: schema[0].Name, Desc: desc}}, limit).Check(t, []int64{0, 1}, []int{1000})
		}
	}
}

var bulkySchema = columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Text}}

// bulkyRows are rows each of which fills a run when there is no budget.
func bulkyRows(n int) columnar.Rows {
	rng := rand.New(rand.NewPCG(9, 9))
	rows := columnar.NewRows(bulkySchema)
	for range n {
		rows.Cols[0].AppendInt(rng.Int64N(int64(n)))
		rows.Cols[1].AppendBytes(bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, 130_000+rng.IntN(10)))
		rows.Len++
	}
	return rows
}

// There are so many runs that merging takes several passes.
func TestManyRuns(t *testing.T) {
	skipShort(t)
	schema, rows := bulkySchema, bulkyRows(80)
	c := sorted(schema, rows, []order.Key{{Column: schema[0].Name}}, -1)
	c.Check(t, []int64{1}, []int{1, 100})
	sorted(schema, rows, []order.Key{{Column: schema[1].Name}}, 50).Check(t, []int64{1}, []int{30})

	w := optest.NewWorld(1, nil)
	op, err := c.New(w.Runtime)
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Push(context.Background(), 0, rows, nil); err != nil {
		t.Fatal(err)
	}
	if files := w.Scratch.Stats().Files; files < 70 {
		t.Errorf("only %d runs", files)
	}
	open := 0
	err = op.Finish(context.Background(), 0, func(columnar.Rows) error {
		open = max(open, len(w.Files.OpenFiles()))
		return nil
	})
	if err != nil || open == 0 || open > 32 {
		t.Errorf("%d runs were open at once, error %v", open, err)
	}
	w.CheckEmpty(t)
}

func TestColumnsThatAreNot(t *testing.T) {
	rt := optest.NewWorld(0, nil).Runtime
	schema := optest.EveryType()
	for _, c := range []string{"", "none"} {
		if _, err := order.NewSort(rt, schema, order.SortConfig{Order: []order.Key{{Column: c}}}); err == nil {
			t.Errorf("sorted by column %q", c)
		}
	}
}

// Lists that differ only in the sign of a zero have a defined order too.
func TestListsOfZeros(t *testing.T) {
	schema := columnar.Schema{{Name: "l", Type: columnar.FloatList}, {Name: "f", Type: columnar.Float}, {Name: "m", Type: columnar.FloatList}}
	rows := optest.Random(rand.New(rand.NewPCG(5, 6)), schema, 1500, optest.Shape{Distinct: 2, Nulls: 2})
	for _, keys := range [][]order.Key{nil, {{Column: schema[0].Name, Desc: true}}, {{Column: schema[1].Name}, {Column: schema[2].Name, NullsFirst: true}}} {
		sorted(schema, rows, keys, -1).Check(t, budgets, batches)
		sorted(schema, rows, keys, 40).Check(t, budgets[:2], batches[:1])
	}
}

// Texts are prefixes of each other, also with zero bytes after the prefix, and all of them begin with a long one or not.
func TestTextsThatAreAlike(t *testing.T) {
	skipShort(t)
	for _, least := range []int{0, 4} {
		sortAlike(t, least)
	}
}

func sortAlike(t *testing.T, least int) {
	t.Helper()
	schema := columnar.Schema{{Name: "text", Type: columnar.Text}, {Name: "n", Type: columnar.Int}}
	rng := rand.New(rand.NewPCG(3, 4))
	rows := columnar.NewRows(schema)
	for range 3000 {
		b := []byte(strings.Repeat("the same ", least+rng.IntN(12)))
		b = append(b, []string{"", "a", "b", "\x00", "\x00\x00", "\xff"}[rng.IntN(6)]...)
		if rng.IntN(20) == 0 {
			rows.Cols[0].AppendNull()
		} else {
			rows.Cols[0].AppendBytes(b)
		}
		rows.Cols[1].AppendInt([]int64{0, 1, math.MaxInt64, math.MinInt64}[rng.IntN(4)])
		rows.Len++
	}
	for _, keys := range [][]order.Key{
		{{Column: schema[0].Name}}, {{Column: schema[0].Name, Desc: true}}, {{Column: schema[1].Name}, {Column: schema[0].Name, Desc: true}}, {{Column: schema[1].Name, Desc: true}},
	} {
		sorted(schema, rows, keys, -1).Check(t, []int64{0, 1}, []int{3000})
		sorted(schema, rows, keys, 700).Check(t, []int64{0, 1}, []int{3000})
	}
}

// TestPagesOfLongRowsAreSmall sorts rows of 200 KB in memory and in little of it: a page has as many as fit, and a
// merge takes a few runs at once.
func TestPagesOfLongRowsAreSmall(t *testing.T) {
	skipShort(t)
	const n, width, page = 100, 200 << 10, 1 << 20
	schema := columnar.Schema{{Name: "n", Type: columnar.Int}, {Name: "text", Type: columnar.Text}}
	rows := columnar.NewRows(schema)
	for i := range n {
		rows.Cols[0].AppendInt(int64(i * 37 % n))
		rows.Cols[1].AppendBytes(bytes.Repeat([]byte{byte(i)}, width))
		rows.Len++
	}
	for _, limit := range []int64{0, 1 << 20} {
		w := optest.NewWorld(limit, nil)
		op, err := order.NewSort(w.Runtime, schema, order.SortConfig{Order: []order.Key{{Column: "n"}}, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		next := int64(0)
		emit := func(out columnar.Rows) error {
			if got := out.ValueBytes(); got > page+width+100 {
				t.Errorf("limit %d: a page of %d bytes", limit, got)
			}
			for at, i := range out.Cols[0].Ints {
				if text := out.Cols[1].Bytes(at); i != next || len(text) != width || int64(text[width-1])*37%n != i {
					t.Fatalf("limit %d: row %d comes after %d", limit, i, next-1)
				}
				next++
			}
			return nil
		}
		err = errors.Join(op.Push(t.Context(), 0, rows, emit), op.Finish(t.Context(), 0, emit))
		if err != nil || next != n {
			t.Fatalf("limit %d: %d rows, %v", limit, next, err)
		}
		if peak := w.Budget.Peak(); limit > 0 && peak > 4*limit {
			t.Errorf("limit %d: %d bytes at once", limit, peak)
		}
		w.CheckReleased(t)
	}
}
