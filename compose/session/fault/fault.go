// Package fault says what kind of thing went wrong, where, and what to do next, so that a
// program can choose an exit status, a protocol its code, and neither reads messages.
package fault

import (
	"errors"
	"fmt"

	"analyzer/columnar/budget"
	"analyzer/operators/query/sql"
)

// Kind says whose turn it is after an error.
type Kind int

// The kinds.
const (
	Failed  Kind = iota // what was asked for is right, and it failed
	Usage               // what was asked for is wrong: a statement, a name, a parameter
	Input               // a file cannot be read, or is not the table it should be
	Stopped             // somebody stopped it
)

// Error is an error with its kind and what to do next.
type Error struct {
	Kind Kind
	Hint string // a sentence or command; may be empty
	Err  error  // nil when everything has been said
	File string // whose line it is about; may be empty
	Line int64
}

// Error returns the text of the error without the hint.
func (e *Error) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.Err }

// Place returns the part of the statement that the error is about, if it is about one.
func (e *Error) Place() (at sql.Span, known bool) {
	if mistake, ok := errors.AsType[*sql.Error](e.Err); ok {
		return mistake.At, true
	}
	return sql.Span{}, false
}

// WrongUsage is an error in what was asked for.
func WrongUsage(hint, format string, args ...any) error {
	return &Error{Kind: Usage, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// Failure is an error with a hint at what to do next.
func Failure(hint string, err error) error { return &Error{Kind: Failed, Hint: hint, Err: err} }

// BadInput is an error in the input files.
func BadInput(hint string, err error) error { return &Error{Kind: Input, Hint: hint, Err: err} }

// Interruption is an error of something that was stopped.
func Interruption(hint string, err error) error {
	return &Error{Kind: Stopped, Hint: hint, Err: err}
}

// InStatement makes a mistake in a statement an error that shows its place in the text, and
// says of one that is too much work what to do. Other errors stay as they are.
func InStatement(text string, err error) error {
	if much, ok := errors.AsType[*budget.WorkError](err); ok {
		return WrongUsage(much.Hint(), "%w", much)
	}
	if mistake, ok := errors.AsType[*sql.Error](err); ok {
		return WrongUsage(mistake.Hint, "%w", sql.Show(text, mistake))
	}
	return err
}

// Planning is an error of planning: what was asked for is too much work, or else the hint
// says what to do.
func Planning(hint string, err error) error {
	if much, ok := errors.AsType[*budget.WorkError](err); ok {
		hint = much.Hint()
	}
	return WrongUsage(hint, "%w", err)
}
