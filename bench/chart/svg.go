package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"
)

// WriteSVG writes the chart as an SVG document whose words are outlines.
func (c *Chart) WriteSVG(w io.Writer) error { return c.writeSVG(w, (*element).svgPath) }

// WriteInline writes the chart as an SVG element for an HTML page: words are text
// in the page's font.
func (c *Chart) WriteInline(w io.Writer) error { return c.writeSVG(w, (*element).svgText) }

func (c *Chart) writeSVG(w io.Writer, word func(*element, *bytes.Buffer)) error {
	s, err := c.layout()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" aria-label="%s">`+"\n",
		number(s.width), number(s.height), html.EscapeString(s.title))
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(s.title))
	for i := range s.elements {
		if e := &s.elements[i]; e.word != "" {
			word(e, &b)
		} else {
			e.svgPath(&b)
		}
	}
	b.WriteString("</svg>\n")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write chart %q: %w", c.Title, err)
	}
	return nil
}

func (e *element) svgPath(b *bytes.Buffer) {
	var d strings.Builder
	for _, piece := range e.path() {
		d.WriteByte("MLQC"[piece.op])
		for i, p := range piece.points {
			if i > 0 {
				d.WriteByte(' ')
			}
			fmt.Fprintf(&d, "%s %s", number(p.x), number(p.y))
		}
	}
	label, style := "", fmt.Sprintf(`fill="%s"`, hex(e.color))
	switch {
	case e.word != "":
		label = fmt.Sprintf(`aria-label="%s" `, html.EscapeString(e.word))
	case e.width == 0:
		d.WriteByte('Z')
	default:
		style = fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%s"`, hex(e.color), number(e.width))
	}
	fmt.Fprintf(b, `<path %sd="%s" %s/>`+"\n", label, &d, style)
}

func (e *element) svgText(b *bytes.Buffer) {
	at, turn := e.points[0], ""
	if e.upward {
		turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, number(at.x), number(at.y))
	}
	anchors := [...]string{start: "start", middle: "middle", end: "end"}
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" text-anchor="%s" fill="%s"%s>%s</text>`+"\n",
		number(at.x), number(at.y), number(e.size), anchors[e.anchor], hex(e.color), turn, html.EscapeString(e.word))
}

// number returns a number with at most two decimals.
func number(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
