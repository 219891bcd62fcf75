package order

import (
	"cmp"
	"slices"

	"analyzer/columnar"
)

// entry stands for a row while it is sorted.
type entry struct {
	word uint64 // of the first key
	id   uint32
}

// sorter sorts entries and keeps its memory for the next time.
type sorter struct {
	order   *total
	rows    *columnar.Pages
	entries []entry
	spare   []entry
	words   []uint64
	ids     []uint32
}

// entryBytes is what sorting takes for each row.
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

// sortWords sorts entries whose rows agree before a part of the keys and whose
// words are of that part: by the words, and where these are equal by the parts
// after.
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

// leastParts is how many entries make another round of words pay.
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

// leastRadix is how many entries make counting digits pay.
const leastRadix = 512

// radix sorts entries by their words, a byte at a time from the lowest; bytes that
// all words have in common cost nothing. spare is as long.
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
