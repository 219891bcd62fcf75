package vfs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// temps are the temporary directories of a process. Each is locked until it is removed, so
// that directories in use can be distinguished from those that a killed process has left.
type temps struct {
	mu    sync.Mutex
	locks map[string]io.Closer // by path
}

func newTemps() *temps { return &temps{locks: make(map[string]io.Closer)} }

// make makes a directory, and removes those of the same pattern next to it that no process
// has locked.
func (t *temps) make(dir, pattern string) (string, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	sweep(dir, pattern)
	for {
		name, err := os.MkdirTemp(dir, pattern)
		if err != nil {
			return "", err
		}
		lock, err := lockDir(name)
		if errors.Is(err, errTaken) {
			continue // another process took it for a leftover before it was locked
		}
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(name))
		}
		t.mu.Lock()
		t.locks[name] = lock // nil if the file system has no locks; then no process sweeps
		t.mu.Unlock()
		return name, nil
	}
}

// release releases the lock of a removed directory.
func (t *temps) release(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	lock := t.locks[name]
	delete(t.locks, name)
	if lock == nil {
		return nil
	}
	return lock.Close()
}

// errTaken is the error of locking what another process has locked, or a directory that it has
// removed.
var errTaken = errors.New("another process has it")

// sweep removes temporary directories whose process has ended. It ignores errors, since the
// next sweep will try again.
func sweep(dir, pattern string) {
	before, after, _ := strings.Cut(pattern, "*")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), before)
		middle, ok2 := strings.CutSuffix(middle, after)
		if !ok || !ok2 || !e.IsDir() || middle == "" || strings.Trim(middle, "0123456789") != "" {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if lock, err := lockDir(name); err == nil && lock != nil {
			_ = os.RemoveAll(name)
			_ = lock.Close()
		}
	}
}
