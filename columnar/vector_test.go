package columnar_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

var everyType = rowtest.EveryType()

func text(rows columnar.Rows) string {
	var out string
	for _, v := range rows.Cols {
		for i := range rows.Len {
			out += value(v, i) + ","
		}
		out += "\n"
	}
	return out
}

func value(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "null"
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		return fmt.Sprint(v.Bools[i])
	case columnar.KindInt64:
		return fmt.Sprint(v.Ints[i])
	case columnar.KindFloat64:
		return fmt.Sprint(v.Floats[i])
	case columnar.KindInt128:
		return v.Wides[i].BigInt().String()
	case columnar.KindBytes:
		return fmt.Sprintf("%q", v.Bytes(i))
	}
	out := "["
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		out += value(v.Child, int(j)) + " "
	}
	return out + "]"
}

// Rows are the same after any way through slices, gathers and Arrow batches.
func TestRowsSurviveEveryCopy(t *testing.T) {
	alloc := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer alloc.AssertSize(t, 0)
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := rowtest.Random(rng, everyType, rng.IntN(40), 1)
		lo := rng.IntN(rows.Len + 1)
		hi := lo + rng.IntN(rows.Len-lo+1)
		want := columnar.NewRows(everyType)
		var sel []int32
		for i := lo; i < hi; i++ {
			want.AppendRange(rows, i, i+1)
			sel = append(sel, int32(i))
		}
		gathered := columnar.NewRows(everyType)
		gathered.AppendGather(rows, sel)
		part := rows.Slice(lo, hi)
		for what, got := range map[string]columnar.Rows{"slice": part, "gather": gathered} {
			if text(got) != text(want) {
				t.Fatalf("seed %d: %s gives\n%s\nwant\n%s", seed, what, text(got), text(want))
			}
		}
		b := columnar.Batch(alloc, everyType.Arrow(), part.Cols, part.Len)
		if got := columnar.View(everyType, b); text(got) != text(want) {
			t.Fatalf("seed %d: a batch gives\n%s\nwant\n%s", seed, text(got), text(want))
		}
		inner := b.NewSlice(0, b.NumRows()/2)
		if got, half := columnar.View(everyType, inner), want.Slice(0, want.Len/2); text(got) != text(half) {
			t.Fatalf("seed %d: a slice of a batch gives\n%s\nwant\n%s", seed, text(got), text(half))
		}
		inner.Release()
		b.Release()
	}
}

// What Reset leaves can be appended to as if it were new.
func TestResetForgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rows := rowtest.Random(rng, everyType, 30, 1)
	again := rowtest.Random(rng, everyType, 20, 1)
	rows.Reset()
	rows.AppendRange(again, 0, again.Len)
	if text(rows) != text(again) {
		t.Errorf("after Reset\n%s\nwant\n%s", text(rows), text(again))
	}
}

// A batch without columns keeps its number of rows.
func TestBatchWithoutColumns(t *testing.T) {
	b := columnar.Batch(memory.DefaultAllocator, columnar.Schema{}.Arrow(), nil, 7)
	defer b.Release()
	if b.NumRows() != 7 {
		t.Errorf("%d rows, want 7", b.NumRows())
	}
}
