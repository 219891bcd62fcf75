package client

import (
	"context"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
)

// Fingerprint tells the content of a file from any other. Its hashes are xxhash64,
// in hex.
type Fingerprint struct {
	Size int64  `json:"size"`          // bytes, as stored
	Ends string `json:"ends"`          // of the first and the last bytes
	All  string `json:"all,omitempty"` // of all bytes; "": not known yet
}

// same reports whether two fingerprints are of one content, as far as both know it.
func (p Fingerprint) same(o Fingerprint) bool {
	return p.Size == o.Size && p.Ends == o.Ends && (p.All == o.All || p.All == "" || o.All == "")
}

const (
	endBytes   = 1 << 20 // at either end of the file
	hashBuffer = 256 << 10
)

// fingerprint reads the ends of a seekable file. Others may read it at the same
// time.
func fingerprint(ctx context.Context, f vfs.File) (Fingerprint, error) {
	size, err := f.Size()
	if err != nil {
		return Fingerprint{}, err
	}
	h := xxhash.New()
	first := min(size, endBytes)
	err = hashRange(ctx, h, f, 0, first)
	if err == nil {
		err = hashRange(ctx, h, f, max(first, size-endBytes), size)
	}
	return Fingerprint{Size: size, Ends: hex(h)}, err
}

// complete reads all of a file, and adds what it finds to its fingerprint.
func (p Fingerprint) complete(ctx context.Context, f vfs.File) (Fingerprint, error) {
	h := xxhash.New()
	err := hashRange(ctx, h, f, 0, p.Size)
	p.All = hex(h)
	return p, err
}

// hashRange hashes the bytes from an offset up to, not including, another.
func hashRange(ctx context.Context, h *xxhash.Digest, f vfs.File, from, to int64) error {
	buffer := make([]byte, min(hashBuffer, max(to-from, 0)))
	for at := from; at < to; {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := f.ReadAt(buffer[:min(int64(len(buffer)), to-at)], at)
		if n == 0 {
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("read %s at byte %d: %w", f.Name(), at, err)
		}
		_, _ = h.Write(buffer[:n]) // it never fails
		at += int64(n)
	}
	return nil
}

func hex(h *xxhash.Digest) string { return fmt.Sprintf("%016x", h.Sum64()) }
