package vfs

import "context"

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
