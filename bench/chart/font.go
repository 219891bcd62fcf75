package chart

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// goFont is parsed when the first word is drawn, not when the program starts.
var goFont = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return f
})

// unitsOf is the size, in units, at which outlines are loaded: large enough that rounding
// to units does not matter.
const unitsOf = 1000

// glyphs calls f with each letter's index and its distance from the start of the word, and
// returns the word's width. Both are relative to the font's size.
func glyphs(word string, f func(g sfnt.GlyphIndex, x float64)) float64 {
	var buf sfnt.Buffer
	x, before := 0.0, sfnt.GlyphIndex(0)
	for i, r := range word {
		g, err := goFont().GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if kern, err := goFont().Kern(&buf, before, g, fixed.I(unitsOf), font.HintingNone); err == nil && i > 0 {
			x += parts(kern)
		}
		if f != nil {
			f(g, x)
		}
		if advance, err := goFont().GlyphAdvance(&buf, g, fixed.I(unitsOf), font.HintingNone); err == nil {
			x += parts(advance)
		}
		before = g
	}
	return x
}

func parts(v fixed.Int26_6) float64 { return float64(v) / 64 / unitsOf }

// wordWidth returns the width of a word in pixels.
func wordWidth(word string, size float64) float64 { return glyphs(word, nil) * size }

// piece is one segment of a path: a move, a line, or a quadratic or cubic curve. op gives
// its number of points.
type piece struct {
	op     sfnt.SegmentOp
	points []point
}

// straight returns the path of straight lines through points.
func straight(points []point) []piece {
	path := make([]piece, len(points))
	for i := range points {
		path[i] = piece{sfnt.SegmentOp(min(i, 1)), points[i : i+1]}
	}
	return path
}

// path returns the path of an element on the scene: an area, a line, or a word's outlines.
func (e *element) path() []piece {
	if e.word == "" {
		return straight(e.points)
	}
	shift := -wordWidth(e.word, e.size) * float64(e.anchor) / 2
	var buf sfnt.Buffer
	var all []piece
	glyphs(e.word, func(g sfnt.GlyphIndex, x float64) {
		segments, err := goFont().LoadGlyph(&buf, g, fixed.I(unitsOf), nil)
		if err != nil {
			return
		}
		for _, s := range segments {
			o := piece{op: s.Op}
			for _, p := range s.Args[:degree(s.Op)] {
				o.points = append(o.points, e.place(shift+(x+parts(p.X))*e.size, parts(p.Y)*e.size))
			}
			all = append(all, o)
		}
	})
	return all
}

// degree returns how many points a piece of an outline has.
func degree(op sfnt.SegmentOp) int { return max(int(op), 1) }

// place converts a point relative to the word's position into one on the scene.
func (e *element) place(x, y float64) point {
	at := e.points[0]
	if e.upward {
		return point{at.x + y, at.y - x}
	}
	return point{at.x + x, at.y + y}
}
