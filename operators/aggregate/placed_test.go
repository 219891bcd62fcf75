package aggregate

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/rowtest"
)

// TestGroupsOfPlaces finds the groups of batches of numbers, which drift, are null or lie at the ends, beside numbers of
// dictionaries, of which two may have the same places, and compares them with those of a map.
func TestGroupsOfPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		held := budget.New(0).Reserve("test")
		defer held.Release()
		c := codes{mem: &memory{reserved: held}}
		dictionary, second := columnar.NewVector(columnar.Int), columnar.NewVector(columnar.Text)
		for i := range 5 {
			dictionary.AppendInt(int64(i))
			second.AppendBytes([]byte{'a' + byte(i)})
		}
		groups := make(map[string]uint32)
		base := rapid.OneOf(rapid.Int64Range(-5, 5), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64 - 90})).Draw(t, "base")
		taken := 0
		for range rapid.IntRange(1, 12).Draw(t, "batches") {
			numbers, rows := columnar.NewVector(columnar.Int), rapid.IntRange(1, 40).Draw(t, "rows")
			base = max(base, base+rapid.SampledFrom([]int64{0, 0, 7, 1000, 1 << 40}).Draw(t, "drift"))
			nulls := rapid.IntRange(0, 3).Draw(t, "nulls")
			places, others := make([]int32, rows), make([]int32, rows)
			for i := range rows {
				if places[i] = int32(rapid.IntRange(0, 4).Draw(t, "place")); nulls > 0 && i%4 < nulls {
					numbers.AppendNull()
				} else {
					numbers.AppendInt(max(base, base+rapid.Int64Range(0, 80).Draw(t, "number")))
				}
			}
			if copy(others, places); rapid.Bool().Draw(t, "other places") {
				others[rapid.IntRange(0, rows-1).Draw(t, "row")] = 3
			}
			keys := []*columnar.Vector{
				{Type: columnar.Int, Len: rows, Dictionary: dictionary, Places: places},
				numbers,
				{Type: columnar.Text, Len: rows, Dictionary: second, Places: others},
			}
			if !c.begin(keys, rows) {
				c.forget()
				continue
			}
			taken++
			unknown, n := c.unknown(keys)
			var found []uint32
			for i := range n {
				key := rowtest.Line(columnar.Rows{Len: n, Cols: unknown}, i)
				if _, ok := groups[key]; !ok {
					groups[key] = uint32(len(groups))
				}
				found = append(found, groups[key])
			}
			for i, got := range c.find(found, rows) {
				key := rowtest.Line(columnar.Rows{Len: rows, Cols: []*columnar.Vector{dictionary.Slice(int(places[i]), int(places[i])+1), numbers.Slice(i, i+1), second.Slice(int(others[i]), int(others[i])+1)}}, 0)
				if want, ok := groups[key]; !ok || got != want {
					t.Fatalf("row %d, %s, has group %d, want %d", i, key, got, want)
				}
			}
		}
		if taken == 0 {
			t.Fatal(fmt.Sprint("no batch was taken, from ", base))
		}
	})
}
