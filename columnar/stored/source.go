package stored

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"analyzer/columnar/vfs"
)

// Source hands out the decompressed bytes of a file, in UTF-8, block by block. It is safe for
// concurrent use by workers, each of which holds a block from Claim to Release.
type Source interface {
	// Claim takes the next block for the caller, who must call Release after its
	// last Read or Peek. It returns io.EOF if the block has no bytes.
	Claim(ctx context.Context) (int64, error)
	Release()
	// Read fills p with the bytes at offset off, which lie in the claimed block.
	// Only at the end of the file does it read fewer, with io.EOF.
	Read(p []byte, off int64) (int, error)
	// Peek is like Read, for bytes after the claimed block or before the first claim.
	Peek(p []byte, off int64) (int, error)
	// Skip counts the first n bytes as read: they were only peeked.
	Skip(n int64)
	// Left is an upper bound of the number of bytes from offset off on.
	Left(off int64) int64
	// Anywhere reports whether blocks are read concurrently, at any offset: the file is neither
	// compressed, nor changed while it is read, nor a pipe.
	Anywhere() bool
	// Free reports whether Claim need not wait for another worker: only one at a time decompresses.
	Free() bool
	// Encoding returns the encoding of the file, "" for UTF-8.
	Encoding() string
	// Notes say what of the file is not read, such as other sheets of a workbook.
	Notes() []string
	Progress() Progress
	Close() error
}

// Options configure a Source.
type Options struct {
	BlockSize int   // bytes of a block
	Blocks    int64 // the first block that may not be claimed; 0: all may
	First     int64 // the first block that is claimed; not 0 only for files that can be read anywhere
	// Encoding is that of the file, "" for UTF-8, or for UTF-16 if the file shows that it is.
	Encoding string
	// Sheet is the name of a sheet in a workbook; "": the first. Other files have none.
	Sheet string
	// Rewrite, if set, changes the text on its way. The file is then read in order.
	Rewrite func(io.Reader) io.Reader
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
	blocks    int64 // the first that may not be claimed; 0: all may
	claimed   atomic.Int64
	done      atomic.Int64
}

func (s *plainSource) Claim(ctx context.Context) (int64, error) {
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

func (s *plainSource) Release() {}

func (s *plainSource) Read(p []byte, off int64) (int, error) {
	n, err := s.Peek(p, off)
	s.done.Add(int64(n))
	return n, err
}

func (s *plainSource) Peek(p []byte, off int64) (int, error) {
	want := int(min(int64(len(p)), max(0, s.size-off)))
	n := 0
	for n < want {
		m, err := s.file.ReadAt(p[n:want], off+int64(n))
		n += m
		if n == want {
			break
		}
		if errors.Is(err, io.EOF) || err == nil && m == 0 {
			err = ErrTruncated
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

func (s *plainSource) Skip(n int64) { s.done.Add(n) }

func (s *plainSource) Left(off int64) int64 { return max(0, s.size-off) }

func (s *plainSource) Progress() Progress {
	n := s.done.Load()
	return Progress{File: n, Data: n}
}

func (s *plainSource) Close() error { return nil }

func (s *plainSource) Free() bool { return true }

func (s *plainSource) Anywhere() bool { return true }

func (s *plainSource) Encoding() string { return "" }

func (s *plainSource) Notes() []string { return nil }
