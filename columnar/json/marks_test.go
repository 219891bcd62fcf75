package json

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// All kernels make the marks that the definition asks for, of any length of data.
func TestMarks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.IntN(256))
			if rng.IntN(2) == 0 {
				data[i] = []byte("\"\\ \n\x1f !\x7f\x80")[rng.IntN(9)]
			}
		}
		kernel, portable := marks(nil).mark(data), make(marks, 7).markBy(data, markPortable)
		if !slices.Equal(kernel, portable) {
			t.Fatalf("%q: marks %x by the kernel, %x in Go", data, kernel, portable)
		}
		for i := range n + 1 {
			want := i
			for want < n && data[want] != '"' && data[want] != '\\' && data[want] >= ' ' {
				want++
			}
			if got := kernel.next(i); got != want && (want < n || got < n) {
				t.Fatalf("%q: the mark behind %d is at %d, not %d", data, i, got, want)
			}
		}
	}
}
