package generate

import (
	"context"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// Row counts of the published files.
const (
	gameRows       = 97_410
	gameReviewRows = 6_417_106
)

// Steam writes games.csv, under the faulty header of the published file, and
// reviews.csv.
func Steam(ctx context.Context, o Options) error {
	return write(ctx, o, func(words *text.Lexicon) []table {
		g := newGames(o, words)
		return []table{{name: "games.csv", units: g.count, perTurn: 256, layout: g.layout}, newGameReviews(o, g, words)}
	})
}

// games is the set of all games, and makes games.csv. Goroutines share it.
type games struct {
	key   uint64
	count int
	rank  []int32 // game -> its rank by number of reviews
	words *text.Lexicon
}

// game holds the properties of one game that both tables use.
type game struct {
	id          int
	rank        int
	earlyAccess bool
	quality     int // 0 to 12
}

func newGames(o Options, words *text.Lexicon) *games {
	key, count := draw.Key(o.Seed, "games.csv"), o.rows(gameRows, 900)
	return &games{key: key, count: count, rank: draw.Permutation(key, count), words: words}
}

// at describes game i. It leaves src at the beginning of the game's choices, the
// first of which is the name.
func (g *games) at(src *draw.Source, i int) game {
	src.Reset(g.key, i)
	return game{
		id:          10 * (1 + 3*i + src.Below(3)),
		rank:        int(g.rank[i]),
		earlyAccess: src.OneIn(5),
		quality:     src.Below(13),
	}
}

// name appends the name of a game, from the choices that at has begun.
func (g *games) name(r *row) cell {
	return r.percent(7, g.words.Phrases("game.name.other"), g.words.Phrases("game.name"))
}

func (g *games) layout(r *row) ([]column, func(int)) {
	var f game
	var n, owners, spoken, votes, playtime, recent int
	var hasScore bool
	scored, top := func() bool { return hasScore }, func() bool { return f.rank < 24 }
	about, languages, developer := g.words.Phrases("game.about"), g.words.List("game.language"), g.words.Phrases("game.developer")
	language := r.python(func() { r.B = append(r.B, languages[min(r.k, r.Below(len(languages)))]...) })
	site := r.oneIn(2, g.words.Phrases("game.site"), "")
	genres, odds := g.words.Weighted("game.genres")
	genre := func() { r.B = append(r.B, genres[odds.Pick(&r.Source)]...) }
	return r.each([]column{
		{"AppID", text.Never, &f.id},
		{"Name", text.Always, r.faulty(g.name(r), map[fault]any{noName: ""})},
		{"Release date", text.Always, r.form("% %%", monthNames[:], // "Oct 21, 2008", or "May 2020" for one game in ten
			r.oneIn(10, "", r.form("%, ", r.number(1, 28))), func() int { return 2004 + max(r.Below(20), r.Below(20)) })},
		{"Estimated owners", text.Always, func() {
			owners = r.Below(len(ownerRanges))
			if f.rank >= g.count/8 {
				owners = min(owners, r.Below(len(ownerRanges)), r.Below(3))
			}
			r.B = append(r.B, ownerRanges[owners]...)
		}},
		{"Peak CCU", text.Never, func() int { return r.Below(4) * r.Below(1+owners*owners*20) }},
		{"Required age", text.Never, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 17, 18}},
		{"Price", text.Never, r.fixed(2, func() int { return 99 + 100*r.Below(30) })},
		{"DiscountDLC count", text.Never, 0}, // 39 names for 40 values: "Discount" and "DLC count" have become one
		{"", text.Never, []int{0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 9}},

		{"About the game", text.Always, func() { r.sentences(about, 200+r.Below(1500)+r.Below(1500), " ") }},
		{"Supported languages", text.Always, r.form("[%]", r.list(", ", func() int {
			spoken = draw.Pick(&r.Source, languageCounts[:])
			return spoken
		}, language))},
		{"Full audio languages", text.Always, r.form("[%]", r.list(", ", func() int { return r.Below(spoken+1) / 2 }, language))},
		{"Reviews", text.Always, r.oneIn(8, g.words.Phrases("game.press"), "")},
		{"Header image", text.Always, r.form("https://cdn.akamai.steamstatic.com/steam/apps/%/header.jpg?t=%", &f.id, r.number(1_400_000_000, 280_000_000))},
		{"Website", text.Always, site},
		{"Support url", text.Always, site},
		{"Support email", text.Always, r.oneIn(6, "", r.form("support@studio%.com", r.number(0, 60_000)))},
		{"Windows", text.Never, r.oneIn(2000, "False", "True")},
		{"Mac", text.Never, r.percent(18, "True", "False")},
		{"Linux", text.Never, r.percent(13, "True", "False")},

		{"Metacritic score", text.Never, r.all(func() { hasScore = r.OneIn(14) }, r.either(scored, r.number(40, 58), 0))},
		{"Metacritic url", text.Always, r.either(scored, r.form("https://www.metacritic.com/game/pc/title-%?ftag=MCD-06-10aaa1f", &f.id), "")},
		{"User score", text.Never, 0},
		{"Positive", text.Never, func() int {
			votes = r.Below(6+owners*owners*300) * (1 + r.Below(4))
			return votes * (50 + f.quality*4) / 100
		}},
		{"Negative", text.Never, func() int { return votes * (50 - f.quality*4) / 100 }},
		{"Score rank", text.Always, ""},
		{"Achievements", text.Never, r.number(0, 40)},
		{"Recommendations", text.Never, func() int { return votes / 9 }},
		{"Notes", text.Always, r.oneIn(6, g.words.List("game.notes"), "")},
		{"Average playtime forever", text.Never, func() int {
			playtime, recent = 0, 0
			if r.OneIn(4) {
				playtime = r.Below(600) + r.Below(60)*r.Below(60)
			}
			if r.OneIn(900) { // left running for years
				playtime = 5_000 + r.Below(60_000)
			}
			if r.OneIn(30) {
				recent = r.Below(400)
			}
			return playtime
		}},
		{"Average playtime two weeks", text.Never, &recent},
		{"Median playtime forever", text.Never, func() int { return playtime * 3 / 4 }},
		{"Median playtime two weeks", text.Never, func() int { return recent * 4 / 5 }},

		{"Developers", text.Always, developer},
		{"Publishers", text.Always, developer},
		{"Categories", text.Always, r.form("Single-player%", r.list("", r.number(0, 7), r.form(",%", g.words.List("game.category")[1:])))},
		{"Genres", text.Always, r.either(top, // the most reviewed games are action or indie games, or both
			func() { r.B = append(r.B, [...]string{"Action", "Action,Indie", "Indie,Simulation"}[f.rank%3]...) },
			r.either(func() bool { return draw.Due(g.key^4, n, 20) }, "", r.all(genre, r.list("", r.number(0, 4), r.form(",%", genre)),
				r.either(func() bool { return f.earlyAccess }, ",Early Access", ""))))},
		{"Tags", text.Always, r.list(",", r.number(0, 20), g.words.List("game.tag"))},

		{"Screenshots", text.Always, r.list(",", r.number(3, 18), r.form(
			"https://cdn.akamai.steamstatic.com/steam/apps/%/ss_%.1920x1080.jpg?t=1640121033", &f.id, r.letters(hexDigits, 40)))},
		{"Movies", text.Always, r.list(",", r.number(0, 3), r.form(
			"http://cdn.akamai.steamstatic.com/steam/apps/%/movie_max.mp4?t=1638854607", r.number(256_000_000, 900_000)))},
	}, func(row int) {
		n, f = row, g.at(&r.Source, row)
		r.bad = draw.Turn(g.key^1, n, gameFaultPeriod, gameFaults[:])
	})
}

var (
	ownerRanges = [...]string{
		"0 - 20000", "20000 - 50000", "50000 - 100000", "100000 - 200000", "200000 - 500000", "500000 - 1000000",
		"1000000 - 2000000", "10000000 - 20000000",
	}
	languageCounts = [...]int{1, 1, 1, 1, 1, 1, 2, 2, 3, 5, 8, 12}
	monthNames     = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)
