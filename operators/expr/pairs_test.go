package expr

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
)

// TestPairs makes pairs of random values, whose order and second values they keep.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	texts := []string{"", "a", "a\x00", "a\x00b", "a\x01", "\x00", "\x00\x00", "né", "b"}
	floats := []float64{math.Inf(-1), -1e300, -1, math.Copysign(0, -1), 0, 5e-324, 0.5, 1e9, math.Inf(1), math.NaN()}
	random := func(typ columnar.Type) *columnar.Vector {
		v := columnar.NewVector(typ)
		for range 60 {
			switch {
			case rng.IntN(12) == 0:
				v.AppendNull()
			case typ == columnar.Text:
				v.AppendBytes([]byte(texts[rng.IntN(len(texts))]))
			case typ == columnar.Float:
				v.AppendFloat(floats[rng.IntN(len(floats))])
			case typ == columnar.Wide:
				v.AppendWide(decimal128.New([]int64{math.MinInt64, -1, 0, 1 << 40}[rng.IntN(4)], []uint64{0, 1, math.MaxUint64}[rng.IntN(3)]))
			default:
				v.AppendInt([]int64{math.MinInt64, -1, 0, 1, 1 << 40, math.MaxInt64}[rng.IntN(6)])
			}
		}
		return v
	}
	order := func(v *columnar.Vector, i, j int) int {
		switch v.Type {
		case columnar.Text:
			return bytes.Compare(v.Bytes(i), v.Bytes(j))
		case columnar.Float:
			x, y := v.Floats[i], v.Floats[j]
			if x != x || y != y {
				return -cmp.Compare(x, y)
			}
			return cmp.Compare(x, y)
		case columnar.Wide:
			return v.Wides[i].Cmp(v.Wides[j])
		}
		return cmp.Compare(v.Ints[i], v.Ints[j])
	}
	for _, a := range paired {
		for n, b := range slices.Concat(pairedSecond, pairedSecond) {
			op, sign := OpPair, 1
			if n >= len(pairedSecond) {
				op, sign = OpPairDown, -1
			}
			s := columnar.Schema{{Name: "a", Type: a}, {Name: "b", Type: b}}
			first, second := random(a), random(b)
			eval := func(e *Expr) *columnar.Vector {
				ev, err := Compile(e, s, nil)
				if err != nil {
					t.Fatal(err)
				}
				v, err := ev.Eval([]*columnar.Vector{first, second}, first.Len)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			pair := eval(Call(op, Col("a"), Col("b")))
			back := eval(PairSecond(Call(op, Col("a"), Col("b")), b))
			for i := range first.Len {
				if null := first.IsNull(i) || second.IsNull(i); null || pair.IsNull(i) || back.IsNull(i) {
					if !null || !pair.IsNull(i) || !back.IsNull(i) {
						t.Fatalf("a pair of nulls is not null, or another one is")
					}
					continue
				}
				same := columnar.NewVector(b)
				same.AppendRange(second, i, i+1)
				same.AppendRange(back, i, i+1)
				if order(same, 0, 1) != 0 || !utf8.Valid(pair.Bytes(i)) {
					t.Fatalf("of a pair of %s and %s the second value changes", a, b)
				}
				_, held := CutPair(pair.Bytes(i))
				if AppendPaired(same, held); !columnar.Same(same, 1, same, 2) {
					t.Fatalf("what a pair of %s and %s holds is read as another value", a, b)
				}
				for j := range i {
					if pair.IsNull(j) {
						continue
					}
					if got, want := bytes.Compare(pair.Bytes(i), pair.Bytes(j)), cmp.Or(sign*order(first, i, j), order(second, i, j)); got != want {
						t.Fatalf("%ss %q and %q of %s and %s compare as %d, want %d", op, pair.Bytes(i), pair.Bytes(j), a, b, got, want)
					}
				}
			}
		}
	}
	for _, text := range []string{"", "x", "w", "t", "wabc", "tabc", "tabc\x00\x00", "W", "Tabc", "T~"} {
		if v, err := PairSecond(Str(text), columnar.Int).compute(nil); err == nil {
			t.Errorf("the second value of %q is %s", text, v)
		}
	}
}

// TestFloatPairs makes pairs of floats and takes them apart; the same ones have the same bits.
func TestFloatPairs(t *testing.T) {
	x, y := columnar.NewVector(columnar.Float), columnar.NewVector(columnar.Float)
	for _, f := range []float64{math.Inf(-1), -1e300, -1, math.Copysign(0, -1), 5e-324, 1e9, math.Float64frombits(0xFFF8_0000_0000_0007)} {
		x.AppendFloat(f)
		y.AppendFloat(-f)
	}
	x.AppendNull()
	y.AppendFloat(1)
	ev := mustCompile(t, Call(OpFloatPair, Col("x"), Col("y")), columnar.Schema{{Name: "x", Type: columnar.Float}, {Name: "y", Type: columnar.Float}})
	pairs, err := ev.Eval([]*columnar.Vector{x, y}, x.Len)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Len {
		if pairs.IsNull(i) != x.IsNull(i) {
			t.Fatalf("pair %d is null, or is not", i)
		}
		bits := func(f float64) uint64 {
			if math.IsNaN(f) {
				f = math.NaN()
			}
			return math.Float64bits(f + 0)
		}
		if a, b := PairFloats(pairs.Wides[i]); !pairs.IsNull(i) && (math.Float64bits(a) != bits(x.Floats[i]) || math.Float64bits(b) != bits(y.Floats[i])) {
			t.Errorf("a pair of %g and %g is of %g and %g", x.Floats[i], y.Floats[i], a, b)
		}
	}
}
