package csv

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/stored"
)

// Separator ends a field in a normalizer's output, and so in blocks, if the file's delimiter is not one byte.
const Separator = "\x1f"

// CheckDialect returns an error if a dialect is not valid.
func CheckDialect(d columnar.Dialect) error {
	_, err := Options{Dialect: d}.withDefaults()
	return err
}

// check validates the dialect and finds the syntax in which a Reader reads the file. It finds out
// whether the file must be rewritten for that.
func (o *Options) check() error {
	d := &o.Dialect
	if _, ok := stored.EncodingNamed(d.Encoding); !ok && d.Encoding != "" {
		return fmt.Errorf("there is no encoding %q; there are %s", d.Encoding, strings.Join(stored.Encodings(), ", "))
	}
	if d.Skip < 0 {
		return fmt.Errorf("%d lines cannot be left out", d.Skip)
	}
	if d.Pad < 0 || d.Pad > maxPad {
		return fmt.Errorf("records cannot be made %d fields long, at most %d", d.Pad, maxPad)
	}
	if d.Fields < 0 || d.Fields > maxFields {
		return fmt.Errorf("records cannot have %d fields, at most %d", d.Fields, maxFields)
	}
	for _, one := range []struct{ what, text string }{{"quote", d.Quote}, {"escape", d.Escape}, {"comment", d.Comment}} {
		if one.text != "" && (len(one.text) > 1 || one.text[0] >= utf8.RuneSelf || one.text == "\n" || one.text == "\r") {
			return fmt.Errorf("the %s %q is not one character of ASCII", one.what, one.text)
		}
	}
	switch delimiter := d.Delimiter; {
	case delimiter == "" || columnar.IsBlanks(delimiter):
	case strings.ContainsAny(delimiter, "\"\n\r") || len(delimiter) > maxDelimiter:
		return fmt.Errorf("the delimiter %q cannot end the fields of a csv file", delimiter)
	}
	if d.Trailing && d.Comment == "" {
		return fmt.Errorf("comments behind records need a character that begins them")
	}
	if d.Widths != nil {
		return o.checkWidths()
	}
	quote := quoteOf(&o.Dialect)
	if delimiter := cmp.Or(d.Delimiter, ","); quote >= 0 && strings.IndexByte(delimiter, byte(quote)) >= 0 {
		return fmt.Errorf("the quote %q is in the delimiter", string(rune(quote)))
	}
	x, ok := newSyntax(d)
	if o.syntax = x; !ok || o.Rewrite && !x.usual() {
		o.syntax, o.rewritten = rewrittenSyntax(x.delimiter, d.Delimiter == columnar.WideBlanks || d.Last > 0), true
	}
	return nil
}

// checkWidths is check for a file that a cutter makes plain.
func (o *Options) checkWidths() error {
	if d := &o.Dialect; d.Delimiter != "" || d.Quote != "" || d.Escape != "" || d.LineQuotes || d.Spaced {
		return fmt.Errorf("fields of fixed widths have no delimiters and quotes")
	}
	if n := len(o.Widths); n == 0 || n > maxPad {
		return fmt.Errorf("there cannot be %d widths of fields, at most %d", n, maxPad)
	}
	if slices.Max(o.Widths) < 1 {
		return fmt.Errorf("one field must be a character wide, at least")
	}
	for _, width := range o.Widths {
		if width == 0 || max(width, -width) > maxWidth {
			return fmt.Errorf("a field cannot be %d characters wide, at most %d", width, maxWidth)
		}
	}
	o.syntax, _ = newSyntax(&columnar.Dialect{Comment: o.Comment, Pad: o.Pad})
	o.syntax.rewritten = true
	return nil
}

// quoteOf returns the byte that encloses quoted fields, or -1 if there are none.
func quoteOf(d *columnar.Dialect) int {
	switch {
	case d.Unquoted:
		return -1
	case d.Quote == "":
		return '"'
	}
	return int(d.Quote[0])
}

// rewrittenSyntax returns the syntax of what a normalizer writes. within means that the delimiter
// stands in fields.
func rewrittenSyntax(delimiter string, within bool) syntax {
	if len(delimiter) > 1 || within {
		delimiter = Separator
	}
	return syntax{Quoting: doubleQuotes, delimiter: delimiter, rewritten: true}
}

const (
	// maxDelimiter is the maximum length of a delimiter in bytes.
	maxDelimiter = 4
	// maxPad is the maximum of Dialect.Pad, and of the number of Dialect.Widths.
	maxPad = 10_000
	// maxWidth is the maximum of each of them.
	maxWidth = 1 << 16
	// maxFields is the maximum of Dialect.Fields.
	maxFields = 1 << 20
)
