package order

import (
	"cmp"
	"math/bits"
	"slices"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
)

// entry stands for a row while rows are sorted.
type entry struct {
	word uint64 // of the first key
	id   uint32
}

// sorter sorts entries and keeps its memory for reuse.
type sorter struct {
	threads int // goroutines to sort in; below 2: the caller's
	order   *total
	rows    *columnar.Pages
	entries []entry
	spare   []entry
	ids     []uint32
	pieces  *errgroup.Group // nil: there is one piece
}

// entryBytes is the memory for sorting, per row.
const entryBytes = 2*16 + 4

// leastFork is the number of rows from which it pays to give them to another goroutine.
const leastFork = 1 << 14

// sort returns the ids of all rows in order, valid until the next call.
func (s *sorter) sort(o *total, rows *columnar.Pages) []uint32 {
	s.order, s.rows = o, rows
	s.entries = slices.Grow(s.entries[:0], rows.Len())[:rows.Len()]
	s.inPieces(s.enter)
	if len(o.keys) > 0 && !increasing(s.entries) { // rows without columns are equal
		s.spare = slices.Grow(s.spare[:0], len(s.entries))[:len(s.entries)]
		s.inPieces(func() { s.sortWords(s.entries, s.spare, part{}) })
	}
	s.ids = slices.Grow(s.ids[:0], len(s.entries))[:len(s.entries)]
	for i, e := range s.entries {
		s.ids[i] = e.id
	}
	return s.ids
}

// inPieces returns when work, and all pieces that it forked, are done.
func (s *sorter) inPieces(work func()) {
	if s.threads < 2 || len(s.entries) < 2*leastFork {
		s.pieces = nil
		work()
		return
	}
	s.pieces = new(errgroup.Group)
	s.pieces.SetLimit(s.threads)
	s.pieces.Go(func() error { work(); return nil })
	_ = s.pieces.Wait() // they do not fail
}

// fork works on a piece of n rows, in another goroutine if that pays and one is free. Each piece
// of a sort has rows of its own.
func (s *sorter) fork(n int, work func()) {
	if s.pieces == nil || n < leastFork || !s.pieces.TryGo(func() error { work(); return nil }) {
		work()
	}
}

// enter makes the entries of all rows.
func (s *sorter) enter() {
	rest := s.entries
	for first := 0; first < s.rows.Count(); {
		end, n := first, 0
		for ; end < s.rows.Count() && n < leastFork; end++ {
			n += s.rows.Page(end).Len
		}
		from, own := first, rest[:n]
		s.fork(n, func() { s.enterPages(own, from) })
		first, rest = end, rest[n:]
	}
}

// enterPages makes entries of the rows from a page on.
func (s *sorter) enterPages(entries []entry, page int) {
	var words []uint64
	for ; len(entries) > 0; page++ {
		words = s.order.words(words, s.rows.Page(page))
		for i, w := range words {
			entries[i] = entry{word: w, id: columnar.RowID(page, i)}
		}
		entries = entries[len(words):]
	}
}

// sortRows sorts entries by comparing their rows.
func (s *sorter) sortRows(run []entry) {
	slices.SortFunc(run, func(x, y entry) int { return s.order.compareIDs(s.rows, x.id, y.id) })
}

// sortWords sorts entries whose rows have equal keys before a part, and whose words are those
// of that part. It sorts by the words, and entries with equal words by the following parts. spare
// is as long as run.
func (s *sorter) sortWords(run, spare []entry, at part) {
	switch {
	case len(run) < leastRadix:
		slices.SortFunc(run, func(x, y entry) int { return cmp.Compare(x.word, y.word) })
	case s.pieces != nil && len(run) >= 2*leastFork && s.divide(run, spare, at):
		return
	case !inOrder(run):
		radix(run, spare)
	}
	for lo := 0; lo < len(run); {
		hi := lo + 1
		for hi < len(run) && run[hi].word == run[lo].word {
			hi++
		}
		switch ties, spare := run[lo:hi], spare[lo:hi]; {
		case len(ties) >= leastFork:
			s.fork(len(ties), func() { s.sortTies(ties, spare, at) })
		case len(ties) > 1:
			s.sortTies(ties, spare, at)
		}
		lo = hi
	}
}

// inOrder reports whether entries are in the order of their words, as those of files often are that were written in
// some order. Of others, few are looked at.
func inOrder(run []entry) bool {
	last := uint64(0)
	for _, e := range run {
		if e.word < last {
			return false
		}
		last = e.word
	}
	return true
}

// increasing reports whether each entry's word is greater than the one before: then no two rows need be compared.
func increasing(run []entry) bool {
	for i := 1; i < len(run); i++ {
		if run[i].word <= run[i-1].word {
			return false
		}
	}
	return true
}

// divide puts entries in order by the first eight bits in which their words differ, and sorts
// what agrees in these, many at a time, in pieces. It reports whether any words differ.
func (s *sorter) divide(run, spare []entry, at part) bool {
	differ := uint64(0)
	for _, e := range run {
		differ |= e.word ^ run[0].word
	}
	if differ == 0 {
		return false
	}
	shift := max(0, bits.Len64(differ)-8)
	var ends [256]int
	for _, e := range run {
		ends[byte(e.word>>shift)]++
	}
	sum := 0
	for b, n := range ends {
		ends[b] = sum
		sum += n
	}
	if inOrder(run) {
		copy(ends[:], ends[1:])
		ends[len(ends)-1] = len(run)
	} else {
		for _, e := range run {
			b := byte(e.word >> shift)
			spare[ends[b]] = e
			ends[b]++
		}
		copy(run, spare)
	}
	for lo, b := 0, 0; lo < len(run); {
		hi := ends[b]
		for b++; b < len(ends) && ends[b]-lo < leastFork; b++ {
			hi = ends[b]
		}
		own, spare := run[lo:hi], spare[lo:hi]
		s.fork(len(own), func() { s.sortWords(own, spare, at) })
		lo = hi
	}
	return true
}

// leastParts is the number of entries from which another round of words pays.
const leastParts = 32

// sortTies sorts entries whose words of a part are equal.
func (s *sorter) sortTies(run, spare []entry, at part) {
	if len(run) >= leastParts {
		if next, ok := s.after(run, at); ok {
			if next.key == len(s.order.keys) {
				return // the rows are equal
			}
			for i, e := range run {
				run[i].word = s.word(e.id, next)
			}
			s.sortWords(run, spare, next)
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

func (s *sorter) free() { s.entries, s.spare, s.ids, s.rows = nil, nil, nil, nil }
