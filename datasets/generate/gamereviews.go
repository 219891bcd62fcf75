package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// gameReviews makes reviews.csv. The reviews of one game stand together.
type gameReviews struct {
	games    *games
	key      uint64
	reviewed []int32 // run -> game, in order of id
	runs     runs

	short [2]text.Phrases // positive, negative
	long  prose
	// speech holds, for each language but English, praise and complaints.
	speech [][2][]string
}

// foreign names the languages of the vocabulary.
var foreign = [...]string{"es", "pt", "de", "fr", "ru", "zh", "ja", "ko", "it", "pl", "tr"}

func newGameReviews(o Options, g *games, words *text.Lexicon) *gameReviews {
	r := &gameReviews{
		games: g, key: draw.Key(o.Seed, "reviews.csv"),
		short: [2]text.Phrases{words.Phrases("game.review.short.positive"), words.Phrases("game.review.short.negative")},
		long:  newProse(words, "game.review", 60, 10),
	}
	for _, code := range foreign {
		var both [2][]string
		for _, line := range words.List("speech." + code) {
			if line[0] == '+' {
				both[0] = append(both[0], line[1:])
			} else {
				both[1] = append(both[1], line[1:])
			}
		}
		r.speech = append(r.speech, both)
	}
	reviewed := g.count / 8
	for i, rank := range g.rank {
		if int(rank) < reviewed {
			r.reviewed = append(r.reviewed, int32(i))
		}
	}
	byRank := draw.Zipf(reviewed, 6)
	weights := make([]uint64, reviewed)
	for run, i := range r.reviewed {
		weights[run] = byRank[g.rank[i]]
	}
	r.runs = runs{draw.Split(weights, o.rows(gameReviewRows, 2000))}
	return r
}

func (r *gameReviews) table() table {
	return table{
		name: "reviews.csv", header: "app_id,app_name,review_text,review_score,review_votes",
		units: r.runs.rows(), perTurn: 4096,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			run := 0
			return func(c *text.Cells, row int) {
				run = r.runs.find(row, run)
				r.row(c, &src, row, int(r.reviewed[run]))
			}
		},
	}
}

func (r *gameReviews) row(c *text.Cells, src *draw.Source, row, i int) {
	g := r.games.at(src, i)
	known := g.rank%12 != 11
	if !known {
		g.id += 5 // games have ids that end in 0
	}
	c.Int(g.id)
	if known && !draw.Due(r.key^1, row, 30) {
		c.Open()
		c.B = r.games.appendName(c.B, src)
		c.Close()
	} else {
		c.Empty(1)
	}
	src.Reset(r.key, row)
	mood := positive
	if src.Percent(42 - 3*g.quality) {
		mood = negative
	}
	r.text(c, src, row, g, mood)
	c.Raw([...]string{"1", "-1"}[mood])
	c.Int(src.Below(7) / 6)
	c.End()
}

// text appends the cell review_text.
func (r *gameReviews) text(c *text.Cells, src *draw.Source, row int, g game, mood int) {
	bad := draw.Turn(r.key^2, row, gameReviewFaultPeriod, gameReviewFaults[:])
	switch {
	case bad == emptyText:
		c.Empty(1)
		return
	case g.earlyAccess && src.Percent(75) && !bad.breaksLines():
		c.Raw(" Early Access Review")
		return
	}
	c.Open()
	english := 80
	if g.rank%9 == 4 { // a game of one country
		english = 25
	}
	length := reviewLengths[src.Below(len(reviewLengths))]
	length += src.Below(1 + length/2)
	switch {
	case bad.breaksLines():
		c.B = r.long.append(c.B, src, mood, length, bad.between(""), true)
	case !src.Percent(english):
		language := src.Below(len(r.speech))
		if english < 50 {
			language = g.rank / 9 % len(r.speech)
		}
		c.B = speak(c.B, src, r.speech[language][mood], min(length, 600))
	case length < 45:
		c.B = r.short[mood].Append(c.B, src)
	default:
		c.B = r.long.append(c.B, src, mood, length, [...]string{" ", "  "}[row%2], false)
	}
	c.Close()
}

// reviewLengths are the lengths of the published reviews, in bytes, by
// twentieths.
var reviewLengths = [...]int{
	10, 14, 18, 22, 27, 32, 39, 48, 60, 76, 96, 120, 154, 198, 255, 335, 455, 660, 1040, 2060,
}

// speak appends phrases until there are at least length bytes of them.
func speak(dst []byte, src *draw.Source, phrases []string, length int) []byte {
	last := -1
	for start := len(dst); ; {
		last = src.Other(len(phrases), last)
		dst = append(dst, phrases[last]...)
		if len(dst)-start >= length {
			return dst
		}
		dst = append(dst, ' ')
	}
}
