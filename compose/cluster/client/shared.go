package client

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// Grown is what has become of a table of an open job.
type Grown struct {
	Batches uint64 `json:"batches"`
	Bytes   int64  `json:"bytes"` // of its files, each decompressed and to the end of its last record
	Rows    int64  `json:"rows"`  // valid ones
	// Known are the hashes of the fingerprints of its files, eight bytes each, the last
	// ones if they are many: a file is not appended twice.
	Known []byte `json:"known,omitempty"`
}

// rememberedFiles is how many files of a table are known again.
const rememberedFiles = 1000

const knownBytes = 8

func (p Fingerprint) hash() []byte {
	text := fmt.Appendf(nil, "%d %d %s", p.Size, p.Written, p.Sample)
	return binary.LittleEndian.AppendUint64(nil, xxhash.Sum64(text))
}

// has reports whether a file is one of those that the table is of.
func (g *Grown) has(p Fingerprint) bool {
	want := p.hash()
	for known := g.Known; len(known) >= knownBytes; known = known[knownBytes:] {
		if bytes.Equal(known[:knownBytes], want) {
			return true
		}
	}
	return false
}

// add returns what becomes of the table when a file is appended in which read was found.
func (g Grown) add(read Grown, file Fingerprint) Grown {
	g.Batches += read.Batches
	g.Bytes += read.Bytes
	g.Rows += read.Rows
	g.Known = append(bytes.Clone(g.Known), file.hash()...)
	g.Known = g.Known[max(0, len(g.Known)-knownBytes*rememberedFiles):]
	return g
}

// shared is what an open job itself knows of a table, in the table's note: what all who
// append to it go by, wherever they are. What the journal has beyond that saves sending
// batches twice, no more. A file's first batch is sent when Begun was written, and the
// next file begins when the note says that this one is through.
type shared struct {
	Grown
	Begun   *Fingerprint `json:"begun,omitempty"`   // the file that may be there in part
	Closing bool         `json:"closing,omitempty"` // no other file is begun

	version uint64 // of the note
}

// notes are where a job keeps what it shares: a Job.
type notes interface {
	Note(ctx context.Context, table string) (protocol.Note, error)
	Keep(ctx context.Context, n protocol.Note) error
}

// Journal returns a journal in memory of an open job, which knows what the job knows of its
// tables: what it takes to append to it, or to close it.
func (j *Job) Journal(ctx context.Context) (*Journal, error) {
	journal, err := NewJournal(vfs.NewMem(), "/", j.Spec, nil, func(error) {})
	if err == nil {
		err = journal.share(ctx, j, j.Spec)
	}
	return journal, err
}

// share has the journal go by what the job knows of its tables, and reads that.
func (j *Journal) share(ctx context.Context, with notes, spec *protocol.Spec) error {
	j.notes = with
	for _, table := range tablesOf(spec, nil) {
		if err := j.recall(ctx, spec, table); err != nil {
			return err
		}
	}
	return nil
}

// recall reads what the job knows of a table. Of an upload that is not under way any more
// the journal forgets how far it was.
func (j *Journal) recall(ctx context.Context, spec *protocol.Spec, table string) error {
	n, err := j.notes.Note(ctx, table)
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

// keep has the job know something else of a table. It fails with ErrOvertaken if what it
// knows has changed since it was read.
func (j *Journal) keep(ctx context.Context, table string, change func(*shared)) error {
	j.mu.Lock()
	next := j.shared[table]
	j.mu.Unlock()
	change(&next)
	next.version++
	text, err := json.Marshal(&next)
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	if err := j.notes.Keep(ctx, protocol.Note{Table: table, Version: next.version, Text: text}); err != nil {
		return err
	}
	j.mu.Lock()
	j.shared[table] = next
	j.mu.Unlock()
	return nil
}

// through has the job know that a file is in a table, unless somebody else who sent it
// has said so.
func (j *Journal) through(ctx context.Context, spec *protocol.Spec, table string, read Grown, file Fingerprint) error {
	err := j.keep(ctx, table, func(s *shared) { s.Grown, s.Begun = s.add(read, file), nil })
	if !errors.Is(err, ErrOvertaken) {
		return err
	}
	if again := j.recall(ctx, spec, table); again != nil {
		return again
	}
	if g := j.Grown()[table]; g.has(file) {
		return nil
	}
	return err
}

// Sent returns how many batches the files have that are through, by table: what a Cut that
// has all of them waits for.
func (j *Journal) Sent() map[string]uint64 {
	sent := make(map[string]uint64)
	for table, g := range j.Grown() {
		sent[table] = g.Batches
	}
	return sent
}

// Grown returns what the tables of an open job are made of, by name: the files that are
// through.
func (j *Journal) Grown() map[string]Grown {
	out := make(map[string]Grown)
	if j == nil {
		return out
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for table, s := range j.shared {
		if len(s.Known) > 0 {
			out[table] = s.Grown
		}
	}
	return out
}
