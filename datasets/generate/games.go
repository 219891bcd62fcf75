package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// games is the set of all games, and makes games.csv. It is shared.
type games struct {
	key   uint64
	count int
	rank  []int32 // game -> its rank by number of reviews

	name, otherName, about, developer, site, press text.Phrases
	notes, categories, tags, languages             []string
	genre                                          []string
	genres                                         draw.Odds
}

// game is what both tables have to know of one game.
type game struct {
	id          int
	rank        int
	earlyAccess bool
	quality     int // 0 to 12
}

func newGames(o Options, words *text.Lexicon) *games {
	key := draw.Key(o.Seed, "games.csv")
	count := o.rows(gameRows, 900)
	g := &games{
		key: key, count: count, rank: draw.Permutation(key, count),
		name: words.Phrases("game.name"), otherName: words.Phrases("game.name.other"), about: words.Phrases("game.about"),
		developer: words.Phrases("game.developer"), site: words.Phrases("game.site"), press: words.Phrases("game.press"),
		notes: words.List("game.notes"), categories: words.List("game.category"), tags: words.List("game.tag"),
		languages: words.List("game.language"),
	}
	g.genre, g.genres = words.Weighted("game.genres")
	return g
}

// at describes game i. It leaves src at the beginning of the game's choices, of
// which the name is the first.
func (g *games) at(src *draw.Source, i int) game {
	src.Reset(g.key, i)
	return game{
		id:          10 * (1 + 3*i + src.Below(3)),
		rank:        int(g.rank[i]),
		earlyAccess: src.OneIn(5),
		quality:     src.Below(13),
	}
}

// appendName appends the name of a game, from the choices that at has begun.
func (g *games) appendName(dst []byte, src *draw.Source) []byte {
	if src.Percent(7) {
		return g.otherName.Append(dst, src)
	}
	return g.name.Append(dst, src)
}

func (g *games) table() table {
	return table{
		name: "games.csv",
		// 39 names for 40 values: "Discount" and "DLC count" have become one.
		header: "AppID,Name,Release date,Estimated owners,Peak CCU,Required age,Price,DiscountDLC count,About the game," +
			"Supported languages,Full audio languages,Reviews,Header image,Website,Support url,Support email,Windows,Mac," +
			"Linux,Metacritic score,Metacritic url,User score,Positive,Negative,Score rank,Achievements,Recommendations," +
			"Notes,Average playtime forever,Average playtime two weeks,Median playtime forever,Median playtime two weeks," +
			"Developers,Publishers,Categories,Genres,Tags,Screenshots,Movies",
		units: g.count, perTurn: 256,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			return func(c *text.Cells, row int) { g.row(c, &src, row) }
		},
	}
}

func (g *games) row(c *text.Cells, src *draw.Source, row int) {
	m := g.at(src, row)
	c.Int(m.id)
	c.Open()
	bad := draw.Turn(g.key^1, row, gameFaultPeriod, gameFaults[:])
	if bad != noName {
		c.B = g.appendName(c.B, src)
	}
	c.CloseQuoted()
	g.releaseDate(c, src)
	owners := src.Below(len(ownerRanges))
	if m.rank >= g.count/8 {
		owners = min(owners, src.Below(len(ownerRanges)), src.Below(3))
	}
	c.Quoted(ownerRanges[owners])
	c.Int(src.Below(4) * src.Below(1+owners*owners*20))
	c.Int(draw.Pick(src, requiredAges[:]))
	c.Hundredths(99 + 100*src.Below(30))
	c.Int(0)
	c.Int(draw.Pick(src, extraCounts[:]))
	g.store(c, src, bad, m)
	g.numbers(c, src, m, owners)
	g.labels(c, src, row, m)
	g.media(c, src, m)
	c.End()
}

var (
	ownerRanges = [...]string{
		"0 - 20000", "20000 - 50000", "50000 - 100000", "100000 - 200000", "200000 - 500000", "500000 - 1000000",
		"1000000 - 2000000", "10000000 - 20000000",
	}
	requiredAges = [...]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 17, 18}
	extraCounts  = [...]int{0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 9}
	monthNames   = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// releaseDate writes "Oct 21, 2008", or "May 2020" for one game in ten.
func (g *games) releaseDate(c *text.Cells, src *draw.Source) {
	c.Open()
	c.B = append(c.B, draw.Pick(src, monthNames[:])...)
	c.B = append(c.B, ' ')
	if !src.OneIn(10) {
		c.B = text.AppendPadded(c.B, 1+src.Below(28), 1)
		c.B = append(c.B, ", "...)
	}
	c.B = text.AppendPadded(c.B, 2004+max(src.Below(20), src.Below(20)), 4)
	c.CloseQuoted()
}

// numbers appends the cells from Metacritic score to Median playtime two weeks.
func (g *games) numbers(c *text.Cells, src *draw.Source, m game, owners int) {
	if src.OneIn(14) {
		c.Int(40 + src.Below(58))
		c.Open()
		c.B = append(c.B, "https://www.metacritic.com/game/pc/title-"...)
		c.B = text.AppendPadded(c.B, m.id, 1)
		c.B = append(c.B, "?ftag=MCD-06-10aaa1f"...)
		c.CloseQuoted()
	} else {
		c.Int(0)
		c.Quoted("")
	}
	c.Int(0)
	votes := src.Below(6+owners*owners*300) * (1 + src.Below(4))
	c.Int(votes * (50 + m.quality*4) / 100)
	c.Int(votes * (50 - m.quality*4) / 100)
	c.Quoted("")
	c.Int(src.Below(40))
	c.Int(votes / 9)
	if src.OneIn(6) {
		c.Quoted(draw.Pick(src, g.notes))
	} else {
		c.Quoted("")
	}
	playtime, recent := 0, 0
	if src.OneIn(4) {
		playtime = src.Below(600) + src.Below(60)*src.Below(60)
	}
	if src.OneIn(900) { // left running for years
		playtime = 5_000 + src.Below(60_000)
	}
	if src.OneIn(30) {
		recent = src.Below(400)
	}
	c.Int(playtime)
	c.Int(recent)
	c.Int(playtime * 3 / 4)
	c.Int(recent * 4 / 5)
}
