package number

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

func TestParseBool(t *testing.T) {
	for _, test := range []struct {
		cell      string
		value, ok bool
	}{
		{"True", true, true},
		{"False", false, true},
		{"TRUE", true, true},
		{"fAlSe", false, true},
		{" true\n", true, true},
		{"1", true, true},
		{"0", false, true},
		{" 0 ", false, true},
		{"", false, false},
		{"t", false, false},
		{"yes", false, false},
		{"01", false, false},
		{"1.0", false, false},
		{"tru", false, false},
		{"truee", false, false},
		{"falſe", false, false},
		{"\x14rue", false, false},
	} {
		if value, ok := ParseBool([]byte(test.cell)); value != test.value || ok != test.ok {
			t.Errorf("ParseBool(%q) = %v, %v; want %v, %v", test.cell, value, ok, test.value, test.ok)
		}
	}
}

func TestYear(t *testing.T) {
	for _, test := range []struct {
		cell string
		want int64
		ok   bool
	}{
		{"1980*", 1980, true},
		{"2004-?", 2004, true},
		{"197?", 0, false},
		{"Oct 21, 2008", 2008, true},
		{"12345 1999", 1999, true},
		{"1999 12345", 1999, true},
		{"1995-10-30", 1995, true},
		{"10/30/1995", 1995, true},
		{"1996", 1996, true},
		{"0042", 42, true},
		{"1996 1997", 1996, true},
		{"19960101", 0, false},
		{"12-345-67", 0, false},
		{"", 0, false},
		{"１９９６", 0, false},
	} {
		if got, ok := Year([]byte(test.cell)); got != test.want || ok != test.ok {
			t.Errorf("Year(%q) = %d, %v; want %d, %v", test.cell, got, ok, test.want, test.ok)
		}
	}
}

func TestIsDate(t *testing.T) {
	for cell, want := range map[string]bool{
		"1995-10-30":  true,
		"0000-99-99":  true,
		"1995-1-30":   false,
		"10/30/1995":  false,
		"1995-10-30 ": false,
		" 1995-10-30": false,
		"1995-10-3a":  false,
		"1995010-30":  false,
		"1995-10030":  false,
		"-995-10-30":  false,
		"":            false,
	} {
		if got := IsDate([]byte(cell)); got != want {
			t.Errorf("IsDate(%q) = %v", cell, got)
		}
	}
}

var (
	digitRuns = regexp.MustCompile(`[0-9]+`)
	dateForm  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// FuzzCell compares the parsers of short forms with strings and regexp.
func FuzzCell(f *testing.F) {
	for _, cell := range []string{"True", " false", "1", "1980*", "Oct 21, 2008", "12345 1999", "1995-10-30", "197?"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		trimmed := strings.Trim(cell, " \t\n\v\f\r")
		lower := strings.Map(func(r rune) rune {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}, trimmed)
		isTrue, isFalse := lower == "true" || lower == "1", lower == "false" || lower == "0"
		if value, ok := ParseBool([]byte(cell)); value != isTrue || ok != (isTrue || isFalse) {
			t.Errorf("ParseBool(%q) = %v, %v", cell, value, ok)
		}
		wantYear, wantOK := int64(0), false
		for _, run := range digitRuns.FindAllString(cell, -1) {
			if len(run) == 4 && !wantOK {
				wantYear, _ = strconv.ParseInt(run, 10, 64)
				wantOK = true
			}
		}
		if year, ok := Year([]byte(cell)); year != wantYear || ok != wantOK {
			t.Errorf("Year(%q) = %d, %v; want %d, %v", cell, year, ok, wantYear, wantOK)
		}
		if got, want := IsDate([]byte(cell)), dateForm.MatchString(cell); got != want {
			t.Errorf("IsDate(%q) = %v", cell, got)
		}
	})
}

func TestNoAllocation(t *testing.T) {
	cells := [][]byte{[]byte("862.0"), []byte(" -1.23456789e-2 "), []byte("True"), []byte("Oct 21, 2008"), []byte("x")}
	var sum Int128
	var floats, other FloatSum
	allocs := testing.AllocsPerRun(100, func() {
		for _, cell := range cells {
			ParseInt(cell)
			ParseBool(cell)
			Year(cell)
			IsDate(cell)
			v, _ := ParseDecimal(cell)
			sum = sum.Add(decimal128.FromI64(v))
			other.Add(float64(v))
		}
		floats.AddSum(&other)
		if Mean(sum, 3, One) == 0 || floats.Float64() == 0 {
			t.Error("nothing was added")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a run", allocs)
	}
}
