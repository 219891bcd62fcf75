package csv

import "bytes"

// Quoting says how the cells of a block are quoted. It turns cells, as their bytes stand in
// the block, into texts.
type Quoting struct {
	// quote encloses cells. Without quotes it is a line feed, with which no such cell begins.
	quote   byte
	escape  byte // within quotes, the byte after it is literal
	escapes bool // there are escapes, and a quote is not doubled
	typed   bool
}

// doubleQuotes is the quoting of files without another one.
var doubleQuotes = Quoting{quote: '"'}

// Typed returns the quoting of cells whose quotes say what they are: a cell in double quotes is a
// text, never a number, and be it empty; one without quotes is no text, and null if it is empty.
func Typed() Quoting { return Quoting{quote: '"', typed: true} }

// Quote returns the byte with which quoted cells begin. Without quotes it is a byte with which
// no cell begins.
func (q Quoting) Quote() byte { return q.quote }

// Typed reports whether quotes say what cells are; see Typed.
func (q Quoting) Typed() bool { return q.typed }

// Escape returns the byte that stands before quotes within quotes.
func (q Quoting) Escape() byte {
	if q.escapes {
		return q.escape
	}
	return q.quote
}

// Escapes reports whether bytes within quotes may be escaped.
func (q Quoting) Escapes() bool { return q.escapes }

// Text returns the text of a cell if it is a part of the cell, as it usually is. Otherwise it
// returns false, and Append must build the text.
func (q Quoting) Text(cell []byte) ([]byte, bool) {
	if len(cell) == 0 || cell[0] != q.quote {
		return cell, true
	}
	rest := cell[1:]
	i := bytes.IndexByte(rest, q.quote)
	if q.escapes && bytes.IndexByte(rest, q.escape) >= 0 {
		return nil, false
	}
	if i < 0 {
		return rest, true
	}
	return rest[:i], i == len(rest)-1
}

// IsEmpty reports whether a cell has no value: its text is empty or, if quotes say what cells are,
// it has no quotes either.
func (q Quoting) IsEmpty(cell []byte) bool {
	if q.typed || len(cell) == 0 || len(cell) > 2 || cell[0] != q.quote {
		return len(cell) == 0
	}
	return len(cell) == 1 || cell[1] == q.quote || q.escapes && cell[1] == q.escape
}

// Append appends the text of a cell to dst.
func (q Quoting) Append(dst, cell []byte) []byte {
	switch {
	case len(cell) == 0 || cell[0] != q.quote:
		return append(dst, cell...)
	case q.escapes:
		return q.appendEscaped(dst, cell[1:])
	}
	for rest := cell[1:]; ; {
		i := bytes.IndexByte(rest, q.quote)
		switch {
		case i < 0:
			return append(dst, rest...)
		case i+1 < len(rest) && rest[i+1] == q.quote:
			dst, rest = append(dst, rest[:i+1]...), rest[i+2:]
		default:
			dst = append(dst, rest[:i]...)
			return append(dst, rest[i+1:]...)
		}
	}
}

// appendEscaped appends the text of a quoted cell, which is given without its first quote.
func (q Quoting) appendEscaped(dst, rest []byte) []byte {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case q.quote:
			return append(dst, rest[i+1:]...)
		case q.escape:
			if i++; i == len(rest) {
				return dst
			}
		}
		dst = append(dst, rest[i])
	}
	return dst
}

// Text is Quoting.Text for double quotes.
func Text(cell []byte) ([]byte, bool) { return doubleQuotes.Text(cell) }

// IsEmpty is Quoting.IsEmpty for double quotes.
func IsEmpty(cell []byte) bool { return doubleQuotes.IsEmpty(cell) }

// AppendUnquoted is Quoting.Append for double quotes.
func AppendUnquoted(dst, cell []byte) []byte { return doubleQuotes.Append(dst, cell) }
