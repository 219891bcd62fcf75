package csv

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"analyzer/columnar"
)

// TestRuns compares large blocks, of records of equal numbers of fields but for a few, with small ones.
func TestRuns(t *testing.T) {
	unlike := []string{"# none", "", "1", "1,2", "1,2,3,4", ",,,,,,", "\"x\ny\",2,3", "1,2,\"3"}
	seeds := uint64(40)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		var data bytes.Buffer
		end := []string{"\n", "\r\n", "\r"}[rng.IntN(3)]
		kinds := 1 + rng.IntN(len(unlike))
		for i := range 2000 {
			if rng.IntN([]int{2, 100, 300}[seed%3]) == 0 {
				data.WriteString(unlike[rng.IntN(kinds)] + end)
			} else {
				fmt.Fprintf(&data, "%d,b,%d%s", i, rng.IntN(1000), end)
			}
		}
		opts := Options{Dialect: columnar.Dialect{Headless: true, Pad: 4 * rng.IntN(2)}}
		if rng.IntN(2) == 0 {
			opts.Comment = "#"
		}
		var read [2][]refRecord
		for i, size := range []int{1 << 20, 50} {
			opts.BlockSize = size
			_, blocks, err := readAll(newFile(data.Bytes()), opts, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, records := range blocks {
				read[i] = append(read[i], records...)
			}
		}
		if len(read[0]) < 100 || !reflect.DeepEqual(read[0], read[1]) {
			t.Fatalf("seed %d: %d and %d records", seed, len(read[0]), len(read[1]))
		}
	}
}
