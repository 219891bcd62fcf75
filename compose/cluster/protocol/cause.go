package protocol

import (
	"errors"

	"google.golang.org/grpc/status"

	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
)

// Cause tells programs which error made a job fail; "": another reason.
type Cause string

// ErrLost means that a job is lost with the state of a worker or a queue of the broker. It can be begun
// anew.
var ErrLost = errors.New("a part of the job is lost")

// The causes.
const (
	BadCast   Cause = "CAST"       // an expr.ErrCast
	Overflow  Cause = "OVERFLOW"   // an expr.ErrOverflow
	MuchText  Cause = "MUCH_TEXT"  // an expr.ErrMuchText
	NoNumber  Cause = "NO_NUMBER"  // an expr.ErrNoNumber
	NoPattern Cause = "NO_PATTERN" // an expr.ErrPattern
	Several   Cause = "SEVERAL"    // an expr.ErrSeveralRows
	LargeSum  Cause = "LARGE_SUM"  // an aggregate.ErrLargeSum
	Lost      Cause = "LOST"       // an ErrLost
)

// Causes returns all causes, and the error that each stands for.
func Causes() map[Cause]error {
	return map[Cause]error{
		BadCast: expr.ErrCast, Overflow: expr.ErrOverflow, MuchText: expr.ErrMuchText, NoNumber: expr.ErrNoNumber, NoPattern: expr.ErrPattern,
		Several: expr.ErrSeveralRows, LargeSum: aggregate.ErrLargeSum, Lost: ErrLost,
	}
}

// CauseOf returns the cause of an error of an operator, of an Error, or of a gRPC status that
// was an Error at a gateway; "" for other errors.
func CauseOf(err error) Cause {
	if err == nil {
		return ""
	}
	for cause, of := range Causes() {
		if errors.Is(err, of) {
			return cause
		}
	}
	if info := infoOf(status.Convert(err)); info != nil {
		return Cause(info.Metadata[causeKey])
	}
	return ""
}

// causeKey is the key of the cause in the details of a gRPC status.
const causeKey = "cause"
