package arrow_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/rowtest"
)

// ownStream writes random rows of every type that answers can hold as our own program does, and returns
// the rows as text.
func ownStream(t *testing.T, rng *rand.Rand) (content []byte, schema columnar.Schema, want [][]string) {
	t.Helper()
	schema = slices.DeleteFunc(rowtest.EveryType(), func(f columnar.Field) bool { return !f.Type.Writable() })
	var out bytes.Buffer
	w, err := ipc.NewWriter(&out, schema, ipc.Layout{Stream: rng.IntN(2) == 0}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 1 + rng.IntN(3) {
		rows := rowtest.Random(rng, schema, 1+rng.IntN(200), rng.IntN(4))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		for i := range rows.Len {
			var row []string
			for _, v := range rows.Cols {
				row = append(row, rowtest.Line(columnar.Rows{Len: rows.Len, Cols: []*columnar.Vector{v}}, i))
			}
			want = append(want, row)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), schema, want
}

func TestOwnTypes(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		content, schema, want := ownStream(t, rng)
		columns, got, err := read(t, content, 1<<rng.IntN(16), 1+rng.IntN(3), everything)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for c, f := range schema {
			if columns[c].Type != f.Type {
				t.Fatalf("seed %d: a column of type %s is read as %s", seed, f.Type, columns[c].Type)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d rows, not %d", seed, len(got), len(want))
		}
		for i := range got {
			for c := range got[i] {
				if got[i][c] != want[i][c] {
					t.Fatalf("seed %d: row %d, %s: %q, not %q", seed, i, columns[c].Name, got[i][c], want[i][c])
				}
			}
		}
	}
}

// TestOwnDamage reads files that only pretend to be ours: whose types are not those of their bytes.
func TestOwnDamage(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 4))
		content, _, _ := ownStream(t, rng)
		for range 20 {
			readDamaged(t, rng, content, fmt.Sprintf("seed %d", seed))
		}
	}
}
