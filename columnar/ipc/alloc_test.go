//go:build !race

package ipc

import (
	"math/rand/v2"
	"testing"

	"analyzer/columnar/rowtest"
)

// The race detector's code allocates where slices grow.
func TestEncodingAllocatesNothing(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 1000, 1)
	dst := make([]byte, 0, 2*len(encode(t, everyType, rows)))
	n := testing.AllocsPerRun(20, func() {
		if _, err := Append(dst[:0], everyType, rows); err != nil {
			t.Fatal(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
