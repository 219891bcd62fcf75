package csv_test

import (
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// The cells that are neither empty nor words for null are given one after the other, wherever the others stand.
func TestFull(t *testing.T) {
	for _, text := range []string{"", ",", "a,b", ",a,,bc,", "a,,,", strings.Repeat("x,,", 100), "none,a,nono,none", "none"} {
		cells := strings.Split(text, ",")
		var c, full csv.Column
		data := append([]byte(text+","), make([]byte, number.Behind)...)
		pairs, end := c.Pairs(data[:len(text)+1], len(cells)), int32(-1)
		var want []string
		var places []int32
		for i, cell := range cells {
			pairs[2*i], pairs[2*i+1] = end, end+1+int32(len(cell))
			if end = pairs[2*i+1]; cell != "" && cell != "none" {
				want, places = append(want, cell), append(places, int32(i))
			}
		}
		at, empty := c.Full(&full, len(cells), nil, func(cell []byte) bool { return string(cell) == "none" })
		var got []string
		for i := range at {
			got = append(got, string(full.Cell(i)))
		}
		if !slices.Equal(got, want) || !slices.Equal(at, places) || empty != slices.Contains(cells, "") {
			t.Errorf("%q: %q at %v instead of %q at %v; some are empty: %v", text, got, at, want, places, empty)
		}
	}
}
