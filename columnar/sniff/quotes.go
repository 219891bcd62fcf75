package sniff

import (
	"bytes"
	"cmp"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// quoting says how the cells of one column are quoted in a dialect.
type quoting struct {
	bare     bool // texts stand without quotes
	needless bool // quotes enclose cells that need none
}

// quotesFit reports whether the quote of a dialect explains the records from first on. Words may
// begin or end with an apostrophe, so it counts only if each cell that it begins also ends with
// it, and if the writer had a rule: to quote all texts of a column, or those that need it. If most
// cells that it encloses go over several lines, lone apostrophes rather enclose what lies between
// them.
func quotesFit(b *csv.Block, first int, d columnar.Dialect) bool {
	if bytes.IndexByte(b.Data(), '"') < 0 { // it explains nothing
		return false
	}
	columns := make(map[int]quoting)
	quoted, long, named := 0, 0, b.Fields(first) > 1
	for c := range b.Fields(first) {
		cell := b.Cell(first, c)
		named = named && len(cell) > 2 && cell[0] == '"' && closed(cell)
	}
	var text []byte
	for i := first + 1; i < b.Len(); i++ {
		for c := range b.Fields(i) {
			q, cell := columns[c], b.Cell(i, c)
			switch {
			case csv.IsEmpty(cell):
				continue
			case cell[0] != '"':
				q.bare = q.bare || kindsAmong(cell, nil) == text0
				columns[c] = q
				continue
			case !closed(cell):
				return false
			}
			text = csv.AppendUnquoted(text[:0], cell)
			if enclosed(text, '"') && !named {
				return false // these are the quotes
			}
			quoted++
			lines := bytes.ContainsAny(text, "\r\n")
			if lines {
				long++
			}
			q.needless = q.needless || !lines && !needsQuotes(text, d)
			columns[c] = q
		}
	}
	for _, q := range columns {
		if q.bare && q.needless && !named {
			return false
		}
	}
	return (quoted > 0 || named) && 2*long <= quoted && !b.Unclosed()
}

// mayQuote reports whether quotes may begin cells.
func (l *looked) mayQuote() bool {
	if bytes.IndexByte(l.data, '"') >= 0 {
		return true
	}
	for _, quote := range otherQuotes {
		for _, before := range []string{l.dialect.Delimiter, "\n", "\r"} {
			if bytes.Contains(l.data, []byte(before+string(quote))) {
				return true
			}
		}
		if bytes.HasPrefix(l.data, []byte(string(quote))) {
			return true
		}
	}
	return false
}

// closed reports whether a quoted cell ends with its closing quote.
func closed(cell []byte) bool {
	_, regular := csv.Text(cell)
	return regular || doubled(cell)
}

// enclosed reports whether a text begins and ends with a quote.
func enclosed(text []byte, quote byte) bool {
	return len(text) > 1 && text[0] == quote && text[len(text)-1] == quote
}

// needsQuotes reports whether a text without line ends would be another one without its quotes.
func needsQuotes(text []byte, d columnar.Dialect) bool {
	return bytes.Contains(text, []byte(cmp.Or(d.Delimiter, ","))) || bytes.Contains(text, []byte(d.Quote))
}
