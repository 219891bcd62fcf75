package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"
)

// WriteSVG writes the chart as an SVG document, which may stand in an HTML page. Words are text,
// in the font of the page or of whoever shows the file.
func (c *Chart) WriteSVG(w io.Writer) error {
	s, err := c.layout()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" font-family="system-ui, sans-serif" role="img" aria-label="%s">`+"\n",
		number(s.width), number(s.height), html.EscapeString(s.title))
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(s.title))
	for i := range s.elements {
		if e := &s.elements[i]; e.word != "" {
			e.svgText(&b)
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
	for i, p := range e.points {
		fmt.Fprintf(&d, "%c%s %s", "ML"[min(i, 1)], number(p.x), number(p.y))
	}
	style := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%s"`, hex(e.color), number(e.width))
	if e.width == 0 {
		d.WriteByte('Z')
		style = fmt.Sprintf(`fill="%s"`, hex(e.color))
	}
	fmt.Fprintf(b, `<path d="%s" %s/>`+"\n", &d, style)
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
