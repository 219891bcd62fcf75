package gateway

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/shuffle/broker"
)

var errStopping = protocol.Errorf(protocol.Trouble, "the gateway is stopping; go on at another one, or here when it is back")

// blocked returns the error for clients while the broker takes no messages. Uploads and
// requests to workers continue by themselves when it takes messages again.
func blocked(s broker.State) error {
	return protocol.Errorf(protocol.Busy, "the broker is %s; nothing is lost, and jobs go on when it has room again", s)
}

// refusal translates a worker's refusal into an error for the client, nil if the worker
// did not refuse.
func refusal(id protocol.JobID, r *protocol.Response) error {
	switch r.Code {
	case "":
		return nil
	case protocol.NoJob:
		return protocol.Errorf(protocol.NoJob, "there is no job %s; it was never opened here, or has ended long ago", id)
	case protocol.JobEnded:
		return protocol.Errorf(protocol.JobEnded, "job %s has ended: %s", id, r.Error)
	case protocol.JobFailed:
		return lost(id, r.Error, r.Cause)
	case protocol.Refused:
		return refused("worker %d: %s", r.Replica, r.Error)
	case protocol.TooMany:
		return protocol.Errorf(protocol.TooMany, "%s", r.Error)
	case protocol.NotOwner:
		return notOwner(id)
	}
	return protocol.Errorf(protocol.Trouble, "worker %d: %s; try again", r.Replica, r.Error)
}

// refused returns the error of an invalid request.
func refused(format string, args ...any) error {
	return protocol.Errorf(protocol.Refused, format, args...)
}

func notOwner(id protocol.JobID) error {
	return protocol.Errorf(protocol.NotOwner, "job %s is another client's", id)
}

// asStatus converts an error for gRPC: to its own status if it has one. An error of the
// broker or of a deadline tells the client what to do.
func asStatus(err error) error {
	if err == nil {
		return nil
	}
	var s interface{ GRPCStatus() *status.Status }
	switch {
	case errors.As(err, &s):
		return s.GRPCStatus().Err()
	case errors.Is(err, context.Canceled):
		return status.FromContextError(err).Err()
	case errors.Is(err, context.DeadlineExceeded):
		return protocol.Errorf(protocol.Trouble, "%v; try again", err)
	case errors.Is(err, broker.ErrClosed):
		return errStopping
	case errors.Is(err, scatter.ErrClosed):
		return protocol.Errorf(protocol.Trouble, "the job had to make room here for others; go on with a new stream")
	}
	text := vfs.Tellable(err, "")
	if cause := protocol.CauseOf(err); cause != "" {
		return &protocol.Error{Cause: cause, Text: text}
	}
	return status.Error(codes.Internal, text)
}

// lost returns the error of a job that cannot be finished.
func lost(id protocol.JobID, why string, cause protocol.Cause) error {
	return &protocol.Error{Code: protocol.JobFailed, Cause: cause, Text: fmt.Sprintf("job %s has failed: %s", id, why)}
}
