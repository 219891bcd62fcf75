package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// List is all integers, ascending.
const List Func = "list"

func init() { functions.Add(listFunctions) }

func listFunctions() []function {
	f := ordered(columnar.Int, columnar.IntList, func(Agg) picker { return new(allOfThem) })
	f.value = neverNull(f.value)
	return []function{{name: List, gathers: true, forms: []form{f}}}
}

// orderedBits converts a float to an integer that orders alike, as number.FloatWord does with a
// word.
func orderedBits(f float64) int64 { return int64(number.FloatWord(f) ^ signBit) }

// floatOfBits is the inverse of orderedBits.
func floatOfBits(n int64) float64 { return number.FloatOfWord(uint64(n) ^ signBit) }

// list collects integers. A list is a chain of chunks in an arena: each chunk is items,
// followed by a reference to the next chunk. A chunk has room for about as many items as all
// chunks before it hold, so its size follows from their number. A record holds the first chunk,
// where the next item goes, the free items of the last chunk, and the length of the list.
type list struct {
	arena[int64]
	floats bool
	putOff map[*listRecord]*sortedList // of groups

	bits  []int64         // orderedBits of a batch
	lists columnar.Vector // states of single rows
}

const (
	firstChunk   = 4 // items
	largestChunk = 1024
)

// chunkBehind is how many items the chunk after the given number of items has room for.
func chunkBehind(items int) int { return min(items+firstChunk, largestChunk) }

// listRecord is the words of a group.
type listRecord = [4]uint64

const (
	listFirst = iota
	listNext
	listFree
	listLen
)

func (*list) words() int { return len(listRecord{}) }

func (l *list) reset() {
	l.arena.reset()
	clear(l.putOff)
}

func (l *list) free() {
	l.arena.free()
	l.putOff = nil
}

func listOf(r records, ref uint32) *listRecord {
	return (*listRecord)(r.pages.rest(ref, r.at))
}

func (l *list) add(rec *listRecord, items []int64) {
	for len(items) > 0 {
		if rec[listFree] == 0 {
			l.lengthen(rec)
		}
		n := min(len(items), int(rec[listFree]))
		copy(l.from(rec[listNext]), items[:n])
		rec[listNext] += uint64(n)
		rec[listFree] -= uint64(n)
		rec[listLen] += uint64(n)
		items = items[n:]
	}
}

// lengthen adds a chunk to a list whose chunks are full.
func (l *list) lengthen(rec *listRecord) {
	n := chunkBehind(int(rec[listLen]))
	ref, _ := l.alloc(n + 1)
	if rec[listLen] == 0 {
		rec[listFirst] = ref
	} else {
		l.from(rec[listNext])[0] = int64(ref)
	}
	rec[listNext], rec[listFree] = ref, uint64(n)
}

// chunk returns the items of the chunk at a reference, and the reference to the next chunk if
// there is one. before items come before the chunk, of all in the list.
func (l *list) chunk(ref uint64, before, all int) (items []int64, next uint64) {
	n := chunkBehind(before)
	chunk := l.run(ref, uint64(n+1))
	return chunk[:min(n, all-before)], uint64(chunk[n])
}

func (l *list) update(r records, arg *columnar.Vector) {
	items := l.items(arg)
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec := (*listRecord)(r.pages.rest(ref, r.at))
		if rec[listFree] == 0 {
			l.lengthen(rec)
		}
		l.from(rec[listNext])[0] = items[i]
		rec[listNext]++
		rec[listFree]--
		rec[listLen]++
	}
}

// items returns the integers of a batch, or the integers that stand for its floats.
func (l *list) items(arg *columnar.Vector) []int64 {
	if !l.floats {
		return arg.Ints
	}
	l.bits = grow(l.bits[:0], arg.Len)
	for i, f := range arg.Floats[:arg.Len] {
		l.bits[i] = orderedBits(f)
	}
	return l.bits
}

func (l *list) merge(r records, lists *columnar.Vector) error {
	for i, ref := range r.refs {
		if !lists.IsNull(i) {
			l.add(listOf(r, ref), lists.Child.Ints[lists.Offsets[i]:lists.Offsets[i+1]])
		}
	}
	return nil
}

// appendTo appends the items in the order in which they were added.
func (l *list) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if err := l.appendList(listOf(r, ref), out); err != nil {
			return err
		}
	}
	return nil
}

// allOfThem picks all values.
type allOfThem struct{ items []int64 }

func (a *allOfThem) begin(n int64) (first, last int64) {
	a.items = a.items[:0]
	return 0, n - 1
}

func (a *allOfThem) take(items []int64) { a.items = append(a.items, items...) }

func (a *allOfThem) append(out *columnar.Vector) {
	out.Child.Ints = append(out.Child.Ints, a.items...)
	appended(out.Child, len(a.items))
	out.EndList()
}

func (l *list) appendList(rec *listRecord, out *columnar.Vector) error {
	start := len(out.Child.Ints)
	n, err := itemsOf(rec, start)
	if err != nil {
		return err
	}
	out.Child.Ints = grow(out.Child.Ints, n)
	appended(out.Child, n)
	l.copy(out.Child.Ints[start:], rec)
	out.EndList()
	return nil
}

// itemsOf returns the length of a list, or an error if it is too long behind some items.
func itemsOf(rec *listRecord, behind int) (int, error) {
	n := int(rec[listLen])
	if behind+n > columnar.MaxVectorBytes {
		return 0, fmt.Errorf("has %d items, and can have %d", n, columnar.MaxVectorBytes)
	}
	return n, nil
}

// copy copies the items of a list, for which there is room.
func (l *list) copy(items []int64, rec *listRecord) {
	for at, ref := 0, rec[listFirst]; at < len(items); {
		part, next := l.chunk(ref, at, len(items))
		copy(items[at:], part)
		at, ref = at+len(part), next
	}
}

func (l *list) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if l.lists.Type == columnar.Invalid {
		l.lists = *columnar.NewVector(columnar.IntList)
	}
	l.lists.Reset()
	items := l.items(arg)
	for i := range rows {
		if !arg.IsNull(i) {
			l.lists.Child.AppendInt(items[i])
		}
		l.lists.EndList()
	}
	return &l.lists
}

func (l *list) size(words []uint64) int { return l.sizeOf(words, 8*int(words[listLen])) }

func (l *list) kept() *list { return l }

func (l *list) movedOut(chunk uint64, _ []int64) { l.giveBack(int(chunk >> 32)) }

func (l *list) moved() {
	l.giveBack(len(l.slabs))
	l.arena.free()
}
