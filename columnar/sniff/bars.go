package sniff

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// bars are lines above rows that show by bars where the fields of these begin, as in tables of IPAC
// (https://irsa.ipac.caltech.edu/applications/DDGEN/Doc/ipac_tbl.html): |  ra  |  dec  |. Rows have blanks there.
type bars struct {
	at    []int // where the bars are
	names []string
	line  int64 // of the names
	rows  int64 // the line of the first row
}

// barsOf returns the bars that begin the records from first on, behind lines of keywords, which begin with a
// backslash; nil if there are none, or a row has something at a bar.
func barsOf(b *csv.Block, first int) *bars {
	at := first
	for at < b.Len() && (b.Fields(at) == 0 || b.Record(at)[0] == '\\') {
		at++
	}
	if at == b.Len() || b.Record(at)[0] != '|' {
		return nil
	}
	found := &bars{line: b.Line(at)}
	for ; at < b.Len() && bytes.HasPrefix(b.Record(at), []byte("|")); at++ {
		line := strings.TrimRight(string(b.Record(at)), " \r\n")
		var here []int
		for i, r := range []rune(line) {
			if r == '|' {
				here = append(here, i)
			}
		}
		if found.at == nil {
			found.at = here
			found.names = columnar.Each(strings.Split(strings.Trim(line, "|"), "|"), strings.TrimSpace)
		}
		if !slices.Equal(found.at, here) || !strings.HasSuffix(line, "|") {
			return nil
		}
	}
	if at == b.Len() || len(found.at) < 3 {
		return nil
	}
	found.rows = b.Line(at)
	for i := at; i < min(b.Len(), at+mostRated); i++ {
		if b.Fields(i) > 0 && !found.over(b.Record(i)) {
			return nil
		}
	}
	return found
}

// over reports whether a line has blanks below all bars.
func (s *bars) over(line []byte) bool {
	text := []rune(string(bytes.TrimRight(line, " \r\n")))
	return utf8.Valid(line) && !slices.ContainsFunc(s.at, func(at int) bool { return at < len(text) && text[at] != ' ' })
}

// barred cuts the rows below bars at these.
func (f *finder) barred() error {
	found := f.bars
	if found == nil || f.given.Delimiter != "" || f.given.Header != nil || f.given.Skipped {
		return nil
	}
	d := f.given.Dialect
	d.Headless, d.Skip = true, int(found.rows)-1
	for i, at := range found.at[1:] {
		d.Widths = append(d.Widths, at-found.at[i])
	}
	given := *f.given
	given.Skipped = true
	l, err := f.lookNamed(d, given, found.names, Note{Line: found.line, Text: "the names of the columns are those between these bars"})
	if l != nil && l.share() == 1 {
		f.best = l
	}
	return err
}
