package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// Tombstones remembers jobs that have ended, so that what is still on its way to
// them does not bring them back. Safe for concurrent use.
type Tombstones struct {
	fs   vfs.FS
	dir  string
	keep time.Duration
	now  func() time.Time

	mu    sync.Mutex
	known map[protocol.JobID]tombstone
}

type tombstone struct {
	Reason string    `json:"reason"`
	Until  time.Time `json:"until"`
}

// OpenTombstones reads the tombstones in a directory, which it makes. Each is
// kept for as long as keep says.
func OpenTombstones(fsys vfs.FS, dir string, keep time.Duration, now func() time.Time) (*Tombstones, error) {
	if err := fsys.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("make the directory for ended jobs: %w", err)
	}
	// What is read now must not be undone by a crash.
	if err := errors.Join(fsys.SyncDir(filepath.Dir(dir)), fsys.SyncDir(dir)); err != nil {
		return nil, fmt.Errorf("make the directory for ended jobs durable: %w", err)
	}
	t := &Tombstones{fs: fsys, dir: dir, keep: keep, now: now, known: make(map[protocol.JobID]tombstone)}
	names, err := fsys.List(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, err := protocol.ParseJobID(name)
		if err != nil {
			continue // a file that was not finished
		}
		stone, err := t.read(name)
		if err != nil {
			return nil, fmt.Errorf("read that job %s has ended: %w", id, err)
		}
		t.known[id] = stone
	}
	return t, t.Sweep()
}

func (t *Tombstones) read(name string) (stone tombstone, err error) {
	f, err := t.fs.Open(filepath.Join(t.dir, name))
	if err != nil {
		return stone, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err := io.ReadAll(f)
	if err != nil {
		return stone, err
	}
	return stone, json.Unmarshal(text, &stone)
}

// Add remembers, durably, that a job has ended.
func (t *Tombstones) Add(id protocol.JobID, reason string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.known[id]; ok {
		return nil
	}
	stone := tombstone{Reason: reason, Until: t.now().Add(t.keep)}
	text, err := json.Marshal(stone)
	if err != nil {
		return err
	}
	final := filepath.Join(t.dir, id.String())
	if err := t.write(final+".tmp", text); err != nil {
		return fmt.Errorf("remember that job %s has ended: %w", id, err)
	}
	if err := errors.Join(t.fs.Rename(final+".tmp", final), t.fs.SyncDir(t.dir)); err != nil {
		return fmt.Errorf("remember that job %s has ended: %w", id, err)
	}
	t.known[id] = stone
	return nil
}

func (t *Tombstones) write(path string, text []byte) (err error) {
	f, err := t.fs.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

// Ended returns why a job ended, and whether it did.
func (t *Tombstones) Ended(id protocol.JobID) (reason string, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	stone, ok := t.known[id]
	return stone.Reason, ok
}

// Sweep forgets the tombstones whose time has passed.
func (t *Tombstones) Sweep() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var errs []error
	for id, stone := range t.known {
		if t.now().Before(stone.Until) {
			continue
		}
		err := t.fs.Remove(filepath.Join(t.dir, id.String()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
			continue
		}
		delete(t.known, id)
	}
	return errors.Join(errs...)
}
