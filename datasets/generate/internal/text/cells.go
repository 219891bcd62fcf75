package text

import (
	"bytes"
	"strconv"
)

// Quoting says which cells are quoted.
type Quoting int

// The kinds of quoting.
const (
	Never  Quoting = iota // nothing in the cell needs quotes
	Needed                // as in RFC 4180: around a comma, a quote or a line break
	Always
)

// Cells appends CSV records to B, following RFC 4180. It is not safe for concurrent use.
type Cells struct {
	// B holds the bytes so far. Between Open and Close, callers append the
	// text of the cell to it, unescaped.
	B []byte

	open    int
	quote   Quoting
	scratch []byte
}

// Open begins a cell whose text the caller appends to B.
func (c *Cells) Open(quote Quoting) {
	c.open, c.quote = len(c.B), quote
	if quote != Never {
		c.B = append(c.B, '"')
	}
}

// Close ends the cell begun by Open: it doubles the quotes inside, and removes the
// opening quote if the text does not need it.
func (c *Cells) Close() {
	switch {
	case c.quote == Never:
		c.B = append(c.B, ',')
	case c.quote == Needed && plain(c.B[c.open+1:]):
		copy(c.B[c.open:], c.B[c.open+1:])
		c.B[len(c.B)-1] = ','
	default:
		c.doubleQuotes()
		c.B = append(c.B, '"', ',')
	}
}

func plain(cell []byte) bool {
	return bytes.IndexByte(cell, ',') < 0 && bytes.IndexByte(cell, '"') < 0 &&
		bytes.IndexByte(cell, '\n') < 0 && bytes.IndexByte(cell, '\r') < 0
}

// doubleQuotes doubles the quotes inside the open cell in place, from its end to its
// beginning.
func (c *Cells) doubleQuotes() {
	quotes := bytes.Count(c.B[c.open+1:], []byte{'"'})
	end := len(c.B)
	for range quotes {
		c.B = append(c.B, 0)
	}
	for from, to := end-1, end+quotes-1; from < to; from, to = from-1, to-1 {
		c.B[to] = c.B[from]
		if c.B[from] == '"' {
			to--
			c.B[to] = '"'
		}
	}
}

// End ends the record. The line feed replaces the last comma.
func (c *Cells) End() {
	c.B[len(c.B)-1] = '\n'
}

// Int appends a whole number.
func (c *Cells) Int(n int) { c.B = strconv.AppendInt(c.B, int64(n), 10) }

// Fixed appends n, which must not be negative, with that many digits after the
// decimal point.
func (c *Cells) Fixed(n, digits int) {
	unit := 1
	for range digits {
		unit *= 10
	}
	c.Int(n / unit)
	c.B = AppendPadded(append(c.B, '.'), n%unit, digits)
}

// Python turns the text in B from at on into a Python string literal, with the quotes
// that Python's repr chooses: single ones, or double ones around an apostrophe.
func (c *Cells) Python(at int) {
	s := append(c.scratch[:0], c.B[at:]...)
	quote := byte('\'')
	if bytes.IndexByte(s, '\'') >= 0 && bytes.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	c.B, c.scratch = append(c.B[:at], quote), s
	for i, b := range s {
		switch {
		case b == quote || b == '\\':
			c.B = append(c.B, '\\', b)
		case b == 0xC2 && i+1 < len(s) && s[i+1] == 0xA0: // a no-break space
			c.B = append(c.B, `\x`...)
		case b == 0xA0 && i > 0 && s[i-1] == 0xC2:
			c.B = append(c.B, "a0"...)
		default:
			c.B = append(c.B, b)
		}
	}
	c.B = append(c.B, quote)
}

// AppendPadded appends n, which must not be negative, with leading zeros.
func AppendPadded(dst []byte, n, digits int) []byte {
	for limit := 10; digits > 1; digits, limit = digits-1, limit*10 {
		if n < limit {
			for range digits - 1 {
				dst = append(dst, '0')
			}
			break
		}
	}
	return strconv.AppendInt(dst, int64(n), 10)
}
