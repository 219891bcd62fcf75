package worker

import (
	"cmp"
	"encoding/binary"
	"slices"

	"analyzer/columnar/segment"
)

// The files that were appended to an open job are remembered as long as it lives, as a long
// list of the names that they have in the job (protocol.Note.File).

// fileOf returns the entry of a file.
func fileOf(name []byte) entry {
	return entry{binary.BigEndian.Uint64(name), binary.BigEndian.Uint64(name[8:])}
}

func compareFiles(a, b entry) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// knows reports whether a file is remembered; nil, which is none, is not.
func (p *Part) knows(file []byte) (bool, error) {
	if file == nil {
		return false, nil
	}
	if slices.Contains(p.d.Files.Recent, fileOf(file)) {
		return true, nil
	}
	if err := p.readFiles(); err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.files, func(run []entry) bool {
		_, found := slices.BinarySearchFunc(run, fileOf(file), compareFiles)
		return found
	}), nil
}

// remember makes a file part of the next commit, unless it is nil or known already.
func (p *Part) remember(file []byte) error {
	known, err := p.knows(file)
	if err == nil && !known && file != nil {
		p.d.Files.Recent = append(p.d.Files.Recent, fileOf(file))
	}
	return err
}

// readFiles reads the segments of files, unless they are in memory.
func (p *Part) readFiles() error {
	for _, name := range p.d.Files.Segments[len(p.files):] {
		s, err := p.store.Segment(name)
		if err != nil {
			return err
		}
		run := make([]entry, 0, rowsOf(s))
		err = eachEntry(p.store, s, func(e entry) bool {
			run = append(run, e)
			return true
		})
		if err != nil {
			return err
		}
		p.files = append(p.files, run)
	}
	return nil
}

// writeFiles shortens the list of files.
func (p *Part) writeFiles(change *segment.Change) error {
	d := &p.d.Files
	before := len(change.Add)
	err := p.fold(d, change, func(run []entry) { slices.SortFunc(run, compareFiles) })
	if len(change.Add) > before { // the last segment is another one, which is read when it is needed
		p.files = p.files[:min(len(p.files), len(d.Segments)-1)]
	}
	return err
}
