package sql

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Span is a part of a text, in bytes from its beginning.
type Span struct{ Begin, End int }

// Join returns the span from the beginning of s to the end of t.
func (s Span) Join(t Span) Span { return Span{s.Begin, max(s.End, t.End)} }

// Error says what is wrong with a statement, where, and what to do about it.
type Error struct {
	At   Span
	What string
	Hint string // may be empty
}

// Error returns what is wrong, without the place.
func (e *Error) Error() string { return e.What }

// Wrong is an error at a place of a statement.
func Wrong(at Span, hint, format string, args ...any) *Error {
	return &Error{At: at, Hint: hint, What: fmt.Sprintf(format, args...)}
}

// Unsupported is the error of something that is part of the language and cannot
// be answered. what is named in the plural.
func Unsupported(at Span, hint, what string) *Error {
	return &Error{At: at, Hint: hint, What: what + " are not supported"}
}

// shownBytes is about how much of a long line is shown on each side of a mistake.
const shownBytes = 60

// Show returns an error with the line of the text that it is about, and a caret
// below the place. Other errors than *Error it returns as they are.
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
	marked := utf8.RuneCountInString(after[:min(max(e.At.End-at, 1), len(after))])
	before, after = excerpt(before, after)
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, before)
	number, column := 1+strings.Count(text[:begin], "\n"), 1+utf8.RuneCountInString(text[begin:at]) // in code points
	return fmt.Errorf("line %d, column %d: %w\n\n  %s%s\n  %s%s",
		number, column, err, before, after, indent, strings.Repeat("^", max(marked, 1)))
}

// excerpt returns what is shown of a line before and behind a place.
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

// Catch returns the mistake that whoever reads or binds a statement came upon. They give
// up at the first one, wherever they are, and so do not hand it up from each of their
// functions to the next: they panic with an *Error, which gets no further than to the
// function of the package that was called, where this is deferred.
func Catch(err *error) {
	switch mistake := recover().(type) {
	case nil:
	case *Error:
		*err = mistake
	default:
		panic(mistake)
	}
}
