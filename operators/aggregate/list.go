package aggregate

import (
	"slices"

	"analyzer/columnar"
)

// listState collects integers. A list is a chain of chunks in slabs: each chunk
// starts with a word that refers to the next one and a word with its capacity,
// which doubles along the chain. A record holds the first chunk, the last, how
// much of the last is used, and the length of the list; a reference is the slab
// in the upper half and the offset plus one in the lower.
type listState struct {
	slabs [][]uint64
	at    int // slab being filled
	items []int64
}

const (
	slabWords    = 16 << 10
	firstChunk   = 4
	largestChunk = 1024
	chunkHeader  = 2
)

func (*listState) words() int { return 4 }

// chunk makes a chunk and returns the reference to it.
func (l *listState) chunk(t *table, capacity int) uint64 {
	need := chunkHeader + capacity
	for l.at < len(l.slabs) && cap(l.slabs[l.at])-len(l.slabs[l.at]) < need {
		l.at++
	}
	if l.at == len(l.slabs) {
		t.reserved.Grow(slabWords * 8)
		l.slabs = append(l.slabs, make([]uint64, 0, slabWords))
	}
	slab := l.slabs[l.at]
	off := len(slab)
	slab = slab[:off+need]
	slab[off], slab[off+1] = 0, uint64(capacity)
	l.slabs[l.at] = slab
	return uint64(l.at)<<32 | uint64(off+1)
}

// at returns a chunk from its header on.
func (l *listState) chunkAt(ref uint64) []uint64 {
	return l.slabs[ref>>32][ref&0xFFFFFFFF-1:]
}

func (l *listState) add(t *table, rec []uint64, items []int64) {
	for len(items) > 0 {
		var tail []uint64
		if rec[1] != 0 {
			tail = l.chunkAt(rec[1])
		}
		if tail == nil || rec[2] == tail[1] {
			capacity := firstChunk
			if tail != nil {
				capacity = min(2*int(tail[1]), largestChunk)
			}
			ref := l.chunk(t, capacity)
			if tail == nil {
				rec[0] = ref
			} else {
				tail[0] = ref
			}
			rec[1], rec[2] = ref, 0
			tail = l.chunkAt(ref)
		}
		n := min(len(items), int(tail[1]-rec[2]))
		for i, item := range items[:n] {
			tail[chunkHeader+int(rec[2])+i] = uint64(item)
		}
		rec[2] += uint64(n)
		rec[3] += uint64(n)
		items = items[n:]
	}
}

func (l *listState) update(t *table, at int, ids []uint32, arg *columnar.Vector) error {
	for i, id := range ids {
		if !arg.IsNull(i) {
			l.add(t, t.record(id)[at:at+4], arg.Ints[i:i+1])
		}
	}
	return nil
}

func (l *listState) merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error {
	lists := cols[0]
	for i, id := range ids {
		if !lists.IsNull(i) {
			l.add(t, t.record(id)[at:at+4], lists.Child.Ints[lists.Offsets[i]:lists.Offsets[i+1]])
		}
	}
	return nil
}

// gather returns the items of a record, valid until the next call.
func (l *listState) gather(words []uint64) []int64 {
	l.items = slices.Grow(l.items[:0], int(words[3]))
	for ref, left := words[0], int(words[3]); left > 0; {
		chunk := l.chunkAt(ref)
		n := min(left, int(chunk[1]))
		for _, item := range chunk[chunkHeader : chunkHeader+n] {
			l.items = append(l.items, int64(item))
		}
		ref, left = chunk[0], left-n
	}
	return l.items
}

func (l *listState) appendState(words []uint64, out []*columnar.Vector) {
	items := l.gather(words)
	out[0].Child.Ints = append(out[0].Child.Ints, items...)
	out[0].Child.Len += len(items)
	out[0].EndList()
}

// appendValue sorts the items: the order in which they came is not part of the
// answer.
func (l *listState) appendValue(words []uint64, out *columnar.Vector) error {
	slices.Sort(l.gather(words))
	out.Child.Ints = append(out.Child.Ints, l.items...)
	out.Child.Len += len(l.items)
	out.EndList()
	return nil
}

func (*listState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	for i := range rows {
		if !arg.IsNull(i) {
			out[0].Child.AppendInt(arg.Ints[i])
		}
		out[0].EndList()
	}
}

// room allows for the items of the rows twice over, since chunks are on the
// average half full.
func (l *listState) room(t *table, cols []*columnar.Vector, rows int, force bool) bool {
	items := rows
	if v := cols[0]; v.Type == columnar.IntList {
		items = int(v.Offsets[rows] - v.Offsets[0])
	}
	free := 0
	for _, slab := range l.slabs[min(l.at, len(l.slabs)):] {
		free += cap(slab) - len(slab)
	}
	missing := 2*items + 2*chunkHeader*rows - free
	if missing <= 0 {
		return true
	}
	slabs := (missing + slabWords - 1) / slabWords
	if force {
		t.reserved.Grow(int64(slabs) * slabWords * 8)
	} else if !t.reserved.TryGrow(int64(slabs) * slabWords * 8) {
		return false
	}
	for range slabs {
		l.slabs = append(l.slabs, make([]uint64, 0, slabWords))
	}
	return true
}

func (l *listState) reset() {
	for i := range l.slabs {
		l.slabs[i] = l.slabs[i][:0]
	}
	l.at = 0
}

func (l *listState) free() { l.slabs, l.items, l.at = nil, nil, 0 }
