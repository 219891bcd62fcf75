package ipc

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// FuzzDecode checks that no bytes make Decode panic, allocate much or return rows that
// cannot be read.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, rows := range []int{0, 1, 20} {
		f.Add(encode(f, everyType, rowtest.Random(rng, everyType, rows, 2)), false)
		f.Add(encode(f, everyType, rowtest.Random(rng, everyType, rows, 0)), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, shift bool) {
		if shift {
			body = append(make([]byte, 1, len(body)+1), body...)[1:]
		}
		before := allocated()
		rows, err := Decode(everyType, body)
		limit := 1<<20 + 10*uint64(len(body)) // a copy, and a byte for each bit
		if grown := allocated() - before; grown > limit {
			t.Errorf("%d bytes were allocated for a body of %d", grown, len(body))
		}
		if err != nil {
			if !errors.Is(err, ErrMalformed) {
				t.Errorf("error %v", err)
			}
			return
		}
		if _, err := Append(nil, everyType, rows); err != nil {
			t.Errorf("encode what was decoded: %v", err)
		}
		columnar.HashRows(nil, rows.Cols, rows.Len)
	})
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// Any byte of a body may be any other.
func TestEveryFlippedByteIsSafe(t *testing.T) {
	body := encode(t, everyType, rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 20, 2))
	refused := 0
	for at := range body {
		for _, flip := range []byte{1, 0x80, 0xff} {
			body[at] ^= flip
			if rows, err := Decode(everyType, body); err == nil {
				columnar.HashRows(nil, rows.Cols, rows.Len)
			} else {
				refused++
			}
			body[at] ^= flip
		}
	}
	if refused < 500 {
		t.Errorf("only %d of %d changes were refused", refused, 3*len(body))
	}
}
