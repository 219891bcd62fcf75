package generate

import (
	"strings"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// credits makes credits.csv, whose last column is the id. Its other two cells can be
// tens of kilobytes long.
type credits struct {
	films films
	key   uint64
	troop int // number of actors outside Argentina
	words *text.Lexicon
}

func newCredits(o Options, f films, words *text.Lexicon) table {
	d := &credits{films: f, key: draw.Key(o.Seed, "credits.csv"), troop: 200 + 4*f.count, words: words}
	return table{name: "credits.csv", units: f.count + creditRows - filmRows, perTurn: 256, layout: d.layout}
}

func (d *credits) layout(r *row) ([]column, func(int)) {
	var f film
	var cast, crew int
	return r.each([]column{
		{"cast", text.Needed, r.form("[%]", r.list(", ", func() int { return cast }, d.member(r, &f)))},
		{"crew", text.Needed, r.form("[%]", r.list(", ", func() int { return crew }, d.hand(r)))},
		{"id", text.Never, &f.id},
	}, func(n int) {
		i := d.films.original(n)
		f = d.films.at(&r.Source, i)
		r.Reset(d.key, i)
		cast, crew = crowd(r, 14), crowd(r, 16)
		if draw.Due(d.key^1, n, 300) { // a very large production that lists everybody
			cast, crew = 120+r.Below(100), 150+r.Below(150)
		}
		if f.argentine {
			cast = max(cast, 8)
		}
	})
}

// crowd draws a number of people: often a handful, seldom many, mean/2 on average.
func crowd(r *row, mean int) int {
	if r.OneIn(20) {
		return 0
	}
	p := r.Below(256)
	return 1 + min(mean*p/(300-p)/2, 220)
}

// member appends an item of the column cast.
func (d *credits) member(r *row, f *film) cell {
	var person, shift int
	var name namer
	names, spanish := d.names("first", "last"), d.names("spanish.first", "spanish.last")
	return r.form("{'cast_id': %, 'character': %, 'credit_id': '52fe4%', 'gender': %%, 'id': %, 'name': %, 'order': %, 'profile_path': %}",
		func() { r.Int(1 + r.k + r.Below(2)) },
		r.oneIn(40, "''", r.python(d.words.Phrases("film.character"))),
		r.letters(hexDigits, 19), r.number(0, 3), func() {
			if f.argentine && r.Percent(80) {
				// A few people are in many films.
				person, shift, name = min(r.Below(400), r.Below(400), r.Below(400)), d.troop, spanish
			} else {
				person, shift, name = r.Below(d.troop), 0, names
			}
		},
		func() { r.Int(2 + (person+shift)*7) }, r.python(func() { r.B = name(r.B, person) }), &r.k, r.pythonPicture())
}

// hand appends an item of the column crew.
func (d *credits) hand(r *row) cell {
	var person int
	var department, job string
	name, jobs := d.names("first", "last"), d.words.List("film.job")
	return r.form("{%'credit_id': '52fe4%', 'department': '%', 'gender': %, 'id': %, 'job': '%', 'name': %, 'profile_path': %}",
		func() {
			department, job, _ = strings.Cut(jobs[min(r.k, r.Below(len(jobs)))], "|")
			person = r.Below(d.troop)
		}, r.letters(hexDigits, 19), &department, r.number(0, 3), func() { r.Int(2 + person*7) }, &job,
		r.python(func() { r.B = name(r.B, person) }), r.pythonPicture())
}

// namer appends the name of person n, which is always the same.
type namer func(dst []byte, n int) []byte

func (d *credits) names(first, last string) namer {
	given, family := d.words.List(first), d.words.List(last)
	apostrophe, other := d.words.List("apostrophe"), d.words.List("people.other")
	return func(dst []byte, n int) []byte {
		h := draw.Mix(uint64(n), uint64(len(given)))
		if h%101 == 0 {
			return append(dst, other[(h>>8)%uint64(len(other))]...)
		}
		dst = append(append(dst, given[(h>>8&0xffff)%uint64(len(given))]...), ' ')
		if h%53 == 0 {
			return append(dst, apostrophe[(h>>40)%uint64(len(apostrophe))]...)
		}
		if h&1 == 0 {
			dst = append(dst, byte('A'+(h>>32)%26), '.', ' ')
		}
		return append(dst, family[(h>>40)%uint64(len(family))]...)
	}
}
