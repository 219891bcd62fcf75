package worker

import (
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"analyzer/columnar/vfs"
)

// reserve is disk space reserved for ending jobs. Without it no job could be ended on a
// full disk, although ending jobs frees space. A nil reserve, or one of 0 bytes, reserves
// nothing.
type reserve struct {
	fs    vfs.FS
	path  string
	bytes int64
	log   *slog.Logger
	now   func() time.Time

	mu    sync.Mutex // since parts end concurrently
	again time.Time  // earliest time of the next attempt to reserve
}

const reserveName = "RESERVE"

// keepAgain is the pause before space is reserved again.
const keepAgain = 10 * time.Second

func newReserve(w *Worker) *reserve {
	r := &reserve{fs: w.FS, path: filepath.Join(w.State, reserveName), bytes: w.Reserve, log: w.Log, now: w.Now}
	r.keep()
	return r
}

// keep reserves the space, unless it was tried or spent less than keepAgain ago.
func (r *reserve) keep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bytes == 0 || r.now().Before(r.again) {
		return
	}
	r.again = r.now().Add(keepAgain)
	size, err := r.fs.Size(r.path)
	if err == nil && size == r.bytes {
		return
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = r.fill()
	}
	if err != nil {
		r.log.Warn("keep room for the end of jobs", "bytes", r.bytes, "error", err)
	}
}

// fill writes the file. Its bytes differ, since a file system may store equal bytes in
// less space.
func (r *reserve) fill() error {
	f, err := r.fs.Create(r.path)
	if err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	for i := range block {
		block[i] = byte(i * i >> 4)
	}
	for left := r.bytes; left > 0 && err == nil; left -= int64(len(block)) {
		_, err = f.Write(block[:min(left, int64(len(block)))])
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, r.fs.Remove(r.path))
	}
	return nil
}

// spend calls do, which ends a job. If the disk is full, it frees the reserve and calls do
// again.
func (r *reserve) spend(do func() error) error {
	err := do()
	if r == nil || !vfs.DiskFull(err) || errors.Is(err, vfs.ErrUnsure) {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fs.Remove(r.path) != nil {
		return err
	}
	r.again = r.now().Add(keepAgain)
	return do()
}
