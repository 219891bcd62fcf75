// Package vfstest makes the operations of a file system fail, and counts them, for tests.
package vfstest

import (
	"errors"
	"slices"
	"sync"
	"syscall"

	"analyzer/columnar/vfs"
)

// ErrInjected is the error of an operation that a test makes fail.
var ErrInjected = errors.New("injected fault")

// FailNth makes one operation fail with ErrInjected: number n, from 0, among those of the
// given kinds, or among all if no kind is given.
func FailNth(n int64, kinds ...vfs.Kind) func(vfs.Op) error {
	return fail(kinds, func(seen int64) bool { return seen == n })
}

// FailFrom is FailNth, but all later operations of the kinds fail, too. To the disk this
// looks as if the process had died.
func FailFrom(n int64, kinds ...vfs.Kind) func(vfs.Op) error {
	return fail(kinds, func(seen int64) bool { return seen >= n })
}

func fail(kinds []vfs.Kind, chosen func(seen int64) bool) func(vfs.Op) error {
	var seen int64
	return func(op vfs.Op) error {
		if len(kinds) > 0 && !slices.Contains(kinds, op.Kind) {
			return nil
		}
		seen++
		if chosen(seen - 1) {
			return ErrInjected
		}
		return nil
	}
}

// FillDisk makes writes fail with ENOSPC once room bytes are written. The write that reaches
// the limit is short. Deleting files does not free space.
func FillDisk(room int) func(vfs.Op) error {
	return func(op vfs.Op) error {
		if op.Kind != vfs.OpWrite {
			return nil
		}
		if op.Bytes <= room {
			room -= op.Bytes
			return nil
		}
		short := &vfs.ShortWrite{Bytes: room, Err: syscall.ENOSPC}
		room = 0
		return short
	}
}

// Injector is a file system made by vfs.Inject that counts operations and open files.
type Injector struct {
	vfs.FS

	mu     sync.Mutex
	counts map[vfs.Kind]int64
	files  map[*file]struct{} // open ones
}

// Inject is vfs.Inject. With a nil decide, the Injector only counts.
func Inject(fs vfs.FS, decide func(vfs.Op) error) *Injector {
	i := &Injector{counts: make(map[vfs.Kind]int64), files: make(map[*file]struct{})}
	i.FS = vfs.Inject(fs, func(op vfs.Op) error {
		i.mu.Lock()
		i.counts[op.Kind]++
		i.mu.Unlock()
		if decide == nil {
			return nil
		}
		return decide(op)
	})
	return i
}

// Ops returns the number of operations of the given kinds, or of all kinds if none is given.
// It includes failed operations.
func (i *Injector) Ops(kinds ...vfs.Kind) int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	var sum int64
	for kind, count := range i.counts {
		if len(kinds) == 0 || slices.Contains(kinds, kind) {
			sum += count
		}
	}
	return sum
}

// OpenFiles returns the names of the files that are open, sorted.
func (i *Injector) OpenFiles() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	var names []string
	for f := range i.files {
		names = append(names, f.Name())
	}
	slices.Sort(names)
	return names
}

// Open opens a file, which is counted until it is closed.
func (i *Injector) Open(name string) (vfs.File, error) { return i.track(i.FS.Open(name)) }

// Create creates a file, which is counted until it is closed.
func (i *Injector) Create(name string) (vfs.File, error) { return i.track(i.FS.Create(name)) }

func (i *Injector) track(opened vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	f := &file{opened, i}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.files[f] = struct{}{}
	return f, nil
}

// file is a file that is open.
type file struct {
	vfs.File
	of *Injector
}

func (f *file) Close() error {
	f.of.mu.Lock()
	delete(f.of.files, f)
	f.of.mu.Unlock()
	return f.File.Close()
}
