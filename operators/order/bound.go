package order

import "analyzer/columnar"

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
