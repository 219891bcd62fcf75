package expr

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"analyzer/columnar"
)

// TestWhatLambdasCapture computes expressions for each item of random lists, with parts that are the
// same for all items of a list, and compares each item with the reference, and each failure.
func TestWhatLambdasCapture(t *testing.T) {
	x, i := Variable("x", columnar.Int), Variable("i", columnar.Int)
	l, m, n := Col("a"), Col("b"), Col("c")
	fails := Add(n, Int(math.MaxInt64)) // where n is above 0
	rng := rand.New(rand.NewPCG(1, 7))
	var rows [][]datum
	for range 400 {
		rows = append(rows, []datum{randomInts(rng), randomInts(rng), num(rng.Int64N(2))})
	}
	types := []columnar.Type{columnar.ListOf(columnar.Int), columnar.ListOf(columnar.Int), columnar.Int}
	for _, body := range []*Expr{
		Element(m, i), Element(l, x), ListContains(m, x), ListContains(m, n), Add(Element(m, Int(1)), x), Len(m),
		If(Gt(x, Int(1)), Element(m, i), Element(l, i)), If(ListContains(l, n), x, n),
		Add(fails, Sub(x, x)), If(Gt(x, Int(1)), fails, x), Or(Gt(x, Int(0)), Gt(fails, x)), Sub(Add(x, fails), fails),
	} {
		e := Call(OpListTransform, l, x, i, body)
		s, _ := columnsOf(types, rows)
		ev := mustCompile(t, e, s)
		failed := false
		var want []string
		var fine [][]datum
		for _, row := range rows {
			items, err := referenceOfItems(body, s, row)
			_, cols := columnsOf(types, [][]datum{row})
			got, gotErr := ev.Eval(cols, 1)
			switch {
			case (err != nil) != (gotErr != nil):
				t.Fatalf("%s of %s: error %v, want %v", e, show(row), gotErr, err)
			case err != nil:
				failed = true
				continue
			case show(datumAt(got, 0)) != show(items):
				t.Fatalf("%s of %s is %s, want %s", e, show(row), show(datumAt(got, 0)), show(items))
			}
			want, fine = append(want, show(items)), append(fine, row)
		}
		if hasPart(body, fails) != failed {
			t.Errorf("%s: rows failed: %v", e, failed)
		}
		_, cols := columnsOf(types, fine)
		got, err := ev.Eval(cols, len(fine))
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
		for r := range fine {
			if show(datumAt(got, r)) != want[r] {
				t.Fatalf("%s of %s among others is %s, want %s", e, show(fine[r]), show(datumAt(got, r)), want[r])
			}
		}
	}
}

func hasPart(e, part *Expr) (has bool) {
	e.walk(func(n *Expr) { has = has || n == part })
	return has
}

// randomInts is a list of a few integers and nulls, or null.
func randomInts(rng *rand.Rand) datum {
	if rng.IntN(10) == 0 {
		return nil
	}
	items := []datum{}
	for range rng.IntN(5) {
		if rng.IntN(5) == 0 {
			items = append(items, nil)
		} else {
			items = append(items, num(rng.Int64N(4)))
		}
	}
	return items
}

// referenceOfItems is what an expression of the variables x and i is for each item of the first column.
func referenceOfItems(body *Expr, s columnar.Schema, row []datum) (datum, error) {
	if row[0] == nil {
		return nil, nil
	}
	s = append(s[:len(s):len(s)], columnar.Field{Name: "x", Type: columnar.Int}, columnar.Field{Name: "i", Type: columnar.Int})
	body = body.bound(map[string]bool{"x": true, "i": true})
	made := []datum{}
	for k, item := range row[0].([]datum) {
		d, err := reference(body, s, append(row[:len(row):len(row)], item, num(int64(k)+1)))
		if err != nil {
			return nil, err
		}
		made = append(made, d)
	}
	return made, nil
}

// TestLambdasWithinLambdas hands lists on to lambdas within others, which look into them, or need all of their items.
func TestLambdasWithinLambdas(t *testing.T) {
	x, i, y, j := Variable("x", columnar.Int), Variable("i", columnar.Int), Variable("y", columnar.Int), Variable("j", columnar.Int)
	l, m := Col("a"), Col("b")
	s, cols := columnsOf([]columnar.Type{columnar.ListOf(columnar.Int), columnar.ListOf(columnar.Int)}, [][]datum{
		{list(num(1), num(2)), list(num(7), num(8), num(9))}, {list(num(3)), list()}, {list(num(1)), nil}, {nil, list(num(5))},
	})
	within := func(body *Expr) *Expr { return Call(OpListTransform, l, x, i, Call(OpListTransform, m, y, j, body)) }
	for _, tt := range []struct {
		e    *Expr
		want []string
	}{
		{within(Element(m, x)), []string{"[[7, 7, 7], [8, 8, 8]]", "[[]]", "[null]", "null"}},
		{within(Len(Call(OpListConcat, m, Call(OpListOf, x), Bool(false)))), []string{"[[4, 4, 4], [4, 4, 4]]", "[[]]", "[null]", "null"}},
		{within(If(Gt(x, Int(1)), Len(Call("list_reverse", m)), Element(m, j))), []string{"[[7, 8, 9], [3, 3, 3]]", "[[]]", "[null]", "null"}},
	} {
		v, err := mustCompile(t, tt.e, s).Eval(cols, 4)
		if err != nil {
			t.Fatalf("%s: %v", tt.e, err)
		}
		for r, want := range tt.want {
			if got := show(datumAt(v, r)); got != want {
				t.Errorf("row %d: %s is %s, want %s", r, tt.e, got, want)
			}
		}
	}
}

// TestLambdasOfLongLists bounds the memory that is allocated for one list of many items: it must not
// grow with the square of their number, as it does if each item gets a copy of a list.
func TestLambdasOfLongLists(t *testing.T) {
	x, i, y, j := Variable("x", columnar.Int), Variable("i", columnar.Int), Variable("y", columnar.Int), Variable("j", columnar.Int)
	l := Col("a")
	const items = 50_000
	list := []datum{}
	for k := range items {
		list = append(list, num(int64(k)))
	}
	s, cols := columnsOf([]columnar.Type{columnar.ListOf(columnar.Int)}, [][]datum{{list}})
	sorted := Call(OpListSort, Call(OpListFilter, l, y, j, Gt(y, Int(1))), Bool(false), Bool(false))
	for _, body := range []*Expr{
		Element(l, i), If(Gt(x, Int(3)), Element(l, x), x), ListContains(Call(OpSlice, l, Int(1), Int(10)), x),
		Add(x, Element(sorted, Int(1))), Add(x, Add(Call(OpListSum, l), Int(1))),
	} {
		e := Call(OpListTransform, l, x, i, body)
		ev := mustCompile(t, e, s)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := ev.Eval(cols, 1)
		runtime.ReadMemStats(&after)
		if err != nil || v.Child.Len != items {
			t.Errorf("%s: %v", e, err)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
			t.Errorf("%s allocates %d MiB for %d items", e, allocated>>20, items)
		}
	}
}
