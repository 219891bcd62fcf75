package columnar_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// nested returns types that are made of each other in all ways.
func nested() []columnar.Type {
	all := append(columnar.Scalars(), rowtest.Nested()...)
	for _, t := range rowtest.Nested() {
		all = append(all, columnar.StructOf(columnar.Field{Name: `a "quoted", name`, Type: t}, columnar.Field{Name: "", Type: columnar.Interval}), columnar.MapOf(t, t))
	}
	return all
}

func TestNamesOfTypes(t *testing.T) {
	for _, typ := range nested() {
		var back columnar.Type
		if err := back.UnmarshalText([]byte(typ.String())); err != nil || back != typ {
			t.Errorf("%s reads back as %s, error %v", typ, back, err)
		}
	}
	deep := columnar.Int
	for range columnar.MaxNesting {
		deep = columnar.StructOf(columnar.Field{Name: "a", Type: deep})
	}
	if deep == columnar.Invalid || columnar.StructOf(columnar.Field{Name: "a", Type: deep}) != columnar.Invalid || columnar.ListOf(deep) != columnar.Invalid {
		t.Error("the bound of nesting is another")
	}
	many := make([]columnar.Field, 2000)
	for i := range many {
		many[i] = columnar.Field{Name: "a", Type: columnar.Int}
	}
	wide := columnar.StructOf(many...)
	two := []columnar.Field{{Name: "a", Type: wide}, {Name: "b", Type: columnar.ListOf(wide)}}
	if columnar.StructOf(two...) == columnar.Invalid || columnar.StructOf(append(two, two...)...) != columnar.Invalid || columnar.MapOf(wide, columnar.StructOf(two...)) != columnar.Invalid {
		t.Error("the bound of parts is another")
	}
	for _, name := range []string{"struct", "struct()", `struct("a")`, `struct("a" int`, `struct("a" int, )`, "struct(a int)", `map("k" int)`, `struct("a" int)lists`} {
		var back columnar.Type
		if err := back.UnmarshalText([]byte(name)); err == nil {
			t.Errorf("%s is %s", name, back)
		}
	}
}

// TestFields takes fields as they were appended, and finds their ends.
func TestFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, typ := range nested() {
		v := rowtest.Random(rng, columnar.Schema{{Name: "v", Type: typ}}, 40, 2).Cols[0]
		for i := range v.Len {
			value := v.AppendField([]byte("before"), i)[len("before"):]
			rest := append(bytes.Clone(value), "behind"...)
			back := columnar.NewVector(typ)
			after, err := back.TakeField(rest)
			if err != nil || string(after) != "behind" || rowtest.Value(back, 0) != rowtest.Value(v, i) {
				t.Fatalf("%s %s is taken as %s, %q, error %v", typ, rowtest.Value(v, i), rowtest.Value(back, 0), after, err)
			}
			if skipped := columnar.SkipField(rest, typ); string(skipped) != "behind" {
				t.Fatalf("behind %s %s is %q", typ, rowtest.Value(v, i), skipped)
			}
		}
	}
}

// FuzzFields takes fields of any bytes, which are refused or make values that can be shown.
func FuzzFields(f *testing.F) {
	types := nested()
	f.Add(uint8(3), []byte{1, 0, 0})
	f.Add(uint8(len(types)-1), []byte{1, 1, 2, 0})
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		typ := types[int(which)%len(types)]
		columnar.SkipField(data, typ)
		v := columnar.NewVector(typ)
		if _, err := v.TakeField(data); err == nil && !v.IsNull(0) {
			v.AppendText(nil, 0)
		}
		if typ.IsNested() {
			v := columnar.NewVector(typ)
			v.AppendBytes(data)
			v.AppendText(nil, 0)
			if typ.IsStruct() {
				_, _ = v.StructColumns(0, 1)
			}
		}
	})
}
