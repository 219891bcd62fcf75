package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// bookReviews makes Books_rating.csv. The reviews of one book stand together.
type bookReviews struct {
	books   *catalogue
	key     uint64
	order   []int32 // run -> book
	runs    runs
	readers int

	first, last, nick []string
	summaries         [3]text.Phrases // by mood
	moods             prose
}

func newBookReviews(o Options, b *catalogue, words *text.Lexicon) *bookReviews {
	key := draw.Key(o.Seed, "Books_rating.csv")
	r := &bookReviews{
		books: b, key: key, order: draw.Permutation(key, b.count), readers: b.count * 5,
		first: words.List("first"), last: words.List("last"), nick: words.List("nick"),
		summaries: [3]text.Phrases{
			words.Phrases("book.summary.positive"), words.Phrases("book.summary.negative"),
			words.Phrases("book.summary.neutral"),
		},
		moods: newProse(words, "book.review", 50, 7),
	}
	byRank := draw.Zipf(b.count, 8)
	weights := make([]uint64, b.count)
	for run, i := range r.order {
		weights[run] = byRank[b.rank[i]]
	}
	r.runs = runs{draw.Split(weights, o.rows(bookReviewRows, 5000))}
	return r
}

func (r *bookReviews) table() table {
	return table{
		name:   "Books_rating.csv",
		header: "Id,Title,Price,User_id,profileName,review/helpfulness,review/score,review/time,review/summary,review/text",
		units:  r.runs.rows(), perTurn: 1024,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			run := 0
			return func(c *text.Cells, row int) {
				run = r.runs.find(row, run)
				r.row(c, &src, row, int(r.order[run]))
			}
		},
	}
}

func (r *bookReviews) row(c *text.Cells, src *draw.Source, row, i int) {
	m := r.books.at(src, i)
	bad := draw.Turn(r.key^1, row, bookReviewFaultPeriod, bookReviewFaults[:])
	r.identify(c, src, bad, i, m)
	src.Reset(r.key, row)
	r.reader(c, src)
	votes := src.Below(5) * src.Below(5)
	helpful := src.Below(votes + 1)
	c.B = text.AppendPadded(c.B, helpful, 1)
	c.B = append(c.B, '/')
	c.B = text.AppendPadded(c.B, votes, 1)
	c.B = append(c.B, ',')
	score := r.score(src, m)
	c.Tenths(score * 10)
	c.Int(86_400 * (10_000 + src.Below(5_800)))
	mood := moodOf(score)
	c.Phrase(r.summaries[mood], src)
	r.text(c, src, row, bad, mood)
	c.End()
}

// identify appends the cells Id, Title and Price, which the reviews of a book
// have in common; now and then the title is missing or nobody knows it.
func (r *bookReviews) identify(c *text.Cells, src *draw.Source, bad fault, i int, m book) {
	if src.OneIn(3) {
		c.B = append(c.B, "B000"...)
		c.B = appendLetters(c.B, src, isbnLetters, 6)
	} else {
		c.B = text.AppendPadded(c.B, src.Below(999_999_999), 9)
		c.B = append(c.B, "0123456789X"[src.Below(11)])
	}
	c.B = append(c.B, ',')
	switch bad {
	case noTitle:
		c.Empty(1)
	case unlisted:
		c.Text("A Book That Nobody Listed")
	default:
		c.Open()
		c.B = r.books.appendTitle(c.B, i, m)
		c.Close()
	}
	if src.Percent(84) {
		c.Empty(1)
	} else {
		c.Hundredths(95 + 100*src.Below(60))
	}
}

// isbnLetters has 32 letters, as appendLetters wants.
const isbnLetters = "ABCDEFGHIJKLMNOPQRSTUVWX01234567"

// reader appends the cells User_id and profileName: both or neither.
func (r *bookReviews) reader(c *text.Cells, src *draw.Source) {
	if src.Percent(19) {
		c.Empty(2)
		return
	}
	n := src.Below(r.readers)
	h := draw.Mix(r.key, uint64(n))
	c.B = append(c.B, 'A')
	for bits := h; bits>>4 > 0; bits >>= 5 {
		c.B = append(c.B, isbnLetters[bits&31])
	}
	c.B = append(c.B, ',')
	c.Open()
	c.B = append(c.B, r.first[(h>>8&0xffff)%uint64(len(r.first))]...)
	c.B = append(c.B, ' ')
	c.B = append(c.B, r.last[(h>>24&0xffff)%uint64(len(r.last))]...)
	if h%12 == 0 {
		c.B = append(c.B, ` "`...)
		c.B = append(c.B, r.nick[(h>>40)%uint64(len(r.nick))]...)
		c.B = append(c.B, '"')
	}
	c.Close()
}

// score draws 1 to 5 stars: mostly 5, less often for a bad book.
func (r *bookReviews) score(src *draw.Source, m book) int {
	score := draw.Pick(src, scores[:])
	if src.Below(16) > m.quality && src.Percent(40) {
		return min(score, 1+src.Below(5))
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

// text appends the cell review/text.
func (r *bookReviews) text(c *text.Cells, src *draw.Source, row int, bad fault, mood int) {
	gap := " "
	if row%3 == 0 { // the real file has lost its line breaks so
		gap = ""
	}
	length := bookReviewLengths[src.Below(len(bookReviewLengths))]
	length += src.Below(1 + length/3)
	c.Open()
	c.B = r.moods.append(c.B, src, mood, length, bad.between(gap), bad.breaksLines())
	c.Close()
}

// bookReviewLengths are the lengths of the published reviews, in bytes, by
// twentieths.
var bookReviewLengths = [...]int{
	65, 115, 150, 190, 225, 265, 310, 355, 400, 455, 520, 585, 665, 745, 830, 945, 1110, 1290, 1640, 2770,
}
