package order

import (
	"sync/atomic"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// bound is an upper bound for the first rows: at least as many rows as the
// limit come before it or equal it, so no row after it is among the first.
type bound struct {
	set  bool
	word uint64
	row  columnar.Rows

	words []uint64
	hits  []int32
}

// lower lowers the bound to a row, if the row comes before it.
func (b *bound) lower(o *total, schema columnar.Schema, rows columnar.Rows, at int) {
	row := columnar.NewRows(schema)
	row.AppendRange(rows, at, at+1)
	if b.set && o.compare(row, 0, b.row, 0) >= 0 {
		return
	}
	b.words = o.words(b.words, row)
	b.set, b.word, b.row = true, b.words[0], row
}

// within returns the positions of rows that come before the bound. They are
// valid until the next call.
func (b *bound) within(o *total, rows columnar.Rows) []int32 {
	b.words, b.hits = o.words(b.words, rows), b.hits[:0]
	for i, w := range b.words {
		if w < b.word || w == b.word && o.compare(rows, i, b.row, 0) < 0 {
			b.hits = append(b.hits, int32(i))
		}
	}
	return b.hits
}

// Shared is the least bound, by the first key alone, of sorts among whose rows together the first are sought. The zero
// value knows none. Safe for concurrent use.
type Shared struct{ complement atomic.Uint64 } // of the word

func (b *Shared) word() uint64 { return ^b.complement.Load() }

func (b *Shared) lower(word uint64) {
	for old := b.complement.Load(); ^word > old && !b.complement.CompareAndSwap(old, ^word); old = b.complement.Load() {
	}
}

// First is what is known of the first rows of a sort with a limit, for those who read its rows: which can be left out,
// going by the first key alone.
type First struct {
	key    key
	shared *Shared
	words  []uint64
}

// First returns nil if the sort wants all rows. The bound is that of all sorts that get the same one to share, whose
// rows are sorted together afterwards.
func (s *Sort) First(shared *Shared) *First {
	if s.cfg.Limit <= 0 || len(s.cfg.Order) == 0 {
		return nil
	}
	s.shared = shared
	return &First{key: s.order.keys[0], shared: shared}
}

// Before returns the same for who reads the columns of which those of the sort are picked.
func (f *First) Before(picks []int) *First {
	if f != nil {
		f.key.at = picks[f.key.at]
	}
	return f
}

// Column returns the column of the first key.
func (f *First) Column() int { return f.key.at }

// Sought returns which rows come first, of a table whose column of some name is the first key.
func (f *First) Sought(column string) input.Sought {
	return input.Sought{Column: column, Descending: f.key.desc, NullsFirst: f.key.nullsFirst}
}

// Known reports whether any row can be left out.
func (f *First) Known() bool { return f.shared.complement.Load() != 0 }

// Keep appends the positions of the values of the first key whose rows may be among the first.
func (f *First) Keep(key *columnar.Vector, dst []int32) []int32 {
	f.words = f.key.words(f.words, key)
	most := f.shared.word()
	for i, w := range f.words {
		if w <= most {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// Exclude reports whether none of the rows is among the first in which the values of the first key have some bounds.
func (f *First) Exclude(b input.Bounds) bool {
	first := b.Least
	if f.key.desc {
		first = b.Greatest
	}
	if !f.Known() || first == nil || f.key.nullsFirst && !b.NoNulls {
		return false
	}
	f.words = f.key.words(f.words, first)
	return f.words[0] > f.shared.word()
}
