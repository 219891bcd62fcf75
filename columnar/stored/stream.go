package stored

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"analyzer/columnar/stored/workbook"
)

// streamSource reads files that can be read only once and in order: compressed or
// rewritten or decoded ones, and pipes. One worker at a time holds it, from claim to release.
type streamSource struct {
	reader    io.Reader // of decompressed bytes
	under     *countingReader
	codec     string // for people; "": not compressed
	encoding  string // "": UTF-8
	notes     []string
	name      string
	closer    func()
	blockSize int64
	blocks    int64 // how many may be claimed; 0: all
	token     chan struct{}

	// Guarded by token.
	block  int64
	pos    int64  // offset of the next byte from reader
	window []byte // bytes before pos that were peeked, or the last one
	err    error  // the error that ended reader

	done atomic.Int64
}

func (s *streamSource) Claim(ctx context.Context) (int64, error) {
	select {
	case s.token <- struct{}{}:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	if err := context.Cause(ctx); err != nil {
		s.Release()
		return 0, err
	}
	if s.blocks > 0 && s.block >= s.blocks {
		s.Release()
		return s.block, io.EOF
	}
	// The byte before a block says whether the block begins with a line.
	begin := s.block * s.blockSize
	s.discard(begin - 1)
	before := int(begin - (s.pos - int64(len(s.window)))) // bytes before the block
	if s.fill(before + 1); len(s.window) <= before {
		err := s.err
		if !errors.Is(err, io.EOF) {
			err = s.wrap(err)
		}
		s.Release()
		return s.block, err
	}
	s.block++
	return s.block - 1, nil
}

func (s *streamSource) Release() { <-s.token }

// discard forgets the peeked bytes before off.
func (s *streamSource) discard(off int64) {
	begin := s.pos - int64(len(s.window))
	if n := min(off-begin, int64(len(s.window))); n > 0 {
		s.window = append(s.window[:0], s.window[n:]...)
	}
	if cap(s.window) > 4*minWindow+int(4*s.blockSize) && len(s.window) < cap(s.window)/4 {
		s.window = append([]byte(nil), s.window...)
	}
}

const minWindow = 64 << 10

// MaxIdleReads is how many reads in a row may yield nothing.
const MaxIdleReads = 100

// fill peeks until the window has n bytes, or fewer at the end of the stream.
func (s *streamSource) fill(n int) {
	have := len(s.window)
	if n <= have {
		return
	}
	if cap(s.window) < n {
		s.window = append(make([]byte, 0, max(n, 2*cap(s.window))), s.window...)
	}
	m := s.pull(s.window[have:n])
	s.window = s.window[:have+m]
}

// pull reads the next bytes of the stream into p. It reads fewer than len(p) only at the end.
func (s *streamSource) pull(p []byte) int {
	n, idle := 0, 0
	for n < len(p) && s.err == nil {
		var m int
		m, s.err = s.reader.Read(p[n:])
		n += m
		if idle++; m > 0 {
			idle = 0
		} else if idle == MaxIdleReads && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
	s.pos += int64(n)
	s.done.Add(int64(n))
	return n
}

func (s *streamSource) Read(p []byte, off int64) (int, error) {
	begin := s.pos - int64(len(s.window))
	n := copy(p, s.window[off-begin:])
	if n < len(p) {
		if n += s.pull(p[n:]); n > 0 {
			s.window = append(s.window[:0], p[n-1])
		}
	}
	return n, s.ending(n, len(p))
}

func (s *streamSource) Peek(p []byte, off int64) (int, error) {
	begin := s.pos - int64(len(s.window))
	s.fill(int(off-begin) + len(p))
	n := 0
	if int(off-begin) < len(s.window) {
		n = copy(p, s.window[off-begin:])
	}
	return n, s.ending(n, len(p))
}

func (s *streamSource) ending(got, want int) error {
	switch {
	case got == want:
		return nil
	case errors.Is(s.err, io.EOF):
		return io.EOF
	}
	return s.wrap(s.err)
}

// wrap adds context to an error. It distinguishes a damaged file from one that could not
// be read.
func (s *streamSource) wrap(err error) error {
	if cause := s.under.failure(); cause != nil {
		return fmt.Errorf("read %s at byte %d: %w", s.name, s.under.count.Load(), cause)
	}
	var known *InputError
	if errors.As(err, &known) {
		return known
	}
	if book, ok := errors.AsType[*workbook.Error](err); ok {
		return &InputError{File: s.name, Reason: ReasonUnknown, Detail: book.Detail, Hint: book.Hint}
	}
	e := &InputError{
		File: s.name, Reason: ReasonDamaged, Err: err,
		Detail: fmt.Sprintf("the %s data is damaged after %d decompressed bytes", s.codec, s.pos),
		Hint:   "fetch the file again",
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Detail = fmt.Sprintf("the %s data ends too early, after %d decompressed bytes", s.codec, s.pos)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		e.Detail = fmt.Sprintf("the zstd data needs a window of more than %d bytes", maxWindow)
		e.Hint = "compress the file without --long"
	}
	return e
}

// skip does nothing: peeked bytes are counted already.
func (s *streamSource) Skip(int64) {}

func (s *streamSource) Left(int64) int64 { return math.MaxInt64 }

func (s *streamSource) Progress() Progress {
	return Progress{File: s.under.count.Load(), Data: s.done.Load()}
}

func (s *streamSource) Free() bool { return len(s.token) == 0 }

func (s *streamSource) Anywhere() bool { return false }

func (s *streamSource) Notes() []string { return s.notes }

func (s *streamSource) Encoding() string { return s.encoding }

func (s *streamSource) Close() error {
	s.token <- struct{}{}
	defer s.Release()
	if s.closer != nil {
		s.closer()
		s.closer = nil
	}
	s.err = errClosed
	s.window = nil
	return nil
}

var errClosed = errors.New("the reader was closed")

// countingReader counts the bytes read through it and remembers the last error.
type countingReader struct {
	reader io.Reader
	count  atomic.Int64
	err    atomic.Pointer[error]
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.count.Add(int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		c.err.Store(&err)
	}
	return n, err
}

func (c *countingReader) failure() error {
	if p := c.err.Load(); p != nil {
		return *p
	}
	return nil
}
