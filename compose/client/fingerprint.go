package client

import (
	"context"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
)

// Fingerprint tells the content of a file from any other.
type Fingerprint struct {
	Size int64  `json:"size"` // bytes, as stored
	Hash string `json:"hash"` // xxhash64 of all of them, in hex
}

const hashBuffer = 256 << 10

// fingerprint reads a seekable file from its beginning to its end. Others may
// read it at the same time.
func fingerprint(ctx context.Context, f vfs.File) (Fingerprint, error) {
	size, err := f.Size()
	if err != nil {
		return Fingerprint{}, err
	}
	h := xxhash.New()
	buffer := make([]byte, hashBuffer)
	for at := int64(0); at < size; {
		if err := context.Cause(ctx); err != nil {
			return Fingerprint{}, err
		}
		n, err := f.ReadAt(buffer[:min(int64(len(buffer)), size-at)], at)
		if n == 0 && err == nil {
			err = io.ErrUnexpectedEOF
		}
		if n == 0 {
			return Fingerprint{}, fmt.Errorf("read %s at byte %d: %w", f.Name(), at, err)
		}
		_, _ = h.Write(buffer[:n]) // it never fails
		at += int64(n)
	}
	return Fingerprint{Size: size, Hash: fmt.Sprintf("%016x", h.Sum64())}, nil
}
