package csv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"analyzer/columnar/vfs"
)

// source hands out the decompressed bytes of a file, block by block.
type source interface {
	// claim takes the next block for the caller, who must call release after its
	// last read or peek. It returns io.EOF if the block has no bytes.
	claim(ctx context.Context) (int64, error)
	release()
	// read fills p with the bytes at offset off, which lie in the claimed block.
	// Only at the end of the file does it read fewer, with io.EOF.
	read(p []byte, off int64) (int, error)
	// peek is like read, for bytes after the claimed block or before the first claim.
	peek(p []byte, off int64) (int, error)
	// skip counts the first n bytes as read: they were only peeked.
	skip(n int64)
	// left is an upper bound of the number of bytes from offset off on.
	left(off int64) int64
	progress() Progress
	close() error
}

// Progress says how much of a file has been read.
type Progress struct {
	File   int64 // bytes read from the file as stored
	Data   int64 // bytes read after decompression
	Blocks int64 // blocks handed out
	End    int64 // offset after the last record of these blocks, in decompressed bytes
}

// plainSource reads an uncompressed, seekable file, at many offsets concurrently.
type plainSource struct {
	file      vfs.File
	size      int64
	blockSize int64
	blocks    int64 // how many may be claimed; 0: all
	claimed   atomic.Int64
	done      atomic.Int64
}

func (s *plainSource) claim(ctx context.Context) (int64, error) {
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	k := s.claimed.Add(1) - 1
	if k*s.blockSize >= s.size || s.blocks > 0 && k >= s.blocks {
		s.claimed.Add(-1)
		return 0, io.EOF
	}
	return k, nil
}

func (s *plainSource) release() {}

func (s *plainSource) read(p []byte, off int64) (int, error) {
	n, err := s.peek(p, off)
	s.done.Add(int64(n))
	return n, err
}

func (s *plainSource) peek(p []byte, off int64) (int, error) {
	want := int(min(int64(len(p)), max(0, s.size-off)))
	n := 0
	for n < want {
		m, err := s.file.ReadAt(p[n:want], off+int64(n))
		n += m
		if n == want {
			break
		}
		if errors.Is(err, io.EOF) || err == nil && m == 0 {
			err = errTruncated
		}
		if err != nil {
			return n, fmt.Errorf("read %s at byte %d: %w", s.file.Name(), off+int64(n), err)
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (s *plainSource) skip(n int64) { s.done.Add(n) }

func (s *plainSource) left(off int64) int64 { return max(0, s.size-off) }

func (s *plainSource) progress() Progress {
	n := s.done.Load()
	return Progress{File: n, Data: n}
}

func (s *plainSource) close() error { return nil }
