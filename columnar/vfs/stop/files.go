package stop

import (
	"context"
	"io"

	"analyzer/columnar/vfs"
)

// Files returns a file system in which opening a device or pipe for writing, and writing to it,
// fails with the cause of ctx once ctx is done. A call that is under way then stays blocked
// until the process ends.
func Files(ctx context.Context, fs vfs.FS) vfs.FS { return files{fs, ctx} }

type files struct {
	vfs.FS
	ctx context.Context // it ends the waiting in Create, which takes none
}

func (f files) Create(name string) (vfs.File, error) {
	if _, inPlace, err := f.Target(name); err != nil || !inPlace {
		return f.FS.Create(name)
	}
	done, failed := make(chan vfs.File), make(chan error, 1)
	go func() {
		file, err := f.FS.Create(name)
		if err != nil {
			failed <- err
			return
		}
		select {
		case done <- file:
		case <-f.ctx.Done():
			_ = file.Close() // nobody waits for it any more
		}
	}()
	select {
	case file := <-done:
		return inPlace{file, Writer(f.ctx, file)}, nil
	case err := <-failed:
		return nil, err
	case <-f.ctx.Done():
		return nil, context.Cause(f.ctx)
	}
}

type inPlace struct {
	vfs.File
	to io.Writer
}

func (f inPlace) Write(p []byte) (int, error) { return f.to.Write(p) }

// Open opens a file that may be a device or pipe: what waits until somebody writes to it, or for what
// is written, fails with the cause of ctx once ctx is done.
func Open(ctx context.Context, fs vfs.FS, name string) (vfs.File, error) {
	type opened struct {
		file vfs.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		file, err := fs.Open(name)
		done <- opened{file, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return &readable{File: o.file, from: Reader(ctx, o.file)}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// readable is a file whose reads in order end with a context. The operating system allows closing a
// file while a read of it waits.
type readable struct {
	vfs.File
	from io.Reader
}

func (f *readable) Read(p []byte) (int, error) { return f.from.Read(p) }
