package generate

import (
	"strconv"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

func (m *metadata) collection(c *text.Cells, src *draw.Source) {
	if !src.OneIn(10) {
		c.Empty(1)
		return
	}
	c.Open()
	c.B = append(c.B, "{'id': "...)
	c.B = strconv.AppendInt(c.B, int64(1000+src.Below(400_000)), 10)
	c.B = append(c.B, ", 'name': "...)
	c.PythonPhrase(m.title, src)
	c.B = append(c.B, ", 'poster_path': "...)
	pythonPath(c, src)
	c.B = append(c.B, ", 'backdrop_path': "...)
	pythonPath(c, src)
	c.B = append(c.B, '}')
	c.Close()
}

// pythonPath appends the path of a picture as a Python literal, or None.
func pythonPath(c *text.Cells, src *draw.Source) {
	if src.OneIn(4) {
		c.B = append(c.B, "None"...)
		return
	}
	c.B = append(c.B, '\'')
	c.B = appendPath(c.B, src)
	c.B = append(c.B, '\'')
}

func (m *metadata) genreCell(c *text.Cells, src *draw.Source, bad fault) {
	n := draw.Pick(src, genresPerFilm[:])
	c.Open()
	c.B = append(c.B, '[')
	last := -1
	for k := range n {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		last = m.genres.PickOther(src, last)
		g := m.genre[last]
		c.B = append(c.B, "{'id': "...)
		c.B = append(c.B, g.tag...)
		c.B = append(c.B, ", 'name': '"...)
		c.B = append(c.B, g.name...)
		c.B = append(c.B, "'}"...)
	}
	if bad != openList {
		c.B = append(c.B, ']')
	}
	c.Close()
}

var genresPerFilm = [...]int{0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5}

func (m *metadata) homepage(c *text.Cells, src *draw.Source) {
	if !src.OneIn(6) {
		c.Empty(1)
		return
	}
	c.B = append(c.B, "http://www.film"...)
	c.B = strconv.AppendInt(c.B, int64(src.Below(1_000_000)), 10)
	c.B = append(c.B, "-themovie.com/index.html,"...)
}

func imdbID(c *text.Cells, src *draw.Source) {
	c.B = append(c.B, "tt"...)
	c.B = text.AppendPadded(c.B, src.Below(5_000_000), 7)
	c.B = append(c.B, ',')
}

func (m *metadata) overview(c *text.Cells, src *draw.Source, bad fault) {
	switch bad {
	case emptyText:
		c.Empty(1)
		return
	case noOverviewFound:
		c.Raw("No overview found.")
		return
	}
	c.Open()
	if src.OneIn(9) {
		c.B = append(m.quirk.Append(c.B, src), ' ')
	}
	c.B = m.plot.append(c.B, src, src.Below(3), 60+src.Below(420), bad.between(" "), bad.breaksLines())
	c.Close()
}

func (m *metadata) companyCell(c *text.Cells, src *draw.Source) {
	c.Open()
	c.B = append(c.B, '[')
	for k := range draw.Pick(src, companiesPerFilm[:]) {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		n := src.Below(len(m.companies))
		c.B = append(c.B, "{'name': "...)
		c.Python(m.companies[n])
		c.B = append(c.B, ", 'id': "...)
		c.B = strconv.AppendInt(c.B, int64(4+n*n*17), 10)
		c.B = append(c.B, '}')
	}
	c.B = append(c.B, ']')
	c.Close()
}

var companiesPerFilm = [...]int{0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 6}

func (m *metadata) countryCell(c *text.Cells, made origin) {
	c.Open()
	c.B = append(c.B, '[')
	for k, place := range made.at[:made.n] {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		c.B = append(c.B, "{'iso_3166_1': '"...)
		c.B = append(c.B, m.country[place].iso...)
		c.B = append(c.B, "', 'name': "...)
		c.Python(m.country[place].name)
		c.B = append(c.B, '}')
	}
	c.B = append(c.B, ']')
	c.Close()
}

// releaseDate writes 1995-10-30; in some rows nothing, and in some the date forms
// of programs through which copies of the file have passed.
func (m *metadata) releaseDate(c *text.Cells, src *draw.Source, bad fault, year int) {
	month, day := 1+src.Below(12), 1+src.Below(28)
	switch bad {
	case noDate:
	case monthFirstDate:
		c.B = strconv.AppendInt(c.B, int64(month), 10)
		c.B = append(c.B, '/')
		c.B = strconv.AppendInt(c.B, int64(day), 10)
		c.B = append(c.B, '/')
		c.B = strconv.AppendInt(c.B, int64(year), 10)
	case dayFirstDate:
		c.B = text.AppendPadded(c.B, day, 2)
		c.B = append(c.B, '-')
		c.B = text.AppendPadded(c.B, month, 2)
		c.B = append(c.B, '-')
		c.B = strconv.AppendInt(c.B, int64(year), 10)
	default:
		c.B = appendDate(c.B, year, month, day)
	}
	c.B = append(c.B, ',')
}

func (m *metadata) runtime(c *text.Cells, src *draw.Source, bad fault) {
	minutes := 55 + src.Below(90)
	switch bad {
	case noRuntime:
		c.Empty(1)
	case wholeRuntime:
		c.Int(minutes)
	default:
		c.Tenths(minutes * 10)
	}
}

func (m *metadata) languageCell(c *text.Cells, src *draw.Source, made origin) {
	c.Open()
	c.B = append(c.B, '[')
	last := -1
	for k := range draw.Pick(src, languagesPerFilm[:]) {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		last = m.languages.PickOther(src, last)
		if k == 0 && made.n > 0 && made.at[0] == m.argentina {
			last = m.spanish
		}
		l := m.language[last]
		c.B = append(c.B, "{'iso_639_1': '"...)
		c.B = append(c.B, l.tag...)
		c.B = append(c.B, "', 'name': '"...)
		c.B = append(c.B, l.name...)
		c.B = append(c.B, "'}"...)
	}
	c.B = append(c.B, ']')
	c.Close()
}

var languagesPerFilm = [...]int{0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3}

func (m *metadata) taglineCell(c *text.Cells, src *draw.Source) {
	if src.Percent(55) {
		c.Empty(1)
		return
	}
	c.Phrase(m.tagline, src)
}
