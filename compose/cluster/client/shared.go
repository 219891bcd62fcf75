package client

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// Grown holds the totals of the complete files of an open job's table.
type Grown struct {
	Files   int64  `json:"files"`
	Batches uint64 `json:"batches"`
	Bytes   int64  `json:"bytes"` // of its files, each decompressed and to the end of its last record
	Rows    int64  `json:"rows"`  // valid ones
}

// nameOf returns the name by which a job remembers a file of a table (protocol.Note.File).
func nameOf(table string, p protocol.Fingerprint) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %s", table, p.Size, p.Written, p.Sample))
	return sum[:protocol.FileBytes]
}

// add adds the totals of a file.
func (g *Grown) add(file Grown) {
	g.Files++
	g.Batches += file.Batches
	g.Bytes += file.Bytes
	g.Rows += file.Rows
}

// shared is what an open job itself keeps of a table, in the table's note. Everyone who
// appends to the table relies on it, from any machine; what a journal knows beyond it only
// saves sending batches twice. A file's first batch is sent after Begun is written, and the
// next file begins after the note says that this one is complete. The job remembers the file
// with that note. A file that it does not remember is not in the table of that version of the
// note, so it may begin only with the next version.
type shared struct {
	Grown
	Begun   *protocol.Fingerprint `json:"begun,omitempty"`   // the file that may have been sent in part
	Closing bool                  `json:"closing,omitempty"` // no other file may begin

	version uint64 // of the note
}

// notes is where a job keeps what it shares: a Job, outside of tests.
type notes interface {
	Note(ctx context.Context, table string, file []byte) (protocol.Note, error)
	Keep(ctx context.Context, n protocol.Note) error
}

// Journal returns an in-memory journal of an open job, filled with what the job knows of its
// tables.
func (j *Job) Journal(ctx context.Context) (*Journal, error) {
	journal, err := j.inMemory()
	if err == nil {
		err = journal.share(ctx, j, j.Spec)
	}
	return journal, err
}

// inMemory returns a journal that knows nothing yet. That is enough to append to the job or to
// close it.
func (j *Job) inMemory() (*Journal, error) {
	return NewJournal(vfs.NewMem(), "/", j.Spec, nil, func(error) {})
}

// share makes the journal use the notes of the job, and reads them.
func (j *Journal) share(ctx context.Context, with notes, spec *protocol.Spec) error {
	j.notes = with
	for _, table := range tablesOf(spec, nil) {
		if err := j.recall(ctx, spec, table); err != nil {
			return err
		}
	}
	return nil
}

// recall reads what the job knows of a table. The journal forgets its progress on an upload
// that is no longer under way.
func (j *Journal) recall(ctx context.Context, spec *protocol.Spec, table string) error {
	n, err := j.notes.Note(ctx, table, nil)
	if err != nil {
		return err
	}
	now := shared{version: n.Version}
	if n.Version > 0 {
		if err := json.Unmarshal(n.Text, &now); err != nil {
			return fmt.Errorf("read the note of table %s: %w", table, err)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	e := &j.entry
	if now.Begun == nil || !e.Begun[table] || e.Files[table] != *now.Begun {
		j.forgetLocked(spec, table)
	}
	if now.Begun != nil {
		e.Begun[table], e.Files[table] = true, *now.Begun
	}
	j.shared[table] = now
	j.dirty = true
	return nil
}

// keep changes what the job knows of a table, and makes the job remember a file with it,
// unless that is nil. It fails with ErrOvertaken if the note has changed since it was read.
func (j *Journal) keep(ctx context.Context, table string, file []byte, change func(*shared)) error {
	j.mu.Lock()
	next := j.shared[table]
	j.mu.Unlock()
	change(&next)
	next.version++
	text, err := json.Marshal(&next)
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	if err := j.notes.Keep(ctx, protocol.Note{Table: table, Version: next.version, Text: text, File: file}); err != nil {
		return err
	}
	j.mu.Lock()
	j.shared[table] = next
	j.mu.Unlock()
	return nil
}

// hasFile reports whether the job remembers a file of a table. It fails with ErrOvertaken if it
// does not, but the note has changed since it was read.
func (j *Journal) hasFile(ctx context.Context, table string, file protocol.Fingerprint) (bool, error) {
	n, err := j.notes.Note(ctx, table, nameOf(table, file))
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil && !n.Known && n.Version != j.shared[table].version {
		err = ErrOvertaken
	}
	return n.Known, err
}

// through tells the job that a file is complete in a table. It succeeds too if another
// uploader of the same file has already said so.
func (j *Journal) through(ctx context.Context, spec *protocol.Spec, table string, read Grown, file protocol.Fingerprint) error {
	err := j.keep(ctx, table, nameOf(table, file), func(s *shared) {
		s.add(read)
		s.Begun = nil
	})
	if !errors.Is(err, ErrOvertaken) {
		return err
	}
	if again := j.recall(ctx, spec, table); again != nil {
		return again
	}
	has, again := j.hasFile(ctx, table, file)
	if has {
		return nil
	}
	return cmp.Or(again, err)
}

// Sent returns, by table, how many batches the complete files have: what to pass to Cut for a
// cut that includes all of them.
func (j *Journal) Sent() map[string]uint64 {
	sent := make(map[string]uint64)
	for table, g := range j.Grown() {
		sent[table] = g.Batches
	}
	return sent
}

// Grown returns, by table, the totals of the complete files of an open job.
func (j *Journal) Grown() map[string]Grown {
	out := make(map[string]Grown)
	if j == nil {
		return out
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for table, s := range j.shared {
		if s.Files > 0 {
			out[table] = s.Grown
		}
	}
	return out
}
