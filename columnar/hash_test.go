package columnar_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
)

// The hash of numbers and texts is xxhash64 as the library computes it.
func TestHashIsXXHash64(t *testing.T) {
	ints, texts := columnar.NewVector(columnar.Int), columnar.NewVector(columnar.Text)
	var wantInts, wantTexts []uint64
	for i, text := range []string{"", "a", "Dancer in the Dark", "a text that is longer than thirty-two bytes in all"} {
		n := int64(i)*0x123456789ABCDEF - 7
		ints.AppendInt(n)
		wantInts = append(wantInts, xxhash.Sum64(binary.LittleEndian.AppendUint64(nil, uint64(n))))
		texts.AppendBytes([]byte(text))
		wantTexts = append(wantTexts, xxhash.Sum64String(text))
	}
	if got := columnar.HashRows(nil, []*columnar.Vector{ints}, 4); !slices.Equal(got, wantInts) {
		t.Errorf("integers hash to %x, want %x", got, wantInts)
	}
	if got := columnar.HashRows(nil, []*columnar.Vector{texts}, 4); !slices.Equal(got, wantTexts) {
		t.Errorf("texts hash to %x, want %x", got, wantTexts)
	}
}

// The hash of a row does not depend on its position: in a vector or in a slice of it, with
// or without other rows that are null.
func TestHashDoesNotDependOnPlace(t *testing.T) {
	rows := columnar.NewRows(columnar.Schema{
		{Name: "list", Type: columnar.TextList}, {Name: "n", Type: columnar.Int}, {Name: "text", Type: columnar.Text},
	})
	for i := range 50 {
		for j := range i % 4 {
			rows.Cols[0].Child.AppendBytes([]byte{byte(i), byte(j)})
		}
		rows.Cols[0].EndList()
		rows.Cols[1].AppendInt(int64(i % 7))
		if i%5 == 0 {
			rows.Cols[2].AppendNull()
		} else {
			rows.Cols[2].AppendBytes([]byte{byte(i)})
		}
		rows.Len++
	}
	whole := columnar.HashRows(nil, rows.Cols, rows.Len)
	for lo := range rows.Len {
		part := rows.Slice(lo, min(lo+3, rows.Len))
		got := columnar.HashRows(nil, part.Cols, part.Len)
		if !slices.Equal(got, whole[lo:lo+part.Len]) {
			t.Fatalf("rows from %d on hash to %x, want %x", lo, got, whole[lo:lo+part.Len])
		}
		single := columnar.NewRows(columnar.Schema{
			{Name: "list", Type: columnar.TextList}, {Name: "n", Type: columnar.Int}, {Name: "text", Type: columnar.Text},
		})
		single.AppendGather(rows, []int32{int32(lo)})
		if got := columnar.HashRows(nil, single.Cols, 1); got[0] != whole[lo] {
			t.Fatalf("row %d alone hashes to %x, want %x", lo, got[0], whole[lo])
		}
	}
}

// The hash of a list depends on the boundaries between its values.
func TestHashOfListsTellsBoundaries(t *testing.T) {
	v := columnar.NewVector(columnar.TextList)
	for _, list := range [][]string{{"ab"}, {"a", "b"}, {"", "ab"}, {}, {""}} {
		for _, item := range list {
			v.Child.AppendBytes([]byte(item))
		}
		v.EndList()
	}
	seen := make(map[uint64]int)
	for i, h := range columnar.HashRows(nil, []*columnar.Vector{v}, v.Len) {
		if j, ok := seen[h]; ok {
			t.Errorf("lists %d and %d hash alike", j, i)
		}
		seen[h] = i
	}
}

func BenchmarkHashTexts(b *testing.B) {
	texts := columnar.NewVector(columnar.Text)
	for i := range 4096 {
		texts.AppendBytes(fmt.Appendf(nil, "id%d", i))
	}
	keys := []*columnar.Vector{texts, texts}
	var hashes []uint64
	for b.Loop() {
		hashes = columnar.HashRows(hashes, keys, texts.Len)
	}
}
