package registry_test

import (
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

type entry struct {
	name, also string
}

// TestFind finds functions of several files by all of their names, in the order of the files.
func TestFind(t *testing.T) {
	r := registry.New(func(e *entry) []string { return []string{e.name, e.also} })
	made := 0
	for _, file := range [][]entry{{{"upper", "ucase"}, {"lower", "lcase"}}, {{"abs", "absolute"}}} {
		r.Add(func() []entry { made++; return file })
	}
	if made > 0 {
		t.Error("functions are made before they are looked for")
	}
	if f := r.Find("lcase"); f == nil || f.name != "lower" || f != r.Find("lower") {
		t.Errorf("lcase is %v", f)
	}
	if f := r.Find("round"); f != nil {
		t.Errorf("round is %v", f)
	}
	var names []string
	for _, f := range r.All() {
		names = append(names, f.name)
	}
	if want := []string{"upper", "lower", "abs"}; !slices.Equal(names, want) || made != 2 {
		t.Errorf("there are %v, made by %d files", names, made)
	}
}

// TestTwice refuses two functions of one name.
func TestTwice(t *testing.T) {
	r := registry.New(func(e *entry) []string { return []string{e.name, e.also} })
	r.Add(func() []entry { return []entry{{"upper", "ucase"}, {"ucase", "capital"}} })
	defer func() {
		if recover() == nil {
			t.Error("ucase is two functions")
		}
	}()
	r.All()
}

// TestCompare orders documentation by groups and names.
func TestCompare(t *testing.T) {
	docs := []registry.Doc{
		{Group: registry.Windows, Names: []string{"rank"}},
		{Group: registry.Texts, Names: []string{"upper"}},
		{Group: registry.Texts, Names: []string{"lower", "zz"}},
		{Group: registry.Lists, Names: []string{"abc"}},
	}
	slices.SortFunc(docs, registry.Doc.Compare)
	var names []string
	for _, d := range docs {
		names = append(names, d.Names[0])
	}
	if want := []string{"lower", "upper", "abc", "rank"}; !slices.Equal(names, want) {
		t.Errorf("the order is %v", names)
	}
}

// TestWideDecimals takes Wide in a signature for any decimal of 128 bits, the same at all places.
func TestWideDecimals(t *testing.T) {
	s := registry.Signature{Gives: columnar.Wide, Takes: []columnar.Type{columnar.Wide, columnar.Int, columnar.ListOf(columnar.Wide)}}
	precise := columnar.DecimalOf(30, 10)
	for _, c := range []struct{ given, want []columnar.Type }{
		{[]columnar.Type{precise, columnar.Int, columnar.ListOf(columnar.Wide)}, []columnar.Type{precise, columnar.Int, columnar.ListOf(precise)}},
		{[]columnar.Type{columnar.Decimal, columnar.Int, columnar.ListOf(precise)}, []columnar.Type{precise, columnar.Int, columnar.ListOf(precise)}},
		{[]columnar.Type{columnar.Invalid, columnar.Int, columnar.TextList}, s.Takes},
	} {
		if got := s.Of(c.given); !slices.Equal(got.Takes, c.want) || got.Gives != c.want[0] {
			t.Errorf("for %v it takes %v and gives %v", c.given, got.Takes, got.Gives)
		}
	}
}
