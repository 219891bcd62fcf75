package expr

import (
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
)

// TestListsAsTexts reads lists, and structs of texts, back from their texts.
func TestListsAsTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	parts := []string{"a", ",", "'", `"`, `\`, " ", "[", "]", "{", "}", "(", ":", "=", "null", "NULL", "é", "\n"}
	random := func() string {
		var b strings.Builder
		for range rng.IntN(5) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		return b.String()
	}
	pair := columnar.StructOf(columnar.Field{Name: "it's", Type: columnar.Text}, columnar.Field{Name: "b c", Type: columnar.Text})
	names := Texts("it's", "b c")
	for range 3000 {
		items := []string{random(), random()}
		list := Texts(items...)
		back := Call(OpListOfText, Call(OpToText, list), Bool(false))
		same, err := Eq(back, list).compute(nil)
		if err != nil || !same.IsBool(true) {
			text, _ := Call(OpToText, list).compute(nil)
			t.Fatalf("%q is written as %v, error %v", items, text, err)
		}
		fields := Call(OpToText, Struct(pair, Str(items[0]), Str(items[1])))
		if same, err = Eq(Call(OpFieldsOfText, fields, names, Bool(false)), list).compute(nil); err != nil || !same.IsBool(true) {
			text, _ := fields.compute(nil)
			t.Fatalf("a struct of %q is written as %v, error %v", items, text, err)
		}
	}
}

func FuzzListsOfTexts(f *testing.F) {
	for _, text := range []string{"[a, 'b', NULL]", "{'a': 1, b: [x, {y}]}", "(1, 2)", "{a=1, b=}", `["\"`, "[[", "{:}", "[,]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		for _, e := range []*Expr{Call(OpListOfText, Str(text), Bool(true)), Call(OpPairsOfText, Str(text), Bool(true)), Call(OpFieldsOfText, Str(text), Texts("a", "b"), Bool(true))} {
			if _, err := IsNull(e).compute(nil); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
