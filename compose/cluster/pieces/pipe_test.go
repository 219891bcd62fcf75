package pieces

import (
	"io"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// pipeOf returns a pipe of a table that what is written to w comes through.
func pipeOf(t *testing.T) (p *Pipe, w *io.PipeWriter) {
	t.Helper()
	r, w := io.Pipe()
	files := vfs.NewMem()
	if err := files.MkdirAll("/jobs"); err != nil {
		t.Fatal(err)
	}
	p, err := NewPipe(t.Context(), files, "/jobs", r, &columnar.Table{Name: "t", Dialect: columnar.Dialect{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = w.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, w
}

// nextOf returns the next piece, as text; "": there is none.
func nextOf(t *testing.T, p *Pipe, every time.Duration) (text string, more bool) {
	t.Helper()
	n, more, err := p.Next(t.Context(), every)
	if err != nil {
		t.Fatal(err)
	}
	if n == nil {
		return "", more
	}
	content, err := vfs.ReadFile(p.fs, n.path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content), more
}

// TestPipeEndsIdle ends a pipe when all that has come is in pieces: there is no other piece.
func TestPipeEndsIdle(t *testing.T) {
	p, w := pipeOf(t)
	if _, err := io.WriteString(w, "a,b\n1,2\n"); err != nil {
		t.Fatal(err)
	}
	text, more := nextOf(t, p, time.Millisecond)
	for text == "" && more { // what was written has not been read yet
		text, more = nextOf(t, p, time.Millisecond)
	}
	if text != "a,b\n1,2\n" || !more {
		t.Errorf("the first piece is %q, more is %v", text, more)
	}
	_ = w.Close()
	if text, more := nextOf(t, p, time.Hour); text != "" || more {
		t.Errorf("the last piece is %q, more is %v", text, more)
	}
}

// TestPipeOfAHeader has no rows at all, and is a file of none.
func TestPipeOfAHeader(t *testing.T) {
	p, w := pipeOf(t)
	if _, err := io.WriteString(w, "a,b\n"); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if text, more := nextOf(t, p, time.Hour); text != "a,b\n" || more {
		t.Errorf("the piece is %q, more is %v", text, more)
	}
}
