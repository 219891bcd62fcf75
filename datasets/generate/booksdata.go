package generate

import (
	"strconv"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// booksData makes books_data.csv.
type booksData struct {
	books   *catalogue
	key     uint64
	authors int // number of authors, apart from the classics

	first, last, apostrophe, classic []string
	publishers                       []string
	blurb                            text.Phrases
	category                         []string
	categories, classics             draw.Odds
}

func newBooksData(o Options, b *catalogue, words *text.Lexicon) *booksData {
	d := &booksData{
		books: b, key: draw.Key(o.Seed, "books_data.csv"), authors: 100 + b.count*2/5,
		first: words.List("first"), last: words.List("last"), apostrophe: words.List("apostrophe"),
		classic: words.List("classic"), publishers: words.List("book.publisher"), blurb: words.Phrases("book.blurb"),
	}
	d.category, d.categories = words.Weighted("book.category")
	weights := make([]int, len(d.classic))
	for i := range weights {
		weights[i] = 200 / (i + 1)
	}
	d.classics = draw.NewOdds(weights)
	return d
}

func (d *booksData) table() table {
	return table{
		name: "books_data.csv",
		header: "Title,description,authors,image,previewLink,publisher,publishedDate,infoLink,categories," +
			"ratingsCount",
		units: d.books.count, perTurn: 1024,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			var title []byte
			return func(c *text.Cells, row int) {
				m := d.books.at(&src, row)
				title = d.books.appendTitle(title[:0], row, m)
				d.row(c, &src, row, m, title)
			}
		},
	}
}

func (d *booksData) row(c *text.Cells, src *draw.Source, row int, m book, title []byte) {
	src.Reset(d.key, row)
	bad := draw.Turn(d.key^1, row, bookFaultPeriod, bookFaults[:])
	if bad == noTitle {
		c.Empty(1)
	} else {
		c.Open()
		c.B = append(c.B, title...)
		c.Close()
	}
	d.description(c, src, bad)
	classic := src.OneIn(12)
	d.authorCell(c, src, bad, classic)
	d.links(c, src, bad, title, d.year(src, m, classic), d.categoryOf(src, m))
}

// year chooses the year of publication. The classics are printed again in every
// decade; of the most reviewed books many are from the 1990s.
func (d *booksData) year(src *draw.Source, m book, classic bool) int {
	switch {
	case m.subject != anything:
		return 1996 + src.Below(26)
	case m.rank%4 == 1, m.rank == 2:
		return 1990 + src.Below(10)
	case classic:
		return 1850 + src.Below(174)
	}
	return 1945 + max(src.Below(75), src.Below(75), src.Below(75))
}

// categoryOf chooses the category, or none.
func (d *booksData) categoryOf(src *draw.Source, m book) string {
	switch {
	case m.subject == distributedSystems:
		return "Computers"
	case m.subject == distributedOtherwise:
		return "Mathematics"
	case src.Percent(16):
		return ""
	}
	return d.category[d.categories.Pick(src)]
}

func (d *booksData) description(c *text.Cells, src *draw.Source, bad fault) {
	if src.Percent(30) && !bad.breaksLines() {
		c.Empty(1)
		return
	}
	gap := bad.between(" ")
	if gap == " " && src.OneIn(40) {
		gap = `\r\n\r\n` // spelt out, as in the real file
	}
	c.Open()
	start, last := len(c.B), -1
	for length := 20 + src.Below(440)*(1+src.Below(4)); len(c.B)-start < length; {
		last = src.Other(d.blurb.Len(), last)
		c.B = d.blurb.AppendNth(c.B, last, src)
		c.B = append(c.B, gap...)
	}
	c.Close()
}

// authorCell appends a Python list of names, or nothing.
func (d *booksData) authorCell(c *text.Cells, src *draw.Source, bad fault, classic bool) {
	if !classic && src.Percent(15) && bad != quotedName {
		c.Empty(1)
		return
	}
	c.Open()
	c.B = append(c.B, '[')
	switch {
	case bad == quotedName:
		d.quotedAuthor(c, src)
	case classic:
		c.Python(d.classic[d.classics.Pick(src)])
	default:
		d.author(c, src.Below(d.authors))
	}
	for range draw.Pick(src, moreAuthors[:]) {
		c.B = append(c.B, ", "...)
		d.author(c, src.Below(d.authors))
	}
	c.B = append(c.B, ']')
	c.Close()
}

var moreAuthors = [...]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 8}

// quotedAuthor appends a name with an apostrophe, which needs double quotes.
func (d *booksData) quotedAuthor(c *text.Cells, src *draw.Source) {
	c.B = append(c.B, '"')
	c.B = append(c.B, draw.Pick(src, d.first)...)
	c.B = append(c.B, ' ')
	c.B = append(c.B, draw.Pick(src, d.apostrophe)...)
	c.B = append(c.B, '"')
}

// author appends the name of author n.
func (d *booksData) author(c *text.Cells, n int) {
	c.B = append(c.B, '\'')
	c.B = append(c.B, d.first[n%len(d.first)]...)
	n /= len(d.first)
	c.B = append(c.B, ' ')
	if initial := n / len(d.last); initial > 0 {
		c.B = append(c.B, byte('A'+(initial-1)%26), '.', ' ')
	}
	c.B = append(c.B, d.last[n%len(d.last)]...)
	c.B = append(c.B, '\'')
}

// links appends the cells from image to ratingsCount.
func (d *booksData) links(c *text.Cells, src *draw.Source, bad fault, title []byte, year int, category string) {
	var volume [12]byte
	id := appendLetters(volume[:0], src, pathLetters, len(volume))
	if src.Percent(20) {
		c.Empty(1)
	} else {
		c.B = append(c.B, "http://books.google.com/books/content?id="...)
		c.B = append(c.B, id...)
		c.B = append(c.B, "&printsec=frontcover&img=1&zoom=1&edge=curl&source=gbs_api,"...)
	}
	d.link(c, id, "&printsec=frontcover&dq=", title, "&hl=&cd=1&source=gbs_api")
	if src.Percent(32) {
		c.Empty(1)
	} else {
		c.Text(draw.Pick(src, d.publishers))
	}
	d.published(c, src, bad, year)
	d.link(c, id, "&dq=", title, "&hl=&source=gbs_api")
	c.Open()
	if category != "" {
		c.B = append(c.B, '[')
		c.Python(category)
		c.B = append(c.B, ']')
	}
	c.Close()
	if src.Percent(77) {
		c.Empty(1)
	} else {
		c.Tenths(10 * (1 + src.Below(6)*src.Below(6)*src.Below(20)))
	}
	c.End()
}

// link appends an address that holds the title, with its spaces as plus signs.
func (d *booksData) link(c *text.Cells, id []byte, before string, title []byte, after string) {
	c.Open()
	c.B = append(c.B, "http://books.google.nl/books?id="...)
	c.B = append(c.B, id...)
	c.B = append(c.B, before...)
	for _, b := range title {
		switch b {
		case ' ':
			c.B = append(c.B, '+')
		case '"':
			c.B = append(c.B, "%22"...)
		case '\'':
			c.B = append(c.B, "%27"...)
		default:
			c.B = append(c.B, b)
		}
	}
	c.B = append(c.B, after...)
	c.Close()
}

// published appends the date in one of the forms of the published file.
func (d *booksData) published(c *text.Cells, src *draw.Source, bad fault, year int) {
	switch bad {
	case noDate:
		c.Empty(1)
	case starredYear:
		c.B = strconv.AppendInt(c.B, int64(year), 10)
		c.B = append(c.B, '*', ',')
	case halfYear:
		c.B = strconv.AppendInt(c.B, int64(year/10), 10)
		c.B = append(c.B, '?', ',')
	case openYear:
		c.B = strconv.AppendInt(c.B, int64(year), 10)
		c.B = append(c.B, "-?,"...)
	default:
		c.B = strconv.AppendInt(c.B, int64(year), 10)
		if form := src.Below(20); form < 10 {
			c.B = append(c.B, '-')
			c.B = text.AppendPadded(c.B, 1+src.Below(12), 2)
			if form < 9 {
				c.B = append(c.B, '-')
				c.B = text.AppendPadded(c.B, 1+src.Below(28), 2)
			}
		}
		c.B = append(c.B, ',')
	}
}
