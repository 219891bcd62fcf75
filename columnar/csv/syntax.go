package csv

import (
	"strings"

	"analyzer/columnar"
)

// syntax is a dialect as the kernels see it. All parts of a Reader share one; it does not
// change.
type syntax struct {
	Quoting
	delimiter string // one to four bytes that end a field
	comment   byte   // begins a comment line, if comments is set
	comments  bool
	spaced    bool // spaces before an opening quote and behind a closing one are no part of a cell
	pad       int  // the least number of fields of a record that is not blank
	rewritten bool // of what a normalizer writes, whose quotes may be other bytes of the file

	// others are the bytes that matter besides the quote and the last byte of the delimiter. The
	// numbers are places in others: of the bytes of a delimiter before its last one, beginning with
	// the one right before it, and lastByte if they are like that; of the escape, the comment and the space.
	others              []byte
	parts               [maxDelimiter - 1]int
	escapeAt, commentAt int
	spaceAt             int
}

const lastByte = -1

// newSyntax returns the syntax of a dialect. ok is false if there is none, and the file must be
// rewritten: runs of blanks are no delimiter of certain bytes, a comment behind a record belongs to no cell, and a
// byte with two meanings, as a space has among others if those around quotes are left out, has the one or the other by its place.
func newSyntax(d *columnar.Dialect) (x syntax, ok bool) {
	x = syntax{Quoting: Quoting{quote: '\n'}, delimiter: d.Delimiter, pad: d.Pad}
	switch {
	case x.delimiter == "":
		x.delimiter = ","
	case columnar.IsBlanks(x.delimiter):
		x.delimiter = " "
	}
	if q := quoteOf(d); q >= 0 {
		x.quote = byte(q)
		if d.Escape != "" && d.Escape[0] != x.quote {
			x.escape, x.escapes = d.Escape[0], true
		}
	}
	if d.Comment != "" {
		x.comment, x.comments = d.Comment[0], true
	}
	x.spaced = d.Spaced && x.quoted()
	x.listOthers()
	ambiguous := x.spaced && (x.quote == ' ' || strings.ContainsRune(x.delimiter+d.Escape+d.Comment, ' ')) || x.escapes && strings.IndexByte(x.delimiter, x.escape) >= 0 ||
		x.comments && (x.comment == x.quote || strings.IndexByte(x.delimiter, x.comment) >= 0)
	return x, !ambiguous && !d.Trailing && !columnar.IsBlanks(d.Delimiter)
}

func (x *syntax) listOthers() {
	for i := len(x.delimiter) - 2; i >= 0; i-- {
		part := &x.parts[len(x.delimiter)-2-i]
		if *part = len(x.others); x.delimiter[i] == x.delimiter[len(x.delimiter)-1] {
			*part = lastByte
			continue
		}
		x.others = append(x.others, x.delimiter[i])
	}
	if x.escapes {
		x.escapeAt, x.others = len(x.others), append(x.others, x.escape)
	}
	if x.comments {
		x.commentAt, x.others = len(x.others), append(x.others, x.comment)
	}
	if x.spaced {
		x.spaceAt, x.others = len(x.others), append(x.others, ' ')
	}
}

// quoted reports whether cells may be quoted.
func (x *syntax) quoted() bool { return x.quote != '\n' }

// simple reports whether a classifier alone can find the fields.
func (x *syntax) simple() bool {
	return len(x.delimiter) == 1 && !x.escapes && !x.comments && !x.spaced
}

// newSummary returns the summary of a block before its first word. Its delimiter is the last
// byte of one.
func (x *syntax) newSummary() summary {
	s := summary{before: 1, delimiter: uint64(x.delimiter[len(x.delimiter)-1]), quote: uint64(x.quote)}
	if x.quoted() {
		s.quotable = ^uint64(0)
	}
	if !x.escapes {
		s.doubling = ^uint64(0)
	}
	return s
}

// usual reports whether one byte ends fields, double quotes enclose them, and nothing else is left out but spaces around these.
func (x *syntax) usual() bool {
	return len(x.delimiter) == 1 && !x.escapes && !x.comments && x.quote == '"'
}

// plain reports whether it is the default syntax but for a delimiter of one byte.
func (x *syntax) plain() bool { return x.usual() && !x.spaced && x.pad == 0 }
