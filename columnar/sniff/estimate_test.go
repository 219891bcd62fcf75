package sniff_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
)

// TestEstimate holds that the beginning of a file tells about how many rows and distinct values it has:
// keys that are unique, those that refer to others at random or in the order of the file, words, those that
// come in turn, so that the beginning has each once, and days, of which the beginning has one.
func TestEstimate(t *testing.T) {
	const rows, keys, perOrder, inTurn, perDay = 60_000, 5000, 5, 3000, 2200
	random := rand.New(rand.NewPCG(1, 2))
	var csv, json strings.Builder
	csv.WriteString("id,part,order_id,word,turn,day,none\n")
	order, left := 0, 1
	for i := range rows {
		if left--; left == 0 {
			order, left = order+1, 1+random.IntN(2*perOrder-1)
		}
		part, word := random.IntN(keys), random.IntN(7)
		fmt.Fprintf(&csv, "%d,%d,%d,w%d,%d,%d,\n", i, part, order, word, i%inTurn, i/perDay)
		fmt.Fprintf(&json, `{"id":%d,"part":%d,"order_id":%d,"word":"w%d","turn":%d,"day":%d}`+"\n", i, part, order, word, i%inTurn, i/perDay)
	}
	want := map[string]float64{"id": rows, "part": keys, "order_id": rows / perOrder, "word": 7, "turn": inTurn, "day": rows / perDay}
	near := func(got, want float64) bool { return got > want/1.3 && got < want*1.3 }
	for format, text := range map[string]string{"CSV": csv.String(), "JSON": json.String()} {
		open := opener(t, text)
		look := func(given sniff.Given) *sniff.File {
			f, err := sniff.Look(context.Background(), func() (vfs.File, error) { return open(0) }, given)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		got, values := look(sniff.Given{Count: true}).Estimate(int64(len(text)))
		if !near(got, rows) || len(values) != len(want) {
			t.Errorf("%s: %v rows, and values of %v", format, got, values)
		}
		for name, n := range want {
			if !near(values[name], n) {
				t.Errorf("%s: %s has %v values, want %v", format, name, values[name], n)
			}
		}
		if got, values := look(sniff.Given{}).Estimate(int64(len(text))); got != 0 || values != nil {
			t.Errorf("%s: nobody has counted, and there are %v rows, values %v", format, got, values)
		}
	}
}

// A file that says how many rows it has is believed.
func TestEstimateOfParquet(t *testing.T) {
	fs := vfs.OS()
	size, err := fs.Size("../parquet/testdata/v1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sniff.Look(context.Background(), func() (vfs.File, error) { return fs.Open("../parquet/testdata/v1.parquet") }, sniff.Given{})
	if err != nil {
		t.Fatal(err)
	}
	if rows, _ := f.Estimate(2 * size); rows != 2*600 {
		t.Errorf("two files of 600 rows have %v", rows)
	}
}
