// Package staged writes files into a directory so that they appear there complete or
// not at all. The files of one Commit appear together.
//
// The files are written to a staging directory below the target, from which Commit moves
// them. Until then, files already in the target are untouched. A process that is killed
// leaves only the staging directory, named ".analyzer-*".
package staged

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"analyzer/columnar/vfs"
)

// Dir is a set of files on their way into a directory. It is not safe for concurrent
// use. The caller calls Discard in the end, whether or not Commit was called.
type Dir struct {
	fs      vfs.FS
	target  string
	staging string // "" after Discard
	made    bool   // the target did not exist before
	names   []string
	open    map[*file]bool
}

// Open prepares to write files into target, which is made if there is none.
func Open(fsys vfs.FS, target string) (*Dir, error) {
	d := &Dir{fs: fsys, target: target, open: make(map[*file]bool)}
	if _, err := fsys.List(target); errors.Is(err, fs.ErrNotExist) {
		d.made = true
	}
	if err := fsys.MkdirAll(target); err != nil {
		return nil, fmt.Errorf("make directory %s: %w", target, err)
	}
	staging, err := fsys.MkdirTemp(target, ".analyzer-*")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare to write into %s: %w", target, err), d.unmake())
	}
	d.staging = staging
	return d, nil
}

// Create begins a file of the set. The caller closes it before Commit.
func (d *Dir) Create(name string) (vfs.File, error) {
	f, err := d.fs.Create(filepath.Join(d.staging, name))
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", filepath.Join(d.target, name), err)
	}
	d.names = append(d.names, name)
	wrapped := &file{File: f, dir: d}
	d.open[wrapped] = true
	return wrapped, nil
}

// Commit moves the files created since the last Commit into the directory, in the order in
// which they were created, replacing files of the same names, and makes that durable. After
// an error, Discard removes the files not yet moved. After an error that wraps vfs.ErrUnsure
// all files have been moved, but a loss of power may undo that.
func (d *Dir) Commit() error {
	if len(d.open) > 0 {
		return fmt.Errorf("write into %s: %d files are still open", d.target, len(d.open))
	}
	for _, name := range d.names {
		if err := d.fs.Rename(filepath.Join(d.staging, name), filepath.Join(d.target, name)); err != nil {
			return fmt.Errorf("write %s: %w", filepath.Join(d.target, name), err)
		}
		d.made = false
	}
	d.made, d.names = false, nil
	if err := d.fs.SyncDir(d.target); err != nil {
		return fmt.Errorf("write into %s: %w", d.target, vfs.Unsure(err))
	}
	return nil
}

// Discard closes and removes files that were not committed, and the directory itself
// if Open made it and nothing was committed. A second call does nothing.
func (d *Dir) Discard() error {
	if d.staging == "" {
		return nil
	}
	var errs []error
	for f := range d.open {
		errs = append(errs, f.File.Close())
	}
	clear(d.open)
	errs = append(errs, d.fs.RemoveAll(d.staging))
	d.staging = ""
	errs = append(errs, d.unmake())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("clean up in %s: %w", d.target, err)
	}
	return nil
}

func (d *Dir) unmake() error {
	if !d.made {
		return nil
	}
	d.made = false
	return d.fs.Remove(d.target)
}

// file is a file of a set. Close syncs it, so that a committed file is whole
// even after a loss of power.
type file struct {
	vfs.File
	dir *Dir
}

func (f *file) Close() error {
	if !f.dir.open[f] {
		return &fs.PathError{Op: "close", Path: f.Name(), Err: fs.ErrClosed}
	}
	delete(f.dir.open, f)
	return errors.Join(f.File.Sync(), f.File.Close())
}
