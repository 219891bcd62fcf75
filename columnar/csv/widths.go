package csv

import (
	"bytes"
	"io"
	"unicode/utf8"

	"analyzer/columnar/stored"
)

// cutter makes plain CSV of a file whose fields have fixed widths: a line is cut at the same characters
// everywhere, and spaces around a field are left out, as are characters of a negative width. A line that is
// shorter has empty fields at its end; what a longer one has behind them, if anything, becomes a field of its own.
type cutter struct {
	from   io.Reader
	widths []int
	kept   int // of the widths: those that are not negative
	skip   int // lines to copy unchanged
	most   int // bytes of a field
	in     [normalBytes]byte
	text   []byte // what in became
	out    []byte // of that, what Read has not yet returned
	err    error  // the error that ended from

	held    int // bytes at the beginning of in that may be a byte order mark
	begun   bool
	copying bool // the line is a comment
	comment int  // begins one; -1: there are none
	cr      bool // a carriage return ended the line: a line feed right after it belongs to it
	blank   bool // the line has had only spaces
	fields  int  // of the line, that are written
	at      int  // the width being read
	number  int  // of the field, among those that are kept
	left    int  // characters that it may still have
	field   []byte
	solid   int // bytes of field without the spaces behind it
}

func newCutter(from io.Reader, o *Options) *cutter {
	c := &cutter{from: from, widths: o.Widths, skip: o.Skip, most: o.MaxRecord, comment: -1}
	for _, width := range o.Widths {
		if width > 0 {
			c.kept++
		}
	}
	if o.Comment != "" {
		c.comment = int(o.Comment[0])
	}
	c.beginLine()
	return c
}

// Read implements io.Reader.
func (c *cutter) Read(p []byte) (int, error) {
	for idle := 0; len(c.out) == 0; idle++ {
		switch {
		case c.err != nil:
			return 0, c.err
		case idle > stored.MaxIdleReads:
			return 0, io.ErrNoProgress
		}
		n, err := c.from.Read(c.in[c.held:])
		c.text, c.err = c.text[:0], err
		in := c.in[:c.held+n]
		if !c.begun && len(in) < len(byteOrderMark) && err == nil {
			c.held = len(in)
			continue
		}
		if !c.begun {
			c.begun, c.held, in = true, 0, in[skipMark(in):]
		}
		for _, b := range in {
			c.take(b)
		}
		if c.err != nil && !c.blank {
			c.endLine()
		}
		c.out = c.text
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

func (c *cutter) take(b byte) {
	begins := c.at == 0 && c.left == c.wide(0)
	switch {
	case c.cr && b == '\n':
		c.cr = false
		return
	case b == '\n' || b == '\r':
		c.cr = b == '\r'
		c.endLine()
		c.text = append(c.text, '\n')
		c.skip = max(c.skip-1, 0)
		c.beginLine()
		return
	}
	c.cr = false
	if begins && (c.skip > 0 || int(b) == c.comment) {
		c.copying = true
	}
	if c.copying {
		c.text, c.left = append(c.text, b), 0
		return
	}
	if utf8.RuneStart(b) && c.at < len(c.widths) {
		for c.left == 0 && c.at < len(c.widths) {
			c.endField()
		}
		c.left--
	}
	if space := b == ' ' || b == '\t'; !space || len(c.field) > 0 {
		c.field = append(c.field, b)
		if !space {
			c.solid, c.blank = len(c.field), c.blank && c.leavesOut()
		}
	}
	if len(c.field) > c.most { // the record is too long, whatever else it has
		c.text, c.field, c.copying = append(c.text, c.field...), nil, true
	}
}

// endField writes the field being read, and begins the next one. Fields that are empty wait for the
// next that is not.
func (c *cutter) endField() {
	if !c.leavesOut() {
		if c.solid > 0 {
			c.fill(c.number)
			c.text = appendField(c.text, c.field[:c.solid])
		}
		c.number++
	}
	c.field, c.solid = c.field[:0], 0
	if c.at++; c.at < len(c.widths) {
		c.left = c.wide(c.at)
	}
}

// leavesOut reports whether what is being read is left out.
func (c *cutter) leavesOut() bool { return c.at < len(c.widths) && c.widths[c.at] < 0 }

// wide returns how many characters a width is for.
func (c *cutter) wide(at int) int { return max(c.widths[at], -c.widths[at]) }

// fill writes what separates the fields before field n, so that it can be written.
func (c *cutter) fill(n int) {
	for ; c.fields < n; c.fields++ {
		c.text = append(c.text, ',')
	}
}

// endLine writes the rest of a line, unless it is blank or was copied.
func (c *cutter) endLine() {
	if c.copying || c.blank {
		return
	}
	c.endField()
	c.fill(c.kept - 1)
	c.blank = true
}

func (c *cutter) beginLine() {
	c.copying, c.blank, c.fields, c.at, c.number, c.left, c.field, c.solid = false, true, 0, 0, 0, c.wide(0), c.field[:0], 0
}

// appendField appends a field as RFC 4180 has it.
func appendField(dst, field []byte) []byte {
	if !bytes.ContainsAny(field, `",`) {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(field, []byte(`"`), []byte(`""`))...)
	return append(dst, '"')
}
