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
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
)

// The exit statuses.
const (
	OK     = 0
	Failed = 1
	Usage  = 2
	Input  = 3
	signal = 128 // plus the signal's number
)

// statusOf returns the exit status of a kind of error.
func statusOf(kind fault.Kind) int {
	switch kind {
	case fault.Usage:
		return Usage
	case fault.Input:
		return Input
	}
	return Failed
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
		if own, ok := errors.AsType[*fault.Error](err); ok && own.Kind == fault.Stopped {
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
	if known, ok := errors.AsType[*fault.Error](err); ok {
		if known.Err != nil {
			say(w, err, known.Hint)
		}
		return statusOf(known.Kind)
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
	case vfs.DiskFull(err):
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
