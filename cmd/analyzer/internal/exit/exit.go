// Package exit decides what a failed command prints, and its exit status.
//
// The program's exit status is a promise to scripts:
//
//	0    everything was done
//	1    it failed, or verify found a difference
//	2    the command line is wrong
//	3    the input is bad: a file cannot be read or is not the table it should
//	     be, or more rows were rejected than --max-rejects allows
//	130  interrupted; 128 + n for another signal n
package exit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
)

// The exit statuses.
const (
	OK     = 0
	Failed = 1
	Usage  = 2
	Input  = 3
	signal = 128 // plus the signal's number
)

// Stopped is the Status of an Error caused by a signal; Report then returns the status of
// that signal. The hint still counts.
const Stopped = signal

// Error is an error with an exit status and what to do next.
type Error struct {
	Status int
	Hint   string // a sentence or command; may be empty
	Err    error  // nil when everything has been printed
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

// WrongUsage is an error in the command line.
func WrongUsage(hint, format string, args ...any) error {
	return &Error{Status: Usage, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// Failure is an error with a hint at what to do next.
func Failure(hint string, err error) error { return &Error{Status: Failed, Hint: hint, Err: err} }

// BadInput is an error in the input files.
func BadInput(hint string, err error) error {
	return &Error{Status: Input, Hint: hint, Err: err}
}

// Interrupted is the cause with which a signal cancels a context.
type Interrupted struct{ Signal os.Signal }

// Error names the signal.
func (e *Interrupted) Error() string { return "stopped by signal: " + e.Signal.String() }

// Report prints err to w, with the hint on the last line, and returns the exit status. ctx is
// the context that the command ran in.
func Report(ctx context.Context, w io.Writer, err error) int {
	if err == nil {
		return OK
	}
	if stopped, ok := errors.AsType[*Interrupted](context.Cause(ctx)); ok {
		hint := "No files were left behind; run the command again to begin anew."
		if own, ok := errors.AsType[*Error](err); ok && own.Status == Stopped {
			hint = own.Hint
		}
		say(w, stopped, hint)
		if n, ok := stopped.Signal.(syscall.Signal); ok {
			return signal + int(n)
		}
		return Failed
	}
	if errors.Is(err, syscall.EPIPE) {
		// The reader of the answers has seen enough, as head does.
		return signal + int(syscall.SIGPIPE)
	}
	if known, ok := errors.AsType[*Error](err); ok {
		if known.Err != nil {
			say(w, err, known.Hint)
		}
		return known.Status
	}
	if input, ok := errors.AsType[*scan.InputError](err); ok {
		plain := *input
		plain.Hint = ""
		say(w, &plain, inputHint(input))
		return Input
	}
	say(w, err, failureHint(err))
	return Failed
}

func inputHint(e *scan.InputError) string {
	switch {
	case e.Reason == scan.ReasonTooManyRejects:
		return "Next: --rejects FILE keeps the rejected rows; a larger --max-rejects goes on."
	case strings.HasSuffix(e.Hint, "?"):
		return strings.ToUpper(e.Hint[:1]) + e.Hint[1:] + " Name another one with --table."
	case e.Hint != "":
		return "Next: " + e.Hint + "."
	}
	return "Next: mend the file, or name another one with --table."
}

func failureHint(err error) string {
	var exceeded *budget.ExceededError
	switch {
	case errors.As(err, &exceeded):
		return "Next: run it again with a larger --memory."
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "Next: free some space, or name another directory."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "Next: allow access to the file or directory, or name another one."
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "Next: allow more open files (ulimit -n), or run with fewer --replicas."
	case errors.Is(err, syscall.EADDRINUSE):
		return "Next: end what listens there, or name another address (--listen, --http)."
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ELOOP):
		return "Next: name a file."
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "Next: name a directory."
	case errors.Is(err, fs.ErrNotExist):
		return "Next: check the name."
	}
	return "Next: run it again; if it fails again, report it with this message."
}

// say writes a message, then the hint on a line of its own.
func say(w io.Writer, err error, hint string) {
	text := "analyzer: " + strings.TrimRight(err.Error(), "\n") + "\n"
	if hint != "" {
		text += hint + "\n"
	}
	_, _ = io.WriteString(w, text) // there is nobody left to tell
}
