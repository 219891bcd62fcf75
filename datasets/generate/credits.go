package generate

import (
	"strconv"

	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// credits makes credits.csv, whose id comes last and whose other two cells can be
// tens of kilobytes.
type credits struct {
	films films
	key   uint64
	rows  int
	troop int // number of actors outside Argentina

	first, last, apostrophe, other []string
	spanishFirst, spanishLast      []string
	character                      text.Phrases
	jobs                           []tagged
}

func newCredits(o Options, f films, words *text.Lexicon) *credits {
	return &credits{
		films: f, key: draw.Key(o.Seed, "credits.csv"), rows: f.count + creditRows - filmRows, troop: 200 + 4*f.count,
		first: words.List("first"), last: words.List("last"),
		apostrophe: words.List("apostrophe"), other: words.List("people.other"),
		spanishFirst: words.List("spanish.first"), spanishLast: words.List("spanish.last"),
		character: words.Phrases("film.character"), jobs: parseTagged(words.List("film.job")),
	}
}

func (d *credits) table() table {
	return table{
		name: "credits.csv", header: "cast,crew,id", units: d.rows, perTurn: 256,
		maker: func() func(*text.Cells, int) {
			var src draw.Source
			return func(c *text.Cells, row int) { d.row(c, &src, row) }
		},
	}
}

func (d *credits) row(c *text.Cells, src *draw.Source, row int) {
	i := d.films.original(row)
	f := d.films.at(src, i)
	src.Reset(d.key, i)
	cast, crew := crowd(src, 14), crowd(src, 16)
	if draw.Due(d.key^1, row, 300) { // every studio hand of a very large production
		cast, crew = 120+src.Below(100), 150+src.Below(150)
	}
	if f.argentine {
		cast = max(cast, 8)
	}
	d.castCell(c, src, cast, f.argentine)
	d.crewCell(c, src, crew)
	c.Int(f.id)
	c.End()
}

// crowd draws a number of people: often a handful, seldom many, mean/2 on average.
func crowd(src *draw.Source, mean int) int {
	if src.OneIn(20) {
		return 0
	}
	p := src.Below(256)
	return 1 + min(mean*p/(300-p)/2, 220)
}

func (d *credits) castCell(c *text.Cells, src *draw.Source, n int, argentine bool) {
	c.Open()
	c.B = append(c.B, '[')
	for k := range n {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		c.B = append(c.B, "{'cast_id': "...)
		c.B = strconv.AppendInt(c.B, int64(1+k+src.Below(2)), 10)
		c.B = append(c.B, ", 'character': "...)
		if src.OneIn(40) {
			c.B = append(c.B, "''"...)
		} else {
			c.PythonPhrase(d.character, src)
		}
		c.B = append(c.B, ", "...)
		creditID(c, src)
		gender(c, src)
		if argentine && src.Percent(80) {
			n := min(src.Below(400), src.Below(400), src.Below(400)) // a few are in everything
			personID(c, d.troop+n)
			d.personName(c, n, d.spanishFirst, d.spanishLast)
		} else {
			n := src.Below(d.troop)
			personID(c, n)
			d.personName(c, n, d.first, d.last)
		}
		c.B = append(c.B, ", 'order': "...)
		c.B = strconv.AppendInt(c.B, int64(k), 10)
		c.B = append(c.B, ", 'profile_path': "...)
		pythonPath(c, src)
		c.B = append(c.B, '}')
	}
	c.B = append(c.B, ']')
	c.Close()
}

func (d *credits) crewCell(c *text.Cells, src *draw.Source, n int) {
	c.Open()
	c.B = append(c.B, '[')
	for k := range n {
		if k > 0 {
			c.B = append(c.B, ", "...)
		}
		job := d.jobs[min(k, src.Below(len(d.jobs)))]
		person := src.Below(d.troop)
		c.B = append(c.B, '{')
		creditID(c, src)
		c.B = append(c.B, ", 'department': '"...)
		c.B = append(c.B, job.tag...)
		c.B = append(c.B, '\'')
		gender(c, src)
		personID(c, person)
		c.B = append(c.B, ", 'job': '"...)
		c.B = append(c.B, job.name...)
		c.B = append(c.B, '\'')
		d.personName(c, person, d.first, d.last)
		c.B = append(c.B, ", 'profile_path': "...)
		pythonPath(c, src)
		c.B = append(c.B, '}')
	}
	c.B = append(c.B, ']')
	c.Close()
}

// creditID appends the id of a credit.
func creditID(c *text.Cells, src *draw.Source) {
	c.B = append(c.B, "'credit_id': '52fe4"...)
	c.B = appendLetters(c.B, src, hexDigits, 19)
	c.B = append(c.B, '\'')
}

func gender(c *text.Cells, src *draw.Source) {
	c.B = append(c.B, ", 'gender': "...)
	c.B = append(c.B, byte('0'+src.Below(3)))
}

func personID(c *text.Cells, n int) {
	c.B = append(c.B, ", 'id': "...)
	c.B = strconv.AppendInt(c.B, int64(2+n*7), 10)
}

// personName appends the name of person n: always the same.
func (d *credits) personName(c *text.Cells, n int, first, last []string) {
	h := draw.Mix(uint64(n), uint64(len(first)))
	given := first[(h>>8&0xffff)%uint64(len(first))]
	c.B = append(c.B, ", 'name': "...)
	switch {
	case h%101 == 0:
		c.Python(d.other[(h>>8)%uint64(len(d.other))])
	case h%53 == 0: // an apostrophe, which needs double quotes
		c.B = append(c.B, '"')
		c.B = append(c.B, given...)
		c.B = append(c.B, ' ')
		c.B = append(c.B, d.apostrophe[(h>>40)%uint64(len(d.apostrophe))]...)
		c.B = append(c.B, '"')
	default:
		c.B = append(c.B, '\'')
		c.B = append(c.B, given...)
		c.B = append(c.B, ' ')
		if h&1 == 0 {
			c.B = append(c.B, byte('A'+(h>>32)%26), '.', ' ')
		}
		c.B = append(c.B, last[(h>>40)%uint64(len(last))]...)
		c.B = append(c.B, '\'')
	}
}
