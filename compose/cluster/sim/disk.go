package sim

import (
	"errors"
	"slices"
	"syscall"

	"analyzer/columnar/vfs"
)

// disk is a disk that runs full now and then, and that a mutant fails to sync.
type disk struct {
	*vfs.Mem
	rng   intner
	knobs DiskKnobs
	until int // operations that need space before it is full
	lack  int // operations that then fail
}

type intner interface{ IntN(n int) int }

func newDisk(rng intner, knobs DiskKnobs) *disk {
	d := &disk{Mem: vfs.NewMem(), rng: rng, knobs: knobs}
	if err := errors.Join(d.Mem.MkdirAll(spillDir), d.Mem.SyncDir("/")); err != nil {
		panic(err) // memory has no reason to fail
	}
	return d
}

// DiskKnobs each leave out one of the calls that make state durable, so that a
// simulation can show that it notices.
type DiskKnobs struct {
	NoFileSync      bool
	NoDirectorySync bool
}

// needSpace are the operations that a full disk may refuse.
var needSpace = []vfs.Kind{vfs.OpCreate, vfs.OpWrite, vfs.OpSync, vfs.OpMkdirTemp}

// room fails an operation for which there is no room.
func (d *disk) room(op vfs.Op) error {
	if !slices.Contains(needSpace, op.Kind) {
		return nil
	}
	switch {
	case d.until > 0:
		d.until--
		return nil
	case d.lack == 0:
		return nil
	}
	d.lack--
	if op.Kind == vfs.OpWrite {
		return &vfs.ShortWrite{Bytes: d.rng.IntN(op.Bytes + 1), Err: syscall.ENOSPC}
	}
	return syscall.ENOSPC
}

// fill lets the disk run full soon: once, or for long.
func (d *disk) fill() {
	d.until, d.lack = d.rng.IntN(40), 1
	if d.rng.IntN(2) == 0 {
		d.lack = 1 + d.rng.IntN(60)
	}
}

// SyncDir makes the entries of a directory durable.
func (d *disk) SyncDir(dir string) error {
	if d.knobs.NoDirectorySync {
		return nil
	}
	return d.Mem.SyncDir(dir)
}

// Create makes a file.
func (d *disk) Create(name string) (vfs.File, error) {
	f, err := d.Mem.Create(name)
	if err == nil && d.knobs.NoFileSync {
		f = lazy{f}
	}
	return f, err
}

// lazy is a file that is never synced.
type lazy struct{ vfs.File }

func (lazy) Sync() error { return nil }
