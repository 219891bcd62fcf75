package chart

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"
)

var white = color.RGBA{0xff, 0xff, 0xff, 0xff}

// pngScale is how many pixels of the image make one pixel of the scene, in each direction.
const pngScale = 2

// WritePNG writes the chart as a PNG image.
func (c *Chart) WritePNG(w io.Writer) error {
	s, err := c.layout()
	if err != nil {
		return err
	}
	p := painter{img: image.NewRGBA(image.Rect(0, 0, int(s.width*pngScale), int(math.Ceil(s.height*pngScale))))}
	p.raster = vector.NewRasterizer(p.img.Rect.Dx(), p.img.Rect.Dy())
	for i := range s.elements {
		p.paint(&s.elements[i])
	}
	if err := png.Encode(w, p.img); err != nil {
		return fmt.Errorf("write chart %q: %w", c.Title, err)
	}
	return nil
}

// painter paints elements on an image.
type painter struct {
	img    *image.RGBA
	raster *vector.Rasterizer
}

func (p *painter) paint(e *element) {
	p.raster.Reset(p.img.Rect.Dx(), p.img.Rect.Dy())
	if e.width > 0 {
		p.stroke(e)
	} else {
		p.trace(e.path())
	}
	p.raster.Draw(p.img, p.img.Rect, image.NewUniform(e.color), image.Point{})
}

func (p *painter) trace(path []piece) {
	for _, piece := range path {
		at := func(i int) (x, y float32) {
			return float32(piece.points[i].x * pngScale), float32(piece.points[i].y * pngScale)
		}
		x, y := at(0)
		switch piece.op {
		case sfnt.SegmentOpMoveTo:
			p.raster.ClosePath()
			p.raster.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			p.raster.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := at(1)
			p.raster.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := at(1)
			x2, y2 := at(2)
			p.raster.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	p.raster.ClosePath()
}

// stroke paints a line as one rectangle for each of its segments.
func (p *painter) stroke(e *element) {
	for i := range e.points[:len(e.points)-1] {
		a, b := e.points[i], e.points[i+1]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		half := e.width / 2 / length
		x, y := half*(b.x-a.x), half*(b.y-a.y)
		p.trace(straight([]point{{a.x - y, a.y + x}, {b.x - y, b.y + x}, {b.x + y, b.y - x}, {a.x + y, a.y - x}}))
	}
}
