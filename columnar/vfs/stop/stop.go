// Package stop lets a context end reads and writes that the operating system would block
// forever: on pipes and terminals whose other end does nothing.
package stop

import (
	"context"
	"io"
)

// readBytes is the size of one read.
const readBytes = 256 << 10

// Reader returns a reader of r that fails with the cause of ctx once ctx is done. A read of r
// that is under way then stays blocked until the process ends. From the first Read on, up to
// one buffer of r is read ahead.
func Reader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx: ctx, from: r} }

type reader struct {
	ctx  context.Context
	from io.Reader
	pipe *io.PipeReader
}

func (r *reader) Read(p []byte) (int, error) {
	if r.pipe == nil {
		in, out := io.Pipe()
		r.pipe = in
		context.AfterFunc(r.ctx, func() { out.CloseWithError(context.Cause(r.ctx)) })
		go func() {
			_, err := io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{r.from}, make([]byte, readBytes))
			out.CloseWithError(err)
		}()
	}
	return r.pipe.Read(p)
}

// Writer returns a writer to w that fails with the cause of ctx once ctx is done. It has one
// user at a time.
func Writer(ctx context.Context, w io.Writer) io.Writer {
	return &writer{ctx: ctx, to: w, done: make(chan written, 1)}
}

type writer struct {
	ctx  context.Context
	to   io.Writer
	done chan written
}

type written struct {
	n   int
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	if err := context.Cause(w.ctx); err != nil {
		return 0, err
	}
	go func() {
		n, err := w.to.Write(p)
		w.done <- written{n, err}
	}()
	select {
	case r := <-w.done:
		return r.n, r.err
	case <-w.ctx.Done():
		return 0, context.Cause(w.ctx)
	}
}
