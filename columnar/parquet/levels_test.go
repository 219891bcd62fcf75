package parquet

import (
	"errors"
	"testing"

	"analyzer/columnar"
)

// FuzzLevels puts values together by any levels, of two columns that need not fit each other, within lists
// of maps, structs and lists. What comes out has the form of its type, or there is an error.
func FuzzLevels(f *testing.F) {
	f.Add([]byte{5, 0, 7, 2, 0, 0}, []byte{5, 0, 5, 2, 0, 0})
	f.Add([]byte{7, 0, 7, 3, 2, 0}, []byte{5, 0})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		counts := columnar.StructOf(columnar.Field{Name: "a", Type: columnar.IntList}, columnar.Field{Name: "b", Type: columnar.Int})
		maps := columnar.MapOf(columnar.IntList, columnar.Int)
		leaf1 := &part{typ: columnar.Int, present: 6}
		list := &part{typ: columnar.IntList, present: 4, further: 3, parts: []*part{leaf1}}
		leaf2 := &part{typ: columnar.Int, leaf: 1, present: 5}
		entries := &part{typ: maps.Entries(), present: 3, further: 2}
		inner := &part{typ: maps, present: 3, parts: []*part{entries}}
		entries.parts = []*part{{typ: maps.Entries().Item(), present: 4, parts: []*part{list, leaf2}}}
		root := &part{typ: columnar.ListOf(maps), present: 1, further: 1, parts: []*part{inner}}
		if len(first)%3 == 0 { // structs in place of the maps
			entries.typ = columnar.ListOf(counts)
			entries.parts[0].typ = counts
			root.typ, root.parts = columnar.ListOf(entries.typ), []*part{entries}
		}
		n := &nested{root: root, vectors: make(map[*part]*columnar.Vector)}
		rows := 0
		for i, levels := range [][]byte{first, second} {
			l := &leaf{values: columnar.NewVector(columnar.Int)}
			most := []byte{6, 5}[i]
			for k := 0; k+1 < len(levels); k += 2 {
				definition, repetition := levels[k]%(most+1), levels[k+1]%byte(4-i)
				if k == 0 {
					repetition = 0
				}
				l.definition, l.repetition = append(l.definition, definition), append(l.repetition, repetition)
				if definition == most {
					l.values.AppendInt(int64(k))
				}
				if repetition == 0 && i == 0 {
					rows++
				}
			}
			n.leaves = append(n.leaves, l)
		}
		v := columnar.NewVector(root.typ)
		err := n.append(v, root, 0, 0)
		if errors.Is(err, errParts) {
			return
		}
		if err != nil || v.Len != rows || len(v.Offsets) != rows+1 || v.Offsets[rows] != int32(v.Child.Len) {
			t.Fatalf("%d values of %d rows, %v", v.Len, rows, err)
		}
		if root.parts[0] != inner {
			return
		}
		for i := range v.Child.Len {
			if _, err := v.Child.Entries(i, i+1); err != nil {
				t.Fatalf("map %d: %v", i, err)
			}
		}
	})
}
