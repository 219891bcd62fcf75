package vfs

import (
	"context"
	"fmt"
	"io/fs"
)

// view is implemented by file systems of files elsewhere.
type view interface {
	// With returns a view whose operations end with ctx, also those on files that it has opened.
	With(ctx context.Context) FS
	// Snapshot returns a view in which files keep the version that it sees first: if another one
	// comes, reading them fails. It reads ahead within a share of so many bytes of memory.
	Snapshot(memory int64) FS
}

// With returns a view of a file system whose operations end with ctx, if they may take long.
func With(ctx context.Context, fs FS) FS {
	if v, ok := fs.(view); ok {
		return v.With(ctx)
	}
	return fs
}

// Snapshot returns a view of a file system in which files keep the version that it sees first, if
// they have versions, and are read ahead within a share of so many bytes of memory; 0: the usual.
func Snapshot(fs FS, memory int64) FS {
	if v, ok := fs.(view); ok {
		return v.Snapshot(memory)
	}
	return fs
}

// Versioned is implemented by files whose keeper tells versions of them apart.
type Versioned interface {
	// Version changes with the bytes of the file; "": the keeper does not say.
	Version() string
}

// Written returns when a file was last written, in nanoseconds since 1970 began in UTC; 0: its keeper does
// not say.
func Written(f File) (int64, error) {
	s, ok := f.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return 0, nil
	}
	info, err := s.Stat()
	if err != nil || info.ModTime().IsZero() {
		return 0, err
	}
	return info.ModTime().UnixNano(), nil
}

// ReadPart returns n bytes of a file from an offset on.
func ReadPart(f File, from, n int64) ([]byte, error) {
	part := make([]byte, n)
	if err := ReadFull(f, part, from); err != nil {
		return nil, err
	}
	return part, nil
}

// ReadFull fills part with the bytes of a file from an offset on.
func ReadFull(f File, part []byte, from int64) error {
	if n, err := f.ReadAt(part, from); n < len(part) {
		return fmt.Errorf("read %s at byte %d: %w", f.Name(), from, err)
	}
	return nil
}
