package generate

import (
	"context"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// filmRows and so on are the row counts of the published files.
const (
	filmRows   = 45_466
	creditRows = 45_476
	userRows   = 270_896
	ratingRows = 26_024_289
)

// Movies writes movies_metadata.csv, ratings.csv and credits.csv.
func Movies(ctx context.Context, o Options) error {
	return write(ctx, o, func(words *text.Lexicon) []table {
		f := newFilms(o)
		return []table{newMetadata(o, f, words), newRatings(o, f), newCredits(o, f, words)}
	})
}

// films is the set of all films: what the three movie tables must agree on. It is
// shared and read only.
type films struct {
	key    uint64
	count  int
	order  []int32 // film -> its rank in order of id
	breaks [3]int  // rows where a broken record begins
}

// film holds the properties of one film that other tables use.
type film struct {
	id        int
	year      int
	argentine bool
	spanish   bool
	quality   int // 0 (hated) to 15 (loved)
}

func newFilms(o Options) films {
	key := draw.Key(o.Seed, "films")
	count := o.rows(filmRows, 400)
	f := films{key: key, count: count, order: draw.Permutation(key, count)}
	f.breaks = f.newBreaks()
	return f
}

// at describes film i. It leaves src at the beginning of the film's choices.
func (f films) at(src *draw.Source, i int) film {
	src.Reset(f.key, i)
	m := film{
		id:        2 + int(f.order[i])*10 + src.Below(10),
		year:      1916 + max(src.Below(102), src.Below(102), src.Below(102)),
		argentine: draw.Due(f.key^1, i, 50),
		quality:   src.Below(16),
	}
	if draw.Due(f.key^2, i, 150) {
		m.argentine, m.spanish, m.year = true, true, 2000+src.Below(10)
	}
	return m
}

// faultOf returns the fault of row i of movies_metadata.csv.
func (f films) faultOf(i int) fault {
	return draw.Turn(f.key^3, i, filmFaultPeriod, filmFaults[:])
}

// original returns the film that row i of movies_metadata.csv or credits.csv is
// about: now and then it is the film of another row, so that its id occurs twice.
func (f films) original(i int) int {
	if f.faultOf(i) == repeatedID {
		i += f.count - 7
	}
	return i % f.count
}

// broken returns 1 if row i is the head of a record that an unquoted line break
// has cut in two, 2 if it is the tail, and 0 otherwise; which tells the three
// broken records apart.
func (f films) broken(i int) (half, which int) {
	for which, at := range f.breaks {
		if i == at || i == at+1 {
			return i - at + 1, which
		}
	}
	return 0, 0
}

// newBreaks returns the rows of the three broken records: about where they are in
// the published file, but not in rows that already have another fault.
func (f films) newBreaks() (rows [3]int) {
	for k, percent := range [3]int{43, 65, 78} {
		at := f.count * percent / 100
		for f.faultOf(at) != noFault || f.faultOf(at+1) != noFault {
			at++
		}
		rows[k] = at
	}
	return rows
}
