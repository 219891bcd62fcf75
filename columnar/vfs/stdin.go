package vfs

import (
	"io"
	"io/fs"
)

// Stdin adapts a stream, such as os.Stdin, to a File that can be read once, in order. Close
// does not close r, which belongs to the caller.
func Stdin(r io.Reader) File { return &stream{r: r} }

type stream struct {
	r      io.Reader
	closed bool
}

func (s *stream) Read(p []byte) (int, error) {
	if s.closed {
		return 0, &fs.PathError{Op: "read", Path: s.Name(), Err: fs.ErrClosed}
	}
	return s.r.Read(p)
}

func (s *stream) Close() error {
	if s.closed {
		return &fs.PathError{Op: "close", Path: s.Name(), Err: fs.ErrClosed}
	}
	s.closed = true
	return nil
}

func (s *stream) Name() string                      { return "standard input" }
func (s *stream) Seekable() bool                    { return false }
func (s *stream) Sync() error                       { return nil }
func (s *stream) Size() (int64, error)              { return 0, notSeekable(s.Name()) }
func (s *stream) ReadAt([]byte, int64) (int, error) { return 0, notSeekable(s.Name()) }
func (s *stream) Write([]byte) (int, error)         { return 0, forbidden("write", s.Name()) }
