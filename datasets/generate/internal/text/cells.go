package text

import (
	"bytes"
	"strconv"

	"analyzer/datasets/generate/internal/draw"
)

// Cells appends CSV records to B, in the manner of RFC 4180: a cell is quoted
// only where it must be, or where Quoted asks for it. Methods of one value are
// called by one goroutine at a time.
type Cells struct {
	// B holds the bytes so far. Between Open and Close, callers append the
	// text of the cell to it, unescaped.
	B []byte
	// LineEnd ends a record; empty means a line feed.
	LineEnd string

	open    int
	scratch []byte
}

// Raw appends a cell that needs no quotes.
func (c *Cells) Raw(s string) {
	c.B = append(c.B, s...)
	c.B = append(c.B, ',')
}

// Int appends a whole number.
func (c *Cells) Int(n int) {
	c.B = strconv.AppendInt(c.B, int64(n), 10)
	c.B = append(c.B, ',')
}

// Tenths appends n/10 with one digit after the point.
func (c *Cells) Tenths(n int) { c.fixed(n/10, n%10, 1) }

// Hundredths appends n/100 with two digits after the point.
func (c *Cells) Hundredths(n int) { c.fixed(n/100, n%100, 2) }

// Millionths appends n/1000000 with six digits after the point.
func (c *Cells) Millionths(n int) { c.fixed(n/1e6, n%1e6, 6) }

func (c *Cells) fixed(whole, fraction, digits int) {
	c.B = strconv.AppendInt(c.B, int64(whole), 10)
	c.B = append(c.B, '.')
	c.B = AppendPadded(c.B, fraction, digits)
	c.B = append(c.B, ',')
}

// Empty appends n empty cells.
func (c *Cells) Empty(n int) {
	for range n {
		c.B = append(c.B, ',')
	}
}

// Text appends a cell, quoted if it must be.
func (c *Cells) Text(s string) {
	c.Open()
	c.B = append(c.B, s...)
	c.Close()
}

// Phrase appends a cell that holds one of the phrases.
func (c *Cells) Phrase(p Phrases, src *draw.Source) {
	c.Open()
	c.B = p.Append(c.B, src)
	c.Close()
}

// Open begins a cell whose text the caller appends to B.
func (c *Cells) Open() {
	c.open = len(c.B)
	c.B = append(c.B, '"')
}

// Close ends the cell begun by Open: it doubles the quotes inside, and takes the
// opening quote back if the text does not need it.
func (c *Cells) Close() {
	body := c.B[c.open+1:]
	if bytes.IndexByte(body, ',') < 0 && bytes.IndexByte(body, '"') < 0 &&
		bytes.IndexByte(body, '\n') < 0 && bytes.IndexByte(body, '\r') < 0 {
		copy(c.B[c.open:], body)
		c.B[len(c.B)-1] = ','
		return
	}
	c.CloseQuoted()
}

// CloseQuoted ends the cell begun by Open and quotes it whatever it holds.
func (c *Cells) CloseQuoted() {
	body := c.B[c.open+1:]
	quotes := bytes.Count(body, []byte{'"'})
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
	c.B = append(c.B, '"', ',')
}

// Quoted appends a cell between quotes whatever it holds.
func (c *Cells) Quoted(s string) {
	c.Open()
	c.B = append(c.B, s...)
	c.CloseQuoted()
}

// End ends the record.
func (c *Cells) End() {
	if c.LineEnd == "" {
		c.B[len(c.B)-1] = '\n'
		return
	}
	c.B = append(c.B[:len(c.B)-1], c.LineEnd...)
}

// Python appends s to B as a Python string literal.
func (c *Cells) Python(s string) {
	c.scratch = append(c.scratch[:0], s...)
	c.pythonScratch()
}

// PythonPhrase appends one of the phrases to B as a Python string literal.
func (c *Cells) PythonPhrase(p Phrases, src *draw.Source) {
	c.scratch = p.Append(c.scratch[:0], src)
	c.pythonScratch()
}

// pythonScratch writes the scratch with the quotes that Python's repr chooses:
// single ones, or double ones around an apostrophe.
func (c *Cells) pythonScratch() {
	quote := byte('\'')
	if bytes.IndexByte(c.scratch, '\'') >= 0 && bytes.IndexByte(c.scratch, '"') < 0 {
		quote = '"'
	}
	c.B = append(c.B, quote)
	for i, b := range c.scratch {
		switch {
		case b == quote || b == '\\':
			c.B = append(c.B, '\\', b)
		case b == 0xC2 && i+1 < len(c.scratch) && c.scratch[i+1] == 0xA0: // a no-break space
			c.B = append(c.B, `\x`...)
		case b == 0xA0 && i > 0 && c.scratch[i-1] == 0xC2:
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
