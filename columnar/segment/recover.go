package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"analyzer/columnar/vfs"
)

// OpenStore opens the state in dir as of the last durable commit, or of a later one that
// was in progress when the process ended. A directory without state becomes an empty store.
// Files of commits that were not made are deleted; files whose names are not the store's
// are left alone.
//
// The error wraps ErrCorrupt if the manifest, or a file that it lists, is missing or not as
// it was written. Blocks are checked when they are read.
func OpenStore(fs vfs.FS, dir string) (*Store, error) {
	s := &Store{fs: fs, dir: dir, finished: map[*Segment]bool{}}
	if err := s.recover(); err != nil {
		return nil, fmt.Errorf("open state in %s: %w", dir, err)
	}
	return s, nil
}

func (s *Store) recover() error {
	if err := makeDir(s.fs, s.dir); err != nil {
		return err
	}
	committed, err := readManifest(s.fs, s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.create()
	case err != nil:
		return err
	}
	// The previous process may have ended between renaming the manifest and syncing the
	// directory. A later crash must not undo the manifest that was just read, least of all
	// after files that only the previous one lists have been deleted.
	if err := s.fs.SyncDir(s.dir); err != nil {
		return vfs.Unsure(err)
	}
	s.committed, s.next = committed, committed.Next
	for _, segment := range committed.Segments {
		if err := checkFile(s.fs, segment); err != nil {
			return err
		}
	}
	strays, err := s.strays()
	if err != nil {
		return err
	}
	return s.delete(strays)
}

// create makes an empty store, whose manifest comes with its first commit or before its first segment.
func (s *Store) create() error {
	strays, err := s.strays()
	if err != nil {
		return err
	}
	for _, name := range strays {
		if !isNewManifest(name) {
			return &CorruptError{Path: filepath.Join(s.dir, manifestName), Reason: "missing beside segments"}
		}
	}
	s.committed, s.unwritten = &manifest{Version: manifestVersion}, true
	return s.delete(strays)
}

// checkFile checks that a segment's file exists and has the size that was written.
func checkFile(files vfs.FS, segment *Segment) error {
	size, err := files.Size(segment.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &CorruptError{Path: segment.Path, Reason: "missing"}
	case err != nil:
		return err
	case size != segment.Size:
		return wrongSize(segment, size)
	}
	return nil
}

// delete deletes strays.
func (s *Store) delete(strays []string) error {
	for _, name := range strays {
		if err := s.fs.Remove(filepath.Join(s.dir, name)); err != nil {
			return fmt.Errorf("delete what no commit contains: %w", err)
		}
	}
	return nil
}

// strays returns the names of files that have the store's names but are not its state.
func (s *Store) strays() ([]string, error) {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return nil, err
	}
	state := map[string]bool{}
	if s.committed != nil {
		for _, segment := range s.committed.Segments {
			state[filepath.Base(segment.Path)] = true
		}
	}
	var strays []string
	for _, name := range names {
		looks, _ := filepath.Match(segmentPattern, name) // the pattern is well-formed
		if isNewManifest(name) || looks && !state[name] {
			strays = append(strays, name)
		}
	}
	return strays, nil
}

// makeDir makes a directory and its parents so that they survive a crash. It makes each one
// durable before it makes the next. So if only the process crashed in between, at most the
// last directory that exists still needs to be made durable.
func makeDir(files vfs.FS, dir string) error {
	parent := filepath.Dir(dir)
	if parent == dir {
		return nil
	}
	// ErrUnsupported means that dir is an existing directory, which has no size.
	_, err := files.Size(dir)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
	case err == nil:
		return fmt.Errorf("%s is not a directory", dir)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if err := makeDir(files, parent); err != nil {
			return err
		}
		if err := files.MkdirAll(dir); err != nil {
			return err
		}
	}
	err = files.SyncDir(parent)
	if errors.Is(err, fs.ErrPermission) {
		// A parent without read permission was not made by this program.
		return nil
	}
	return vfs.Unsure(err)
}
