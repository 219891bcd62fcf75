package client

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
)

// Fingerprint tells whether a file has changed, as version control does: by its size, its
// modification time, and a hash of sampled pages. Reading all of it would cost as much as
// uploading it.
type Fingerprint struct {
	Size    int64  `json:"size"`              // bytes, as stored
	Written int64  `json:"written,omitempty"` // Unix time in ns; 0 where the file does not say
	Sample  string `json:"sample"`            // xxhash64 in hex
}

// Known is a file that knows its own fingerprint.
type Known interface{ Fingerprint() Fingerprint }

// The sample consists of this many pages, including the first and the last, or of the whole
// file if it is no larger.
const (
	samples   = 512
	pageBytes = 4 << 10
)

// fingerprint computes the fingerprint of a seekable file. Others may read the file at the
// same time.
func fingerprint(ctx context.Context, f vfs.File) (Fingerprint, error) {
	if k, ok := f.(Known); ok {
		return k.Fingerprint(), nil
	}
	size, err := f.Size()
	if err != nil {
		return Fingerprint{}, err
	}
	p := Fingerprint{Size: size}
	if s, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok {
		info, err := s.Stat()
		if err != nil {
			return p, err
		}
		if t := info.ModTime(); !t.IsZero() {
			p.Written = t.UnixNano()
		}
	}
	h := xxhash.New()
	pages := min(samples, (size+pageBytes-1)/pageBytes)
	for i := range pages {
		if err := context.Cause(ctx); err != nil {
			return p, err
		}
		if err := hashPage(h, f, pageAt(i, pages, size), size); err != nil {
			return p, err
		}
	}
	p.Sample = fmt.Sprintf("%016x", h.Sum64())
	return p, nil
}

// pageAt returns where page i of the sample begins.
func pageAt(i, pages, size int64) int64 {
	if size <= pages*pageBytes {
		return i * pageBytes
	}
	return (size - pageBytes) * i / (pages - 1)
}

func hashPage(h *xxhash.Digest, f vfs.File, at, size int64) error {
	page := make([]byte, min(pageBytes, size-at))
	if n, err := f.ReadAt(page, at); n < len(page) {
		return fmt.Errorf("read %s at byte %d: %w", f.Name(), at, err)
	}
	_, _ = h.Write(page) // it never fails
	return nil
}
