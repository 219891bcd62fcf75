package columnar

import "testing"

// TestNamesOfDecimals reads what the types of wide decimals are called in plans, in lists and structs too.
func TestNamesOfDecimals(t *testing.T) {
	for name, want := range map[string]Type{
		"wide":                  Wide,
		"wide(38,6)":            Wide,
		"wide(30,10)":           DecimalOf(30, 10),
		"wide(1,0)":             DecimalOf(1, 0),
		"wide(38,38)list":       ListOf(DecimalOf(38, 38)),
		`struct("a" wide(5,5))`: StructOf(Field{Name: "a", Type: DecimalOf(5, 5)}),
		"wide(39,6)":            Invalid,
		"wide(5,6)":             Invalid,
		"wide(0,0)":             Invalid,
		"wide(5,-1)":            Invalid,
		"wide(5)":               Invalid,
		"wide(5,2":              Invalid,
		"wide(261,5)":           Invalid,
	} {
		var got Type
		if err := got.UnmarshalText([]byte(name)); got != want || (err == nil) != (want != Invalid) {
			t.Errorf("%s is %v, error %v", name, got, err)
		}
		if err := got.UnmarshalText([]byte(want.String())); want != Invalid && (got != want || err != nil) {
			t.Errorf("%s is %v, error %v", want, got, err)
		}
	}
	if d := DecimalOf(30, 10); d.SQL() != "DECIMAL(30,10)" || d.Digits() != 30 || d.Scale() != 10 || !d.IsWide() || d == Wide || d != DecimalOf(30, 10) {
		t.Errorf("%s has %d digits and %d places", d.SQL(), d.Digits(), d.Scale())
	}
	if ListOf(Wide).IsWide() || ListOf(Wide).Digits() != 0 || Decimal.IsWide() {
		t.Error("a list of decimals or a decimal of 64 bits is a wide decimal")
	}
}
