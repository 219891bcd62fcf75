package client

import (
	"context"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// Known is a file that knows its own fingerprint.
type Known interface{ Fingerprint() protocol.Fingerprint }

// The sample consists of this many pages, including the first and the last, or of the whole
// file if it is no larger.
const (
	samples   = 512
	pageBytes = 4 << 10
)

// Identify computes the fingerprint of a seekable file. Others may read the file at the same
// time. Reading all of it would cost as much as uploading it.
func Identify(ctx context.Context, f vfs.File) (protocol.Fingerprint, error) {
	if k, ok := f.(Known); ok {
		return k.Fingerprint(), nil
	}
	size, err := f.Size()
	if err != nil {
		return protocol.Fingerprint{}, err
	}
	p := protocol.Fingerprint{Size: size}
	if p.Written, err = vfs.Written(f); err != nil {
		return p, err
	}
	if v, ok := f.(vfs.Versioned); ok && v.Version() != "" {
		p.Sample = v.Version()
		return p, nil
	}
	h, page := xxhash.New(), make([]byte, min(pageBytes, size))
	pages := min(samples, (size+pageBytes-1)/pageBytes)
	for i := range pages {
		if err := context.Cause(ctx); err != nil {
			return p, err
		}
		at := pageAt(i, pages, size)
		part := page[:min(pageBytes, size-at)]
		if err := vfs.ReadFull(f, part, at); err != nil {
			return p, err
		}
		_, _ = h.Write(part) // it never fails
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
