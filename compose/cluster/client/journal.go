package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
	"analyzer/process"
)

// Journal is what this machine knows of the upload of one job: which batches were
// acknowledged, and the fingerprints of the files. The file on disk may lag behind; batches
// it does not know of are sent again. Its methods may be called concurrently, and on nil,
// which knows nothing and keeps nothing.
type Journal struct {
	fs   vfs.FS
	path string
	warn func(error)

	saving sync.Mutex // held while the file is written

	notes notes // of an open job; nil: the shared state was not read

	identify func(context.Context, vfs.File) (protocol.Fingerprint, error)

	mu     sync.Mutex
	entry  entry
	shared map[string]shared // by table
	sure   map[string]bool   // tables whose files were checked to be the recorded ones
	dirty  bool
	lost   bool // it cannot be saved, or was removed
}

// entry is the content of the journal file.
type entry struct {
	Version int                             `json:"version"`
	Job     protocol.JobID                  `json:"job"`
	Open    bool                            `json:"open,omitempty"` // the job stays open
	Opened  time.Time                       `json:"opened"`
	Source  json.RawMessage                 `json:"source"` // the caller's, needed to resume
	Begun   map[string]bool                 `json:"begun"`  // tables that may have been sent in part
	Files   map[string]protocol.Fingerprint `json:"files"`  // by table
	Ended   map[int]bool                    `json:"ended"`  // scans that are complete
	Tables  []engine.TableReport            `json:"tables"` // of tables with a complete scan
	Acked   map[int]*numbers                `json:"acked"`  // batches by scan
	// Read says, for an open job, what was read of each file that was read to its end.
	Read map[string]Grown `json:"read,omitempty"`
}

// numbers is a set of batch numbers; in JSON, a roaring bitmap in base64.
type numbers struct{ roaring.Bitmap }

// MarshalText implements encoding.TextMarshaler.
func (n *numbers) MarshalText() ([]byte, error) {
	n.RunOptimize()
	text, err := n.ToBase64()
	return []byte(text), err
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *numbers) UnmarshalText(text []byte) error {
	_, err := n.FromBase64(string(text))
	return err
}

const (
	journalVersion = 2
	saveEvery      = time.Second
)

func journalPath(dir string, id protocol.JobID) string {
	return filepath.Join(dir, id.String()+".json")
}

// NewJournal creates the journal of a new job in a directory, which it creates if necessary.
// source is kept as JSON for whoever resumes. warn is called once if the journal cannot be
// saved, which is no reason to stop the upload. Journals of jobs that have expired are
// removed.
func NewJournal(fsys vfs.FS, dir string, spec *protocol.Spec, source any, warn func(error)) (*Journal, error) {
	text, err := json.Marshal(source)
	if err == nil {
		err = fsys.MkdirAll(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("make a journal: %w", err)
	}
	sweep(fsys, dir, time.Now())
	j := newJournal(fsys, journalPath(dir, spec.ID), warn)
	j.entry.Job, j.entry.Open, j.entry.Opened, j.entry.Source = spec.ID, spec.Open, spec.Opened, text
	return j, j.write()
}

func newJournal(fsys vfs.FS, path string, warn func(error)) *Journal {
	return &Journal{fs: fsys, path: path, warn: warn, identify: Identify, shared: make(map[string]shared), sure: make(map[string]bool), dirty: true, entry: entry{
		Version: journalVersion, Begun: make(map[string]bool), Files: make(map[string]protocol.Fingerprint),
		Ended: make(map[int]bool), Acked: make(map[int]*numbers), Read: make(map[string]Grown),
	}}
}

// sweep removes the journals of jobs that no cluster can still know. A journal that cannot be
// read or removed stays.
func sweep(fsys vfs.FS, dir string, now time.Time) {
	names, err := fsys.List(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		j := newJournal(fsys, filepath.Join(dir, name), nil)
		if err := j.read(); err == nil && now.Sub(j.entry.Opened) > protocol.MaxTTL {
			_ = fsys.Remove(j.path)
		}
	}
}

// OpenJournal reads the journal of a job; source receives what NewJournal was
// given. Errors: ErrNoJournal.
func OpenJournal(fsys vfs.FS, dir string, id protocol.JobID, source any, warn func(error)) (*Journal, error) {
	j := newJournal(fsys, journalPath(dir, id), warn)
	err := j.read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("job %s: %w", id, ErrNoJournal)
	}
	if err == nil && j.entry.Job != id {
		err = errors.New("it is of another job")
	}
	if err == nil {
		err = json.Unmarshal(j.entry.Source, source)
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal %s: %w", j.path, err)
	}
	return j, nil
}

func (j *Journal) read() error {
	text, err := vfs.ReadFile(j.fs, j.path)
	if err == nil {
		err = json.Unmarshal(text, &j.entry)
	}
	if err == nil && j.entry.Version != journalVersion {
		err = fmt.Errorf("it has version %d; this program reads %d", j.entry.Version, journalVersion)
	}
	return err
}

// change changes the entry by f and marks it to be saved.
func (j *Journal) change(f func(*entry)) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	f(&j.entry)
	j.dirty = true
}

// look calls f with the entry, under the lock; with an empty one if the journal is nil.
func (j *Journal) look(f func(*entry)) {
	if j == nil {
		f(&entry{})
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	f(&j.entry)
}

// acked notes a batch that was acknowledged.
func (j *Journal) acked(scan int, batch uint64) {
	if batch > math.MaxUint32 {
		return
	}
	j.change(func(e *entry) {
		if e.Acked[scan] == nil {
			e.Acked[scan] = new(numbers)
		}
		e.Acked[scan].Add(uint32(batch))
	})
}

// has reports whether a batch is known to be acknowledged.
func (j *Journal) has(scan int, batch uint64) (has bool) {
	j.look(func(e *entry) {
		has = batch <= math.MaxUint32 && e.Acked[scan] != nil && e.Acked[scan].Contains(uint32(batch))
	})
	return has
}

// end notes that scans are complete, and what was found in their table.
func (j *Journal) end(scans []int, read engine.TableReport) {
	j.change(func(e *entry) {
		if !slices.ContainsFunc(e.Tables, func(t engine.TableReport) bool { return t.Table == read.Table }) {
			e.Tables = append(e.Tables, read)
		}
		for _, scan := range scans {
			e.Ended[scan] = true
			delete(e.Acked, scan)
		}
		if e.Open {
			p := read.Stats.Progress
			e.Read[read.Table] = Grown{Batches: uint64(p.Blocks), Bytes: p.End, Rows: p.Rows}
		}
	})
}

// tables returns what was found in tables with a complete scan.
func (j *Journal) tables() (tables []engine.TableReport) {
	j.look(func(e *entry) { tables = slices.Clone(e.Tables) })
	return tables
}

// ended reports whether a scan is known to be complete.
func (j *Journal) ended(scan int) (ended bool) {
	j.look(func(e *entry) { ended = e.Ended[scan] })
	return ended
}

// Check refuses a file of a table that has several if it is not the one that a journal of sources has.
func (j *Journal) Check(ctx context.Context, part string, f vfs.File) error {
	return j.begin(ctx, part, f)
}

// begin is called before a table is uploaded from f. It fails if some of the table may have
// been sent before from another file, or if nobody can tell whether f is the same file.
func (j *Journal) begin(ctx context.Context, table string, f vfs.File) (err error) {
	if j == nil {
		return nil
	}
	var begun, must, isKnown bool
	var known, now protocol.Fingerprint
	j.look(func(e *entry) {
		begun, must = e.Begun[table], e.Begun[table] && !j.sure[table]
		known, isKnown = e.Files[table]
	})
	if must && (!isKnown || !f.Seekable()) {
		return fmt.Errorf("%s: %w", f.Name(), ErrUnknownFile)
	}
	if f.Seekable() {
		if now, err = j.identify(ctx, f); err != nil {
			return err
		}
	}
	if begun && isKnown && f.Seekable() && now != known { // also one that took its place between two readings
		return fmt.Errorf("%s: %w: it had %d bytes, and now it has %d, or it was written to", f.Name(), ErrChanged, known.Size, now.Size)
	}
	if j.notes != nil && !begun {
		if err := j.keep(ctx, table, nil, func(s *shared) { s.Begun = &now }); err != nil {
			return err
		}
	}
	j.change(func(e *entry) {
		j.sure[table], e.Begun[table] = true, true
		if !begun && f.Seekable() {
			e.Files[table] = now
		}
	})
	if !begun {
		j.save() // before anything is sent: afterwards nobody could know that it was
	}
	return nil
}

// keepSaving saves the journal every saveEvery until the function it returns is called, which
// saves it a last time.
func (j *Journal) keepSaving() (stop func()) {
	if j == nil {
		return func() {}
	}
	end := process.Every(saveEvery, j.save)
	return func() {
		end()
		j.save()
	}
}

// save writes what has changed. If that fails, warn is called once, and the upload goes on
// without the journal.
func (j *Journal) save() {
	if err := j.write(); err != nil {
		j.mu.Lock()
		j.lost = true
		j.mu.Unlock()
		j.warn(err)
	}
}

func (j *Journal) write() error {
	j.saving.Lock()
	defer j.saving.Unlock()
	j.mu.Lock()
	if j.lost || !j.dirty {
		j.mu.Unlock()
		return nil
	}
	j.dirty = false
	text, err := json.Marshal(&j.entry)
	j.mu.Unlock()
	if err == nil {
		err = vfs.Replace(j.fs, j.path, text)
	}
	if err != nil {
		j.change(func(*entry) {}) // mark it unsaved again
		err = fmt.Errorf("save the journal %s: %w", j.path, err)
	}
	return err
}

// LockJournal waits until no other process uses this journal to go on with its job, and
// keeps others out until Unlock. If the context has ended, it does not wait. dir is a directory of the operating system. Open the journal
// only while holding the lock.
func LockJournal(ctx context.Context, dir string, id protocol.JobID) (*vfs.FileLock, error) {
	return vfs.Lock(ctx, filepath.Join(dir, id.String()+".lock"))
}

// Remove removes the journal, once nobody will resume the job.
func (j *Journal) Remove() error {
	if j == nil {
		return nil
	}
	j.saving.Lock()
	defer j.saving.Unlock()
	j.mu.Lock()
	j.lost = true
	j.mu.Unlock()
	return RemoveJournal(j.fs, filepath.Dir(j.path), j.entry.Job)
}

// RemoveJournal removes the journal of a job, which must not be open, and the files kept
// beside it.
func RemoveJournal(fsys vfs.FS, dir string, id protocol.JobID) error {
	names, err := fsys.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, name := range names {
		if !strings.HasPrefix(name, id.String()+".") {
			continue
		}
		if failed := fsys.Remove(filepath.Join(dir, name)); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	if err != nil {
		return fmt.Errorf("remove the journal: %w", err)
	}
	return nil
}
