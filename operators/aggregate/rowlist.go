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
	bytes   arena[byte]
	sorting [][]byte // memory for the rows of a group
	// frame has the rows of the single group of a Frame, instead of the list; nil elsewhere.
	frame removableRows
}

// removableRows are encoded rows of which any can be removed again.
type removableRows interface {
	add(row []byte)
	// remove reports false if the row is not there.
	remove(row []byte) bool
	reset()
}

var rowListColumn = column{"rows", columnar.BytesList, func(mem *memory) accumulator {
	return &rowList{list: list{arena: arena[int64]{mem: mem}}, bytes: arena[byte]{mem: mem}}
}}

// rowRecord is the words of a group: those of the list, and the bytes of all rows.
type rowRecord [len(listRecord{}) + 1]uint64

const rowBytes = len(listRecord{})

func (r *rowRecord) list() *listRecord { return (*listRecord)(r[:]) }

func rowsOf(r records, ref uint32) *rowRecord { return (*rowRecord)(r.pages.rest(ref, r.at)) }

func (*rowList) words() int { return len(rowRecord{}) }

func (l *rowList) keep(rec *rowRecord, row []byte) {
	ref, room := l.bytes.alloc(len(row))
	copy(room, row)
	item := [2]int64{int64(ref), int64(len(row))}
	l.add(rec.list(), item[:])
	rec[rowBytes] += uint64(len(row))
}

func (l *rowList) inFrame(mem *memory, of Func) {
	switch of {
	case Mode:
		l.frame = &frequentRows{newFrequent(mem, func(row string) int64 { return int64(len(row)) })}
	case Histogram:
		l.frame = &counts{mem: mem, of: make(map[string]int64)}
	default:
		l.frame = &sortedRows{mem: mem}
	}
}

func (l *rowList) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		switch {
		case arg.IsNull(i):
		case l.frame != nil:
			l.frame.add(arg.Bytes(i))
		default:
			l.keep(rowsOf(r, ref), arg.Bytes(i))
		}
	}
}

func (l *rowList) remove(r records, arg *columnar.Vector) bool {
	for i := range r.refs {
		if !arg.IsNull(i) && (l.frame == nil || !l.frame.remove(arg.Bytes(i))) {
			return false
		}
	}
	return true
}

func (l *rowList) merge(r records, lists *columnar.Vector) error {
	for i, ref := range r.refs {
		if lists.IsNull(i) {
			continue
		}
		for j := lists.Offsets[i]; j < lists.Offsets[i+1]; j++ {
			l.keep(rowsOf(r, ref), lists.Child.Bytes(int(j)))
		}
	}
	return nil
}

// rows appends the rows of a group to others. They are borrowed.
func (l *rowList) rows(to [][]byte, rec *rowRecord) [][]byte {
	all := int(rec[listLen])
	to = slices.Grow(to, all/2)
	for at, ref := 0, rec[listFirst]; at < all; {
		items, next := l.chunk(ref, at, all)
		for i := 0; i < len(items); i += 2 {
			to = append(to, l.bytes.run(uint64(items[i]), uint64(items[i+1])))
		}
		at, ref = at+len(items), next
	}
	return to
}

func (l *rowList) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		rec := rowsOf(r, ref)
		if size := len(out.Child.Data) + int(rec[rowBytes]); size > columnar.MaxVectorBytes {
			return tooLong(size)
		}
		l.sorting = l.rows(l.sorting[:0], rec)
		for _, row := range l.sorting {
			out.Child.AppendBytes(row)
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
			l.lists.Child.Lend(arg.Bytes(i))
		}
		l.lists.EndList()
	}
	return &l.lists
}

func (l *rowList) size(words []uint64) int {
	return l.sizeOf(words, int(words[rowBytes])+8*int(words[listLen]))
}

func (l *rowList) reset() {
	l.list.reset()
	l.bytes.reset()
	l.resetFrame()
}

func (l *rowList) resetFrame() {
	if l.frame != nil {
		l.frame.reset()
	}
}

func (l *rowList) free() {
	l.list.free()
	l.bytes.free()
	l.sorting = nil
	l.resetFrame()
}

// pick appends the results of groups by a picker, of the nth aggregate that shares the rows.
func (l *rowList) pick(p rowPicker, nth int, r records, out *columnar.Vector) error {
	if f, ok := l.frame.(*sortedRows); ok {
		return pickOf(p, f.all(), f.size, out)
	}
	for _, ref := range r.refs {
		rec := rowsOf(r, ref)
		if l.appendMade(rec.list(), nth, out) {
			continue
		}
		l.sorting = l.rows(l.sorting[:0], rec)
		slices.SortFunc(l.sorting, bytes.Compare)
		if err := pickOf(p, l.sorting, int(rec[rowBytes]), out); err != nil {
			return err
		}
	}
	return nil
}

func pickOf(p rowPicker, rows [][]byte, size int, out *columnar.Vector) error {
	p.begin(int64(len(rows)), int64(size), out)
	if len(rows) > 0 {
		if err := p.take(rows); err != nil {
			return err
		}
	}
	return p.end()
}

// column is one of encoded rows.
func (l *rowList) column(s *state, items []int64, out *columnar.Vector) (size int64) {
	out.Reset()
	for i := 0; i < len(items); i += 2 {
		row := l.bytes.run(uint64(items[i]), uint64(items[i+1]))
		out.Lend(row)
		value, _ := s.code.last(row)
		size += int64(len(value))
	}
	return size
}

func (l *rowList) results(sharing []*state, off *sortedList, each eachColumn, grown func(int64) error) error {
	picks := columnar.Each(sharing, func(s *state) rowPicker { return s.form.pickRows(s) })
	if sharing[0].agg.Gathers() {
		if err := grown(off.size * int64(len(picks))); err != nil {
			return err
		}
	}
	for i, p := range picks {
		p.begin(off.len, off.size, off.made[i])
	}
	var rows [][]byte
	err := each(func(items *columnar.Vector) error {
		rows = rows[:0]
		for i := range items.Len {
			rows = append(rows, items.Bytes(i))
		}
		size := int64(0)
		for _, p := range picks {
			if err := p.take(rows); err != nil {
				return err
			}
			size += p.size()
		}
		return grown(size)
	})
	for _, p := range picks {
		if err == nil {
			err = p.end()
		}
	}
	return err
}

// movedOut frees the texts before those of some rows too.
func (l *rowList) movedOut(chunk uint64, items []int64) {
	l.list.movedOut(chunk, items)
	l.bytes.giveBack(int(uint64(items[0]) >> 32))
}

func (l *rowList) moved() {
	l.list.moved()
	l.bytes.giveBack(len(l.bytes.slabs))
	l.bytes.free()
}
