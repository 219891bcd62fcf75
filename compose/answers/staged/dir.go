// Package staged writes files into a directory so that they appear there complete or
// not at all. The files of one Commit appear together.
//
// The files are written to a staging directory below the target, from which Commit moves
// them. Until then, files already in the target are untouched. A process that is killed
// leaves only the staging directory, named ".analyzer-*".
//
// A symbolic link in the target stays, and the file at its end is replaced, staged beside it. A
// device or pipe stays, too: Commit writes the complete file to it, in order.
package staged

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"analyzer/columnar/vfs"
)

// Dir is a set of files on their way into a directory. It is not safe for concurrent
// use. The caller calls Discard in the end, whether or not Commit was called.
type Dir struct {
	fs      vfs.FS
	target  string
	scratch string
	staging map[string]string // staging directories, by the directory they are in
	made    bool              // the target did not exist before
	files   []move
	open    map[*file]bool
}

// move is a complete file on its way.
type move struct {
	name, from, to string
	inPlace        bool // the file at to stays, and is written to
}

// Open prepares to write files into target, which is made if there is none. What is meant for
// devices and pipes is first kept in the directory scratch; an empty name means the system's
// directory for temporary files.
func Open(fsys vfs.FS, target, scratch string) (*Dir, error) {
	return open(fsys, target, scratch, target)
}

// OpenFile is Open for one file, whose base name the caller passes to Create.
func OpenFile(fsys vfs.FS, name, scratch string) (*Dir, error) {
	to, inPlace, err := fsys.Target(name)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	first := vfs.Dir(to)
	if inPlace {
		first = scratch
	}
	return open(fsys, vfs.Dir(name), scratch, first)
}

// open makes the first of the staging directories, so that one that cannot be made is an error
// now.
func open(fsys vfs.FS, target, scratch, first string) (*Dir, error) {
	d := &Dir{fs: fsys, target: target, scratch: scratch, staging: make(map[string]string), open: make(map[*file]bool)}
	if _, err := fsys.List(target); errors.Is(err, fs.ErrNotExist) {
		d.made = true
	}
	if err := fsys.MkdirAll(target); err != nil {
		return nil, fmt.Errorf("make directory %s: %w", target, err)
	}
	if _, err := d.stage(first); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare to write into %s: %w", target, err), d.unmake())
	}
	return d, nil
}

// stage returns the staging directory in a directory.
func (d *Dir) stage(dir string) (staging string, err error) {
	if staging = d.staging[dir]; staging == "" {
		if staging, err = d.fs.MkdirTemp(dir, ".analyzer-*"); err == nil {
			d.staging[dir] = staging
		}
	}
	return staging, err
}

// Create begins a file of the set. The caller closes it before Commit.
func (d *Dir) Create(name string) (vfs.File, error) {
	f, m, err := d.create(name)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", vfs.Join(d.target, name), err)
	}
	d.files = append(d.files, m)
	wrapped := &file{File: f, dir: d}
	d.open[wrapped] = true
	return wrapped, nil
}

func (d *Dir) create(name string) (f vfs.File, m move, err error) {
	m.name = vfs.Join(d.target, name)
	if m.to, m.inPlace, err = d.fs.Target(m.name); err != nil {
		return nil, m, err
	}
	dir := vfs.Dir(m.to)
	if m.inPlace {
		dir = d.scratch
	}
	staging, err := d.stage(dir)
	if err != nil {
		return nil, m, err
	}
	m.from = vfs.Join(staging, name)
	f, err = d.fs.Create(m.from)
	return f, m, err
}

// Commit moves the files created since the last Commit into the directory, in the order in
// which they were created, replacing files of the same names, and makes that durable. After
// an error, Discard removes the files not yet moved. After an error that wraps vfs.ErrUnsure
// all files have been moved, but a loss of power may undo that.
func (d *Dir) Commit() error {
	if len(d.open) > 0 {
		return fmt.Errorf("write into %s: %d files are still open", d.target, len(d.open))
	}
	changed := map[string]bool{}
	for _, m := range d.files {
		if err := d.move(m); err != nil {
			return fmt.Errorf("write %s: %w", m.name, err)
		}
		d.made = false
		if dir := vfs.Dir(m.to); !m.inPlace {
			changed[dir] = true
		}
	}
	d.made, d.files = false, nil
	for dir := range changed {
		if err := d.fs.SyncDir(dir); err != nil {
			return fmt.Errorf("write into %s: %w", dir, vfs.Unsure(err))
		}
	}
	return nil
}

func (d *Dir) move(m move) (err error) {
	if !m.inPlace {
		return d.fs.Rename(m.from, m.to)
	}
	from, err := d.fs.Open(m.from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := d.fs.Create(m.to)
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{to}, from)
	return errors.Join(err, to.Close())
}

// Discard closes and removes files that were not committed, and the directory itself
// if Open made it and nothing was committed. A second call does nothing.
func (d *Dir) Discard() error {
	var errs []error
	for f := range d.open {
		errs = append(errs, f.File.Close())
	}
	clear(d.open)
	for _, staging := range d.staging {
		errs = append(errs, d.fs.RemoveAll(staging))
	}
	clear(d.staging)
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
