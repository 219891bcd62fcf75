package stop

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

var errStopped = errors.New("stopped")

func TestReaderPassesEverythingOn(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789"), 100_000)
	got, err := io.ReadAll(Reader(context.Background(), iotest.HalfReader(bytes.NewReader(want))))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	failing := io.MultiReader(bytes.NewReader([]byte("abc")), iotest.ErrReader(errStopped))
	if got, err := io.ReadAll(Reader(context.Background(), failing)); string(got) != "abc" || !errors.Is(err, errStopped) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestBlockedReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	silent, other := io.Pipe()
	defer other.Close()
	r := Reader(ctx, silent)
	go cancel(errStopped)
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, errStopped) {
		t.Errorf("the read ended with %v", err)
	}
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := Writer(context.Background(), &out)
	for range 1000 {
		if n, err := io.WriteString(w, "abc"); n != 3 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	if out.Len() != 3000 {
		t.Errorf("%d bytes were written", out.Len())
	}
}

func TestBlockedWriteEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	other, full := io.Pipe()
	defer other.Close()
	w := Writer(ctx, full)
	go cancel(errStopped)
	if _, err := w.Write([]byte("abc")); !errors.Is(err, errStopped) {
		t.Errorf("the write ended with %v", err)
	}
	if _, err := w.Write([]byte("abc")); !errors.Is(err, errStopped) {
		t.Errorf("the next write ended with %v", err)
	}
}
