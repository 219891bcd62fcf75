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
	"analyzer/compose/answers"
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

// Kinds of errors, as JSON names them.
const (
	kindUsage   = "usage"
	kindInput   = "input"
	kindFailed  = "failed"
	kindStopped = "stopped"
)

func kindOf(kind fault.Kind) string {
	return map[fault.Kind]string{fault.Usage: kindUsage, fault.Input: kindInput, fault.Failed: kindFailed, fault.Stopped: kindStopped}[kind]
}

// Interrupted is the cause with which a signal cancels a context.
type Interrupted struct{ Signal os.Signal }

// Error names the signal.
func (e *Interrupted) Error() string { return "stopped by signal: " + e.Signal.String() }

// Message is what is said about an error.
type Message struct {
	Err    error
	Hint   string // what to do next
	Status int
	Kind   string // usage, input, failed, or stopped
	File   string // whose line it is about; may be empty
	Line   int64
}

// Report writes err to w by say, unless there is nothing to say, and returns the exit status.
// ctx is the context that the command ran in.
func Report(ctx context.Context, w io.Writer, say Style, err error) int {
	m := explain(ctx, err)
	if m.Err != nil {
		_, _ = io.WriteString(w, answers.VisibleLines(say(m))) // there is nobody left to tell
	}
	return m.Status
}

// explain returns the message about an error, or one without an error if all has been said.
func explain(ctx context.Context, err error) Message {
	if err == nil {
		return Message{Status: OK}
	}
	if stopped, ok := errors.AsType[*Interrupted](context.Cause(ctx)); ok {
		m := Message{Err: stopped, Hint: "No files were left behind; run the command again to begin anew.", Status: Failed, Kind: kindStopped}
		if own, ok := errors.AsType[*fault.Error](err); ok && own.Kind == fault.Stopped {
			m.Hint = own.Hint
		}
		if n, ok := stopped.Signal.(syscall.Signal); ok {
			m.Status = signal + int(n)
		}
		return m
	}
	if errors.Is(err, syscall.EPIPE) {
		// The reader of the answers has seen enough, as head does.
		return Message{Status: signal + int(syscall.SIGPIPE)}
	}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		m := Message{Hint: known.Hint, Status: statusOf(known.Kind), Kind: kindOf(known.Kind), File: known.File, Line: known.Line}
		if known.Err != nil {
			m.Err = err
		}
		return m
	}
	if input, ok := errors.AsType[*scan.InputError](err); ok {
		plain := *input
		plain.Hint = ""
		return Message{Err: &plain, Hint: inputHint(input), Status: Input, Kind: kindInput}
	}
	return Message{Err: err, Hint: failureHint(err), Status: Failed, Kind: kindFailed}
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
	case errors.Is(err, syscall.EFBIG):
		return "Next: allow larger files (ulimit -f), or name another directory."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "Next: allow access to the file or directory, or name another one."
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "Next: allow more open files (ulimit -n), or run with fewer --replicas."
	case errors.Is(err, syscall.EADDRINUSE):
		return "Next: end what listens there, or name another address (--listen, --http)."
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "Next: choose a shorter name."
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ELOOP):
		return "Next: name a file."
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "Next: name a directory."
	case errors.Is(err, fs.ErrNotExist):
		return "Next: check the name."
	}
	return "Next: run it again; if it fails again, report it with this message."
}
