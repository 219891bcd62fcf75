package protocol

import (
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Code tells programs what an error means, between the processes of a cluster
// and towards clients, where gRPC's own code is too coarse.
type Code string

// The codes, with the gRPC code that goes with them. What is none of them has "".
const (
	NoJob    Code = "NO_JOB"    // NotFound: there is no such job, or it was forgotten
	JobEnded Code = "JOB_ENDED" // FailedPrecondition: done, cancelled or expired
	// JobFailed, with FailedPrecondition: the job cannot be finished; the message
	// says why.
	JobFailed Code = "JOB_FAILED"
	NotOwner  Code = "NOT_OWNER" // PermissionDenied: it is another client's
	NotReady  Code = "NOT_READY" // FailedPrecondition: not yet, ask again later
	// TooLarge, with ResourceExhausted: a batch, or what becomes of it, does not
	// fit a message. Smaller blocks help.
	TooLarge Code = "TOO_LARGE"
	// BadBatch, with InvalidArgument: bytes that are no batch of the scan.
	BadBatch Code = "BAD_BATCH"
	// Refused comes from workers only: the request makes no sense.
	Refused Code = "REFUSED"
	// Trouble comes from workers only: try again.
	Trouble Code = "TROUBLE"
)

// Error is a worker's refusal.
type Error struct {
	Code Code
	Text string
}

func (e *Error) Error() string { return e.Text }

const domain = "analyzer"

// Errorf returns a gRPC status that carries a code.
func Errorf(code codes.Code, c Code, format string, args ...any) error {
	s := status.New(code, fmt.Sprintf(format, args...))
	if with, err := s.WithDetails(&errdetails.ErrorInfo{Reason: string(c), Domain: domain}); err == nil {
		s = with
	}
	return s.Err()
}

// CodeOf returns the code of an error that a gateway sent, "" if it gave none.
func CodeOf(err error) Code {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.Domain == domain {
			return Code(info.Reason)
		}
	}
	return ""
}
