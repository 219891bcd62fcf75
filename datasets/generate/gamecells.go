package generate

import (
	"strconv"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// store appends the cells from About the game to Linux.
func (g *games) store(c *text.Cells, src *draw.Source, bad fault, m game) {
	c.Open()
	start, last := len(c.B), -1
	for length := 200 + src.Below(1500) + src.Below(1500); len(c.B)-start < length; {
		last = src.Other(g.about.Len(), last)
		c.B = g.about.AppendNth(c.B, last, src)
		c.B = append(c.B, bad.between(" ")...)
	}
	c.CloseQuoted()
	spoken := draw.Pick(src, languageCounts[:])
	g.languageList(c, src, spoken)
	g.languageList(c, src, src.Below(spoken+1)/2)
	if src.OneIn(8) {
		c.Open()
		c.B = g.press.Append(c.B, src)
		c.CloseQuoted()
	} else {
		c.Quoted("")
	}
	c.Open()
	c.B = append(c.B, "https://cdn.akamai.steamstatic.com/steam/apps/"...)
	c.B = strconv.AppendInt(c.B, int64(m.id), 10)
	c.B = append(c.B, "/header.jpg?t="...)
	c.B = strconv.AppendInt(c.B, int64(1_400_000_000+src.Below(280_000_000)), 10)
	c.CloseQuoted()
	for range 2 {
		c.Open()
		if src.OneIn(2) {
			c.B = g.site.Append(c.B, src)
		}
		c.CloseQuoted()
	}
	c.Open()
	if !src.OneIn(6) {
		c.B = append(c.B, "support@studio"...)
		c.B = strconv.AppendInt(c.B, int64(src.Below(60_000)), 10)
		c.B = append(c.B, ".com"...)
	}
	c.CloseQuoted()
	c.Raw(boolean(!src.OneIn(2000)))
	c.Raw(boolean(src.Percent(18)))
	c.Raw(boolean(src.Percent(13)))
}

var languageCounts = [...]int{1, 1, 1, 1, 1, 1, 2, 2, 3, 5, 8, 12}

func boolean(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// languageList appends n languages as a Python list of strings.
func (g *games) languageList(c *text.Cells, src *draw.Source, n int) {
	c.Open()
	c.B = append(c.B, '[')
	for k := range n {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		c.Python(g.languages[min(k, src.Below(len(g.languages)))])
	}
	c.B = append(c.B, ']')
	c.CloseQuoted()
}

// labels appends the cells from Developers to Tags.
func (g *games) labels(c *text.Cells, src *draw.Source, row int, m game) {
	for range 2 {
		c.Open()
		c.B = g.developer.Append(c.B, src)
		c.CloseQuoted()
	}
	c.Open()
	c.B = append(c.B, "Single-player"...)
	for range src.Below(7) {
		c.B = append(c.B, ',')
		c.B = append(c.B, draw.Pick(src, g.categories[1:])...)
	}
	c.CloseQuoted()
	c.Open()
	if !draw.Due(g.key^4, row, 20) || m.rank < 24 {
		g.appendGenres(c, src, m)
	}
	c.CloseQuoted()
	c.Open()
	for k := range src.Below(20) {
		if k > 0 {
			c.B = append(c.B, ',')
		}
		c.B = append(c.B, draw.Pick(src, g.tags)...)
	}
	c.CloseQuoted()
}

// appendGenres appends one to four genres. The most reviewed games are action or
// indie games, or both.
func (g *games) appendGenres(c *text.Cells, src *draw.Source, m game) {
	switch {
	case m.rank >= 24:
		c.B = append(c.B, g.genre[g.genres.Pick(src)]...)
	case m.rank%3 == 0:
		c.B = append(c.B, "Action"...)
	case m.rank%3 == 1:
		c.B = append(c.B, "Action,Indie"...)
	default:
		c.B = append(c.B, "Indie,Simulation"...)
	}
	if m.rank < 24 {
		return
	}
	for range src.Below(4) {
		next := g.genre[g.genres.Pick(src)]
		c.B = append(c.B, ',')
		c.B = append(c.B, next...)
	}
	if m.earlyAccess {
		c.B = append(c.B, ",Early Access"...)
	}
}

// media appends the cells Screenshots and Movies.
func (g *games) media(c *text.Cells, src *draw.Source, m game) {
	c.Open()
	for k := range 3 + src.Below(18) {
		if k > 0 {
			c.B = append(c.B, ',')
		}
		c.B = append(c.B, "https://cdn.akamai.steamstatic.com/steam/apps/"...)
		c.B = strconv.AppendInt(c.B, int64(m.id), 10)
		c.B = append(c.B, "/ss_"...)
		c.B = appendLetters(c.B, src, hexDigits, 40)
		c.B = append(c.B, ".1920x1080.jpg?t=1640121033"...)
	}
	c.CloseQuoted()
	c.Open()
	for k := range src.Below(3) {
		if k > 0 {
			c.B = append(c.B, ',')
		}
		c.B = append(c.B, "http://cdn.akamai.steamstatic.com/steam/apps/"...)
		c.B = strconv.AppendInt(c.B, int64(256_000_000+src.Below(900_000)), 10)
		c.B = append(c.B, "/movie_max.mp4?t=1638854607"...)
	}
	c.CloseQuoted()
}
