package generate

import (
	"analyzer/datasets/generate/internal/draw"
	"analyzer/datasets/generate/internal/text"
)

// Three records of the published file are cut in two by a line break that stands
// outside quotes, after the first sentence of the overview. The head is a record
// whose later cells are missing. The tail is a record that begins in the middle:
// its adult cell holds prose, its budget the path of a picture, its id a date.
// The first of the three has been filled up with commas by a program that wrote
// the file again; the others are short.

// metadataCells is the number of columns of movies_metadata.csv.
const metadataCells = 24

// head appends the first half of a broken record.
func (m *metadata) head(c *text.Cells, src *draw.Source, row, which int) {
	f := m.films.at(src, row)
	src.Reset(m.key, row)
	c.Raw("False")
	c.Empty(1)
	c.Int(0)
	m.genreCell(c, src, noFault)
	c.Empty(1)
	c.Int(f.id)
	imdbID(c, src)
	c.Raw("en")
	c.Phrase(m.title, src)
	c.B = m.unquoted.AppendNth(c.B, which, src)
	c.B = append(c.B, ',')
	m.fill(c, which, 10)
	c.End()
}

// brokenTail appends the second half of the record that begins in row.
func (m *metadata) brokenTail(c *text.Cells, src *draw.Source, row, which int) {
	f := m.films.at(src, row)
	src.Reset(m.key, row)
	made := m.madeIn(src, f)
	c.B = m.tail.AppendNth(c.B, which, src)
	c.B = append(c.B, ',')
	c.Millionths(src.Below(3_000_000))
	c.B = appendPath(c.B, src)
	c.B = append(c.B, ',')
	m.companyCell(c, src)
	m.countryCell(c, made)
	c.B = appendDate(c.B, f.year, 1+src.Below(12), 1+src.Below(28))
	c.B = append(c.B, ',')
	c.Int(0)
	c.Tenths(900)
	m.languageCell(c, src, made)
	c.Raw("Released")
	c.Empty(1)
	c.Phrase(m.title, src)
	c.Raw("False")
	c.Tenths(60)
	c.Int(1 + which)
	m.fill(c, which, 15)
	c.End()
}

// fill appends the missing cells of the first broken record.
func (m *metadata) fill(c *text.Cells, which, have int) {
	if which == 0 {
		c.Empty(metadataCells - have)
	}
}
