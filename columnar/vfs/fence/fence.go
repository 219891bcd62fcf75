// Package fence is a view of the files below some places, its sources, and of no others: what a
// process reads for somebody who names the files.
//
// A source is a directory of the operating system, or the beginning of names of remote files, such
// as s3://bucket/prefix. A name that is not below a source is refused before anything is asked
// about it, so that nobody learns which other files there are. Symbolic links are followed as long
// as they stay below the directory that is the source.
package fence

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
)

// ErrOutside is the error of a name that is not below a source.
var ErrOutside = errors.New("it is not below a source")

// Sources are the places below which files are read. They may be used concurrently.
type Sources struct {
	names  []string
	dirs   []dir
	far    []string // without a slash at the end
	remote vfs.FS
}

// dir is a source that is a directory of the operating system.
type dir struct {
	path string // absolute, clean
	root *os.Root
}

// Open opens sources: paths of directories, and beginnings of names of remote files, which the
// given file system reads. The caller closes them.
func Open(sources []string, remotes vfs.FS) (s *Sources, err error) {
	s = &Sources{remote: remotes}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, source := range sources {
		s.names = append(s.names, source)
		if remote.Is(source) {
			source = strings.TrimRight(source, "/")
			if err := literal(source); err != nil {
				return s, err
			}
			s.far = append(s.far, source)
			continue
		}
		path, err := filepath.Abs(source)
		if err != nil {
			return s, err
		}
		root, err := os.OpenRoot(path)
		if err != nil {
			return s, err
		}
		s.dirs = append(s.dirs, dir{path, root})
	}
	s.innerFirst()
	return s, nil
}

// innerFirst has the inner one of sources within each other decide, since its links may be of its own.
func (s *Sources) innerFirst() {
	slices.SortStableFunc(s.dirs, func(a, b dir) int { return len(b.path) - len(a.path) })
}

// Below returns those of the given places that are below sources, as sources of their own, so that links do not
// lead from one to another. Names are as in Open. The caller closes them before the sources. An error wraps
// ErrOutside if a place is not below a source.
func (s *Sources) Below(places []string) (within *Sources, err error) {
	within = &Sources{remote: s.remote, names: places}
	defer func() {
		if err != nil {
			err = errors.Join(err, within.Close())
		}
	}()
	for _, place := range places {
		far := strings.TrimRight(place, "/")
		if remote.Is(place) && slices.Contains(s.far, far) {
			within.far = append(within.far, far)
			continue
		}
		d, rest, err := s.within("read", place)
		if err != nil {
			return within, err
		}
		if d == nil {
			within.far = append(within.far, far)
			continue
		}
		root, err := d.root.OpenRoot(rest)
		if err != nil {
			return within, err
		}
		within.dirs = append(within.dirs, dir{filepath.Clean(place), root})
	}
	within.innerFirst()
	return within, nil
}

// Close closes the sources. Nothing may be open below them.
func (s *Sources) Close() error {
	var errs []error
	for _, d := range s.dirs {
		errs = append(errs, d.root.Close())
	}
	return errors.Join(errs...)
}

// At returns a view in which relative names are below a place; "": they are refused. The place need
// not be below a source, but what is read must be.
func (s *Sources) At(place string) *FS { return &FS{Sources: s, place: place, far: s.remote} }

// Check returns an error that wraps ErrOutside unless a full name is below a source.
func (s *Sources) Check(name string) error {
	_, _, err := s.within("read", name)
	return err
}

// within returns the directory below which a name is, and the name from there; nil for a remote file.
func (s *Sources) within(op, name string) (d *dir, rest string, err error) {
	if remote.Is(name) {
		for _, source := range s.far {
			if rest, below := strings.CutPrefix(name, source+"/"); below && rest != "" && literal(name) == nil {
				return nil, rest, nil
			}
		}
		return nil, "", s.outside(op, name)
	}
	if clean := filepath.Clean(name); filepath.IsAbs(clean) {
		for i := range s.dirs {
			d := &s.dirs[i]
			if rest, err := filepath.Rel(d.path, clean); err == nil && filepath.IsLocal(rest) {
				return d, filepath.ToSlash(rest), nil
			}
		}
	}
	return nil, "", s.outside(op, name)
}

func (s *Sources) outside(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("%w (%s)", ErrOutside, strings.Join(s.names, ", "))}
}

// literal refuses the name of a remote file whose server might take it for that of another place.
func literal(name string) error {
	if !strings.HasPrefix(name, "s3://") && strings.ContainsAny(name, `?#\`) {
		return fmt.Errorf("%q has a question mark, a number sign or a backslash, and names below sources have none", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		plain, err := url.PathUnescape(part)
		if err != nil {
			plain = part
		}
		if plain == "." || plain == ".." || plain != part && strings.ContainsAny(plain, `/\`) {
			return fmt.Errorf("%q has a part that may mean another directory: %q", name, part)
		}
	}
	return nil
}
