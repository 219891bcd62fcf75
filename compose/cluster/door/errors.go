package door

import (
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Reason tells programs what an error means where its gRPC code does not.
type Reason string

// The reasons. What is none of them has "".
const (
	NoJob    Reason = "NO_JOB"    // NotFound: there is no such job, or it was forgotten
	JobEnded Reason = "JOB_ENDED" // FailedPrecondition: done, cancelled or expired
	// JobFailed, with FailedPrecondition: the job cannot be finished; the message
	// says why.
	JobFailed Reason = "JOB_FAILED"
	NotOwner  Reason = "NOT_OWNER" // PermissionDenied: it is another client's
	NotReady  Reason = "NOT_READY" // FailedPrecondition: not yet, ask again later
	// TooLarge, with ResourceExhausted: a batch, or what becomes of it, does not
	// fit a message. Smaller blocks help.
	TooLarge Reason = "TOO_LARGE"
	// BadBatch, with InvalidArgument: bytes that are no batch of the scan.
	BadBatch Reason = "BAD_BATCH"
)

const domain = "analyzer"

// Errorf returns a gRPC status with a reason.
func Errorf(code codes.Code, reason Reason, format string, args ...any) error {
	s := status.New(code, fmt.Sprintf(format, args...))
	if with, err := s.WithDetails(&errdetails.ErrorInfo{Reason: string(reason), Domain: domain}); err == nil {
		s = with
	}
	return s.Err()
}

// ReasonOf returns the reason of an error that a gateway sent, "" if it gave none.
func ReasonOf(err error) Reason {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.Domain == domain {
			return Reason(info.Reason)
		}
	}
	return ""
}
