package generate

import (
	"math/bits"
	"slices"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// ratings makes ratings.csv. Its unit is a user: all ratings of one user stand
// together, in order of film, and no film twice.
type ratings struct {
	key     uint64
	lineEnd string
	rated   []ratedFilm // every film that has ratings, known or not, in order of id
	popular []uint32    // places in rated: a film stands as often as it is popular
	bounds  []int       // user u has bounds[u+1]-bounds[u] ratings
	stars   [100]string // the ratings of the published file, by percentile
}

type ratedFilm struct {
	id      uint32
	quality uint8
}

func newRatings(o Options, f films) *ratings {
	r := &ratings{key: draw.Key(o.Seed, "ratings.csv"), stars: starPercentiles()}
	if o.CRLF {
		r.lineEnd = "\r\n"
	}
	var src draw.Source
	for i := range f.count {
		m := f.at(&src, i)
		r.rated = append(r.rated, ratedFilm{uint32(m.id), uint8(m.quality)})
	}
	for i := range 400 + f.count/10 { // films that movies_metadata.csv does not know
		r.rated = append(r.rated, ratedFilm{uint32(12 + f.count*10 + 3*i), uint8(i % 16)})
	}
	slices.SortFunc(r.rated, func(a, b ratedFilm) int { return int(a.id) - int(b.id) })
	r.popular = popularity(r.key, len(r.rated))
	r.bounds = draw.Split(r.activity(o.rows(userRows, 20)), o.rows(ratingRows, 2000))
	return r
}

// popularity returns a table of places 0 to n-1 from which an even choice is a
// Zipf choice.
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
func (r *ratings) activity(users int) []uint64 {
	var src draw.Source
	weights := make([]uint64, users)
	for u := range weights {
		src.Reset(r.key^1, u)
		p := src.Below(1 << 16)
		weights[u] = uint64(min(1+16*p/(1<<16+64-p), len(r.rated)/4))
	}
	return weights
}

func (r *ratings) table() table {
	return table{
		name: "ratings.csv", header: "userId,movieId,rating,timestamp", lineEnd: r.lineEnd,
		units: len(r.bounds) - 1, perTurn: 400,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			seen := make([]uint64, len(r.rated)/64+1)
			return func(c *text.Cells, user int) { r.user(c, &src, seen, user) }
		},
	}
}

// user appends the ratings of one user. seen is a bitmap of the films chosen so
// far: empty before and after.
func (r *ratings) user(c *text.Cells, src *draw.Source, seen []uint64, user int) {
	src.Reset(r.key, user)
	for range r.bounds[user+1] - r.bounds[user] {
		r.choose(src, seen)
	}
	joined := 789_652_009 + src.Below(700_000_000)
	for w, word := range seen {
		if word == 0 {
			continue
		}
		seen[w] = 0
		for ; word != 0; word &= word - 1 {
			f := r.rated[w<<6+bits.TrailingZeros64(word)]
			c.Int(user + 1)
			c.Int(int(f.id))
			c.Raw(r.star(src, int(f.quality)))
			c.Int(joined + src.Below(40_000))
			c.End()
		}
	}
}

// choose sets the bit of a film that is not set yet: a popular one if it can,
// else the next one by id.
func (r *ratings) choose(src *draw.Source, seen []uint64) {
	var place uint32
	for range 20 {
		place = r.popular[src.Below(len(r.popular))]
		if seen[place>>6]&(1<<(place&63)) == 0 {
			break
		}
	}
	for seen[place>>6]&(1<<(place&63)) != 0 {
		place = (place + 1) % uint32(len(r.rated))
	}
	seen[place>>6] |= 1 << (place & 63)
}

// star draws a rating: of two with the frequencies of the published file, the
// better one more often the better the film is.
func (r *ratings) star(src *draw.Source, quality int) string {
	a, b := src.Below(len(r.stars)), src.Below(len(r.stars))
	if src.Below(16) < quality {
		return r.stars[max(a, b)]
	}
	return r.stars[min(a, b)]
}

func starPercentiles() (t [100]string) {
	upTo := 0
	for _, s := range []struct {
		stars   string
		percent int
	}{
		{"0.5", 1}, {"1.0", 3}, {"1.5", 2}, {"2.0", 7}, {"2.5", 4}, {"3.0", 20}, {"3.5", 11}, {"4.0", 29}, {"4.5", 8}, {"5.0", 15},
	} {
		for range s.percent {
			t[upTo] = s.stars
			upTo++
		}
	}
	return t
}
