package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// Tombstones remembers jobs that have ended, so that late messages do not bring them
// back. Safe for concurrent use.
type Tombstones struct {
	fs      vfs.FS
	dir     string
	keep    time.Duration
	reserve *reserve
	now     func() time.Time

	mu    sync.Mutex
	known map[protocol.JobID]tombstone
	again time.Time // when Sweep looks again
}

type tombstone struct {
	Owner  string    `json:"owner,omitempty"` // who may be told why; "": unknown
	Reason string    `json:"reason"`
	Until  time.Time `json:"until"`
}

// OpenTombstones reads the tombstones in a directory, which it creates if necessary. Each
// is kept for as long as keep says. On a full disk, writing one uses up the reserve, which
// may be nil.
func OpenTombstones(fsys vfs.FS, dir string, keep time.Duration, room *reserve, now func() time.Time) (*Tombstones, error) {
	if err := fsys.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("make the directory for ended jobs: %w", err)
	}
	// A crash must not undo what is read now.
	if err := errors.Join(fsys.SyncDir(filepath.Dir(dir)), fsys.SyncDir(dir)); err != nil {
		return nil, fmt.Errorf("make the directory for ended jobs durable: %w", err)
	}
	t := &Tombstones{fs: fsys, dir: dir, keep: keep, reserve: room, now: now, known: make(map[protocol.JobID]tombstone)}
	names, err := fsys.List(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, err := protocol.ParseJobID(name)
		if err != nil {
			if err := t.removeUnfinished(name); err != nil {
				return nil, err
			}
			continue
		}
		stone, err := t.read(name)
		if err != nil {
			return nil, fmt.Errorf("read that job %s has ended: %w", id, err)
		}
		t.known[id] = stone
	}
	return t, t.Sweep()
}

// removeUnfinished removes a file that a killed process left half written.
func (t *Tombstones) removeUnfinished(name string) error {
	if !strings.HasSuffix(name, vfs.NewSuffix) {
		return nil // somebody else's
	}
	if err := t.fs.Remove(filepath.Join(t.dir, name)); err != nil {
		return fmt.Errorf("remove a tombstone that was not finished: %w", err)
	}
	return nil
}

// read reads a tombstone. Of a damaged one the file's name tells what matters: the job.
func (t *Tombstones) read(name string) (stone tombstone, err error) {
	text, err := vfs.ReadFile(t.fs, filepath.Join(t.dir, name))
	if err != nil {
		return stone, err
	}
	if json.Unmarshal(text, &stone) != nil {
		stone = tombstone{Reason: "it is not known why: what was written of it is damaged", Until: t.now().Add(t.keep)}
	}
	return stone, nil
}

// Add remembers, durably, that a job has ended.
func (t *Tombstones) Add(id protocol.JobID, owner, reason string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.known[id]; ok {
		return nil
	}
	stone := tombstone{Owner: owner, Reason: reason, Until: t.now().Add(t.keep)}
	text, err := json.Marshal(stone)
	if err != nil {
		return err
	}
	err = t.reserve.spend(func() error { return vfs.Replace(t.fs, filepath.Join(t.dir, id.String()), text) })
	if err != nil {
		return fmt.Errorf("remember that job %s has ended: %w", id, err)
	}
	t.known[id] = stone
	return nil
}

// Ended returns whether a job has ended, whose it was, and why it ended.
func (t *Tombstones) Ended(id protocol.JobID) (owner, reason string, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	stone, ok := t.known[id]
	return stone.Owner, stone.Reason, ok
}

// Sweep removes expired tombstones. It may be called often: it looks at them once a
// second, or a minute after it failed to remove one.
func (t *Tombstones) Sweep() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now().Before(t.again) {
		return nil
	}
	t.again = t.now().Add(time.Second)
	var errs []error
	for id, stone := range t.known {
		if t.now().Before(stone.Until) {
			continue
		}
		err := t.fs.Remove(filepath.Join(t.dir, id.String()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
			t.again = t.now().Add(time.Minute)
			continue
		}
		delete(t.known, id)
	}
	return errors.Join(errs...)
}
