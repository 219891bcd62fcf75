package number

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestParseFloatIsNearest(t *testing.T) {
	check := func(t rapid.TB, cell string) {
		want, err := strconv.ParseFloat(cell, 64)
		for _, bytes := range [][]byte{within(cell, ""), within(cell, ".2345678")} {
			if got, ok := ParseFloat(bytes); ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q is %g, %v, want %g, %v", cell, got, ok, want, err)
			}
		}
	}
	for _, cell := range []string{
		"", "-", "+", ".", "-.", "5.", ".5", "-.5", "+5", "5..", ".5.", "1.2.3", "-0", "0.0", "--1", "1-", "9007199254740992",
		"9007199254740993", "900719925474099.3", "0.9007199254740993", "00000000000000000000001", "0.000000000000000001",
		"49.123456", "1e5", "1e-7", "1e400", "123456789012345678", "1234567890123456789", "12345678901234567.89",
	} {
		check(t, cell)
	}
	cells := rapid.StringMatching(`[-+]?[0-9]{0,12}\.?[0-9]{0,10}(e-?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) { check(t, cells.Draw(t, "cell")) })
}

func TestParseFloatCell(t *testing.T) {
	for cell, want := range map[string]float64{"1.5D+00": 1.5, "-.25d-02": -0.0025, "3.D+01": 30, "1.5": 1.5, "-inf": math.Inf(-1)} {
		if got, ok := ParseFloatCell([]byte(cell)); !ok || got != want {
			t.Errorf("%q is %g, %v", cell, got, ok)
		}
	}
	for _, cell := range []string{"1D5", "1.5D5", "1D+05", "D+05", "1.5D+", "1.5D", "1.5DD+01", "1.5D+01D+01"} {
		if got, ok := ParseFloatCell([]byte(cell)); ok {
			t.Errorf("%q is %g", cell, got)
		}
	}
}
