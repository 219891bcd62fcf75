package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// gameReviews makes reviews.csv. The reviews of one game are consecutive.
type gameReviews struct {
	games    *games
	key      uint64
	reviewed []int // run -> game, in order of id
	runs     runs

	short [3]text.Phrases // by mood
	long  prose
	// speech holds, for each language except English, praise and complaints.
	speech [][2][]string
}

func newGameReviews(o Options, g *games, words *text.Lexicon) table {
	t := &gameReviews{
		games: g, key: draw.Key(o.Seed, "reviews.csv"),
		short: [3]text.Phrases{words.Phrases("game.review.short.positive"), words.Phrases("game.review.short.negative")},
		long:  newProse(words, "game.review", 60, 10),
	}
	for _, code := range [...]string{"es", "pt", "de", "fr", "ru", "zh", "ja", "ko", "it", "pl", "tr"} {
		var both [2][]string
		for _, line := range words.List("speech." + code) {
			mood := positive
			if line[0] != '+' {
				mood = negative
			}
			both[mood] = append(both[mood], line[1:])
		}
		t.speech = append(t.speech, both)
	}
	byRank := draw.Zipf(g.count/8, 6)
	var weights []uint64
	for i, rank := range g.rank {
		if int(rank) < len(byRank) {
			t.reviewed, weights = append(t.reviewed, i), append(weights, byRank[rank])
		}
	}
	t.runs = draw.Split(weights, o.rows(gameReviewRows, 2000))
	return table{name: "reviews.csv", units: t.runs.rows(), perTurn: 4096, layout: t.layout}
}

func (t *gameReviews) layout(r *row) ([]column, func(int)) {
	var g game
	var run, mood, n int
	known := func() bool { return g.rank%12 != 11 }
	return r.each([]column{
		{"app_id", text.Never, func() {
			if !known() {
				g.id += 5 // games have ids that end in 0
			}
			r.Int(g.id)
		}},
		{"app_name", text.Needed, r.either(func() bool { return known() && !draw.Due(t.key^1, n, 30) }, t.games.name(r), "")},
		{"review_text", text.Needed, func() {
			r.Reset(t.key, n)
			mood = positive
			if r.Percent(42 - 3*g.quality) {
				mood = negative
			}
			t.text(r, n, g, mood)
		}},
		{"review_score", text.Never, func() int { return 1 - 2*mood }},
		{"review_votes", text.Never, func() int { return r.Below(7) / 6 }},
	}, func(unit int) {
		n, run = unit, t.runs.find(unit, run)
		g = t.games.at(&r.Source, t.reviewed[run])
		r.bad = draw.Turn(t.key^2, n, gameReviewFaultPeriod, gameReviewFaults[:])
	})
}

// text appends the cell review_text of row n.
func (t *gameReviews) text(r *row, n int, g game, mood int) {
	switch {
	case r.bad == emptyText:
		return
	case g.earlyAccess && r.Percent(75) && !r.bad.breaksLines():
		r.B = append(r.B, " Early Access Review"...)
		return
	}
	english := 80
	if g.rank%9 == 4 { // a game of one country
		english = 25
	}
	length := draw.Pick(&r.Source, reviewLengths[:])
	length += r.Below(1 + length/2)
	switch {
	case r.bad.breaksLines():
		t.long.append(r, mood, length, "")
	case !r.Percent(english):
		language := r.Below(len(t.speech))
		if english < 50 {
			language = g.rank / 9 % len(t.speech)
		}
		speak(r, t.speech[language][mood], min(length, 600))
	case length < 45:
		r.B = t.short[mood].Append(r.B, &r.Source)
	default:
		t.long.append(r, mood, length, [...]string{" ", "  "}[n%2])
	}
}

// reviewLengths are the lengths of the published reviews, in bytes, by
// twentieths.
var reviewLengths = [...]int{
	10, 14, 18, 22, 27, 32, 39, 48, 60, 76, 96, 120, 154, 198, 255, 335, 455, 660, 1040, 2060,
}

// speak appends phrases until there are at least length bytes of them.
func speak(r *row, phrases []string, length int) {
	last := -1
	for start := len(r.B); ; {
		last = r.Other(len(phrases), last)
		r.B = append(r.B, phrases[last]...)
		if len(r.B)-start >= length {
			return
		}
		r.B = append(r.B, ' ')
	}
}
