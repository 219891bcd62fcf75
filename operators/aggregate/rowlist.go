package aggregate

import (
	"bytes"
	"fmt"
	"slices"

	"analyzer/columnar"
)

// rowList collects encoded rows: a list of references to them and of their lengths.
type rowList struct {
	list
	bytes arena[byte]
	// frame has the rows of the single group of a Frame, which can be removed again; nil elsewhere.
	frame  *sortedRows
	often  *frequent[string] // likewise, in place of frame, if the most frequent one is wanted
	counts *counts           // or how often each is there
}

var rowListColumn = column{"rows", columnar.BytesList, func(mem *memory) accumulator {
	return &rowList{list: list{arena: arena[int64]{mem: mem}}, bytes: arena[byte]{mem: mem}}
}}

func (l *rowList) keep(rec *listRecord, row []byte) {
	ref, room := l.bytes.alloc(len(row))
	copy(room, row)
	item := [2]int64{int64(ref), int64(len(row))}
	l.add(rec, item[:])
}

func (l *rowList) inFrame(mem *memory, of Func) {
	switch of {
	case Mode:
		l.often = newFrequent(mem, func(row string) int64 { return int64(len(row)) })
	case Histogram:
		l.counts = &counts{mem: mem, of: make(map[string]int64)}
	default:
		l.frame = &sortedRows{mem: mem}
	}
}

func (l *rowList) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		switch {
		case arg.IsNull(i):
		case l.often != nil:
			l.often.add(string(arg.Bytes(i)))
		case l.counts != nil:
			l.counts.add(string(arg.Bytes(i)))
		case l.frame != nil:
			l.frame.add(arg.Bytes(i))
		default:
			l.keep(listOf(r, ref), arg.Bytes(i))
		}
	}
}

func (l *rowList) remove(r records, arg *columnar.Vector) bool {
	for i := range r.refs {
		if !arg.IsNull(i) && !l.removeRow(arg.Bytes(i)) {
			return false
		}
	}
	return true
}

func (l *rowList) removeRow(row []byte) bool {
	switch {
	case l.often != nil:
		return l.often.remove(string(row))
	case l.counts != nil:
		return l.counts.remove(string(row))
	}
	return l.frame != nil && l.frame.remove(row)
}

func (l *rowList) merge(r records, lists *columnar.Vector) error {
	for i, ref := range r.refs {
		if lists.IsNull(i) {
			continue
		}
		for j := lists.Offsets[i]; j < lists.Offsets[i+1]; j++ {
			l.keep(listOf(r, ref), lists.Child.Bytes(int(j)))
		}
	}
	return nil
}

// rows calls each with the rows of a group. each borrows them.
func (l *rowList) rows(rec *listRecord, each func([]byte)) error {
	items := columnar.NewVector(columnar.IntList)
	if err := l.appendList(rec, items); err != nil {
		return err
	}
	refs := items.Child.Ints
	for i := 0; i < len(refs); i += 2 {
		each(l.bytes.run(uint64(refs[i]), uint64(refs[i+1])))
	}
	return nil
}

func (l *rowList) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		size := len(out.Child.Data)
		err := l.rows(listOf(r, ref), func(row []byte) {
			if size += len(row); size <= columnar.MaxVectorBytes {
				out.Child.AppendBytes(row)
			}
		})
		if err == nil && size > columnar.MaxVectorBytes {
			err = tooLong(size)
		}
		if err != nil {
			return err
		}
		out.EndList()
	}
	return nil
}

func tooLong(size int) error {
	return fmt.Errorf("has %d bytes, and can have %d", size, columnar.MaxVectorBytes)
}

func (l *rowList) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if l.lists.Type == columnar.Invalid {
		l.lists = *columnar.NewVector(columnar.BytesList)
	}
	l.lists.Reset()
	for i := range rows {
		if !arg.IsNull(i) {
			l.lists.Child.AppendBytes(arg.Bytes(i))
		}
		l.lists.EndList()
	}
	return &l.lists
}

func (l *rowList) size(words []uint64) int {
	return 64 * int(words[listLen]) // an estimate: the lengths in the list are not read for each page
}

func (l *rowList) reset() {
	l.list.reset()
	l.bytes.reset()
	l.resetFrame()
}

func (l *rowList) resetFrame() {
	switch {
	case l.frame != nil:
		l.frame.reset()
	case l.often != nil:
		l.often.reset()
	case l.counts != nil:
		l.counts.reset()
	}
}

func (l *rowList) free() {
	l.list.free()
	l.bytes.free()
	l.resetFrame()
}

// sorted calls each with the sorted rows of each group and their total size in bytes. each
// borrows the rows.
func (l *rowList) sorted(r records, each func(rows [][]byte, size int) error) error {
	if l.frame != nil {
		return each(l.frame.all(), l.frame.size)
	}
	var rows [][]byte
	for _, ref := range r.refs {
		rows = rows[:0]
		size := 0
		err := l.rows(listOf(r, ref), func(row []byte) {
			rows = append(rows, row)
			size += len(row)
		})
		if err != nil {
			return err
		}
		slices.SortFunc(rows, bytes.Compare)
		if err := each(rows, size); err != nil {
			return err
		}
	}
	return nil
}
