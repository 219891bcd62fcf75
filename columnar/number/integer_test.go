package number

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseInt(t *testing.T) {
	for _, test := range []struct {
		cell string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"7", 7, true},
		{"862", 862, true},
		{"12345678", 12345678, true},
		{"123456789", 123456789, true},
		{"00000042", 42, true},
		{"00000000000000000000000000042", 42, true},
		{"-5", -5, true},
		{"+5", 5, true},
		{"-0", 0, true},
		{" 17\t", 17, true},
		{"\r\n\v\f17", 17, true},
		{"862.0", 862, true},
		{"12.", 12, true},
		{"-12.000", -12, true},
		{"9223372036854775807", math.MaxInt64, true},
		{"9223372036854775807.0", math.MaxInt64, true},
		{"-9223372036854775808", math.MinInt64, true},
		{"9223372036854775808", 0, false},
		{"-9223372036854775809", 0, false},
		{"18446744073709551616", 0, false},
		{"99999999999999999999999", 0, false},
		{"", 0, false},
		{" ", 0, false},
		{"-", 0, false},
		{"--1", 0, false},
		{".", 0, false},
		{".0", 0, false},
		{"1.5", 0, false},
		{"1.0.0", 0, false},
		{"1e3", 0, false},
		{"1_000", 0, false},
		{"1 2", 0, false},
		{"- 1", 0, false},
		{"0x10", 0, false},
		{"1/2", 0, false},
		{"1:2", 0, false},
		{"1\x00", 0, false},
		{"١٢", 0, false},
		{"1997-08-20", 0, false},
	} {
		got, ok := ParseInt([]byte(test.cell))
		if ok != test.ok || ok && got != test.want {
			t.Errorf("ParseInt(%q) = %d, %v; want %d, %v", test.cell, got, ok, test.want, test.ok)
		}
	}
}

// within is cell inside a larger buffer, whose other bytes must not matter.
func within(cell, behind string) []byte {
	buffer := []byte("9" + cell + behind)
	return buffer[1 : 1+len(cell)]
}

var intForm = regexp.MustCompile(`^[ \t\n\v\f\r]*([-+]?[0-9]+)(\.0*)?[ \t\n\v\f\r]*$`)

// refParseInt leaves the form to a regular expression and the rest to strconv.
func refParseInt(cell string) (int64, bool) {
	m := intForm.FindStringSubmatch(cell)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseInt(m[1], 10, 64)
	return v, err == nil
}

func compareInt(t rapid.TB, cell string) {
	t.Helper()
	want, wantOK := refParseInt(cell)
	for _, bytes := range [][]byte{[]byte(cell), within(cell, "12345678"), within(cell, "")} {
		if got, ok := ParseInt(bytes); ok != wantOK || ok && got != want {
			t.Fatalf("ParseInt(%q) = %d, %v; want %d, %v", cell, got, ok, want, wantOK)
		}
	}
}

func TestParseIntAgainstStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := strconv.FormatInt(rapid.Int64().Draw(t, "v")>>rapid.IntRange(0, 63).Draw(t, "shift"), 10)
		compareInt(t, digits)
		compareInt(t, " "+digits+".00 ")
		compareInt(t, digits+rapid.StringMatching(`[0-9 .+e-]{0,4}`).Draw(t, "tail"))
	})
}

// Every byte in every place of a short cell.
func TestParseIntOneOddByte(t *testing.T) {
	for n := 1; n <= 18; n++ {
		for i := range n {
			for c := range 256 {
				cell := []byte(strings.Repeat("9", n))
				cell[i] = byte(c)
				compareInt(t, string(cell))
			}
		}
	}
}

func FuzzParseInt(f *testing.F) {
	for _, cell := range []string{"862", "862.0", "-12.", " +7 ", "9223372036854775808", "1e3"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) { compareInt(t, cell) })
}
