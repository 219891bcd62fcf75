package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// metadata makes movies_metadata.csv.
type metadata struct {
	films films
	key   uint64

	genres, countries, languages draw.Odds
	genre, language              []tagged
	country                      []country
	companies, foreign           []string
	title, tagline, quirk        text.Phrases
	plot                         prose
	unquoted, tail               text.Phrases
	argentina, spain             int // places in country
	spanish                      int // place in language
}

func newMetadata(o Options, f films, words *text.Lexicon) *metadata {
	m := &metadata{
		films: f, key: draw.Key(o.Seed, "movies_metadata.csv"),
		companies: words.List("film.company"), foreign: words.List("film.original"),
		title: words.Phrases("film.title"), tagline: words.Phrases("film.tagline"), quirk: words.Phrases("film.quirk"),
		plot:     newProse(words, "film.plot", 55, 0),
		unquoted: words.Phrases("film.unquoted"), tail: words.Phrases("film.tail"),
	}
	var lines []string
	lines, m.genres = words.Weighted("film.genre")
	m.genre = parseTagged(lines)
	lines, m.languages = words.Weighted("film.language")
	m.language = parseTagged(lines)
	lines, m.countries = words.Weighted("film.country")
	m.country = append(parseCountries(lines), country{"AR", "Argentina", "es"})
	m.argentina = len(m.country) - 1
	for i, c := range m.country {
		if c.name == "Spain" {
			m.spain = i
		}
	}
	for i, l := range m.language {
		if l.tag == "es" {
			m.spanish = i
		}
	}
	return m
}

func (m *metadata) table() table {
	return table{
		name: "movies_metadata.csv",
		header: "adult,belongs_to_collection,budget,genres,homepage,id,imdb_id,original_language,original_title,overview," +
			"popularity,poster_path,production_companies,production_countries,release_date,revenue,runtime," +
			"spoken_languages,status,tagline,title,video,vote_average,vote_count",
		units: m.films.count, perTurn: 1024,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			return func(c *text.Cells, row int) { m.row(c, &src, row) }
		},
	}
}

func (m *metadata) row(c *text.Cells, src *draw.Source, row int) {
	switch half, which := m.films.broken(row); half {
	case 1:
		m.head(c, src, row, which)
	case 2:
		m.brokenTail(c, src, row-1, which)
	default:
		m.whole(c, src, row)
	}
}

// whole appends an unbroken record.
func (m *metadata) whole(c *text.Cells, src *draw.Source, row int) {
	i, bad := m.films.original(row), m.films.faultOf(row)
	f := m.films.at(src, i)
	src.Reset(m.key, i)
	made := m.madeIn(src, f)
	c.Raw(boolean(src.OneIn(4000)))
	m.collection(c, src)
	budget, revenue := money(src)
	c.Int(budget)
	m.genreCell(c, src, bad)
	m.homepage(c, src)
	c.Int(f.id)
	imdbID(c, src)
	language := "en"
	if made.n > 0 {
		language = m.country[made.at[0]].language
	}
	c.Raw(language)

	titleAt := len(c.B)
	c.Phrase(m.title, src)
	title := c.B[titleAt:]
	if language != "en" && src.Percent(60) {
		c.B = c.B[:titleAt]
		c.Text(draw.Pick(src, m.foreign))
		title = nil
	}
	m.overview(c, src, bad)
	m.rest(c, src, bad, f, made, revenue, title)
}

// rest appends the cells after the overview. title is the title cell with its
// comma, to be said again, or nil for a new one.
func (m *metadata) rest(c *text.Cells, src *draw.Source, bad fault, f film, made origin, revenue int, title []byte) {
	c.Millionths(src.Below(9) * src.Below(2_500_000))
	c.B = append(appendPath(c.B, src), ',')
	m.companyCell(c, src)
	m.countryCell(c, made)
	m.releaseDate(c, src, bad, f.year)
	c.Int(revenue)
	m.runtime(c, src, bad)
	m.languageCell(c, src, made)
	if src.Percent(98) {
		c.Raw("Released")
	} else {
		c.Raw(draw.Pick(src, rareStatuses[:]))
	}
	m.taglineCell(c, src)
	if title != nil {
		c.B = append(c.B, title...)
	} else {
		c.Phrase(m.title, src)
	}
	c.Raw("False")
	c.Tenths(30 + src.Below(50))
	c.Int(src.Below(30) * src.Below(8))
	c.End()
}

var rareStatuses = [...]string{"Rumored", "Post Production", "In Production", ""}

// origin is the countries of a film, as places in metadata.country.
type origin struct {
	at [4]int
	n  int
}

func (o *origin) add(place int) {
	if o.n > 0 && o.at[o.n-1] == place {
		return
	}
	o.at[o.n] = place
	o.n++
}

// madeIn chooses the countries of a film.
func (m *metadata) madeIn(src *draw.Source, f film) (made origin) {
	if f.spanish && src.OneIn(4) {
		made.add(m.spain)
	}
	if f.argentine {
		made.add(m.argentina)
	}
	switch {
	case f.spanish && made.n == 1:
		made.add(m.spain)
	case f.argentine && src.Percent(70):
	default:
		for n := draw.Pick(src, countriesPerFilm[:]); n > 0 && made.n < len(made.at); n-- {
			made.add(m.countries.Pick(src))
		}
	}
	return made
}

var countriesPerFilm = [...]int{0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4}

// money returns budget and revenue, each mostly unknown, which is 0. Now and
// then the budget is a dollar, which makes the ratio enormous.
func money(src *draw.Source) (budget, revenue int) {
	if src.Percent(80) {
		if src.OneIn(12) {
			revenue = 1000 * src.Below(90_000)
		}
		return 0, revenue
	}
	budget = draw.Pick(src, roundSums[:]) * (1 + src.Below(40))
	if src.OneIn(60) {
		budget = 1
	}
	if src.Percent(65) {
		revenue = src.Below(budget*4 + 20_000_000)
	}
	return budget, revenue
}

var roundSums = [...]int{50_000, 100_000, 250_000, 500_000, 1_000_000, 1_000_000, 2_000_000, 2_500_000, 5_000_000}
