package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
)

// The files that were appended to an open job are remembered as long as it lives, 16 bytes
// each. The last ones are part of the state that each commit writes. When there are
// Commit.Merge of them, they become a segment, together with all segments before it that have
// no more than it. So n files make at most log₂ n segments, and each is copied at most log₂ n
// times.

// fileKey is the name of a file in its job (protocol.Note.File).
type fileKey [protocol.FileBytes]byte

func (k fileKey) compare(o fileKey) int { return bytes.Compare(k[:], o[:]) }

// fileSet is what a commit holds of the appended files.
type fileSet struct {
	Segments []string `json:"segments,omitempty"` // from the largest to the smallest
	Recent   []byte   `json:"recent,omitempty"`   // the keys of those in no segment
}

// knows reports whether a file is remembered; nil, which is none, is not.
func (p *Part) knows(file []byte) (bool, error) {
	if file == nil {
		return false, nil
	}
	for recent := range slices.Chunk(p.d.Files.Recent, protocol.FileBytes) {
		if bytes.Equal(recent, file) {
			return true, nil
		}
	}
	if err := p.readFiles(); err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.files, func(run []fileKey) bool {
		_, found := slices.BinarySearchFunc(run, fileKey(file), fileKey.compare)
		return found
	}), nil
}

// remember makes a file part of the next commit, unless it is nil or known already.
func (p *Part) remember(file []byte) error {
	known, err := p.knows(file)
	if err == nil && !known {
		p.d.Files.Recent = slices.Concat(p.d.Files.Recent, file)
	}
	return err
}

// readFiles reads the segments of files, unless they are in memory.
func (p *Part) readFiles() error {
	for _, name := range p.d.Files.Segments[len(p.files):] {
		run, err := p.readRun(name)
		if err != nil {
			return err
		}
		p.files = append(p.files, run)
	}
	return nil
}

func (p *Part) readRun(name string) (run []fileKey, err error) {
	r, err := p.openSegment(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var buffer []byte
	err = eachMessage(r, &buffer, func(rows columnar.Rows) error {
		for i := range rows.Len {
			var k fileKey
			binary.BigEndian.PutUint64(k[:8], uint64(rows.Cols[0].Ints[i]))
			binary.BigEndian.PutUint64(k[8:], uint64(rows.Cols[1].Ints[i]))
			run = append(run, k)
		}
		return nil
	})
	return run, err
}

// writeFiles writes the recent files as a segment if they are enough, and adds it to a change.
func (p *Part) writeFiles(change *segment.Change) error {
	d := &p.d.Files
	if len(d.Recent) < p.worker.Commit.Merge*protocol.FileBytes {
		return nil
	}
	if p.worker.Knobs.RecentFiles {
		d.Recent = nil
		return nil
	}
	if err := p.readFiles(); err != nil {
		return err
	}
	var run []fileKey
	for k := range slices.Chunk(d.Recent, protocol.FileBytes) {
		run = append(run, fileKey(k))
	}
	left := len(p.files)
	for ; left > 0 && len(p.files[left-1]) <= len(run); left-- {
		old, err := p.store.Segment(d.Segments[left-1])
		if err != nil {
			return err
		}
		run, change.Remove = append(run, p.files[left-1]...), append(change.Remove, old)
	}
	slices.SortFunc(run, fileKey.compare)
	s, err := p.writeSegment(fileSchema(), func(w *segment.Writer) error { return appendRun(w, run) })
	if err != nil {
		return err
	}
	change.Add = append(change.Add, s)
	p.files = append(p.files[:left], run)
	*d = fileSet{Segments: append(slices.Clone(d.Segments[:left]), s.Name())}
	return nil
}

// fileSchema is that of the segments of files: the two halves of each key.
func fileSchema() columnar.Schema {
	return columnar.Schema{{Name: "high", Type: columnar.Int}, {Name: "low", Type: columnar.Int}}
}

// fileRows is how many files a block of a segment has at most.
const fileRows = 64 << 10

func appendRun(w *segment.Writer, run []fileKey) error {
	for some := range slices.Chunk(run, fileRows) {
		rows := columnar.NewRows(fileSchema())
		for _, k := range some {
			rows.Cols[0].AppendInt(int64(binary.BigEndian.Uint64(k[:8])))
			rows.Cols[1].AppendInt(int64(binary.BigEndian.Uint64(k[8:])))
		}
		rows.Len = len(some)
		if err := w.Append(0, rows); err != nil {
			return err
		}
	}
	return nil
}
