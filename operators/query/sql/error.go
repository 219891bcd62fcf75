package sql

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"analyzer/columnar/budget"
)

// Span is a part of a text, in bytes from its beginning.
type Span struct{ Begin, End int }

// Join returns the span from the beginning of one to the end of another.
func (at Span) Join(to Span) Span { return Span{at.Begin, max(at.End, to.End)} }

// Error says what is wrong with a statement, where, and what to do about it.
type Error struct {
	At   Span
	What string
	Hint string // may be empty
	// Certain says that no other types of columns would mend it, so that nobody needs to read files for them.
	Certain bool
}

// Error returns what is wrong, without the position.
func (e *Error) Error() string { return e.What }

// whatBytes is how much is said about a mistake at most, though it may be about a text of any length.
const whatBytes = 600

// Wrong returns an error at a position in a statement.
func Wrong(at Span, hint, format string, args ...any) *Error {
	what := fmt.Sprintf(format, args...)
	if n := len(what); n > whatBytes {
		what = strings.ToValidUTF8(what[:whatBytes/2], "") + "…" + strings.ToValidUTF8(what[n-whatBytes/2:], "")
	}
	return &Error{At: at, Hint: hint, What: what}
}

// Certainly is Wrong for a mistake whatever the types of columns are, such as a name of nothing.
func Certainly(at Span, hint, format string, args ...any) *Error {
	e := Wrong(at, hint, format, args...)
	e.Certain = true
	return e
}

// Unsupported returns the error for a feature of the language that is not supported.
// what names the feature in the plural.
func Unsupported(at Span, hint, what string) *Error {
	return &Error{At: at, Hint: hint, What: what + " are not supported", Certain: true}
}

// UnsupportedTypes is Unsupported for what is supported for values of some types.
func UnsupportedTypes(at Span, hint, what string) *Error {
	return &Error{At: at, Hint: hint, What: what + " are not supported"}
}

// shownBytes is about how much of a long line is shown on each side of a mistake.
const shownBytes = 60

// Shown is an error with its place in a text, which its message shows.
type Shown struct {
	Line, Column int // from 1; columns are code points
	Err          error
	picture      string // the line, with carets below the place
}

// Error names the place, says what is wrong, and shows the line.
func (s *Shown) Error() string {
	return fmt.Sprintf("line %d, column %d: %v\n\n%s", s.Line, s.Column, s.Err, s.picture)
}

// Unwrap returns the error without its place.
func (s *Shown) Unwrap() error { return s.Err }

// Show adds to an error the line of the text that it is about, with carets below the
// position, as *Shown. It returns errors other than *Error unchanged.
func Show(text string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	at := min(max(e.At.Begin, 0), len(text))
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	line = strings.TrimRight(line, "\r")
	before, after := line[:min(at-begin, len(line))], line[min(at-begin, len(line)):]
	marked := max(e.At.End-at, 1)
	before, after = excerpt(before, after)
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, before)
	number, column := 1+strings.Count(text[:begin], "\n"), 1+utf8.RuneCountInString(text[begin:at])
	carets := strings.Repeat("^", max(utf8.RuneCountInString(after[:min(marked, len(after))]), 1))
	picture := fmt.Sprintf("  %s%s\n  %s%s", before, after, indent, carets)
	return &Shown{Line: number, Column: column, Err: err, picture: picture}
}

// excerpt returns what Show prints of a line before and after a position.
func excerpt(before, after string) (shownBefore, shownAfter string) {
	if n := len(before) - shownBytes; n > 0 {
		for n < len(before) && !utf8.RuneStart(before[n]) {
			n++
		}
		before = "…" + before[n:]
	}
	if n := shownBytes; n < len(after) {
		for n > 0 && !utf8.RuneStart(after[n]) {
			n--
		}
		after = after[:n] + "…"
	}
	return before, after
}

// Catch is deferred by exported functions that parse or bind. It recovers a panic with an
// *Error, or with the error of work that must stop, and stores the error in err; other panics
// go on. Parser and binder give up at the first mistake, however deep they are, so they panic
// with an *Error instead of returning it through every function.
func Catch(err *error) {
	switch mistake := recover().(type) {
	case nil:
	case *Error:
		*err = mistake
	case *budget.Stop:
		*err = mistake.Err
	default:
		panic(mistake)
	}
}

// TextOf returns the text in quotes that an expression must be.
func TextOf(e *Expr) string {
	if e.Kind != String {
		panic(Wrong(e.At, "", "a text in quotes is expected"))
	}
	return e.Text
}
