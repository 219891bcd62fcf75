package chart

import (
	"image/color"
)

// point is a place on a scene, in pixels from the upper left corner.
type point struct{ x, y float64 }

// scene is a chart laid out: what to draw, from back to front.
type scene struct {
	width, height float64
	title         string
	elements      []element
}

// element is a filled area, a line, or a word.
type element struct {
	points []point // of an area or a line; the position of a word
	color  color.RGBA
	width  float64 // of a line; 0: an area

	word   string // "" for areas and lines
	size   float64
	anchor anchor
	upward bool // written from bottom to top
}

// anchor says which point of a word is at its position: how many halves of the word precede it.
type anchor int

const (
	start anchor = iota
	middle
	end
)

func (s *scene) line(c color.RGBA, width float64, points ...point) {
	s.elements = append(s.elements, element{points: points, color: c, width: width})
}

func (s *scene) area(c color.RGBA, points ...point) {
	s.elements = append(s.elements, element{points: points, color: c})
}

func (s *scene) box(c color.RGBA, x0, y0, x1, y1 float64) {
	s.area(c, point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1})
}

func (s *scene) word(at point, size float64, a anchor, text string) {
	s.elements = append(s.elements, element{points: []point{at}, color: ink, word: text, size: size, anchor: a})
}

// upward adds a word that is written from bottom to top.
func (s *scene) upward(at point, a anchor, text string) {
	s.elements = append(s.elements, element{points: []point{at}, color: ink, word: text, size: wordSize, anchor: a, upward: true})
}

// The colours of words, of the grid, of what is behind, and of series. People with colour blindness can tell
// the colours of the palette apart: Okabe and Ito, Color Universal Design, 2008.
var (
	ink  = color.RGBA{0x22, 0x22, 0x22, 0xff}
	grid = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}

	white = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

func seriesColor(i int) color.RGBA {
	palette := [...]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff},
		{0xd5, 0x5e, 0x00, 0xff},
		{0x00, 0x9e, 0x73, 0xff},
		{0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff},
		{0x56, 0xb4, 0xe9, 0xff},
		{0x77, 0x77, 0x77, 0xff},
		{0xb0, 0xa4, 0x00, 0xff},
	}
	return palette[i%len(palette)]
}
