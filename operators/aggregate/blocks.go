package aggregate

import (
	"errors"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
)

// Blocks computes an aggregate of any run of numbered rows. It keeps states of blocks of rows, of
// blocks of blocks, and so on (a segment tree), and merges those that a run covers; rows at the
// ends of a run are taken as they are. States are made when they are first needed. If they do not
// fit into memory, they are forgotten, and in the end of fewer, larger blocks. It has one user at
// a time, and holds its reserved memory until Close.
type Blocks struct {
	now  *Frame // the aggregate of the run
	read func(from, to int64) (rows columnar.Rows, lo, hi int, err error)
	args []int // positions of the arguments

	mem    memory
	state  *state
	words  int
	pages  pages
	free   int                // words that are free on the last page
	levels []map[int64]uint32 // the states of each level by number of the block
	leaf   int64              // rows of a block
	views  []columnar.Vector
	batch  []*columnar.Vector
	states []*columnar.Vector
	refs   []uint32
}

const (
	firstLeaf = 64 // rows of a block, at first
	fanOut    = 16 // blocks of a block
	slotBytes = 32 // about what an entry of a level takes
	leafTimes = 4  // by how much blocks grow if their states do not fit
	mostLeaf  = 1 << 40
)

var errNoRoom = errors.New("no room for states of blocks")

// NewBlocks returns an aggregate over rows of a schema. read returns those from a number up to
// another one, not including that, or the first of them, as rows lo up to hi of some others. They
// are valid until the next call.
func NewBlocks(a Agg, in columnar.Schema, now, kept *budget.Reservation, read func(from, to int64) (rows columnar.Rows, lo, hi int, err error)) (*Blocks, error) {
	f, err := NewFrame(a, false, in, now)
	if err != nil {
		return nil, err
	}
	b := &Blocks{now: f, read: read, args: f.args, mem: memory{reserved: kept}, leaf: firstLeaf, views: make([]columnar.Vector, len(f.args))}
	for i := range b.views {
		b.batch = append(b.batch, &b.views[i])
	}
	b.state, b.words = newState(a, f.state.form, &b.mem, 0)
	for _, c := range f.state.form.state {
		b.states = append(b.states, columnar.NewVector(c.typ))
	}
	return b, nil
}

// Reset forgets the rows of the run.
func (b *Blocks) Reset() { b.now.Reset() }

// Append appends the aggregate of the run.
func (b *Blocks) Append(out *columnar.Vector) error { return b.now.Append(out) }

// Add adds the rows from a number up to another one, not including that, to the run.
func (b *Blocks) Add(from, to int64) error {
	if to-from < b.leaf { // it covers no block, as most frames of a few rows
		return b.addRows(from, to)
	}
	for forgot := false; ; forgot = true {
		refs, lo, hi, err := b.cover(from, to)
		switch {
		case errors.Is(err, errNoRoom):
			if b.forget(); forgot && b.leaf < mostLeaf {
				b.leaf *= leafTimes
			}
			continue
		case err == nil:
			err = errors.Join(b.addRows(from, lo), b.addStates(refs), b.addRows(hi, to))
		}
		return err
	}
}

// cover returns the states of the blocks between two rows, and the rows that they cover.
func (b *Blocks) cover(from, to int64) (refs []uint32, lo, hi int64, err error) {
	first, last := (from+b.leaf-1)/b.leaf, to/b.leaf
	if first >= last {
		return nil, to, to, nil
	}
	b.refs = b.refs[:0]
	lo, hi = first*b.leaf, last*b.leaf
	for level := 0; first < last; level++ {
		up, down := (first+fanOut-1)/fanOut, last/fanOut
		if up >= down {
			err = b.take(level, first, last)
			return b.refs, lo, hi, err
		}
		if err := errors.Join(b.take(level, first, up*fanOut), b.take(level, down*fanOut, last)); err != nil {
			return nil, lo, hi, err
		}
		first, last = up, down
	}
	return b.refs, lo, hi, nil
}

// take adds the states of some blocks of a level to refs.
func (b *Blocks) take(level int, from, to int64) error {
	for block := from; block < to; block++ {
		ref, err := b.stateOf(level, block)
		if err != nil {
			return err
		}
		b.refs = append(b.refs, ref)
	}
	return nil
}

// stateOf returns the state of a block, and makes it if there is none.
func (b *Blocks) stateOf(level int, block int64) (uint32, error) {
	for len(b.levels) <= level {
		b.levels = append(b.levels, make(map[int64]uint32))
	}
	if ref, ok := b.levels[level][block]; ok {
		return ref, nil
	}
	var inner []uint32
	for i := int64(0); level > 0 && i < fanOut; i++ {
		ref, err := b.stateOf(level-1, block*fanOut+i)
		if err != nil {
			return 0, err
		}
		inner = append(inner, ref)
	}
	ref := b.record()
	r := records{pages: b.pages, refs: slices.Repeat([]uint32{ref}, int(max(fanOut, min(b.leaf, batchRows))))}
	var err error
	if level == 0 {
		err = b.each(block*b.leaf, (block+1)*b.leaf, func(rows columnar.Rows, lo, hi int) error {
			for i, at := range b.args {
				b.views[i].View(rows.Cols[at], lo, hi)
			}
			part := r
			part.refs = r.refs[:hi-lo]
			return b.state.named(b.state.update(part, b.batch))
		})
	} else if err = b.load(inner); err == nil {
		for i, acc := range b.state.acc {
			part := b.state.column(i, r)
			part.refs = r.refs[:fanOut]
			err = errors.Join(err, b.state.named(acc.merge(part, b.states[i])))
		}
	}
	if b.levels[level][block] = ref; err == nil && b.mem.full {
		err = errNoRoom
	}
	return ref, err
}

// record returns a new, empty record.
func (b *Blocks) record() uint32 {
	b.mem.claim(slotBytes)
	if b.free < b.words {
		b.mem.claim(8 * pageWords)
		b.pages, b.free = append(b.pages, new(page)), pageWords
	}
	ref := uint32(len(b.pages)-1)<<pageShift | uint32(pageWords-b.free)
	b.free -= b.words
	return ref
}

// load puts states into b.states.
func (b *Blocks) load(refs []uint32) error {
	for i, acc := range b.state.acc {
		b.states[i].Reset()
		if err := acc.appendTo(b.state.column(i, records{pages: b.pages, refs: refs}), b.states[i]); err != nil {
			return b.state.named(err)
		}
	}
	return nil
}

func (b *Blocks) addStates(refs []uint32) error {
	if len(refs) == 0 {
		return nil
	}
	if err := b.load(refs); err != nil {
		return err
	}
	return b.now.merge(b.states)
}

func (b *Blocks) addRows(from, to int64) error {
	return b.each(from, to, b.now.Add)
}

// each calls take with the rows from a number up to another one, some at a time.
func (b *Blocks) each(from, to int64, take func(rows columnar.Rows, lo, hi int) error) error {
	for from < to {
		rows, lo, hi, err := b.read(from, min(to, from+batchRows))
		if err == nil {
			err = take(rows, lo, hi)
		}
		if err != nil {
			return err
		}
		from += int64(hi - lo)
	}
	return nil
}

// forget forgets all states.
func (b *Blocks) forget() {
	for _, acc := range b.state.acc {
		acc.reset()
		acc.free()
	}
	b.pages, b.free, b.levels = nil, 0, nil
	b.mem.release()
}

// Close forgets everything and gives back the memory.
func (b *Blocks) Close() {
	b.now.Close()
	b.forget()
	b.leaf = firstLeaf
}
