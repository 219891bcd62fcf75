package vfs

import (
	"io"
	"io/fs"
	"syscall"
)

// memFile is an open file of a Mem.
type memFile struct {
	fs       *Mem
	name     string
	node     *node
	writable bool
	pos      int
}

func (m *Mem) handleLocked(name string, file *node, writable bool) File {
	handle := &memFile{fs: m, name: name, node: file, writable: writable}
	m.handles[handle] = struct{}{}
	return handle
}

// use calls do with the lock held if the file is open; otherwise it returns an error.
func (f *memFile) use(op string, do func() error) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.node == nil {
		return pathError(op, f.name, errCrashed)
	}
	if _, open := f.fs.handles[f]; !open {
		return pathError(op, f.name, fs.ErrClosed)
	}
	return do()
}

func (f *memFile) Read(p []byte) (n int, err error) {
	err = f.use("read", func() error {
		if f.pos >= len(f.node.data) && len(p) > 0 {
			return io.EOF
		}
		n = copy(p, f.node.data[min(f.pos, len(f.node.data)):])
		f.pos += n
		return nil
	})
	return n, err
}

func (f *memFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.use("read", func() error {
		if off < 0 {
			return pathError("read", f.name, syscall.EINVAL)
		}
		n = copy(p, f.node.data[min(off, int64(len(f.node.data))):])
		if n < len(p) {
			return io.EOF
		}
		return nil
	})
	return n, err
}

// Write appends to the file: files are written front to back by their creator.
func (f *memFile) Write(p []byte) (n int, err error) {
	err = f.use("write", func() error {
		if !f.writable {
			return pathError("write", f.name, syscall.EBADF)
		}
		f.node.data = append(f.node.data, p...)
		f.pos = len(f.node.data)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (f *memFile) Sync() error {
	return f.use("sync", func() error {
		f.node.synced, f.node.truncated = f.node.data, false
		return nil
	})
}

func (f *memFile) Size() (size int64, err error) {
	err = f.use("size", func() error {
		size = int64(len(f.node.data))
		return nil
	})
	return size, err
}

func (f *memFile) Close() error {
	return f.use("close", func() error {
		delete(f.fs.handles, f)
		return nil
	})
}

func (f *memFile) Seekable() bool { return true }
func (f *memFile) Name() string   { return f.name }
