package protocol

import (
	"cmp"
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Code tells programs what an error means, between the processes of a cluster and
// towards clients, where gRPC's own code is too coarse. Other errors have Code "".
type Code string

// The codes.
const (
	NoJob     Code = "NO_JOB"     // there is no such job, or it was forgotten
	JobExists Code = "JOB_EXISTS" // a job of this name was opened for something else
	JobEnded  Code = "JOB_ENDED"  // done, cancelled or expired
	JobFailed Code = "JOB_FAILED" // the job cannot be finished; the message says why
	NotOwner  Code = "NOT_OWNER"  // the job is another client's
	NotReady  Code = "NOT_READY"  // not yet, ask again later
	// TooLarge means that a batch, or one of the messages made of it, is too large.
	// Smaller blocks help.
	TooLarge Code = "TOO_LARGE"
	BadBatch Code = "BAD_BATCH" // bytes that are no batch of the scan
	Refused  Code = "REFUSED"   // the request makes no sense
	// LittleMemory means that a stage of the plan needs more memory than a worker has for
	// it, however small the tables are.
	LittleMemory Code = "LITTLE_MEMORY"
	// TooMany means that the client, or all clients together, have as many jobs as they may.
	// Ending some of them helps.
	TooMany Code = "TOO_MANY"
	NoToken Code = "NO_TOKEN" // the token is missing or unknown
	Trouble Code = "TROUBLE"  // a transient error: retry, here or at another gateway
	// Busy means that nothing is broken, but other clients take all places, or the broker
	// has no room. Retry for as long as it takes.
	Busy Code = "BUSY"
)

// grpcCodes maps each code to its gRPC code.
var grpcCodes = map[Code]codes.Code{
	NoJob: codes.NotFound, JobExists: codes.AlreadyExists,
	JobEnded: codes.FailedPrecondition, JobFailed: codes.FailedPrecondition, NotReady: codes.FailedPrecondition, LittleMemory: codes.FailedPrecondition,
	NoToken: codes.Unauthenticated, NotOwner: codes.PermissionDenied, TooLarge: codes.ResourceExhausted, TooMany: codes.ResourceExhausted,
	BadBatch: codes.InvalidArgument, Refused: codes.InvalidArgument,
	Trouble: codes.Unavailable, Busy: codes.Unavailable,
}

// GRPC returns the gRPC code for a code.
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
	Code  Code
	Cause Cause
	Text  string // for people; says what to do
}

// Errorf returns an Error. If one of args is an error, it has the same cause.
func Errorf(c Code, format string, args ...any) error {
	e := &Error{Code: c, Text: fmt.Sprintf(format, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			e.Cause = cmp.Or(e.Cause, CauseOf(err))
		}
	}
	return e
}

func (e *Error) Error() string { return e.Text }

// GRPCStatus returns the status as which gRPC sends the error.
func (e *Error) GRPCStatus() *status.Status {
	s := status.New(e.Code.GRPC(), e.Text)
	info := &errdetails.ErrorInfo{Reason: string(e.Code), Domain: domain}
	if e.Cause != "" {
		info.Metadata = map[string]string{causeKey: string(e.Cause)}
	}
	if with, err := s.WithDetails(info); err == nil {
		s = with
	}
	return s
}

// CodeOf returns the code of an Error, or of a gRPC status that was an Error at a gateway;
// "" for other errors.
func CodeOf(err error) Code {
	if info := infoOf(status.Convert(err)); info != nil {
		return Code(info.Reason)
	}
	return ""
}

// infoOf returns what programs are told by the status of an Error; nil for another status.
func infoOf(s *status.Status) *errdetails.ErrorInfo {
	for _, d := range s.Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.Domain == domain {
			return info
		}
	}
	return nil
}
