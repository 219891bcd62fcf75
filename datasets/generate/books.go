package generate

import (
	"context"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// Row counts of the published files.
const (
	bookRows       = 212_404
	bookReviewRows = 3_000_000
)

// Books writes books_data.csv and Books_rating.csv.
func Books(ctx context.Context, o Options) error {
	return write(ctx, o, func(words *text.Lexicon) []table {
		b := newCatalogue(o, words)
		return []table{newBooksData(o, b, words), newBookReviews(o, b, words)}
	})
}

// catalogue is the set of all books: what both tables must agree on, above all
// the titles, by which they join. It is shared and read only.
type catalogue struct {
	key         uint64
	count       int
	rank        []int32 // book -> its rank by number of reviews
	title       text.Phrases
	distributed text.Phrases
}

// book holds the properties of one book that both tables use.
type book struct {
	rank    int
	quality int // 0 to 15
	subject subject
}

// subject says whether a book has "distributed" in its title and, if so, whether it is
// about computers.
type subject int

const (
	anything subject = iota
	distributedSystems
	distributedOtherwise
)

var subjects = [...]subject{distributedSystems, distributedOtherwise, distributedSystems}

func newCatalogue(o Options, words *text.Lexicon) *catalogue {
	key := draw.Key(o.Seed, "books")
	count := o.rows(bookRows, 2100)
	return &catalogue{
		key: key, count: count, rank: draw.Permutation(key, count),
		title: words.Phrases("book.title"), distributed: words.Phrases("book.title.distributed"),
	}
}

// at describes book i. It leaves src at the beginning of the book's choices.
func (b *catalogue) at(src *draw.Source, i int) book {
	src.Reset(b.key, i)
	return book{
		rank:    int(b.rank[i]),
		quality: src.Below(16),
		subject: draw.Turn(b.key^1, i, 700, subjects[:]),
	}
}

// appendTitle appends the title of book i. Titles are unique, for up to some fifty
// million books.
func (b *catalogue) appendTitle(dst []byte, i int, m book) []byte {
	patterns := b.title
	if m.subject != anything {
		patterns = b.distributed
	}
	const step = 2_654_435_761 // a prime, so that no two books get the same number
	return patterns.AppendNumbered(dst, (uint64(i)*step+b.key>>32)%patterns.Combinations())
}
