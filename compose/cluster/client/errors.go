package client

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
)

// Errors that callers test for. They come wrapped with the operation that failed.
var (
	// ErrCutOff means that no gateway could be reached for too long, or did what it
	// was asked for. The job lives on.
	ErrCutOff = errors.New("the cluster cannot be reached")
	// ErrStuck is an ErrCutOff where the gateways answer, but workers or the broker do not.
	ErrStuck error = stuck{}
	// ErrLost means that the broker has lost messages of the job, which waits for them.
	ErrLost = errors.New("the broker has lost what it had confirmed")
	// ErrChanged means that a file has changed since its upload began.
	ErrChanged = errors.New("the file has changed since its upload began")
	// ErrUnknownFile means that nobody can tell whether a file has changed since its upload
	// began.
	ErrUnknownFile = errors.New("it is not known whether the file is the one whose upload began")
	// ErrWithinQuotes means that a file was cut into ranges within quotes without anybody noticing it before
	// they were read: the job has to be begun anew, and to read the file as a whole.
	ErrWithinQuotes = errors.New("a range begins within quotes, or outside, other than was guessed")
	// ErrHalfSent means that a file appended in part has to be completed first.
	ErrHalfSent = errors.New("a file was appended to it in part, and has to be appended again before anything else")
	// ErrClosing means that the tables of an open job have ended, or are about to.
	ErrClosing = errors.New("it is being closed")
	// ErrOvertaken means that another client has changed the table meanwhile.
	ErrOvertaken = errors.New("somebody else goes on with it")
	// ErrNoJournal means that this machine has no journal of the job.
	ErrNoJournal = errors.New("no upload of this job is known here")
)

type stuck struct{}

func (stuck) Error() string { return "the cluster has not gone on" }
func (stuck) Unwrap() error { return ErrCutOff }

// Error is a gateway's refusal; protocol.CodeOf returns its code.
type Error struct {
	Op   string // what was asked for
	Text string // the gateway's
	err  error
}

// Error returns the operation and the gateway's text.
func (e *Error) Error() string { return e.Op + ": " + e.Text }

// Unwrap returns the gRPC status and, if a value made the job fail, the error of package expr
// that did so.
func (e *Error) Unwrap() []error {
	if value := protocol.Causes()[protocol.CauseOf(e.err)]; value != nil {
		return []error{e.err, value}
	}
	return []error{e.err}
}

// refusal makes an Error of a failed call. Errors that do not come from a gateway are only
// wrapped.
func refusal(op, gateway string, err error) error {
	s, ok := status.FromError(err)
	if !ok {
		return fmt.Errorf("%s: gateway %s: %w", op, gateway, err)
	}
	return &Error{Op: op, Text: s.Message(), err: err}
}

// passing reports whether a retry later, or at another gateway, may succeed. ctx is the
// caller's.
func passing(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if errors.Is(err, io.EOF) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	switch status.Code(err) {
	case codes.Unavailable, codes.Aborted, codes.DeadlineExceeded, codes.Canceled:
		return true
	case codes.ResourceExhausted: // too many calls at once, unless the text says that something is too large
		return protocol.CodeOf(err) == ""
	}
	return false
}
