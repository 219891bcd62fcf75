package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"

	"analyzer/columnar/vfs"
)

// disk is a disk that runs full now and then. Its knobs leave out syncs.
type disk struct {
	*vfs.Mem
	rng   *rand.Rand
	cfg   Config
	until int // operations that need space, before the disk is full
	lack  int // operations that then fail
	full  bool
	free  int // bytes, while it is full
}

func newDisk(rng *rand.Rand, cfg Config) *disk {
	d := &disk{Mem: vfs.NewMem(), rng: rng, cfg: cfg}
	if err := errors.Join(d.Mem.MkdirAll(spillDir), d.Mem.SyncDir("/")); err != nil {
		panic(err) // a disk in memory has no reason to fail
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

// room returns the error of an operation for which the disk has no room.
func (d *disk) room(op vfs.Op) error {
	if d.full {
		return d.space(op)
	}
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

// space is room on a disk that is full until something on it is removed.
func (d *disk) space(op vfs.Op) error {
	switch op.Kind {
	case vfs.OpRemove, vfs.OpRemoveAll, vfs.OpCreate: // OpCreate truncates an existing file
		d.free += d.used(op.Name)
	case vfs.OpWrite:
		if op.Bytes > d.free {
			return &vfs.ShortWrite{Bytes: d.rng.IntN(d.free + 1), Err: syscall.ENOSPC}
		}
		d.free -= op.Bytes
	}
	return nil
}

// crash loses unsynced writes, and frees their space.
func (d *disk) crash() {
	before := d.used(stateDir)
	d.Mem.Crash(d.rng)
	d.free += max(0, before-d.used(stateDir))
}

// used returns how many bytes a file has, or the files of a directory.
func (d *disk) used(name string) (bytes int) {
	if names, err := d.Mem.List(name); err == nil {
		for _, n := range names {
			bytes += d.used(name + "/" + n)
		}
		return bytes
	}
	size, _ := d.Mem.Size(name) // 0 if it does not exist
	return int(size)
}

// String says for how long the disk is full.
func (d *disk) String() string {
	if d.full {
		return "until something is removed"
	}
	return fmt.Sprintf("after %d operations, for %d", d.until, d.lack)
}

// fill makes the disk run full: at once, until something on it is removed; or soon, for
// one or more operations.
func (d *disk) fill() {
	if d.cfg.Stuffed {
		d.full = true
		return
	}
	d.until, d.lack = d.rng.IntN(40), 1
	if d.rng.IntN(2) == 0 {
		d.lack = 1 + d.rng.IntN(60)
	}
}

// SyncDir makes the entries of a directory durable.
func (d *disk) SyncDir(dir string) error {
	if d.cfg.Disk.NoDirectorySync {
		return nil
	}
	return d.Mem.SyncDir(dir)
}

// Create makes a file.
func (d *disk) Create(name string) (vfs.File, error) {
	f, err := d.Mem.Create(name)
	if err == nil && d.cfg.Disk.NoFileSync {
		f = lazy{f}
	}
	return f, err
}

// lazy is a file that is never synced.
type lazy struct{ vfs.File }

func (lazy) Sync() error { return nil }
