package segment

import (
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// sink is the io.WriteSeeker an Arrow file writer asks for, in front of a file
// that is only appended to. The writer asks for the position before the first
// message of the file and after each one: that is how the sink knows where
// messages lie, and what they hash to.
type sink struct {
	w    io.Writer
	buf  []byte // not yet written; grows to size, so that a small file needs little
	size int    // of buf at most
	pos  int64
	hash xxhash.Digest // of the message being written
	last span          // the message written last
}

// span is a message in the file.
type span struct {
	offset, length int64
	hash           uint64
}

func newSink(w io.Writer, buffer int) *sink {
	s := &sink{w: w, size: buffer}
	s.hash.Reset()
	return s
}

func (s *sink) Write(p []byte) (int, error) {
	if len(s.buf)+len(p) > s.size {
		if err := s.Flush(); err != nil {
			return 0, err
		}
	}
	if len(p) > s.size {
		if _, err := s.w.Write(p); err != nil {
			return 0, err
		}
	} else {
		s.buf = append(s.buf, p...)
	}
	s.pos += int64(len(p))
	s.hash.Write(p)
	return len(p), nil
}

// Flush writes what is collected to the file.
func (s *sink) Flush() error {
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// Seek returns the position and ends the message before it.
func (s *sink) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, fmt.Errorf("seek to %d from %d in a file that is appended to", offset, whence)
	}
	start := s.last.offset + s.last.length
	s.last = span{offset: start, length: s.pos - start, hash: s.hash.Sum64()}
	s.hash.Reset()
	return s.pos, nil
}
