package aggregate

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/operators"
)

// TopConfig says of which rows a TopFilter is.
type TopConfig struct {
	Input columnar.Schema
	Keys  []string // of the partitions
	Rows  int      // that are wanted of each
	// Words makes words of the rows in dst's memory. A row comes before another one of its
	// partition if its word is less.
	Words func(dst []uint64, rows columnar.Rows) []uint64
}

// TopFilter drops rows that cannot be among the first of their partition, since as many
// before them were seen. It lets others through as well: it knows so many partitions as
// its memory holds, forgets them when that is full, and steps aside for a while where it
// drops little. So what it passes depends on memory, and which rows are the first does not.
type TopFilter struct {
	cfg   TopConfig
	mem   memory
	table *table
	key   []*columnar.Vector
	at    []int // positions of the keys
	words []uint64
	refs  []uint32
	hits  []int32
	out   columnar.Rows

	taken, passed int64 // since the table was last empty
	direct        int64 // rows that are yet to pass it by
}

// topBytes is what a TopFilter holds at most.
const topBytes = 16 << 20

// NewTopFilter returns a filter. It fails when the keys are no columns.
func NewTopFilter(rt *operators.Runtime, cfg TopConfig) (*TopFilter, error) {
	at, err := cfg.Input.Positions(cfg.Keys)
	if err != nil {
		return nil, fmt.Errorf("first of partitions: %w", err)
	}
	var types []columnar.Type
	for _, i := range at {
		types = append(types, cfg.Input[i].Type)
	}
	f := &TopFilter{cfg: cfg, at: at, key: make([]*columnar.Vector, len(at)), out: columnar.NewRows(cfg.Input)}
	f.mem = memory{reserved: rt.Budget.Reserve("first of partitions"), limit: topBytes}
	f.table = newTable(&f.mem, newKeys(types, &f.mem), cfg.Rows)
	if f.table.words > pageWords {
		return nil, errors.New("first of partitions: too many are wanted")
	}
	return f, nil
}

// Push emits the rows that may be among the first: the batch itself if all may.
func (f *TopFilter) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if f.direct > 0 {
		f.direct -= int64(rows.Len)
		return errors.Join(ctx.Err(), emit(rows))
	}
	f.hits = f.hits[:0]
	for lo := 0; lo < rows.Len; {
		n := min(rows.Len-lo, batchRows)
		part := rows
		if n < rows.Len {
			part = rows.Slice(lo, lo+n)
		}
		f.take(part, int32(lo))
		lo += n
	}
	f.taken += int64(rows.Len)
	f.passed += int64(len(f.hits))
	if f.mem.full {
		f.forget()
	}
	switch len(f.hits) {
	case 0:
		return ctx.Err()
	case rows.Len:
		return errors.Join(ctx.Err(), emit(rows))
	}
	f.out.Reset()
	f.out.AppendGather(rows, f.hits)
	return errors.Join(ctx.Err(), emit(f.out))
}

// take holds a batch against the words of its partitions, of which each record has the
// complements of the least, the greatest first, so that 0 stands for none.
func (f *TopFilter) take(rows columnar.Rows, lo int32) {
	for i, at := range f.at {
		f.key[i] = rows.Cols[at]
	}
	if k, ok := f.table.keys.(*wordKeys); ok && !k.masked && nullable(f.key) {
		k.masked = true
		f.table.widen()
	}
	hashes := f.table.keys.encode(f.key, rows.Len)
	if !f.table.fits(rows.Len, false) {
		f.forget()
		f.table.fits(rows.Len, true)
	}
	f.refs = f.table.lookup(hashes, f.refs)
	f.words = f.cfg.Words(f.words, rows)
	behind, last := f.table.keys.words(), f.cfg.Rows-1
	for i, ref := range f.refs {
		word, first := ^f.words[i], f.table.pages.rest(ref, behind)[:last+1]
		if word < first[last] {
			continue
		}
		f.hits = append(f.hits, lo+int32(i))
		at := last
		for ; at > 0 && first[at-1] < word; at-- {
			first[at] = first[at-1]
		}
		first[at] = word
	}
}

// forget empties the table, and leaves it out for a while where it let most rows through.
func (f *TopFilter) forget() {
	if f.passed*4 > f.taken*3 {
		f.direct = directRows
	}
	f.taken, f.passed = 0, 0
	f.table.free()
	f.mem.release()
}

// Finish forgets all rows.
func (f *TopFilter) Finish(ctx context.Context, _ int, _ operators.Emit) error {
	return errors.Join(ctx.Err(), f.Close())
}

// Close gives back the memory.
func (f *TopFilter) Close() error {
	f.taken, f.passed, f.direct = 0, 0, 0
	f.table.free()
	f.mem.release()
	return nil
}
