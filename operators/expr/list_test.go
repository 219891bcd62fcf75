package expr

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"analyzer/columnar"
)

// TestLists holds functions that make lists, and take positions from their ends.
func TestLists(t *testing.T) {
	abc := Texts("a", "b", "c")
	for want, e := range map[string]*Expr{
		"['c']":                 Call(OpListOf, Element(abc, Int(-1))),
		"null::text":            Element(abc, Int(-4)),
		"['a', 'b']":            Call(OpSlice, abc, Int(0), Int(2)),
		"['b', 'c']":            Call(OpSlice, abc, Int(-2), Int(1<<40)),
		"['a', 'b', 'c']":       Call(OpSlice, abc, Int(-9), Int(-1)),
		"[]":                    Call(OpSlice, abc, Int(3), Int(1)),
		"['a', '', 'b,c']":      Call("string_split", Str("a;;b,c"), Str(";")),
		"['é', 'x']":            Call("string_split", Str("éx"), Str("")),
		"['']":                  Call("string_split", Str(""), Str(",")),
		`['A', 'B''s']`:         Call("python_list", Str(`['A', "B's"]`)),
		"['Drama', 'Comedy']":   Call("python_names", Str("[{'id': 18, 'name': 'Drama'}, {'name': 'Comedy'}]")),
		"list_contains(s, 'a')": ListContains(Col("s"), Str("a")), // it is not folded
	} {
		if got := e.Fold().String(); got != want {
			t.Errorf("%s is %s, want %s", e, got, want)
		}
	}
	none := Call("python_list", Str("no list"))
	if got := none.Fold(); got.Value == nil || len(got.Value.Texts) != 0 || got.Value.Null {
		t.Errorf("%s is %s", none, got)
	}
}

// TestListsOfRows makes lists of columns, in which nulls are items, and takes parts of
// them.
func TestListsOfRows(t *testing.T) {
	s := columnar.Schema{{Name: "i", Type: columnar.Int}, {Name: "j", Type: columnar.Int}, {Name: "s", Type: columnar.Text}}
	cols := []*columnar.Vector{
		vectorOf(columnar.Int, []datum{num(1), nil, num(3)}, false), vectorOf(columnar.Int, []datum{num(4), num(5), nil}, false),
		vectorOf(columnar.Text, []datum{"a,b", nil, ""}, false),
	}
	both := Call(OpListOf, Col("i"), Col("j"))
	for want, e := range map[string]*Expr{
		"[[1 4] [<nil> 5] [3 <nil>]]": both,
		"[[4] [5] [<nil>]]":           Call(OpSlice, both, Int(2), Int(-1)),
		"[[1] <nil> []]":              Call(OpSlice, both, Col("i"), Int(1)),
		"[4 5 <nil>]":                 Element(both, Int(-1)),
		"[[a b] <nil> []]":            Call("string_split", Col("s"), Str(",")),
		"[[a,b x] [<nil> x] [ x]]":    Call(OpListOf, Col("s"), Str("x")),
	} {
		v, err := mustCompile(t, e, s).Eval(cols, 3)
		if err != nil {
			t.Errorf("%s: %v", e, err)
			continue
		}
		var got []datum
		for i := range 3 {
			got = append(got, datumAt(v, i))
		}
		if text := fmt.Sprint(got); text != want {
			t.Errorf("%s is %s, want %s", e, text, want)
		}
	}
}

// TestListsOfEveryType compares what is made of random lists of each type with the same of
// their items one by one.
func TestListsOfEveryType(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	r := randomTree{rng: rng}
	for _, item := range append(columnar.Scalars(), columnar.TextList) {
		list := columnar.ListOf(item)
		s := columnar.Schema{{Name: "l", Type: list}, {Name: "x", Type: list.Item()}, {Name: "at", Type: columnar.Int}}
		pool := []datum{r.datum(list.Item()), r.datum(list.Item()), r.datum(list.Item()), nil}
		const rows = 200
		values := [3][]datum{}
		for range rows {
			items := []datum{}
			for range rng.IntN(6) {
				items = append(items, pick(rng, pool))
			}
			values[0] = append(values[0], items)
			values[1] = append(values[1], pick(rng, pool))
			values[2] = append(values[2], num(rng.Int64N(8)-4))
		}
		cols := make([]*columnar.Vector, len(s))
		for c, f := range s {
			cols[c] = vectorOf(f.Type, values[c], false)
		}
		eval := func(e *Expr) *columnar.Vector {
			v, err := mustCompile(t, e, s).Eval(cols, rows)
			if err != nil {
				t.Fatalf("%s: %v", list, err)
			}
			return v
		}
		l, x := Col("l"), Col("x")
		contains, position, element := eval(ListContains(l, x)), eval(Call(OpListPosition, l, x)), eval(Element(l, Col("at")))
		distinct, count, made := eval(Call(OpListDistinct, l)), eval(Call(OpListCount, l)), eval(Call(OpListOf, x, x))
		sorted := eval(Call(OpListSort, l, Bool(true), Bool(true)))
		for i := range rows {
			items, x, at := values[0][i].([]datum), values[1][i], int(values[2][i].(*big.Int).Int64())
			want := whatListHas(items, x, at)
			got := []datum{datumAt(contains, i), datumAt(position, i), datumAt(element, i), datumAt(distinct, i), datumAt(count, i)}
			if show(got) != show(want) {
				t.Fatalf("%s %s, %s, %d: %s, want %s", list, show(items), show(x), at, show(got), show(want))
			}
			if got := datumAt(made, i); show(got) != show([]datum{x, x}) {
				t.Fatalf("a list of %s is %s", show(x), show(got))
			}
			inOrder := slices.Clone(items)
			slices.SortStableFunc(inOrder, func(a, b datum) int { return -compareDatums(a, b) })
			if got := datumAt(sorted, i); show(got) != show(inOrder) {
				t.Fatalf("%s in order is %s, want %s", show(items), show(got), show(inOrder))
			}
		}
	}
}

// whatListHas is whether a list has an item, where it stands first, what stands at a place,
// which items that are not null there are, each once, and how many.
func whatListHas(items []datum, x datum, at int) []datum {
	var contains, position, element datum
	distinct, count := []datum{}, int64(0)
	if x != nil {
		contains = referenceHas(items, x)
	}
	for i, item := range items {
		if show(item) == show(x) && position == nil {
			position = num(int64(i + 1))
		}
		if at == i+1 || at == i-len(items) {
			element = item
		}
		if item != nil {
			count++
			if !referenceHas(distinct, item) {
				distinct = append(distinct, item)
			}
		}
	}
	return []datum{contains, position, element, distinct, num(count)}
}

// compareDatums orders values of one type, nulls last.
func compareDatums(a, b datum) int {
	switch {
	case a == nil || b == nil:
		return cmp.Compare(bit(a == nil), bit(b == nil))
	case show(a) == show(b):
		return 0
	}
	switch a := a.(type) {
	case bool:
		return bit(a) - bit(b.(bool))
	case *big.Int:
		return a.Cmp(b.(*big.Int))
	case float64:
		return cmp.Compare(a, b.(float64))
	case []datum:
		return slices.CompareFunc(a, b.([]datum), compareDatums)
	}
	return cmp.Compare(a.(string), b.(string))
}

// TestSumsOfLists holds sums of lists of each type of number.
func TestSumsOfLists(t *testing.T) {
	large := lit(Value{Type: columnar.Wide, Int: math.MaxInt64})
	for want, e := range map[string]*Expr{
		"4":                         Call(OpListSum, Call(OpListOf, Int(1), Null(columnar.Int), Int(3))),
		"'4'::DECIMAL(38,6)":        Call(OpListSum, Call(OpListOf, Dec(1500000), Dec(2500000))),
		"1e-01":                     Call(OpListSum, Call(OpListOf, Float(1e300), Float(0.1), Float(-1e300))),
		"null::float":               Call(OpListSum, Call(OpListOf, Null(columnar.Float))),
		"null::DECIMAL(38,6)":       Call(OpListSum, Null(columnar.ListOf(columnar.Decimal))),
		"'0.000001'::DECIMAL(38,6)": Sub(Call(OpListSum, Call(OpListOf, large, large, lit(Value{Type: columnar.Wide, Int: 1}))), Add(large, large)),
	} {
		if got, err := e.compute(nil); err != nil || got.String() != want {
			t.Errorf("%s is %s, %v, want %s", e, got, err, want)
		}
	}
	if v, err := Call(OpListSum, Call(OpListOf, Int(math.MaxInt64), Int(1))).compute(nil); err == nil {
		t.Errorf("a sum that is too large is %v", v)
	}
	if v, err := Call(OpListSum, Call(OpListOf, Int(math.MaxInt64), Int(1), Int(-1))).compute(nil); err != nil {
		t.Errorf("a sum that fits is %v, %v", v, err)
	}
}

// TestListsWithinLambdasAreNotCopiedForAllItems has a condition of the items of a list read a list, which is there
// for few items at once if it is long.
func TestListsWithinLambdasAreNotCopiedForAllItems(t *testing.T) {
	const items = 20_000
	list := columnar.NewVector(columnar.ListOf(columnar.Int))
	for i := range items {
		list.Child.AppendInt(int64(i))
	}
	list.Len, list.Offsets = 1, append(list.Offsets, items)
	x, i := Variable("x", columnar.Int), Variable("i", columnar.Int)
	e := Call(OpListFilter, Col("l"), x, i, ListContains(Col("l"), x))
	ev := mustCompile(t, e, columnar.Schema{{Name: "l", Type: list.Type}})

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := ev.Eval([]*columnar.Vector{list}, 1)
	runtime.ReadMemStats(&after)
	if err != nil || v.Child.Len != items {
		t.Fatalf("%d items, %v", v.Child.Len, err)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 64 {
		t.Errorf("it took %d MiB", mib)
	}
}
