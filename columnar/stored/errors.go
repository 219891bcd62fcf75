package stored

import (
	"errors"
	"fmt"
	"strings"
)

// Reasons of an InputError that this package gives.
const (
	ReasonUnknown = "not-a-csv-file"
	ReasonDamaged = "damaged"
)

// InputError says what is wrong with an input file, as opposed to a failure of the
// machine that reads it. Callers find it with errors.As.
type InputError struct {
	File   string
	Line   int64  // physical line, from 1; 0 if no line is at fault
	Column string // "" if no column is at fault
	Reason string // short and fixed, for programs
	Detail string // what is wrong, for people
	Hint   string // what to do about it; may be empty
	Err    error  // the cause, may be nil
}

// Error returns "file:line: column: detail: cause (hint)".
func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ": column %q", e.Column)
	}
	b.WriteString(": " + e.Detail)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// ErrTruncated is the cause of a failed read of a file that became shorter after it was opened.
var ErrTruncated = errors.New("the file became shorter while it was read")
