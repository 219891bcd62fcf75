package worker

import (
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"analyzer/columnar/vfs"
)

// reserve is room on the disk that is kept back for the end of jobs: on a full disk
// a job could not be ended otherwise, which is what would free the disk. A nil
// reserve, or one of no bytes, keeps nothing.
type reserve struct {
	fs    vfs.FS
	path  string
	bytes int64
	log   *slog.Logger
	now   func() time.Time

	mu    sync.Mutex // parts end side by side
	again time.Time  // when to keep room back again, after it was spent
}

const reserveName = "RESERVE"

// keepAgain is the pause before room is kept back again.
const keepAgain = 10 * time.Second

func newReserve(w *Worker) *reserve {
	r := &reserve{fs: w.FS, path: filepath.Join(w.State, reserveName), bytes: w.Reserve, log: w.Log, now: w.Now}
	r.keep()
	return r
}

// keep keeps the room back, unless it was tried just now.
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

// fill writes the file, of bytes that are not all the same or the disk might need no
// room for them.
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

// spend does what ends a job, and does it again with the room that was kept back if
// there is none.
func (r *reserve) spend(do func() error) error {
	err := do()
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	if r == nil || !full || errors.Is(err, vfs.ErrUnsure) {
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
