package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
)

// Journal is what is known on this machine of the upload of one job: which batches
// were acknowledged, and what the files were. It lags behind; what it does not know
// of is sent again. Its methods may be called concurrently, and on nil, which
// knows nothing and keeps nothing.
type Journal struct {
	fs   vfs.FS
	path string
	warn func(error)

	saving sync.Mutex // held while the file is written

	mu    sync.Mutex
	entry entry
	acks  map[int]*roaring.Bitmap // by scan
	sure  map[string]bool         // tables whose files are known to be the ones
	dirty bool
	lost  bool // it cannot be saved
}

// entry is the content of the file.
type entry struct {
	Version int                    `json:"version"`
	Job     protocol.JobID         `json:"job"`
	Opened  time.Time              `json:"opened"`
	Source  json.RawMessage        `json:"source"` // the caller's, to go on with
	Begun   map[string]bool        `json:"begun"`  // tables of which something may have been sent
	Files   map[string]Fingerprint `json:"files"`  // by table
	Ended   map[int]bool           `json:"ended"`  // scans that are through
	Tables  []engine.TableReport   `json:"tables"` // of which some are
	Acked   map[int]string         `json:"acked"`  // batches by scan: a roaring bitmap in base64
}

const (
	journalVersion = 1
	saveEvery      = time.Second
	maxJournal     = 64 << 20 // bytes
)

func journalPath(dir string, id protocol.JobID) string {
	return filepath.Join(dir, id.String()+".json")
}

// NewJournal makes the journal of a new job in a directory, which is made if there
// is none. source is kept for whoever goes on, as JSON. warn is told once if the
// journal cannot be saved, which is no reason to stop. Journals of jobs that have
// expired are removed.
func NewJournal(fsys vfs.FS, dir string, spec *protocol.Spec, source any, warn func(error)) (*Journal, error) {
	text, err := json.Marshal(source)
	if err != nil {
		return nil, fmt.Errorf("make a journal: %w", err)
	}
	if err := fsys.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("make a journal: %w", err)
	}
	sweep(fsys, dir, time.Now())
	j := newJournal(fsys, journalPath(dir, spec.ID), entry{
		Version: journalVersion, Job: spec.ID, Opened: spec.Opened, Source: text,
		Begun: make(map[string]bool), Files: make(map[string]Fingerprint), Ended: make(map[int]bool),
	}, warn)
	return j, j.save()
}

func newJournal(fsys vfs.FS, path string, e entry, warn func(error)) *Journal {
	return &Journal{
		fs: fsys, path: path, warn: warn, entry: e,
		acks: make(map[int]*roaring.Bitmap), sure: make(map[string]bool),
	}
}

// sweep removes journals of jobs that no cluster can know any more. What cannot
// be read or removed stays.
func sweep(fsys vfs.FS, dir string, now time.Time) {
	names, err := fsys.List(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if e, err := readEntry(fsys, path); err == nil && now.Sub(e.Opened) > protocol.MaxTTL {
			_ = fsys.Remove(path)
		}
	}
}

// OpenJournal reads the journal of a job; source receives what NewJournal was
// given. Errors: ErrNoJournal.
func OpenJournal(fsys vfs.FS, dir string, id protocol.JobID, source any, warn func(error)) (*Journal, error) {
	path := journalPath(dir, id)
	e, err := readEntry(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("job %s: %w", id, ErrNoJournal)
	}
	if err == nil && e.Job != id {
		err = errors.New("it is of another job")
	}
	if err == nil {
		err = json.Unmarshal(e.Source, source)
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal %s: %w", path, err)
	}
	j := newJournal(fsys, path, *e, warn)
	for scan, text := range e.Acked {
		j.acks[scan] = roaring.New()
		if _, err := j.acks[scan].FromBase64(text); err != nil {
			return nil, fmt.Errorf("read the journal %s: scan %d: %w", path, scan, err)
		}
	}
	return j, nil
}

func readEntry(fsys vfs.FS, path string) (e *entry, err error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size > maxJournal {
		return nil, fmt.Errorf("it has %d bytes", size)
	}
	text := make([]byte, size)
	if n, err := f.ReadAt(text, 0); n < len(text) {
		return nil, err
	}
	e = &entry{Begun: make(map[string]bool), Files: make(map[string]Fingerprint), Ended: make(map[int]bool)}
	if err := json.Unmarshal(text, e); err != nil {
		return nil, err
	}
	if e.Version != journalVersion {
		return nil, fmt.Errorf("it has version %d; this program reads %d", e.Version, journalVersion)
	}
	return e, nil
}

// acked notes a batch that was acknowledged.
func (j *Journal) acked(scan int, batch uint64) {
	if j == nil || batch > math.MaxUint32 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.acks[scan] == nil {
		j.acks[scan] = roaring.New()
	}
	j.acks[scan].Add(uint32(batch))
	j.dirty = true
}

// has reports whether a batch is known to be acknowledged.
func (j *Journal) has(scan int, batch uint64) bool {
	if j == nil || batch > math.MaxUint32 {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.acks[scan] != nil && j.acks[scan].Contains(uint32(batch))
}

// end notes that a scan is through, and what was found in its table.
func (j *Journal) end(scan int, p *engine.Pass) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entry.Ended[scan] = true
	if !slices.ContainsFunc(j.entry.Tables, func(t engine.TableReport) bool { return t.Table == p.Table.Name }) {
		j.entry.Tables = append(j.entry.Tables, engine.TableReport{Table: p.Table.Name, Scans: 1, Stats: p.Stats})
	}
	delete(j.acks, scan)
	j.dirty = true
}

// tables returns what was found in tables of which a scan is through.
func (j *Journal) tables() []engine.TableReport {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entry.Tables)
}

// ended reports whether a scan is known to be through.
func (j *Journal) ended(scan int) bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entry.Ended[scan]
}

// Remove removes the journal, when nobody will go on with the job.
func (j *Journal) Remove() error {
	if j == nil {
		return nil
	}
	j.saving.Lock()
	defer j.saving.Unlock()
	j.mu.Lock()
	j.lost = true
	j.mu.Unlock()
	return remove(j.fs, j.path)
}

// RemoveJournal removes the journal of a job, if there is one and nobody has it open.
func RemoveJournal(fsys vfs.FS, dir string, id protocol.JobID) error {
	return remove(fsys, journalPath(dir, id))
}

func remove(fsys vfs.FS, path string) error {
	if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the journal: %w", err)
	}
	return nil
}
