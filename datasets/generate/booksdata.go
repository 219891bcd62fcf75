package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// booksData makes books_data.csv.
type booksData struct {
	books   *catalogue
	key     uint64
	authors int // number of authors, apart from the classics
	words   *text.Lexicon
}

// bookRow holds the choices that the cells of one book share.
type bookRow struct {
	*row
	book
	title, volume []byte // volume is the book's id at Google
	classic       bool
	year          int
	category      string
}

func newBooksData(o Options, b *catalogue, words *text.Lexicon) table {
	d := &booksData{books: b, key: draw.Key(o.Seed, "books_data.csv"), authors: 100 + b.count*2/5, words: words}
	return table{name: "books_data.csv", units: b.count, perTurn: 1024, layout: d.layout}
}

func (d *booksData) layout(r *row) ([]column, func(int)) {
	f := &bookRow{row: r}
	category, categories := d.words.Weighted("book.category")
	return r.each([]column{
		{"Title", text.Needed, r.faulty(&f.title, map[fault]any{noTitle: ""})},
		{"description", text.Needed, d.description(r)},
		{"authors", text.Needed, d.authorCell(f)},
		{"image", text.Never, r.all(func() {
			f.year = f.published()
			f.category = f.about(category, categories)
			at := len(r.B)
			r.letters(pathLetters, 12)()
			f.volume = append(f.volume[:0], r.B[at:]...)
			r.B = r.B[:at]
		}, r.percent(20, "", r.form("http://books.google.com/books/content?id=%&printsec=frontcover&img=1&zoom=1&edge=curl&source=gbs_api", &f.volume)))},
		{"previewLink", text.Needed, r.form("http://books.google.nl/books?id=%&printsec=frontcover&dq=%&hl=&cd=1&source=gbs_api", &f.volume, f.escaped)},
		{"publisher", text.Needed, r.percent(32, "", d.words.List("book.publisher"))},
		{"publishedDate", text.Never, f.date()},
		{"infoLink", text.Needed, r.form("http://books.google.nl/books?id=%&dq=%&hl=&source=gbs_api", &f.volume, f.escaped)},
		{"categories", text.Needed, r.either(func() bool { return f.category != "" }, r.form("[%]", r.python(&f.category)), "")},
		{"ratingsCount", text.Never, r.percent(77, "", r.form("%.0", func() int { return 1 + r.Below(6)*r.Below(6)*r.Below(20) }))},
	}, func(n int) {
		f.book = d.books.at(&r.Source, n)
		f.title = d.books.appendTitle(f.title[:0], n, f.book)
		r.Reset(d.key, n)
		r.bad = draw.Turn(d.key^1, n, bookFaultPeriod, bookFaults[:])
	})
}

// published chooses the year of publication. Classics are reprinted in every
// decade; many of the most reviewed books are from the 1990s.
func (f *bookRow) published() int {
	switch {
	case f.subject != anything:
		return 1996 + f.Below(26)
	case f.rank%4 == 1, f.rank == 2:
		return 1990 + f.Below(10)
	case f.classic:
		return 1850 + f.Below(174)
	}
	return 1945 + max(f.Below(75), f.Below(75), f.Below(75))
}

// about chooses a category, or none.
func (f *bookRow) about(category []string, odds draw.Odds) string {
	switch {
	case f.subject == distributedSystems:
		return "Computers"
	case f.subject == distributedOtherwise:
		return "Mathematics"
	case f.Percent(16):
		return ""
	}
	return category[odds.Pick(&f.Source)]
}

func (d *booksData) description(r *row) func() {
	blurb := d.words.Phrases("book.blurb")
	return func() {
		if r.Percent(30) && !r.bad.breaksLines() {
			return
		}
		gap := " "
		if !r.bad.breaksLines() && r.OneIn(40) {
			gap = `\r\n\r\n` // spelt out, as in the real file
		}
		r.sentences(blurb, 20+r.Below(440)*(1+r.Below(4)), gap)
	}
}

// authorCell appends a Python list of names, or nothing.
func (d *booksData) authorCell(f *bookRow) cell {
	r, first, last, classic := f.row, d.words.List("first"), d.words.List("last"), d.words.List("classic")
	weights := make([]int, len(classic))
	for i := range weights {
		weights[i] = 200 / (i + 1)
	}
	classics := draw.NewOdds(weights)
	author := r.python(func() {
		n := r.Below(d.authors)
		r.B = append(append(r.B, first[n%len(first)]...), ' ')
		n /= len(first)
		if initial := n / len(last); initial > 0 {
			r.B = append(r.B, byte('A'+(initial-1)%26), '.', ' ')
		}
		r.B = append(r.B, last[n%len(last)]...)
	})
	main := r.either(func() bool { return f.classic }, r.python(func() { r.B = append(r.B, classic[classics.Pick(&r.Source)]...) }), author)
	quoted := r.python(r.form("% %", first, d.words.List("apostrophe")))
	return r.either(func() bool {
		f.classic = r.OneIn(12)
		return !f.classic && r.Percent(15) && r.bad != quotedName
	}, "", r.form("[%%]", r.faulty(main, map[fault]any{quotedName: quoted}),
		r.list("", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 8}, r.form(", %", author))))
}

// escaped appends the title as it is written in a URL.
func (f *bookRow) escaped() {
	for _, b := range f.title {
		switch b {
		case ' ':
			f.B = append(f.B, '+')
		case '"':
			f.B = append(f.B, "%22"...)
		case '\'':
			f.B = append(f.B, "%27"...)
		default:
			f.B = append(f.B, b)
		}
	}
}

// date appends the date in one of the forms of the published file.
func (f *bookRow) date() cell {
	month, day := f.padded(2, f.number(1, 12)), f.padded(2, f.number(1, 28))
	toMonth, toDay := f.form("-%", month), f.form("-%-%", month, day)
	return f.faulty(f.all(&f.year, func() {
		switch form := f.Below(20); {
		case form < 9:
			toDay()
		case form < 10:
			toMonth()
		}
	}), map[fault]any{
		noDate: "", starredYear: f.form("%*", &f.year), openYear: f.form("%-?", &f.year),
		halfYear: f.form("%?", func() int { return f.year / 10 }),
	})
}
