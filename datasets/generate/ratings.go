package generate

import (
	"math/bits"
	"slices"
	"strconv"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// ratings makes ratings.csv. Its unit is a user: all ratings of one user are
// consecutive, in order of film, and no film comes twice.
type ratings struct {
	key     uint64
	rated   []ratedFilm // every film that has ratings, in movies_metadata.csv or not, in order of id
	popular []uint32    // indexes in rated: a film occurs in proportion to its popularity
	bounds  []int       // user u has bounds[u+1]-bounds[u] ratings
	stars   [100]string // the ratings of the published file, by percentile
}

type ratedFilm struct {
	id      uint32
	quality uint8
}

func newRatings(o Options, f films) table {
	t := &ratings{key: draw.Key(o.Seed, "ratings.csv"), stars: starPercentiles()}
	var src draw.Source
	for i := range f.count {
		m := f.at(&src, i)
		t.rated = append(t.rated, ratedFilm{uint32(m.id), uint8(m.quality)})
	}
	for i := range 400 + f.count/10 { // films that movies_metadata.csv does not know
		t.rated = append(t.rated, ratedFilm{uint32(12 + f.count*10 + 3*i), uint8(i % 16)})
	}
	slices.SortFunc(t.rated, func(a, b ratedFilm) int { return int(a.id) - int(b.id) })
	t.popular = popularity(t.key, len(t.rated))
	t.bounds = draw.Split(t.activity(o.rows(userRows, 20)), o.rows(ratingRows, 2000))
	return table{name: "ratings.csv", units: len(t.bounds) - 1, perTurn: 400, layout: t.layout}
}

// popularity returns a table of indexes 0 to n-1. A uniform choice from it has a Zipf
// distribution.
func popularity(key uint64, n int) []uint32 {
	slots := 1 << max(12, bits.Len(uint(n*8)))
	bounds := draw.Split(draw.Zipf(n, 20), slots)
	table := make([]uint32, slots)
	for rank, place := range draw.Permutation(key, n) {
		for slot := bounds[rank]; slot < bounds[rank+1]; slot++ {
			table[slot] = uint32(place)
		}
	}
	return table
}

// activity returns the relative number of ratings of each user: half of them
// have fewer than 20, a few have thousands, nobody knows all films.
func (t *ratings) activity(users int) []uint64 {
	var src draw.Source
	weights := make([]uint64, users)
	for u := range weights {
		src.Reset(t.key^1, u)
		p := src.Below(1 << 16)
		weights[u] = uint64(min(1+16*p/(1<<16+64-p), len(t.rated)/4))
	}
	return weights
}

func (t *ratings) layout(r *row) ([]column, func(int)) {
	var user, joined int
	var film ratedFilm
	columns := []column{
		{"userId", text.Never, func() { r.Int(user + 1) }},
		{"movieId", text.Never, func() { r.Int(int(film.id)) }},
		{"rating", text.Never, func() { r.B = append(r.B, t.star(&r.Source, int(film.quality))...) }},
		{"timestamp", text.Never, func() { r.Int(joined + r.Below(40_000)) }},
	}
	cells := r.compile(columns)
	seen := make([]uint64, len(t.rated)/64+1) // a bitmap of the films chosen so far, empty before and after
	return columns, func(unit int) {
		user = unit
		r.Reset(t.key, user)
		for range t.bounds[user+1] - t.bounds[user] {
			t.choose(&r.Source, seen)
		}
		joined = 789_652_009 + r.Below(700_000_000)
		for w, word := range seen {
			for seen[w] = 0; word != 0; word &= word - 1 {
				film = t.rated[w<<6+bits.TrailingZeros64(word)]
				cells()
				r.End()
			}
		}
	}
}

// choose sets the bit of a film that is not set yet: it tries to draw a popular film,
// and otherwise takes the next one by id.
func (t *ratings) choose(src *draw.Source, seen []uint64) {
	var place uint32
	for range 20 {
		place = t.popular[src.Below(len(t.popular))]
		if seen[place>>6]&(1<<(place&63)) == 0 {
			break
		}
	}
	for seen[place>>6]&(1<<(place&63)) != 0 {
		place = (place + 1) % uint32(len(t.rated))
	}
	seen[place>>6] |= 1 << (place & 63)
}

// star draws a rating: it draws two with the frequencies of the published file, and takes
// the better one more often the better the film is.
func (t *ratings) star(src *draw.Source, quality int) string {
	a, b := src.Below(len(t.stars)), src.Below(len(t.stars))
	if src.Below(16) < quality {
		return t.stars[max(a, b)]
	}
	return t.stars[min(a, b)]
}

func starPercentiles() (t [100]string) {
	upTo := 0
	for half, percent := range [...]int{1, 3, 2, 7, 4, 20, 11, 29, 8, 15} {
		for range percent {
			t[upTo] = strconv.FormatFloat(float64(half+1)/2, 'f', 1, 64)
			upTo++
		}
	}
	return t
}
