package client

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestMomentsOfSmallFiles: the first sixteenth of a few bytes is none of them.
func TestMomentsOfSmallFiles(t *testing.T) {
	for _, total := range []int64{2, 14, 16, 100} {
		var read atomic.Int64
		read.Store(total)
		answered := make(chan bool)
		go func() { answered <- Following{Total: total}.moments(&read)(t.Context()) }()
		select {
		case due := <-answered:
			if !due {
				t.Errorf("%d bytes: no answer is due", total)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%d bytes: it never says when an answer is due", total)
		}
	}
}

// TestMomentsEnd: once all of the files is read, only the end is left to wait for.
func TestMomentsEnd(t *testing.T) {
	var read atomic.Int64
	read.Store(14)
	next := Following{Total: 14}.moments(&read)
	next(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if next(ctx) {
		t.Error("a second answer is due for the same bytes")
	}
}
