package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// bookReviews makes Books_rating.csv. The reviews of one book are consecutive.
type bookReviews struct {
	books *catalogue
	key   uint64
	order []int32 // run -> book
	runs  runs
	words *text.Lexicon
}

func newBookReviews(o Options, b *catalogue, words *text.Lexicon) table {
	key := draw.Key(o.Seed, "Books_rating.csv")
	t := &bookReviews{books: b, key: key, order: draw.Permutation(key, b.count), words: words}
	byRank := draw.Zipf(b.count, 8)
	weights := make([]uint64, b.count)
	for run, i := range t.order {
		weights[run] = byRank[b.rank[i]]
	}
	t.runs = draw.Split(weights, o.rows(bookReviewRows, 5000))
	return table{name: "Books_rating.csv", units: t.runs.rows(), perTurn: 1024, layout: t.layout}
}

func (t *bookReviews) layout(r *row) ([]column, func(int)) {
	var m book
	var book, run, n, votes, stars int
	id, profile := t.reader(r)
	summaries, moods := byMood(t.words, "book.summary"), newProse(t.words, "book.review", 50, 7)
	title := func() { r.B = t.books.appendTitle(r.B, book, m) }
	return r.each([]column{
		{"Id", text.Never, r.oneIn(3, r.form("B000%", r.letters(isbnLetters, 6)), r.form("%%",
			r.padded(9, r.number(0, 999_999_999)), func() { r.B = append(r.B, "0123456789X"[r.Below(11)]) }))},
		{"Title", text.Needed, r.faulty(title, map[fault]any{noTitle: "", unlisted: "A Book That Nobody Listed"})},
		{"Price", text.Never, r.percent(84, "", r.fixed(2, func() int { return 95 + 100*r.Below(60) }))},
		{"User_id", text.Never, r.all(func() { r.Reset(t.key, n) }, id)},
		{"profileName", text.Needed, profile},
		{"review/helpfulness", text.Never, func() {
			votes = r.Below(5) * r.Below(5)
			r.Int(r.Below(votes + 1))
			r.B = append(r.B, '/')
			r.Int(votes)
		}},
		{"review/score", text.Never, r.form("%.0", func() int { stars = score(r, m); return stars })},
		{"review/time", text.Never, func() int { return 86_400 * (10_000 + r.Below(5_800)) }},
		{"review/summary", text.Needed, func() { r.B = summaries[moodOf(stars)].Append(r.B, &r.Source) }},
		{"review/text", text.Needed, func() {
			gap := " "
			if n%3 == 0 { // like the real file, which has lost its line breaks
				gap = ""
			}
			length := draw.Pick(&r.Source, bookReviewLengths[:])
			moods.append(r, moodOf(stars), length+r.Below(1+length/3), gap)
		}},
	}, func(unit int) {
		n, run = unit, t.runs.find(unit, run)
		book = int(t.order[run])
		m = t.books.at(&r.Source, book)
		r.bad = draw.Turn(t.key^1, n, bookReviewFaultPeriod, bookReviewFaults[:])
	})
}

// reader makes the cells User_id and profileName: both or neither.
func (t *bookReviews) reader(r *row) (id, profile cell) {
	var h uint64
	var named bool
	known := func() bool { return named }
	first, last, nick := t.words.List("first"), t.words.List("last"), t.words.List("nick")
	id = r.percent(19, func() { named = false }, func() {
		named, h = true, draw.Mix(t.key, uint64(r.Below(t.books.count*5)))
		r.B = append(r.B, 'A')
		for bits := h; bits>>4 > 0; bits >>= 5 {
			r.B = append(r.B, isbnLetters[bits&31])
		}
	})
	return id, r.either(known, func() {
		r.B = append(append(r.B, first[(h>>8&0xffff)%uint64(len(first))]...), ' ')
		r.B = append(r.B, last[(h>>24&0xffff)%uint64(len(last))]...)
		if h%12 == 0 {
			r.B = append(append(append(r.B, ` "`...), nick[(h>>40)%uint64(len(nick))]...), '"')
		}
	}, "")
}

// score draws 1 to 5 stars: mostly 5, less often for a bad book.
func score(r *row, m book) int {
	score := draw.Pick(&r.Source, scores[:])
	if r.Below(16) > m.quality && r.Percent(40) {
		return min(score, 1+r.Below(5))
	}
	return score
}

var scores = [...]int{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 2, 1}

func moodOf(score int) int {
	switch {
	case score >= 4:
		return positive
	case score <= 2:
		return negative
	}
	return neutral
}

// bookReviewLengths are the lengths of the published reviews, in bytes, by
// twentieths.
var bookReviewLengths = [...]int{
	65, 115, 150, 190, 225, 265, 310, 355, 400, 455, 520, 585, 665, 745, 830, 945, 1110, 1290, 1640, 2770,
}
