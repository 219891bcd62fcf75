package aggregate

import (
	"fmt"
	"math"
	"slices"

	"analyzer/columnar"
)

// List is all integers, ascending.
const List Func = "list"

var listFunctions = []function{{
	name: List, forms: []form{{
		takes: columnar.Int, gives: columnar.IntList,
		state: []column{listColumn(false)},
		value: sortedLists,
	}},
	help: "all values that are not null, ascending", example: "[1, 2, 4]",
}}

// listColumn collects integers, or floats as integers of the same order.
func listColumn(floats bool) column {
	return column{"list", columnar.IntList, func(mem *memory) accumulator {
		return &list{arena: arena[uint64]{mem: mem}, floats: floats}
	}}
}

// orderedBits makes an integer of a float, of which there is one for each value, in
// their order: what is not a number is above all.
func orderedBits(f float64) int64 {
	if f != f {
		f = math.NaN()
	}
	n := int64(math.Float64bits(f + 0)) // -0 is 0
	if n < 0 {
		n ^= math.MaxInt64
	}
	return n
}

// floatOfBits is the float of an integer that orderedBits made.
func floatOfBits(n int64) float64 {
	if n < 0 {
		n ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(n))
}

// list collects integers. A list is a chain of chunks in an arena: each chunk
// starts with a word that refers to the next one and a word with its capacity,
// which doubles along the chain. A record holds the first chunk, the last, how
// much of the last is used, and the length of the list; a reference is that of the
// arena plus one.
type list struct {
	arena[uint64]
	floats bool

	lists columnar.Vector // states of single rows
	some  []int32
}

const (
	firstChunk   = 4 // items
	largestChunk = 1024
	chunkHeader  = 2 // words
)

// listRecord is the words of a group.
type listRecord = [4]uint64

const (
	listFirst = iota
	listLast
	listUsed
	listLen
)

func (*list) words() int { return len(listRecord{}) }

func listOf(r records, ref uint32) *listRecord {
	return (*listRecord)(r.pages.rest(ref, r.at))
}

// chunk returns a chunk from its header on.
func (l *list) chunk(ref uint64) []uint64 { return l.from(ref - 1) }

func (l *list) add(rec *listRecord, items []int64) {
	for len(items) > 0 {
		var last []uint64
		if rec[listLast] != 0 {
			last = l.chunk(rec[listLast])
		}
		if last == nil || rec[listUsed] == last[1] {
			last = l.lengthen(rec, last)
		}
		n := min(len(items), int(last[1]-rec[listUsed]))
		free := last[chunkHeader+rec[listUsed]:]
		for i, item := range items[:n] {
			free[i] = uint64(item)
		}
		rec[listUsed] += uint64(n)
		rec[listLen] += uint64(n)
		items = items[n:]
	}
}

// lengthen adds a chunk to a list and returns it.
func (l *list) lengthen(rec *listRecord, last []uint64) []uint64 {
	capacity := firstChunk
	if last != nil {
		capacity = min(2*int(last[1]), largestChunk)
	}
	ref, chunk := l.alloc(chunkHeader + capacity)
	chunk[0], chunk[1] = 0, uint64(capacity)
	if last == nil {
		rec[listFirst] = ref + 1
	} else {
		last[0] = ref + 1
	}
	rec[listLast], rec[listUsed] = ref+1, 0
	return chunk
}

func (l *list) update(r records, arg *columnar.Vector) {
	var item [1]int64
	for i, ref := range r.refs {
		switch {
		case arg.IsNull(i):
		case l.floats:
			item[0] = orderedBits(arg.Floats[i])
			l.add(listOf(r, ref), item[:])
		default:
			l.add(listOf(r, ref), arg.Ints[i:i+1])
		}
	}
}

func (l *list) merge(r records, lists *columnar.Vector) error {
	for i, ref := range r.refs {
		if !lists.IsNull(i) {
			l.add(listOf(r, ref), lists.Child.Ints[lists.Offsets[i]:lists.Offsets[i+1]])
		}
	}
	return nil
}

// appendTo appends the items in the order in which they came.
func (l *list) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if err := l.appendList(listOf(r, ref), out); err != nil {
			return err
		}
	}
	return nil
}

// sortedLists sorts the items: the order in which they came is not part of the
// answer.
func sortedLists(s *state, r records, out *columnar.Vector) error {
	first, start := out.Len, len(out.Child.Ints)
	err := s.acc[0].appendTo(s.column(0, r), out)
	for _, end := range out.Offsets[first+1:] {
		slices.Sort(out.Child.Ints[start:end])
		start = int(end)
	}
	return err
}

func (l *list) appendList(rec *listRecord, out *columnar.Vector) error {
	n := int(rec[listLen])
	if len(out.Child.Ints)+n > columnar.MaxVectorBytes {
		return fmt.Errorf("has %d items, and can have %d", n, columnar.MaxVectorBytes)
	}
	start := len(out.Child.Ints)
	out.Child.Ints = grow(out.Child.Ints, n)
	appended(out.Child, n)
	items := out.Child.Ints[start:]
	for ref := rec[listFirst]; len(items) > 0; {
		chunk := l.chunk(ref)
		part := chunk[chunkHeader : chunkHeader+min(len(items), int(chunk[1]))]
		for i, item := range part {
			items[i] = int64(item)
		}
		ref, items = chunk[0], items[len(part):]
	}
	out.EndList()
	return nil
}

func (l *list) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if l.lists.Type == columnar.Invalid {
		l.lists = *columnar.NewVector(columnar.IntList)
	}
	l.lists.Reset()
	l.some = l.some[:0]
	for i := range rows {
		if !arg.IsNull(i) {
			l.some = append(l.some, int32(i))
		}
		l.lists.Offsets = append(l.lists.Offsets, int32(len(l.some)))
	}
	for _, i := range l.some {
		if l.floats {
			l.lists.Child.AppendInt(orderedBits(arg.Floats[i]))
		} else {
			l.lists.Child.AppendInt(arg.Ints[i])
		}
	}
	l.lists.Len = rows
	return &l.lists
}

func (*list) size(words []uint64) int { return 8 * int(words[listLen]) }
