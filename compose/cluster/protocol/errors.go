package protocol

import (
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Code tells programs what an error means, between the processes of a cluster and
// towards clients, where gRPC's own code is too coarse. What is none of the codes
// has "".
type Code string

// The codes.
const (
	NoJob     Code = "NO_JOB"     // there is no such job, or it was forgotten
	JobExists Code = "JOB_EXISTS" // of this name, opened for something else
	JobEnded  Code = "JOB_ENDED"  // done, cancelled or expired
	JobFailed Code = "JOB_FAILED" // the job cannot be finished; the message says why
	NotOwner  Code = "NOT_OWNER"  // it is another client's
	NotReady  Code = "NOT_READY"  // not yet, ask again later
	// TooLarge means that a batch, or what becomes of it, does not fit a message.
	// Smaller blocks help.
	TooLarge Code = "TOO_LARGE"
	BadBatch Code = "BAD_BATCH" // bytes that are no batch of the scan
	Refused  Code = "REFUSED"   // the request makes no sense
	// LittleMemory means that a stage of the plan takes more memory, however small the
	// tables are, than a worker has for it.
	LittleMemory Code = "LITTLE_MEMORY"
	NoToken      Code = "NO_TOKEN" // no token was shown, or one that is not known
	Trouble      Code = "TROUBLE"  // something that may pass: try again, here or at another gateway
	// Busy means that it takes a while: everybody is there, and it is the turn of others,
	// or the broker has no room. Try again, for as long as it takes.
	Busy Code = "BUSY"
)

// grpcCodes are the gRPC codes that go with the codes.
var grpcCodes = map[Code]codes.Code{
	NoJob: codes.NotFound, JobExists: codes.AlreadyExists,
	JobEnded: codes.FailedPrecondition, JobFailed: codes.FailedPrecondition, NotReady: codes.FailedPrecondition, LittleMemory: codes.FailedPrecondition,
	NoToken: codes.Unauthenticated, NotOwner: codes.PermissionDenied, TooLarge: codes.ResourceExhausted,
	BadBatch: codes.InvalidArgument, Refused: codes.InvalidArgument,
	Trouble: codes.Unavailable, Busy: codes.Unavailable,
}

// GRPC returns the gRPC code that goes with a code.
func (c Code) GRPC() codes.Code {
	if of, known := grpcCodes[c]; known {
		return of
	}
	return codes.Unknown
}

const domain = "analyzer"

// Error is a refusal with a code. It travels as a gRPC status whose message is the
// text and whose details hold the code.
type Error struct {
	Code Code
	Text string // for people; says what to do
}

// Errorf returns an Error.
func Errorf(c Code, format string, args ...any) error {
	return &Error{Code: c, Text: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return e.Text }

// GRPCStatus is how gRPC sends the error.
func (e *Error) GRPCStatus() *status.Status {
	s := status.New(e.Code.GRPC(), e.Text)
	if with, err := s.WithDetails(&errdetails.ErrorInfo{Reason: string(e.Code), Domain: domain}); err == nil {
		s = with
	}
	return s
}

// CodeOf returns the code of an error that is an Error here or was one at a
// gateway, "" of others.
func CodeOf(err error) Code {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.Domain == domain {
			return Code(info.Reason)
		}
	}
	return ""
}
