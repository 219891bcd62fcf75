package sniff

import (
	"bytes"
	"slices"
	"strings"

	"analyzer/columnar"
)

// dotted is the bar that polars draws between columns, and nobody else.
const dotted = "┆"

// isBar reports whether a sign stands between the columns of a drawn table.
func isBar(r rune) bool { return strings.ContainsRune("|│"+dotted, r) }

// framed cuts lines that all have bars at the same characters, as tables have that polars and Stata print. The bars are left
// out. Between two bars of polars lies one column; between those of Stata lie columns as their names do.
func (f *finder) framed() error {
	plain := f.best
	if !plain.whole {
		return nil
	}
	dots := bytes.Contains(f.text, []byte(dotted))
	box := !dots && isShortened(f.text)
	wide := plain.dialect.Delimiter == "|" && count(plain.header, isWide) > 0
	if dots = dots || box; !dots && !wide && !bytes.Contains(f.text, []byte("     |--")) {
		return nil
	}
	lines := f.cuttable(f.text)
	c := framedIn(lines)
	if c.end-c.begin < leastCut {
		return nil
	}
	var rows []string
	for i := c.begin; i < c.end; i++ {
		switch line := lines[i]; {
		case isRuled(line):
			c.drawn = append(c.drawn, i)
		case dots && (isElided(line) || i == c.begin+2 && strings.Contains(lines[i-1], "---") || box && i == c.begin+1 && i+1 < len(lines) && isRuled(lines[i+1])): // below names and dashes are their types
			c.drawn = append(c.drawn, i)
		default:
			rows = append(rows, line)
		}
	}
	bars := barsIn(runesOf(rows))
	if len(bars) == 0 || len(rows) < leastCut-1 || len(c.drawn) == 0 {
		return nil
	}
	c.widths = widthsBetween(runesOf(rows), bars, dots)
	err := f.cutAt(lines, c, func(l *looked) bool { return l.records > 0 })
	if hidden := slices.IndexFunc(lines, isElided); f.best != plain && hidden >= 0 {
		f.best.notes = append(f.best.notes, Note{Line: f.number(hidden), Text: "the rows here are not in the file: who printed it left them out"})
	}
	return err
}

// framedIn returns where the lines with bars begin, below one that is drawn or with names, and end.
func framedIn(lines []string) (c cuts) {
	hasBar := func(line string) bool {
		return strings.ContainsFunc(line, isBar) && !isRuled(line)
	}
	if c.begin = slices.IndexFunc(lines, hasBar); c.begin < 0 {
		return cuts{}
	}
	c.end = c.begin
	for c.end < len(lines) && lines[c.end] != "" && !closesBox([]byte(strings.TrimSpace(lines[c.end]))) && (hasBar(lines[c.end]) || isNoText(strings.TrimSpace(lines[c.end]))) {
		c.end++
	}
	return c
}

// elided are the signs that polars and DuckDB print for rows that they do not show.
const elided = "…·"

// isShortened reports whether a text has a box of DuckDB that does not show all rows.
func isShortened(text []byte) bool {
	return bytes.Contains(text, []byte(bar)) && bytes.Contains(text, []byte("·")) && slices.ContainsFunc(strings.Split(string(text), "\n"), isElided)
}

// isRuled reports whether a line is drawn.
func isRuled(line string) bool { return drawn([]byte(strings.TrimSpace(line))) }

// isElided reports whether a line stands for rows that are not shown.
func isElided(line string) bool {
	return strings.ContainsAny(line, elided) && strings.TrimFunc(line, func(r rune) bool { return isBar(r) || strings.ContainsRune(elided+" \r", r) }) == ""
}

// barsIn returns the characters where all rows have a bar.
func barsIn(rows [][]rune) (bars []int) {
	for at, r := range rows[0] {
		if isBar(r) && !slices.ContainsFunc(rows, func(row []rune) bool { return at >= len(row) || !isBar(row[at]) }) {
			bars = append(bars, at)
		}
	}
	return bars
}

// widthsBetween returns the widths of the columns between bars, and of what is left out. Each part between two bars is one
// column if that is said, and otherwise holds the columns whose names begin in it.
func widthsBetween(rows [][]rune, bars []int, single bool) (widths []int) {
	long := 0
	for _, row := range rows {
		long = max(long, len(row))
	}
	from := 0
	for _, bar := range append(bars, long) {
		part := columnar.Each(rows, func(row []rune) []rune { return row[min(from, len(row)):min(bar, len(row))] })
		switch wide := bar - from; {
		case wide == 0:
		case !slices.ContainsFunc(part, func(row []rune) bool { return strings.TrimSpace(string(row)) != "" }):
			widths = append(widths, -wide)
		default:
			at := []int{0}
			if names := strings.TrimSpace(string(part[0])); !single && names != "" {
				if several := between(namesOver(part), part); len(several) > 1 {
					at = several
				}
			}
			for i, begin := range at[1:] {
				widths = append(widths, begin-at[i])
			}
			widths = append(widths, wide-at[len(at)-1])
		}
		if bar < long {
			widths = append(widths, -1)
		}
		from = bar + 1
	}
	return widths
}
