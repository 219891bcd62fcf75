package fence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
)

// FS is a view of files below sources. It changes nothing. A local file that is written to while it
// is open says so when it is closed, by remote.ErrChanged.
type FS struct {
	*Sources
	place string
	far   vfs.FS // of remote files
	seen  *seen  // nil: local files may change between two openings
}

// seen are local files as they were when they were opened first.
type seen struct {
	mu   sync.Mutex
	info map[string]fs.FileInfo
}

// With returns a view whose operations on remote files end with ctx.
func (f *FS) With(ctx context.Context) vfs.FS {
	view := *f
	view.far = vfs.With(ctx, f.far)
	return &view
}

// Snapshot returns a view in which files keep the version that it sees first; see vfs.Snapshot.
func (f *FS) Snapshot(memory int64) vfs.FS {
	view := *f
	view.far, view.seen = vfs.Snapshot(f.far, memory), &seen{info: make(map[string]fs.FileInfo)}
	return &view
}

// first returns how a file was when it was opened first, as this one is now.
func (s *seen) first(name string, now fs.FileInfo) fs.FileInfo {
	if s == nil {
		return now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.info[name] == nil {
		s.info[name] = now
	}
	return s.info[name]
}

// Full returns the full name of a file: a relative one is below the place of the view.
func (f *FS) Full(name string) string {
	switch {
	case f.place == "" || remote.Is(name) || filepath.IsAbs(name):
		return name
	case remote.Is(f.place):
		return strings.TrimRight(f.place, "/") + "/" + strings.TrimPrefix(filepath.ToSlash(name), "./")
	}
	return filepath.Join(f.place, name)
}

// Open opens a regular file.
func (f *FS) Open(name string) (vfs.File, error) {
	name = f.Full(name)
	d, rest, err := f.within("open", name)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return f.far.Open(name)
	}
	opened, err := d.files().Open(rest)
	if err != nil {
		return nil, tell("open", name, err)
	}
	file := &file{File: opened, name: name}
	now, err := file.Stat()
	if err == nil {
		file.first = f.seen.first(name, now)
		err = file.same(now)
	}
	if err != nil {
		return nil, errors.Join(tell("open", name, err), opened.Close())
	}
	return file, nil
}

func (d *dir) files() vfs.FS { return vfs.ReadOnly(tree{d.root.FS()}) }

// tree is what is below a directory, without pipes and devices: opening a pipe waits for its writer.
type tree struct{ fs.FS }

func (t tree) Open(name string) (fs.File, error) {
	if err := t.check(name); err != nil {
		return nil, err
	}
	return t.FS.Open(name)
}

func (t tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := t.check(name); err != nil {
		return nil, err
	}
	return fs.ReadDir(t.FS, name)
}

// Stat implements fs.StatFS.
func (t tree) Stat(name string) (fs.FileInfo, error) { return fs.Stat(t.FS, name) }

// check refuses what is neither a file nor a directory.
func (t tree) check(name string) error {
	info, err := t.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNoFile}
	}
	return err
}

var errNoFile = fmt.Errorf("neither a regular file nor a directory: %w", errors.ErrUnsupported)

// Size returns the length of a regular file.
func (f *FS) Size(name string) (int64, error) {
	name = f.Full(name)
	d, rest, err := f.within("size", name)
	switch {
	case err != nil:
		return 0, err
	case d == nil:
		return f.far.Size(name)
	}
	n, err := d.files().Size(rest)
	return n, tell("size", name, err)
}

// List returns the names in a directory; remote ones are listed by ListFrom.
func (f *FS) List(name string) ([]string, error) {
	name = f.Full(name)
	d, rest, err := f.within("list", name)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return f.far.List(name)
	}
	names, err := d.files().List(rest)
	return names, tell("list", name, err)
}

// WalkDir calls do for everything below a directory, as filepath.WalkDir does for a name with a
// slash at its end.
func (f *FS) WalkDir(name string, do fs.WalkDirFunc) error {
	name = f.Full(name)
	d, rest, err := f.within("list", name)
	if err != nil {
		return err
	}
	if d == nil {
		return &fs.PathError{Op: "list", Path: name, Err: errors.ErrUnsupported}
	}
	below, err := d.root.OpenRoot(filepath.FromSlash(rest))
	if err != nil {
		return tell("list", name, err)
	}
	defer func() { _ = below.Close() }() // it was only read
	return fs.WalkDir(tree{below.FS()}, ".", func(path string, entry fs.DirEntry, err error) error {
		return do(filepath.Join(name, filepath.FromSlash(path)), entry, err)
	})
}

// IsDir reports whether a name is that of a directory, or of a symbolic link to one.
func (f *FS) IsDir(name string) bool {
	name = f.Full(name)
	d, rest, err := f.within("list", name)
	if err != nil || d == nil {
		return false
	}
	info, err := fs.Stat(d.root.FS(), rest)
	return err == nil && info.IsDir()
}

// ListFrom calls found with the names of remote files that begin with a prefix, as they are listed,
// until it returns false.
func (f *FS) ListFrom(prefix string, found func(name string) bool) error {
	prefix = f.Full(prefix)
	if !slices.ContainsFunc(f.Sources.far, func(source string) bool { return strings.HasPrefix(prefix, source+"/") }) || literal(prefix) != nil {
		return f.outside("list", prefix)
	}
	lists, ok := f.far.(interface {
		ListFrom(prefix string, found func(name string) bool) error
	})
	if !ok {
		return &fs.PathError{Op: "list", Path: prefix, Err: errors.ErrUnsupported}
	}
	return lists.ListFrom(prefix, found)
}

// tell makes an error name the whole path, and a link that leaves its source an ErrOutside.
func tell(op, name string, err error) error {
	known, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	told := &fs.PathError{Op: op, Path: name, Err: known.Err}
	if strings.Contains(known.Err.Error(), "escapes") {
		told.Err = fmt.Errorf("%w: a symbolic link leads elsewhere", ErrOutside)
	}
	return told
}

// file is a local file.
type file struct {
	vfs.File
	name  string
	first fs.FileInfo
}

// Name returns the full name of the file.
func (f *file) Name() string { return f.name }

// Stat describes the file as it is now.
func (f *file) Stat() (fs.FileInfo, error) {
	return f.File.(interface{ Stat() (fs.FileInfo, error) }).Stat() // as every file of an fs.FS
}

// Close fails with remote.ErrChanged if the file was written to since it was opened.
func (f *file) Close() error {
	now, err := f.Stat()
	if err == nil {
		err = f.same(now)
	}
	return errors.Join(err, f.File.Close())
}

func (f *file) same(now fs.FileInfo) error {
	if now.Size() != f.first.Size() || !now.ModTime().Equal(f.first.ModTime()) {
		return &fs.PathError{Op: "read", Path: f.name, Err: remote.ErrChanged}
	}
	return nil
}

// What follows changes files, which this view does not.

func refused(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("sources are only read: %w", fs.ErrPermission)}
}

// Create is refused.
func (f *FS) Create(name string) (vfs.File, error) { return nil, refused("create", name) }

// Target is refused.
func (f *FS) Target(name string) (string, bool, error) { return "", false, refused("replace", name) }

// Rename is refused.
func (f *FS) Rename(from, _ string) error { return refused("rename", from) }

// Remove is refused.
func (f *FS) Remove(name string) error { return refused("remove", name) }

// RemoveAll is refused.
func (f *FS) RemoveAll(name string) error { return refused("remove", name) }

// MkdirAll is refused.
func (f *FS) MkdirAll(name string) error { return refused("make", name) }

// MkdirTemp is refused.
func (f *FS) MkdirTemp(dir, _ string) (string, error) { return "", refused("make", dir) }

// SyncDir is refused.
func (f *FS) SyncDir(dir string) error { return refused("sync", dir) }
