package aggregate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators"
	"analyzer/operators/order"
)

// TopConfig says which rows a TopFilter keeps.
type TopConfig struct {
	Keys  []string  `json:"keys,omitempty"` // partition keys
	Order order.Key `json:"order"`          // ties are kept
	Rows  int       `json:"rows"`           // how many rows of each partition are wanted
}

// TopFilter drops rows that cannot be among the first of their partition, because enough rows
// before them were seen. It holds back rows that may be among the first, since more input
// eliminates most of them. It may also let other rows through: it knows only as many partitions
// as its memory holds, forgets them when the memory is full, and pauses where it drops little.
// So which rows pass depends on memory, but the first rows always do.
type TopFilter struct {
	input columnar.Schema
	rows  int // how many rows of each partition are wanted
	mem   memory
	table *table
	key   []*columnar.Vector
	at    []int // positions of the keys
	words []uint64
	refs  []uint32
	hits  []int32
	// wordsOf makes words of rows in dst's memory. A row with a smaller word comes before
	// another row of its partition.
	wordsOf func(dst []uint64, rows columnar.Rows) []uint64

	// held are the rows that are held back. Two columns after those of the input hold the
	// position of the record of the row's partition, and the row's word.
	held   *columnar.Pages
	wide   columnar.Rows // a batch with these two columns
	behind [2]columnar.Vector
	room   *budget.Reservation // for held

	taken, passed int64 // since the table was last empty
	direct        int64 // rows that will still bypass it
}

// topBytes limits the memory for partitions of a TopFilter, and heldBytes that for rows it
// holds back.
const (
	topBytes  = 16 << 20
	heldBytes = 16 << 20
)

// NewTopFilter returns a filter of rows of a schema. It fails when the schema lacks a key.
func NewTopFilter(rt *operators.Runtime, input columnar.Schema, cfg TopConfig) (*TopFilter, error) {
	at, err := input.Positions(cfg.Keys)
	wordsOf, wrong := order.Words(input, cfg.Order)
	if err := errors.Join(err, wrong); err != nil {
		return nil, fmt.Errorf("first of partitions: %w", err)
	}
	types := columnar.Each(at, func(i int) columnar.Type { return input[i].Type })
	f := &TopFilter{
		input: input, rows: cfg.Rows, at: at, key: make([]*columnar.Vector, len(at)), wordsOf: wordsOf,
		room: rt.Budget.Reserve("first of partitions"),
	}
	f.mem = memory{reserved: rt.Budget.Reserve("first of partitions"), limit: topBytes}
	f.table = newTable(&f.mem, newKeys(types, &f.mem), cfg.Rows)
	if f.table.words+mostWidth > pageWords {
		return nil, errors.New("first of partitions: too many are wanted")
	}
	held := append(slices.Clone(input), columnar.Field{Name: "ref", Type: columnar.Int}, columnar.Field{Name: "word", Type: columnar.Int})
	f.held = columnar.NewPages(held)
	for i := range f.behind {
		f.behind[i].Type = columnar.Int
	}
	return f, nil
}

// Push takes rows in, and emits rows that it cannot hold back.
func (f *TopFilter) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if f.direct > 0 {
		f.direct -= int64(rows.Len)
		return errors.Join(ctx.Err(), emit(rows))
	}
	if err := rows.InParts(batchRows, func(part columnar.Rows) error { return f.take(ctx, part, emit) }); err != nil {
		return err
	}
	if f.mem.full {
		return f.forget(ctx, emit)
	}
	allowed := f.held.Reserve(f.room, 0, LeastBytes)
	if allowed && f.held.Used() <= heldBytes {
		return ctx.Err()
	}
	before := f.held.Len()
	if f.sift(); f.held.Len() > before/2 {
		return f.emit(ctx, emit)
	}
	if !allowed {
		f.held.Trim()
	}
	return ctx.Err()
}

// take compares a batch with the words of its partitions. A partition's record holds the
// complements of the least words, the greatest complement first, so that 0 stands for none.
func (f *TopFilter) take(ctx context.Context, rows columnar.Rows, emit operators.Emit) error {
	for i, at := range f.at {
		f.key[i] = rows.Cols[at]
	}
	if f.table.mustWiden(f.key) {
		if err := f.emit(ctx, emit); err != nil { // records are about to move
			return err
		}
		f.table.widen()
	}
	hashes := f.table.keys.encode(f.key, rows.Len)
	if !f.table.fits(rows.Len, false) {
		if err := f.forget(ctx, emit); err != nil {
			return err
		}
		f.table.fits(rows.Len, true)
	}
	f.taken += int64(rows.Len)
	f.refs = f.table.lookup(hashes, f.refs)
	f.words = f.wordsOf(f.words, rows)
	f.hits = f.hits[:0]
	behind, last := f.table.keys.words(), f.rows-1
	for i, ref := range f.refs {
		word, first := ^f.words[i], f.table.pages.rest(ref, behind)[:last+1]
		if word < first[last] {
			continue
		}
		f.hits = append(f.hits, int32(i))
		at := last
		for ; at > 0 && first[at-1] < word; at-- {
			first[at] = first[at-1]
		}
		first[at] = word
	}
	f.hold(rows)
	return nil
}

// hold keeps the rows of a batch that may be among the first.
func (f *TopFilter) hold(rows columnar.Rows) {
	refs, words := &f.behind[0], &f.behind[1]
	refs.Ints, words.Ints = grow(refs.Ints[:0], rows.Len), grow(words.Ints[:0], rows.Len)
	for _, i := range f.hits {
		refs.Ints[i], words.Ints[i] = int64(f.refs[i]), int64(f.words[i])
	}
	refs.Len, words.Len = rows.Len, rows.Len
	f.wide.Len, f.wide.Cols = rows.Len, append(append(f.wide.Cols[:0], rows.Cols...), refs, words)
	for lo := 0; lo < len(f.hits); {
		lo = f.held.AppendGather(f.wide, f.hits, lo)
	}
}

// sift drops held rows that enough rows before them have eliminated since.
func (f *TopFilter) sift() {
	at, last := len(f.input), f.table.keys.words()+f.rows-1
	f.held.Retain(func(page columnar.Rows) []int32 {
		f.hits = f.hits[:0]
		words := page.Cols[at+1].Ints
		for i, ref := range page.Cols[at].Ints {
			if ^uint64(words[i]) >= *f.table.pages.word(uint32(ref), last) {
				f.hits = append(f.hits, int32(i))
			}
		}
		return f.hits
	})
}

// emit emits the held rows that are still candidates.
func (f *TopFilter) emit(ctx context.Context, emit operators.Emit) error {
	f.sift()
	f.passed += int64(f.held.Len())
	err := f.held.Drain(f.room, func(page columnar.Rows) error {
		return emit(columnar.Rows{Len: page.Len, Cols: page.Cols[:len(f.input)]})
	})
	return errors.Join(err, ctx.Err())
}

// forget empties the table. If the table let most rows through, rows bypass it for a while.
func (f *TopFilter) forget(ctx context.Context, emit operators.Emit) error {
	err := f.emit(ctx, emit)
	if f.passed*4 > f.taken*3 {
		f.direct = directTimes * f.taken
	}
	f.taken, f.passed = 0, 0
	f.table.free()
	f.mem.release()
	return err
}

// Finish emits the rows that were held back.
func (f *TopFilter) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	return errors.Join(f.emit(ctx, emit), f.Close())
}

// Close gives back the memory.
func (f *TopFilter) Close() error {
	f.taken, f.passed, f.direct = 0, 0, 0
	f.held.Release()
	f.room.Release()
	f.table.free()
	f.mem.release()
	return nil
}
