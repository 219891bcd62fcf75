package number

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fits128 reports whether v is the value of an Int128.
func fits128(v *big.Int) bool {
	limit := new(big.Int).Lsh(big.NewInt(1), 127)
	return v.CmpAbs(limit) < 0 || v.Sign() < 0 && v.CmpAbs(limit) == 0
}

// halfAway is the whole number nearest to n/d, ties away from zero.
func halfAway(n, d *big.Int) *big.Int {
	twice := new(big.Int).Lsh(new(big.Int).Abs(n), 1)
	q := new(big.Int).Quo(twice.Add(twice, d), new(big.Int).Lsh(d, 1))
	if n.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func TestArithmeticOfInt128AgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := sums().Draw(t, "a"), sums().Draw(t, "b")
		if shift := rapid.UintRange(0, 127).Draw(t, "shift"); rapid.Bool().Draw(t, "small") {
			b = sumOf(new(big.Int).Rsh(BigInt(b), shift))
		}
		x, y := BigInt(a), BigInt(b)
		same := func(what string, got Int128, ok bool, want *big.Int) {
			if ok != fits128(want) || ok && BigInt(got).Cmp(want) != 0 {
				t.Fatalf("%v %s %v is %v, %v; want %v", x, what, y, BigInt(got), ok, want)
			}
		}
		n, ok := Add128(a, b)
		same("+", n, ok, new(big.Int).Add(x, y))
		n, ok = Sub128(a, b)
		same("-", n, ok, new(big.Int).Sub(x, y))
		n, ok = Mul128(a, b)
		same("*", n, ok, new(big.Int).Mul(x, y))
		if y.Sign() == 0 {
			return
		}
		q, r, ok := QuoRem128(a, b)
		wantQ, wantR := new(big.Int).QuoRem(x, y, new(big.Int))
		same("/", q, ok, wantQ)
		same("%", r, true, wantR)
		if y.Sign() > 0 {
			n, ok = RoundTo128(a, b)
			same("rounded by", n, ok, halfAway(x, y))
		}
		p, places := rapid.IntRange(0, MaxPlaces).Draw(t, "p"), rapid.IntRange(0, MaxPlaces).Draw(t, "q")
		power := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
		want := new(big.Int).Mul(x, power(max(places-p, 0)))
		n, ok = Rescale128(a, p, places)
		same("rescaled", n, ok, halfAway(want, power(max(p-places, 0))))
		left, right := new(big.Int).Mul(x, power(places)), new(big.Int).Mul(y, power(p))
		if got, want := Compare128(a, p, b, places), left.Cmp(right); got != want {
			t.Fatalf("%v/10^%d against %v/10^%d: %d, want %d", x, p, y, places, got, want)
		}
	})
}

func TestTextsOfInt128AgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, places := sums().Draw(t, "n"), rapid.IntRange(0, MaxPlaces).Draw(t, "places")
		text := AppendScaled([]byte("x"), n, places)[1:]
		want := new(big.Rat).SetFrac(BigInt(n), BigInt(Power128(places)))
		printed := want.FloatString(places)
		if places > 0 {
			printed = strings.TrimSuffix(strings.TrimRight(printed, "0"), ".")
		}
		if string(text) != printed {
			t.Fatalf("%s prints as %s", printed, text)
		}
		if back, ok := Parse128(text, places); !ok || back != n {
			t.Fatalf("%s reads as %v, %v", text, BigInt(back), ok)
		}
		if f, _ := want.Float64(); Float128(n, places) != f {
			t.Fatalf("%s is the float %v, want %v", text, Float128(n, places), f)
		}
	})
}

func TestParse128(t *testing.T) {
	for text, want := range map[string]string{
		"170141183460469231731687303715884105727": "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728": "-170141183460469231731687303715884105728",
		"170141183460469231731687303715884105728": "", "1e38": "100000000000000000000000000000000000000", "1e39": "", "2.5": "3", "-2.5": "-3", "0.4": "0",
		"1e-99999": "0", "x": "", "": "", " 7 ": "7", "9999999999999999999999999999999999999999e-2": "100000000000000000000000000000000000000",
		"18446744073709551615.5": "18446744073709551616",
	} {
		n, ok := Parse128([]byte(text), 0)
		if ok != (want != "") || ok && BigInt(n).String() != want {
			t.Errorf("%q: %v, %v", text, BigInt(n), ok)
		}
	}
}

func TestWhole128(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", -1: "-1", 0x1p64: "18446744073709551616", 0x1p126: "85070591730234615865843651857942052864", -0x1p127: "-170141183460469231731687303715884105728",
		0x1p127: "", math.Inf(1): "", 1e20: "100000000000000000000", math.MaxFloat64: "",
	} {
		n, ok := Whole128(f)
		if ok != (want != "") || ok && BigInt(n).String() != want {
			t.Errorf("%v: %v, %v", f, BigInt(n), ok)
		}
	}
	if _, ok := Whole128(math.NaN()); ok {
		t.Error("NaN is a whole number")
	}
}

// TestShortDecimals reads short numbers as all others are read, and refuses what no number is.
func TestShortDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := []byte(rapid.StringMatching(`-?[0-9]{0,12}[.]?[0-9]{0,12}[-. e0]?[0-9]?`).Draw(t, "cell"))
		places := rapid.IntRange(0, MaxPlaces).Draw(t, "places")
		got, ok := Parse128(cell, places)
		if want, fits := any128(cell, places); ok != fits || ok && got != want {
			t.Fatalf("%q with %d places is %v, %v; want %v, %v", cell, places, got, ok, want, fits)
		}
	})
}
