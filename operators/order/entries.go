package order

import (
	"cmp"
	"slices"

	"analyzer/columnar"
)

// entry stands for a row while rows are sorted.
type entry struct {
	word uint64 // of the first key
	id   uint32
}

// sorter sorts entries and keeps its memory for reuse.
type sorter struct {
	order   *total
	rows    *columnar.Pages
	entries []entry
	spare   []entry
	words   []uint64
	ids     []uint32
}

// entryBytes is the memory for sorting, per row.
const entryBytes = 2*16 + 4

// sort returns the ids of all rows in order, valid until the next call.
func (s *sorter) sort(o *total, rows *columnar.Pages) []uint32 {
	s.order, s.rows = o, rows
	s.entries = slices.Grow(s.entries[:0], rows.Len())
	for page := range rows.Count() {
		s.words = o.words(s.words, rows.Page(page))
		for i, w := range s.words {
			s.entries = append(s.entries, entry{word: w, id: columnar.RowID(page, i)})
		}
	}
	s.spare = slices.Grow(s.spare[:0], len(s.entries))[:len(s.entries)]
	if len(o.keys) > 0 { // rows without columns are equal
		s.sortWords(s.entries, part{})
	}
	s.ids = slices.Grow(s.ids[:0], len(s.entries))[:len(s.entries)]
	for i, e := range s.entries {
		s.ids[i] = e.id
	}
	return s.ids
}

// sortRows sorts entries by comparing their rows.
func (s *sorter) sortRows(run []entry) {
	slices.SortFunc(run, func(x, y entry) int { return s.order.compareIDs(s.rows, x.id, y.id) })
}

// sortWords sorts entries whose rows have equal keys before a part, and whose words are those
// of that part. It sorts by the words, and entries with equal words by the following parts.
func (s *sorter) sortWords(run []entry, at part) {
	if len(run) < leastRadix {
		slices.SortFunc(run, func(x, y entry) int { return cmp.Compare(x.word, y.word) })
	} else {
		radix(run, s.spare[:len(run)])
	}
	for lo := 0; lo < len(run); {
		hi := lo + 1
		for hi < len(run) && run[hi].word == run[lo].word {
			hi++
		}
		if hi-lo > 1 {
			s.sortTies(run[lo:hi], at)
		}
		lo = hi
	}
}

// leastParts is the number of entries from which another round of words pays.
const leastParts = 32

// sortTies sorts entries whose words of a part are equal.
func (s *sorter) sortTies(run []entry, at part) {
	if len(run) >= leastParts {
		if next, ok := s.after(run, at); ok {
			if next.key == len(s.order.keys) {
				return // the rows are equal
			}
			for i, e := range run {
				run[i].word = s.word(e.id, next)
			}
			s.sortWords(run, next)
			return
		}
	}
	s.sortRows(run)
}

// leastRadix is the number of entries from which a radix sort pays.
const leastRadix = 512

// radix sorts entries by their words, one byte at a time from the lowest. Bytes in which all
// words agree cost nothing. spare must be as long as run.
func radix(run, spare []entry) {
	var counts [8][256]int32
	for _, e := range run {
		for d := range counts {
			counts[d][byte(e.word>>(8*d))]++
		}
	}
	from, to := run, spare
	for d := range counts {
		if int(counts[d][byte(from[0].word>>(8*d))]) == len(from) {
			continue
		}
		sum := int32(0)
		for b, n := range counts[d] {
			counts[d][b] = sum
			sum += n
		}
		for _, e := range from {
			b := byte(e.word >> (8 * d))
			to[counts[d][b]] = e
			counts[d][b]++
		}
		from, to = to, from
	}
	if &from[0] != &run[0] {
		copy(run, from)
	}
}

func (s *sorter) free() { *s = sorter{} }
