package columnar_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

var everyType = rowtest.EveryType()

// Rows are the same after any way through slices and gathers.
func TestRowsSurviveEveryCopy(t *testing.T) {
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
		some, single := columnar.NewRows(everyType), columnar.NewRows(everyType)
		sel = slices.DeleteFunc(sel, func(int32) bool { return rng.IntN(4) == 0 })
		some.AppendGather(rows, sel)
		for _, i := range sel {
			single.AppendGather(rows, []int32{i})
		}
		if rowtest.Text(some) != rowtest.Text(single) {
			t.Fatalf("seed %d: rows %v are\n%s\nwant\n%s", seed, sel, rowtest.Text(some), rowtest.Text(single))
		}
		for what, got := range map[string]columnar.Rows{"slice": part, "gather": gathered} {
			if rowtest.Text(got) != rowtest.Text(want) {
				t.Fatalf("seed %d: %s gives\n%s\nwant\n%s", seed, what, rowtest.Text(got), rowtest.Text(want))
			}
		}
	}
}

// What Reset leaves can be appended to as if it were new.
func TestResetForgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rows := rowtest.Random(rng, everyType, 30, 1)
	again := rowtest.Random(rng, everyType, 20, 1)
	rows.Reset()
	rows.AppendRange(again, 0, again.Len)
	if rowtest.Text(rows) != rowtest.Text(again) {
		t.Errorf("after Reset\n%s\nwant\n%s", rowtest.Text(rows), rowtest.Text(again))
	}
}

// TestCode codes values by their positions, once and again, and looks at parts of them.
func TestCode(t *testing.T) {
	texts := columnar.NewVector(columnar.Text)
	for _, s := range []string{"a", "b", "c"} {
		texts.AppendBytes([]byte(s))
	}
	texts.Valid = []bool{true, false, true}
	var once, twice, part columnar.Vector
	for range 2 { // with the memory of before
		once.Code(texts, []int32{2, 1, 0, 2})
		twice.Code(&once, []int32{3, 1})
	}
	part.View(&once, 1, 3)
	for _, tt := range []struct {
		v    *columnar.Vector
		want string
	}{{&once, "c null a c"}, {&twice, "c null"}, {&part, "null a"}} {
		var got []string
		for i := range tt.v.Len {
			if tt.v.Dictionary != texts {
				t.Fatal("the values were copied")
			}
			if tt.v.IsNull(i) {
				got = append(got, "null")
			} else {
				got = append(got, string(tt.v.Dictionary.Bytes(int(tt.v.Places[i]))))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Parts of texts of all lengths are those of bytes.Split.
func TestAppendParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		got, want := columnar.NewVector(columnar.Text), columnar.NewVector(columnar.Text)
		if rng.IntN(2) == 0 {
			got.AppendNull()
			want.AppendNull()
		}
		for range rng.IntN(4) {
			text := make([]byte, rng.IntN(40))
			for i := range text {
				text[i] = ",a\x2d\xac\x2b"[rng.IntN(5)] // bytes beside and above the separator
			}
			got.AppendParts(text, ',')
			for _, part := range bytes.Split(text, []byte(",")) {
				want.AppendBytes(part)
			}
		}
		if got.Len != want.Len || !bytes.Equal(got.Data, want.Data) || !slices.Equal(got.Offsets, want.Offsets) || !slices.Equal(got.Valid, want.Valid) {
			t.Fatalf("%d parts, not %d: %q, not %q", got.Len, want.Len, got.Data, want.Data)
		}
	}
}

// TestLend borrows a long text that comes first, and changes none that was borrowed.
func TestLend(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 2<<20)
	v := columnar.NewVector(columnar.Text)
	v.Lend(long)
	if &v.Bytes(0)[0] != &long[0] {
		t.Error("a long text is copied")
	}
	v.Lend([]byte("y"))
	if v.Len != 2 || !bytes.Equal(v.Bytes(0), long) || string(v.Bytes(1)) != "y" {
		t.Errorf("%d values of %d bytes", v.Len, len(v.Data))
	}
	v.Reset()
	v.Lend(long)
	v.Reset()
	v.Lend([]byte("z"))
	if v.Len != 1 || string(v.Bytes(0)) != "z" || long[0] != 'x' {
		t.Error("a text that was borrowed is changed")
	}
}
