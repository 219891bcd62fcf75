package generate

import (
	"slices"
	"strings"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// metadataCells is the number of columns of movies_metadata.csv.
const metadataCells = 24

// metadata makes movies_metadata.csv.
type metadata struct {
	films films
	key   uint64
	words *text.Lexicon

	genres, countries, languages vocabulary
	argentina, spain, spanish    int // indexes in countries and languages
}

// vocabulary is a weighted list of names, each with a code; countries also have the
// code of their language.
type vocabulary struct {
	codes, names, languages []string
	odds                    draw.Odds
}

func (v *vocabulary) add(line string) {
	parts := append(strings.Split(line, "|"), "", "")
	v.codes, v.names, v.languages = append(v.codes, parts[0]), append(v.names, parts[1]), append(v.languages, parts[2])
}

func newVocabulary(lines []string, odds draw.Odds) vocabulary {
	v := vocabulary{odds: odds}
	for _, line := range lines {
		v.add(line)
	}
	return v
}

func newMetadata(o Options, f films, words *text.Lexicon) table {
	m := &metadata{
		films: f, key: draw.Key(o.Seed, "movies_metadata.csv"), words: words,
		genres:    newVocabulary(words.Weighted("film.genre")),
		countries: newVocabulary(words.Weighted("film.country")),
		languages: newVocabulary(words.Weighted("film.language")),
	}
	m.argentina, m.spain = len(m.countries.codes), slices.Index(m.countries.codes, "ES")
	m.countries.add("AR|Argentina|es") // films of Argentina are not left to chance
	m.spanish = slices.Index(m.languages.codes, "es")
	return table{name: "movies_metadata.csv", units: f.count, perTurn: 1024, layout: m.layout}
}

// filmRow holds the choices that the cells of one film share.
type filmRow struct {
	*row
	film
	made            []int // indexes in metadata.countries
	language, title string
	revenue         int
	which           int // of the three broken records
	minutes         int
	month, day      int
}

func (m *metadata) layout(r *row) ([]column, func(int)) {
	f := &filmRow{row: r}
	columns := m.columns(f)
	whole, head, tail := r.compile(columns), r.compile(m.head(f, columns)), r.compile(m.tail(f, columns))
	return columns, func(n int) {
		half, which := m.films.broken(n)
		f.which, r.bad = which, m.films.faultOf(n)
		i := m.films.original(n)
		if half == 2 {
			i = n - 1
		}
		f.film = m.films.at(&r.Source, i)
		r.Reset(m.key, i)
		have := metadataCells
		switch half {
		case 0:
			m.madeIn(f)
			whole()
		case 1:
			head()
			have = 10
		case 2:
			m.madeIn(f)
			tail()
			have = 15
		}
		for ; which == 0 && have < metadataCells; have++ {
			r.B = append(r.B, ',')
		}
		r.End()
	}
}

func (m *metadata) columns(f *filmRow) []column {
	r, title, companies := f.row, m.words.Phrases("film.title"), m.words.List("film.company")
	var company string
	var companyID int
	return []column{
		{"adult", text.Never, r.oneIn(4000, "True", "False")},
		{"belongs_to_collection", text.Needed, r.oneIn(10, r.form("{'id': %, 'name': %, 'poster_path': %, 'backdrop_path': %}",
			r.number(1000, 400_000), r.python(title), r.pythonPicture(), r.pythonPicture()), "")},
		{"budget", text.Never, f.budget},
		{"genres", text.Needed, r.form("[%%", r.someOf("{'id': %, 'name': '%'}", m.genres, genresPerFilm[:], nil),
			r.faulty("]", map[fault]any{openList: ""}))},
		{"homepage", text.Never, r.oneIn(6, r.form("http://www.film%-themovie.com/index.html", r.number(0, 1_000_000)), "")},
		{"id", text.Never, &f.id},
		{"imdb_id", text.Never, r.form("tt%", r.padded(7, r.number(0, 5_000_000)))},
		{"original_language", text.Never, func() {
			f.language = "en"
			if len(f.made) > 0 {
				f.language = m.countries.languages[f.made[0]]
			}
			r.B = append(r.B, f.language...)
		}},
		{"original_title", text.Needed, f.originalTitle(title, m.words.List("film.original"))},
		{"overview", text.Needed, m.overview(r)},
		{"popularity", text.Never, r.fixed(6, func() int { return r.Below(9) * r.Below(2_500_000) })},
		{"poster_path", text.Never, r.picture()},
		{"production_companies", text.Needed, r.form("[%]", r.list(", ", companiesPerFilm[:], r.all(func() {
			n := r.Below(len(companies))
			company, companyID = companies[n], 4+n*n*17
		}, r.form("{'name': %, 'id': %}", r.python(&company), &companyID))))},
		{"production_countries", text.Needed, r.form("[%]", r.list(", ", func() int { return len(f.made) },
			r.form("{'iso_3166_1': '%', 'name': %}", func() { r.B = append(r.B, m.countries.codes[f.made[r.k]]...) },
				r.python(func() { r.B = append(r.B, m.countries.names[f.made[r.k]]...) }))))},
		{"release_date", text.Never, f.releaseDate()},
		{"revenue", text.Never, &f.revenue},
		{"runtime", text.Never, r.all(func() { f.minutes = 55 + r.Below(90) },
			r.faulty(r.form("%.0", &f.minutes), map[fault]any{noRuntime: "", wholeRuntime: &f.minutes}))},
		{"spoken_languages", text.Needed, r.form("[%]", r.someOf("{'iso_639_1': '%', 'name': '%'}", m.languages, languagesPerFilm[:],
			func(language int) int {
				if r.k == 0 && len(f.made) > 0 && f.made[0] == m.argentina {
					return m.spanish
				}
				return language
			}))},
		{"status", text.Never, r.percent(98, "Released", []string{"Rumored", "Post Production", "In Production", ""})},
		{"tagline", text.Needed, r.percent(55, "", m.words.Phrases("film.tagline"))},
		{"title", text.Needed, r.either(func() bool { return f.title == "" }, title, &f.title)},
		{"video", text.Never, "False"},
		{"vote_average", text.Never, r.fixed(1, r.number(30, 50))},
		{"vote_count", text.Never, func() int { return r.Below(30) * r.Below(8) }},
	}
}

// Three records of the published file are cut in two by an unquoted line break after the
// first sentence of the overview. The head is a record whose later cells are missing. The
// tail is a record that begins in the middle: its adult cell holds prose, its budget the
// path of a picture, its id a date. A program that rewrote the file has padded the first
// of the three with commas; the others are short.

// head returns the cells of the first half of a broken record.
func (m *metadata) head(f *filmRow, whole []column) []column {
	columns := slices.Clone(whole[:10])
	columns[0].value, columns[1].value, columns[2].value, columns[4].value = "False", "", 0, ""
	columns[7].value, columns[8].value = "en", m.words.Phrases("film.title")
	columns[9] = column{"", text.Never, f.nth(m.words.Phrases("film.unquoted"))}
	return columns
}

// tail returns the cells of its second half.
func (m *metadata) tail(f *filmRow, whole []column) []column {
	r := f.row
	columns := slices.Clone(whole[9:])
	columns[0] = column{"", text.Never, f.nth(m.words.Phrases("film.tail"))}
	columns[1].value, columns[5].value, columns[6].value, columns[7].value = r.fixed(6, r.number(0, 3_000_000)), r.date(&f.year), 0, "90.0"
	columns[9].value, columns[10].value, columns[11].value = "Released", "", m.words.Phrases("film.title")
	columns[13].value, columns[14].value = "6.0", func() int { return 1 + f.which }
	return columns
}

// nth appends one sentence for each of the broken records.
func (f *filmRow) nth(sentences text.Phrases) func() {
	return func() { f.B = sentences.AppendNth(f.B, f.which, &f.Source) }
}

var (
	genresPerFilm    = [...]int{0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5}
	companiesPerFilm = [...]int{0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 6}
	languagesPerFilm = [...]int{0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3}
	countriesPerFilm = [...]int{0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4}
	roundSums        = [...]int{50_000, 100_000, 250_000, 500_000, 1_000_000, 1_000_000, 2_000_000, 2_500_000, 5_000_000}
)

// someOf lists some entries of a vocabulary in a form of code and name, seldom the
// same one twice in a row; mend may replace an entry that was drawn.
func (r *row) someOf(form string, from vocabulary, counts []int, mend func(drawn int) int) cell {
	var code, name string
	last := -1
	item := r.form(form, &code, &name)
	return r.list(", ", counts, func() {
		if r.k == 0 {
			last = -1
		}
		last = from.odds.PickOther(&r.Source, last)
		if mend != nil {
			last = mend(last)
		}
		code, name = from.codes[last], from.names[last]
		item()
	})
}

// originalTitle appends the original title, and remembers it if it is also the title.
func (f *filmRow) originalTitle(title text.Phrases, foreign []string) func() {
	return func() {
		at := len(f.B)
		f.B = title.Append(f.B, &f.Source)
		f.title = string(f.B[at:])
		if f.language != "en" && f.Percent(60) {
			f.B = append(f.B[:at], draw.Pick(&f.Source, foreign)...)
			f.title = ""
		}
	}
}

func (m *metadata) overview(r *row) cell {
	plot := newProse(m.words, "film.plot", 55, 0)
	return r.faulty(r.all(r.oneIn(9, r.form("% ", m.words.Phrases("film.quirk")), ""), func() {
		plot.append(r, r.Below(3), 60+r.Below(420), " ")
	}), map[fault]any{emptyText: "", noOverviewFound: "No overview found."})
}

// releaseDate writes 1995-10-30; in some rows nothing, and in some the date formats of
// programs that have rewritten copies of the file.
func (f *filmRow) releaseDate() cell {
	month, day := func() int { return f.month }, func() int { return f.day }
	return f.all(func() { f.month, f.day = 1+f.Below(12), 1+f.Below(28) }, f.faulty(
		f.form("%-%-%", &f.year, f.padded(2, month), f.padded(2, day)), map[fault]any{
			noDate:         "",
			monthFirstDate: f.form("%/%/%", &f.month, &f.day, &f.year),
			dayFirstDate:   f.form("%-%-%", f.padded(2, day), f.padded(2, month), &f.year),
		}))
}

// madeIn chooses the countries of a film.
func (m *metadata) madeIn(f *filmRow) {
	f.made = f.made[:0]
	add := func(place int) {
		if n := len(f.made); n == 0 || f.made[n-1] != place {
			f.made = append(f.made, place)
		}
	}
	if f.spanish && f.OneIn(4) {
		add(m.spain)
	}
	if f.argentine {
		add(m.argentina)
	}
	switch {
	case f.spanish && len(f.made) == 1:
		add(m.spain)
	case f.argentine && f.Percent(70):
	default:
		for n := draw.Pick(&f.Source, countriesPerFilm[:]); n > 0 && len(f.made) < 4; n-- {
			add(m.countries.odds.Pick(&f.Source))
		}
	}
}

// budget draws budget and revenue, and returns the budget. Each is mostly 0, which means
// unknown. Now and then the budget is one dollar, which makes the ratio enormous.
func (f *filmRow) budget() int {
	f.revenue = 0
	if f.Percent(80) {
		if f.OneIn(12) {
			f.revenue = 1000 * f.Below(90_000)
		}
		return 0
	}
	budget := draw.Pick(&f.Source, roundSums[:]) * (1 + f.Below(40))
	if f.OneIn(60) {
		budget = 1
	}
	if f.Percent(65) {
		f.revenue = f.Below(budget*4 + 20_000_000)
	}
	return budget
}
