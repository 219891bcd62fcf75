package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Mem is a file system in memory that tracks what would survive a crash. File contents are
// durable after File.Sync, changes of directory entries (creations, renames and removals)
// after SyncDir of their directory; Crash loses some of the rest. It is safe for concurrent
// use. The directories "/" and "." always exist.
type Mem struct {
	mu      sync.Mutex
	entries map[string]*node // entries as the program sees them, by clean path
	durable map[string]*node // entries that are certainly on disk
	pending []change         // the changes from durable to entries
	handles map[*memFile]struct{}
	temps   int // number of MkdirTemp calls
}

// node is a file or directory, independent of its name.
type node struct {
	dir bool
	// data is only appended to, or replaced by a new slice, so that parts of it can be shared.
	data []byte
	// synced is the content on disk. It is a prefix of data unless the file was truncated
	// since.
	synced    []byte
	truncated bool
}

// change is an atomic change of directory entries. A nil node removes the entry.
type change map[string]*node

// NewMem returns an empty file system.
func NewMem() *Mem {
	return &Mem{
		entries: map[string]*node{},
		durable: map[string]*node{},
		handles: map[*memFile]struct{}{},
	}
}

// OpenFiles returns the names of the files that are open, sorted.
func (m *Mem) OpenFiles() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for handle := range m.handles {
		names = append(names, handle.name)
	}
	slices.Sort(names)
	return names
}

// Open opens a file for reading.
func (m *Mem) Open(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, err := m.fileLocked("open", name)
	if err != nil {
		return nil, err
	}
	return m.handleLocked(name, file, false), nil
}

// Create makes or empties a file.
func (m *Mem) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := filepath.Clean(name)
	switch file := m.lookupLocked(path); {
	case file == nil:
		if err := m.parentLocked("create", name); err != nil {
			return nil, err
		}
		m.changeLocked(change{path: {}})
	case file.dir:
		return nil, pathError("create", name, syscall.EISDIR)
	default:
		file.data, file.truncated = nil, true
	}
	return m.handleLocked(name, m.entries[path], true), nil
}

// Target returns the name: there are no links, devices or pipes in memory.
func (m *Mem) Target(name string) (path string, inPlace bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if found := m.lookupLocked(filepath.Clean(name)); found != nil && found.dir {
		return name, false, pathError("replace", name, syscall.EISDIR)
	}
	return name, false, nil
}

// Rename moves a file, or a directory with everything in it. It is atomic, also if a crash
// follows.
func (m *Mem) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	source, target := filepath.Clean(from), filepath.Clean(to)
	moved := m.lookupLocked(source)
	if moved == nil {
		return pathError("rename", from, fs.ErrNotExist)
	}
	if err := m.parentLocked("rename", to); err != nil {
		return err
	}
	if old := m.lookupLocked(target); old != nil && source != target && (old.dir || moved.dir) {
		return pathError("rename", from, syscall.EEXIST)
	}
	if source == target {
		return nil
	}
	step := change{source: nil, target: moved}
	if moved.dir {
		below := source + string(filepath.Separator)
		for path, entry := range m.entries {
			if rest, ok := strings.CutPrefix(path, below); ok {
				step[path], step[filepath.Join(target, rest)] = nil, entry
			}
		}
	}
	m.changeLocked(step)
	return nil
}

// Remove deletes a file or an empty directory.
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := filepath.Clean(name)
	found := m.lookupLocked(path)
	if found == nil {
		return pathError("remove", name, fs.ErrNotExist)
	}
	if found.dir && (isRoot(path) || len(m.listLocked(path)) > 0) {
		return pathError("remove", name, syscall.ENOTEMPTY)
	}
	m.changeLocked(change{path: nil})
	return nil
}

// RemoveAll deletes a directory and everything in it, entry by entry.
func (m *Mem) RemoveAll(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := filepath.Clean(name)
	if isRoot(path) {
		return pathError("remove", name, fs.ErrPermission)
	}
	// Entries sort after their directory, so the reverse order deletes them before it.
	for _, entry := range slices.Backward(slices.Sorted(maps.Keys(m.entries))) {
		if entry == path || strings.HasPrefix(entry, path+string(filepath.Separator)) {
			m.changeLocked(change{entry: nil})
		}
	}
	return nil
}

// MkdirAll makes a directory and its parents, entry by entry.
func (m *Mem) MkdirAll(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mkdirAllLocked(filepath.Clean(name))
}

func (m *Mem) mkdirAllLocked(path string) error {
	if found := m.lookupLocked(path); found != nil {
		if !found.dir {
			return pathError("mkdir", path, syscall.ENOTDIR)
		}
		return nil
	}
	if err := m.mkdirAllLocked(filepath.Dir(path)); err != nil {
		return err
	}
	m.changeLocked(change{path: {dir: true}})
	return nil
}

// MkdirTemp makes a directory with a sequential number in its name, so that tests are
// reproducible.
func (m *Mem) MkdirTemp(dir, pattern string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.temps++
	before, after, _ := strings.Cut(pattern, "*")
	name := filepath.Join(dir, fmt.Sprintf("%s%d%s", before, m.temps, after))
	if err := m.parentLocked("mkdir", name); err != nil {
		return "", err
	}
	m.changeLocked(change{name: {dir: true}})
	return name, nil
}

// List returns the names in a directory, sorted.
func (m *Mem) List(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.directoryLocked("list", dir, filepath.Clean(dir)); err != nil {
		return nil, err
	}
	return m.listLocked(filepath.Clean(dir)), nil
}

// Size returns the length of a file.
func (m *Mem) Size(name string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := filepath.Clean(name)
	if found := m.lookupLocked(path); found != nil && found.dir {
		return 0, notRegular("size", name)
	}
	file, err := m.fileLocked("size", name)
	if err != nil {
		return 0, err
	}
	return int64(len(file.data)), nil
}

func (m *Mem) lookupLocked(path string) *node {
	if isRoot(path) {
		return &node{dir: true}
	}
	return m.entries[path]
}

// fileLocked returns the file with the given name. A directory is an error.
func (m *Mem) fileLocked(op, name string) (*node, error) {
	found := m.lookupLocked(filepath.Clean(name))
	switch {
	case found == nil:
		return nil, pathError(op, name, fs.ErrNotExist)
	case found.dir:
		return nil, pathError(op, name, syscall.EISDIR)
	}
	return found, nil
}

// parentLocked checks that the parent of name is a directory.
func (m *Mem) parentLocked(op, name string) error {
	return m.directoryLocked(op, name, filepath.Dir(filepath.Clean(name)))
}

func (m *Mem) directoryLocked(op, name, dir string) error {
	found := m.lookupLocked(dir)
	switch {
	case found == nil:
		return pathError(op, name, fs.ErrNotExist)
	case !found.dir:
		return pathError(op, name, syscall.ENOTDIR)
	}
	return nil
}

func (m *Mem) listLocked(dir string) []string {
	var names []string
	for path := range m.entries {
		if filepath.Dir(path) == dir {
			names = append(names, filepath.Base(path))
		}
	}
	slices.Sort(names)
	return names
}

// changeLocked makes a change that is not yet durable.
func (m *Mem) changeLocked(step change) {
	step.apply(m.entries)
	m.pending = append(m.pending, step)
}

func (c change) apply(entries map[string]*node) {
	for path, node := range c {
		if node == nil {
			delete(entries, path)
		} else {
			entries[path] = node
		}
	}
}

func isRoot(path string) bool { return filepath.Dir(path) == path }

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// errCrashed is the error of using a file that was open at a crash.
var errCrashed = errors.New("open before the crash")
