package csv

import (
	"bytes"
	"io"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/stored"
)

// normalizer rewrites a file in another dialect: a single byte ends each field, and quoted
// fields have double quotes, which are doubled within. Records, the text of cells and line
// numbers stay the same, and so does text behind a closing quote, except that quotes right behind it
// come before it; a comment line becomes empty. An unclosed field stays open.
type normalizer struct {
	name      string
	from      io.Reader
	delimiter string
	blanks    bool
	wide      bool // a single space is no delimiter
	to        byte
	quote     int  // a byte, or -1 if nothing is quoted
	escape    int  // a byte before others, or -1
	comment   int  // a byte, or -1
	trailing  bool // comments stand behind records too
	spaced    bool
	skip      int       // lines to copy unchanged
	pad       int       // minimum number of fields of a record
	last      int       // the field in which blanks are text, from 1; 0: there is none
	ordinary  [256]bool // bytes that are copied wherever they are in a field

	in    []byte // read, not yet rewritten
	space []byte // the memory of in
	out   []byte // rewritten, not yet returned by Read
	err   error  // the error that ended from

	begun  bool
	at     normalState
	ended  int    // completed fields of the current record
	gap    int    // blanks that followed the field, a tab counting as two
	tail   []byte // blanks in the field, held back since a comment may follow
	held   int    // spaces held back: before the field, since a quote may follow, or behind its closing quote
	closes bool   // the current field needs a closing quote
	behind bool   // its closing quote has been read
	more   bool   // and behind it quotes that are text
	cr     bool   // a carriage return ended the line: a line feed right after it belongs to it
}

type normalState uint8

const (
	atRecord  normalState = iota
	atField               // at the beginning of another field
	plainText             // in a field, where quotes are ordinary
	quotedText
	behindQuote // after a quote: the closing one, or the first of two
	escaped     // after an escape
	commentText
)

const normalBytes = 64 << 10

func newNormalizer(name string, from io.Reader, o *Options) *normalizer {
	d := o.Dialect
	n := &normalizer{
		name: name, from: from, delimiter: d.Delimiter, blanks: columnar.IsBlanks(d.Delimiter), wide: d.Delimiter == columnar.WideBlanks, to: o.syntax.delimiter[0],
		quote: quoteOf(&o.Dialect), escape: -1, comment: -1, trailing: d.Trailing, spaced: d.Spaced, skip: d.Skip, pad: d.Pad, last: d.Last, space: make([]byte, 0, normalBytes),
	}
	if n.delimiter == "" {
		n.delimiter = ","
	}
	if d.Escape != "" && int(d.Escape[0]) != n.quote && n.quote >= 0 {
		n.escape = int(d.Escape[0])
	}
	if d.Comment != "" {
		n.comment = int(d.Comment[0])
	}
	for c := range n.ordinary {
		n.ordinary[c] = c != n.quote && c != n.escape && c != n.comment && c != int(n.delimiter[0]) && strings.IndexByte(" \t\r\n\"\x1f", byte(c)) < 0
	}
	return n
}

func (n *normalizer) Read(p []byte) (int, error) {
	for len(n.out) == 0 {
		if n.err != nil && len(n.in) == 0 {
			if n.at == quotedText || n.at == escaped {
				return 0, n.err
			}
			if n.endRecord(); len(n.out) == 0 { // a last line without an end may need one
				return 0, n.err
			}
			break
		}
		n.fill()
		if err := n.rewrite(); err != nil {
			n.in, n.err = nil, err
			return 0, err
		}
	}
	taken := copy(p, n.out)
	n.out = n.out[taken:]
	return taken, nil
}

// fill reads more bytes into in, until it has at least maxDelimiter of them.
func (n *normalizer) fill() {
	n.space = append(n.space[:0], n.in...)
	n.in = n.space
	idle := 0
	for n.err == nil && len(n.in) < maxDelimiter {
		var m int
		m, n.err = n.from.Read(n.space[len(n.in):cap(n.space)])
		n.in = n.space[:len(n.in)+m]
		if idle++; idle > stored.MaxIdleReads && n.err == nil {
			n.err = io.ErrNoProgress
		}
	}
}

// rewrite rewrites the bytes in in, except a rest that may be the beginning of a delimiter.
func (n *normalizer) rewrite() error {
	n.out = n.out[:0]
	if !n.begun {
		n.begun = true
		n.in = n.in[skipMark(n.in):]
	}
	i := 0
	for i < len(n.in) {
		if end := i + n.plain(n.in[i:]); end > i {
			n.out, i = append(n.out, n.in[i:end]...), end
			continue
		}
		taken, err := n.take(n.in[i:])
		if err != nil {
			return err
		}
		if taken == 0 {
			break
		}
		i += taken
	}
	n.in = n.in[i:]
	return nil
}

// plain returns how many bytes at the beginning of in are copied, since they are within a field, and nothing is
// held back before them.
func (n *normalizer) plain(in []byte) (length int) {
	if n.at != plainText && n.at != quotedText || n.behind || n.skip > 0 || len(n.tail)+n.gap+n.held > 0 {
		return 0
	}
	for length < len(in) && n.ordinary[in[length]] {
		length++
	}
	return length
}

// take rewrites one or more bytes. It takes none if it needs more bytes to interpret them.
func (n *normalizer) take(in []byte) (taken int, err error) {
	c := in[0]
	if n.cr {
		if n.cr = false; c == '\n' {
			return 1, nil
		}
	}
	if n.skip > 0 {
		return n.skipLines(in), nil
	}
	if n.at == behindQuote && (int(c) != n.quote || n.escape >= 0) {
		n.at, n.behind = plainText, true
	}
	switch n.at {
	case commentText:
		if c == '\n' || c == '\r' {
			n.at = atRecord
			n.endLine(c)
		}
	case escaped, behindQuote:
		n.at = quotedText
		n.put(c)
	case quotedText:
		switch int(c) {
		case n.quote:
			n.at = behindQuote
		case n.escape:
			n.at = escaped
		default:
			n.put(c)
		}
	default:
		return n.takePlain(in)
	}
	return 1, nil
}

// takePlain does the work of take outside quotes.
func (n *normalizer) takePlain(in []byte) (taken int, err error) {
	if n.trailing {
		if taken, done := n.takeTail(in); done {
			return taken, nil
		}
	}
	if n.spaced && n.holdBack(in[0]) {
		return 1, nil
	}
	if taken, done := n.takeEnd(in); done {
		return taken, nil
	}
	return 1, n.takeText(in[0])
}

// holdBack holds back a space before a field or behind its closing quote. Before another byte it decides about those
// that were held.
func (n *normalizer) holdBack(c byte) (held bool) {
	begins := n.at != plainText
	switch {
	case !begins && !n.behind:
	case c == ' ':
		n.held++
		return true
	case begins:
		n.release(int(c) != n.quote)
	}
	return false
}

// takeEnd takes what ends a record or a field, and the sign that begins a comment. done is false if a byte of a
// field follows.
func (n *normalizer) takeEnd(in []byte) (taken int, done bool) {
	switch c := in[0]; {
	case c == '\n' || c == '\r':
		n.endRecord()
		n.endLine(c)
		return 1, true
	case n.at == atRecord && int(c) == n.comment:
		n.at = commentText
		return 1, true
	case n.blanks && c == ' ' && n.at == plainText:
		n.gap++
		return 1, true
	case n.blanks && c == '\t' && n.at == plainText:
		n.gap += 2
		return 1, true
	case n.blanks:
		return 1, c == ' ' || c == '\t'
	case c != n.delimiter[0]:
		return 0, false
	case bytes.HasPrefix(in, []byte(n.delimiter)):
		n.nextField()
		return len(n.delimiter), true
	}
	return 0, n.err == nil && strings.HasPrefix(n.delimiter, string(in))
}

// takeText takes a byte of a field, which may be its opening quote. Blanks before it may have ended the field before.
func (n *normalizer) takeText(c byte) error {
	switch {
	case n.gap == 1 && n.wide:
		n.gap = 0
		n.put(' ')
	case n.gap > 0 && n.ended+1 == n.last:
		for ; n.gap > 0; n.gap-- {
			n.put(' ')
		}
	case n.gap > 0:
		n.nextField()
	}
	if begins := n.at != plainText; begins && int(c) == n.quote {
		n.at, n.closes, n.out = quotedText, true, append(n.out, '"')
		return nil
	} else if begins && c == '"' {
		n.closes, n.out = true, append(n.out, '"')
	}
	if n.at = plainText; c == Separator[0] && n.to == Separator[0] && !n.closes {
		return &InputError{
			File: n.name, Reason: ReasonNotCSV, Detail: "there is a byte 0x1f in a file with a delimiter of several bytes",
			Hint: "choose another delimiter",
		}
	}
	n.put(c)
	return nil
}

// takeTail takes blanks that may precede a comment behind a record, and the character that begins it.
// done is false if another byte follows.
func (n *normalizer) takeTail(in []byte) (taken int, done bool) {
	c := in[0]
	if int(c) == n.comment && len(n.tail)+n.gap+n.held > 0 {
		switch {
		case len(in) == 1 && n.err == nil:
			return 0, true // what follows says whether it is a comment
		case len(in) == 1 || bytes.IndexByte([]byte(" \t\r\n"), in[1]) >= 0:
			n.tail, n.held = n.tail[:0], 0
			n.endRecord()
			n.at = commentText
			return 1, true
		}
	}
	held := n.spaced && (n.at != plainText || n.behind && c == ' ' && len(n.tail) == 0)
	if blank := c == ' ' || c == '\t'; blank && !n.blanks && n.delimiter[0] != c && !held {
		n.tail = append(n.tail, c)
		return 1, true
	}
	n.putTail()
	return 0, false
}

// putTail writes the blanks that were held back, which belong to the field.
func (n *normalizer) putTail() {
	for _, c := range n.tail {
		n.at = plainText
		n.put(c)
	}
	n.tail = n.tail[:0]
}

// release writes the held spaces if they belong to the field, and drops them otherwise.
func (n *normalizer) release(own bool) {
	for ; n.held > 0; n.held-- {
		if own {
			n.at = plainText
			n.put(' ')
		}
	}
}

// put writes a byte of a cell. Spaces between a closing quote and other text belong to the cell.
func (n *normalizer) put(c byte) {
	if n.behind && (c != '"' || n.held > 0) {
		n.endQuotes()
		n.release(true)
	}
	n.more = n.behind
	if c == '"' && n.closes {
		n.out = append(n.out, '"')
	}
	n.out = append(n.out, c)
}

// endField writes spaces held before the field, drops those behind its closing quote, and writes the
// closing quote, if the field needs one.
func (n *normalizer) endField() {
	if n.more {
		n.endQuotes()
	}
	n.release(!n.behind)
	n.endQuotes()
}

// endQuotes writes the closing quote, if the field needs one.
func (n *normalizer) endQuotes() {
	if n.closes {
		n.out = append(n.out, '"')
	}
	n.closes, n.behind, n.more = false, false, false
}

// endRecord completes the last field and pads the record.
func (n *normalizer) endRecord() {
	n.putTail()
	n.endField()
	if n.at != atRecord && n.at != commentText {
		for ; n.ended+1 < n.pad; n.ended++ {
			n.out = append(n.out, n.to)
		}
	}
	n.at, n.ended, n.gap = atRecord, 0, 0
}

// endLine ends a line. A carriage return becomes a line feed: if a comment or blanks between
// a CR and an LF are left out, the two would otherwise become one line end.
func (n *normalizer) endLine(c byte) {
	n.cr, n.out = c == '\r', append(n.out, '\n')
}

func (n *normalizer) nextField() {
	n.endField()
	n.ended++
	n.at, n.gap, n.out = atField, 0, append(n.out, n.to)
}

// skipLines copies the lines to skip, as far as they have been read.
func (n *normalizer) skipLines(in []byte) int {
	end := bytes.IndexAny(in, "\r\n")
	if end < 0 {
		n.out = append(n.out, in...)
		return len(in)
	}
	n.out = append(n.out, in[:end]...)
	n.endLine(in[end])
	n.skip--
	return end + 1
}
