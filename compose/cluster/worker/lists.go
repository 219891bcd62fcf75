package worker

import (
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/segment"
)

// An open job has lists that grow for as long as it lives: of the files that were appended to
// it, and of the numbers of its logged messages. A commit must not write all of them again. So
// only the last entries of a list are part of the state that each commit writes. When there are
// Commit.Merge of them, they become a segment, together with the segments before it as long as
// these have less than twice as many. So each segment has at least twice the entries of the next
// one, and n entries make at most log₂ n segments. An entry that is copied comes into a segment
// that is half as large again or more, so it is copied at most 2·log₂ n times.

// entry is an entry of a long list.
type entry [2]uint64

// longList is what a commit holds of a list.
type longList struct {
	Segments []string `json:"segments,omitempty"` // from the largest to the smallest
	Recent   []entry  `json:"recent,omitempty"`   // those in no segment
}

// fold writes the recent entries of a list as a segment if they are enough, and adds it to a
// change. The entries of the segment are in the order of the list, or as arrange puts them.
func (p *Part) fold(l *longList, change *segment.Change, arrange func([]entry)) error {
	if len(l.Recent) < p.worker.Commit.Merge {
		return nil
	}
	left, count := len(l.Segments), int64(len(l.Recent))
	var olds []*segment.Segment // from the last one on
	for ; left > 0; left-- {
		old, err := p.store.Segment(l.Segments[left-1])
		if err != nil {
			return err
		}
		n := rowsOf(old)
		if n >= 2*count {
			break
		}
		olds, count = append(olds, old), count+n
	}
	all := make([]entry, 0, count)
	for i := len(olds) - 1; i >= 0; i-- {
		err := eachEntry(p.store, olds[i], func(e entry) bool {
			all = append(all, e)
			return true
		})
		if err != nil {
			return err
		}
	}
	all = append(all, l.Recent...)
	if arrange != nil {
		arrange(all)
	}
	s, err := p.writeSegment(entrySchema(), func(w *segment.Writer) error { return appendEntries(w, all) })
	if err != nil {
		return err
	}
	change.Add, change.Remove = append(change.Add, s), append(change.Remove, olds...)
	*l = longList{Segments: append(l.Segments[:left:left], s.Name())}
	return nil
}

func rowsOf(s *segment.Segment) (rows int64) {
	for _, b := range s.Blocks {
		rows += b.Rows
	}
	return rows
}

// eachEntry hands the entries of a segment to f, until f returns false.
func eachEntry(store *segment.Store, s *segment.Segment, f func(entry) bool) (err error) {
	r, err := store.Open(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var buffer []byte
	for rows, err := range r.Partition(0, &buffer) {
		if err != nil {
			return err
		}
		for i, first := range rows.Cols[0].Ints[:rows.Len] {
			if !f(entry{uint64(first), uint64(rows.Cols[1].Ints[i])}) {
				return nil
			}
		}
	}
	return nil
}

// entrySchema is that of the segments of long lists.
func entrySchema() columnar.Schema {
	return columnar.Schema{{Name: "first", Type: columnar.Int}, {Name: "second", Type: columnar.Int}}
}

// entryRows is how many entries a block of a segment has at most.
const entryRows = 64 << 10

func appendEntries(w *segment.Writer, all []entry) error {
	for len(all) > 0 {
		some := all[:min(len(all), entryRows)]
		all = all[len(some):]
		rows := columnar.NewRows(entrySchema())
		for _, e := range some {
			rows.Cols[0].AppendInt(int64(e[0]))
			rows.Cols[1].AppendInt(int64(e[1]))
		}
		rows.Len = len(some)
		if err := w.Append(0, rows); err != nil {
			return err
		}
	}
	return nil
}
