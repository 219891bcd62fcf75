package number

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseDecimal(t *testing.T) {
	for _, test := range []struct {
		cell string
		want int64
		ok   bool
	}{
		{"4.5", 4_500_000, true},
		{"4.0", 4_000_000, true},
		{"0", 0, true},
		{"-0.0", 0, true},
		{"30000000", 30_000_000_000_000, true},
		{"373554033.0", 373_554_033_000_000, true},
		{".5", 500_000, true},
		{"5.", 5_000_000, true},
		{" -4.5\r\n", -4_500_000, true},
		{"+4.5", 4_500_000, true},
		{"1e-3", 1_000, true},
		{"1E+5", 100_000_000_000, true},
		{"12.5e1", 125_000_000, true},
		{"0.000001", 1, true},
		{"0.0000005", 0, true},
		{"0.0000015", 2, true},
		{"0.0000025", 2, true},
		{"0.00000250000000000000000000000000000000000001", 3, true},
		{"0.0000004999999999999999999999999999999999999", 0, true},
		{"-0.0000015", -2, true},
		{"5e-7", 0, true},
		{"15e-7", 2, true},
		{"6e-7", 1, true},
		{"6e-8", 0, true},
		{"9.9999995", 10_000_000, true},
		{"9223372036854.775807", math.MaxInt64, true},
		{"9223372036854.7758075", 0, false},
		{"9223372036854.77580749", math.MaxInt64, true},
		{"9223372036854.775808", 0, false},
		{"-9223372036854.775808", math.MinInt64, true},
		{"-9223372036854.7758085", math.MinInt64, true},
		{"-9223372036854.77580851", 0, false},
		{"1e13", 0, false},
		{"9223372036854", 9_223_372_036_854_000_000, true},
		{"9223372036855", 0, false},
		{"9999999999999", 0, false},
		{"999999999999.999999", 999_999_999_999_999_999, true},
		{"1e9223372036854775808", 0, false},
		{"1e18446744073709551616", 0, false},
		{"1e-18446744073709551616", 0, true},
		{"18446744073709.551616", 0, false},
		{"1e999999999999999999999999", 0, false},
		{"0e999999999999999999999999", 0, true},
		{"1e-999999999999999999999999", 0, true},
		{"0." + strings.Repeat("0", 400) + "1e401", 1_000_000, true},
		{"1" + strings.Repeat("0", 400) + "e-400", 1_000_000, true},
		{strings.Repeat("0", 400) + "1", 1_000_000, true},
		{"", 0, false},
		{" ", 0, false},
		{".", 0, false},
		{"-", 0, false},
		{"-.", 0, false},
		{"e5", 0, false},
		{".e5", 0, false},
		{"1e", 0, false},
		{"1e+", 0, false},
		{"1e5.0", 0, false},
		{"1.2.3", 0, false},
		{"1,5", 0, false},
		{"a.5", 0, false},
		{"5.a", 0, false},
		{"--1", 0, false},
		{"1 2", 0, false},
		{"1_0", 0, false},
		{"nan", 0, false},
		{"inf", 0, false},
		{"-Infinity", 0, false},
		{"0x1p3", 0, false},
		{"/rj.jpg", 0, false},
	} {
		got, ok := ParseDecimal([]byte(test.cell))
		if ok != test.ok || ok && got != test.want {
			t.Errorf("ParseDecimal(%q) = %d, %v; want %d, %v", test.cell, got, ok, test.want, test.ok)
		}
	}
}

var decimalForm = regexp.MustCompile(`^[ \t\n\v\f\r]*(([-+]?)([0-9]*)(\.([0-9]*))?([eE]([-+]?[0-9]+))?)[ \t\n\v\f\r]*$`)

// refParseDecimal computes with math/big.
func refParseDecimal(cell string) (int64, bool) {
	m := decimalForm.FindStringSubmatch(cell)
	if m == nil || m[3]+m[5] == "" {
		return 0, false
	}
	mantissa, _ := new(big.Int).SetString(m[2]+m[3]+m[5], 10)
	exponent := int64(0)
	if m[7] != "" {
		exponent, _ = strconv.ParseInt(m[7], 10, 64) // saturates
	}
	switch {
	case mantissa.Sign() == 0:
		return 0, true
	case exponent > int64(len(cell))+20:
		return 0, false
	case exponent < -int64(len(cell))-20:
		return 0, true
	}
	exponent += Scale - int64(len(m[5]))
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(exponent, -exponent)), nil)
	v := new(big.Rat).SetInt(mantissa)
	if exponent < 0 {
		v.Quo(v, new(big.Rat).SetInt(power))
	} else {
		v.Mul(v, new(big.Rat).SetInt(power))
	}
	rounded := roundHalfEven(v)
	return rounded.Int64(), rounded.IsInt64()
}

// roundHalfEven is the whole number nearest to v.
func roundHalfEven(v *big.Rat) *big.Int {
	floor := new(big.Int).Div(v.Num(), v.Denom()) // Euclidean, so floor for a positive divisor
	rest := new(big.Rat).Sub(v, new(big.Rat).SetInt(floor))
	half := rest.Cmp(big.NewRat(1, 2))
	if half > 0 || half == 0 && floor.Bit(0) == 1 {
		floor.Add(floor, big.NewInt(1))
	}
	return floor
}

func compareDecimal(t rapid.TB, cell string) {
	t.Helper()
	want, wantOK := refParseDecimal(cell)
	for _, bytes := range [][]byte{within(cell, ""), within(cell, "1"), within(cell, ".2345678")} {
		if got, ok := ParseDecimal(bytes); ok != wantOK || ok && got != want {
			t.Fatalf("ParseDecimal(%q) = %d, %v; want %d, %v", cell, got, ok, want, wantOK)
		}
	}
}

func TestParseDecimalAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.StringMatching(`[ ]?[-+]?[0-9]{0,14}`).Draw(t, "whole")
		fraction := rapid.StringMatching(`(\.[0-9]{0,6}([05]|[0-9]{0,6}))?`).Draw(t, "fraction")
		exponent := rapid.StringMatching(`([eE][-+]?[0-9]{1,2})?`).Draw(t, "exponent")
		compareDecimal(t, whole+fraction)
		compareDecimal(t, whole+fraction+exponent)
		compareDecimal(t, whole+fraction+rapid.StringMatching(`[0-9 .e+-]{0,3}`).Draw(t, "tail"))
	})
}

// Every byte in every place of numbers with a point, or with none.
func TestParseDecimalOneOddByte(t *testing.T) {
	for n := 1; n <= 18; n++ {
		for point := range n + 1 {
			for i := range n {
				for _, c := range []byte("0.-+e /:\x00\xb1") {
					cell := []byte("9876543210123456789"[:n])
					if point < n {
						cell[point] = '.'
					}
					cell[i] = c
					compareDecimal(t, string(cell))
				}
			}
		}
	}
}

// Numbers half-way between two scaled integers, and next to there.
func TestParseDecimalTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "scaled") >> rapid.IntRange(0, 60).Draw(t, "shift")
		text := new(big.Rat).SetFrac(big.NewInt(v), big.NewInt(One)).FloatString(Scale)
		for _, tail := range []string{"", "5", "50", "500000000000000000000001", "4999999999999999999999999"} {
			compareDecimal(t, text+tail)
		}
	})
}

func FuzzParseDecimal(f *testing.F) {
	for _, cell := range []string{"4.5", "30000000", "373554033.0", "-1e-3", "0.0000025", "9223372036854.7758075", "1e13", "nan", "1e999"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) { compareDecimal(t, cell) })
}
