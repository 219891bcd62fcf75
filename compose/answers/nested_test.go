package answers

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"analyzer/columnar"
)

// TestArrowOfNestedValues checks that others read structs and maps, in lists too, as what they are.
func TestArrowOfNestedValues(t *testing.T) {
	one := columnar.StructOf(columnar.Field{Name: "a", Type: columnar.Int}, columnar.Field{Name: "b", Type: columnar.TextList})
	counts := columnar.MapOf(columnar.Text, columnar.Int)
	n, texts := columnar.NewVector(columnar.Int), columnar.NewVector(columnar.TextList)
	n.AppendInt(7)
	n.AppendNull()
	texts.Child.AppendBytes([]byte("x\x00y"))
	texts.EndList()
	texts.EndList()
	structs := columnar.NewVector(one)
	for i := range 2 {
		structs.AppendBytes(texts.AppendField(n.AppendField(nil, i), i))
	}
	structs.AppendNull()
	lists := columnar.NewVector(columnar.ListOf(one))
	lists.Child.AppendRange(structs, 0, 3)
	lists.EndList()
	lists.AppendNull()
	lists.Child.AppendRange(structs, 0, 1)
	lists.EndList()
	key, entries, maps := columnar.NewVector(columnar.Text), columnar.NewVector(counts.Entries()), columnar.NewVector(counts)
	key.AppendBytes([]byte("k"))
	for i := range 2 {
		entries.Child.AppendBytes(n.AppendField(key.AppendField(nil, 0), i))
		entries.EndList()
		maps.AppendBytes(columnar.AppendOrdered(nil, entries, i))
	}
	maps.AppendNull()
	a := answer{
		columns: columnar.Schema{{Name: "s", Type: one}, {Name: "l", Type: columnar.ListOf(one)}, {Name: "m", Type: counts}},
		vectors: []*columnar.Vector{structs, lists, maps},
	}
	want := `[{"l":[{"a":7,"b":["x\u0000y"]},{"a":null,"b":[]},null],"m":[{"key":"k","value":7}],"s":{"a":7,"b":["x\u0000y"]}}
,{"l":null,"m":[{"key":"k","value":null}],"s":{"a":null,"b":[]}}
,{"l":[{"a":7,"b":["x\u0000y"]}],"m":null,"s":null}
]`
	for _, batch := range []int{2, 1000} {
		var got []byte
		r, err := ipc.NewReader(bytes.NewReader(encode(t, Options{Format: Arrow}, a, batch)))
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
			text, err := r.Record().MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, text...)
		}
		got = bytes.ReplaceAll(got, []byte("]["), []byte(","))
		if r.Err() != nil || string(got) != want {
			t.Errorf("batches of %d: %v\n%s\nwant\n%s", batch, r.Err(), got, want)
		}
	}
}
