package expr

import (
	"fmt"
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
		"['a', '', 'b,c']":      Call(OpSplit, Str("a;;b,c"), Str(";")),
		"['é', 'x']":            Call(OpSplit, Str("éx"), Str("")),
		"['']":                  Call(OpSplit, Str(""), Str(",")),
		`['A', 'B''s']`:         Call(OpPythonList, Str(`['A', "B's"]`)),
		"['Drama', 'Comedy']":   Call(OpPythonNames, Str("[{'id': 18, 'name': 'Drama'}, {'name': 'Comedy'}]")),
		"list_contains(s, 'a')": ListContains(Col("s"), Str("a")), // it is not folded
	} {
		if got := e.Fold().String(); got != want {
			t.Errorf("%s is %s, want %s", e, got, want)
		}
	}
	none := Call(OpPythonList, Str("no list"))
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
		"[[a b] <nil> []]":            Call(OpSplit, Col("s"), Str(",")),
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
