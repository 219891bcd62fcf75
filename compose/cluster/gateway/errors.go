package gateway

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

var errStopping = status.Error(codes.Unavailable, "the gateway is stopping; go on at another one, or here when it is back")

// refusal returns a worker's refusal as a client is told it, nil if there is none.
func refusal(id protocol.JobID, r *protocol.Response) error {
	switch r.Code {
	case "":
		return nil
	case protocol.NoJob:
		return noJob(id)
	case protocol.JobEnded:
		return ended(id, r.Error)
	case protocol.JobFailed:
		return protocol.Errorf(codes.FailedPrecondition, protocol.JobFailed, "job %s has failed: %s", id, r.Error)
	case protocol.Refused:
		return status.Errorf(codes.InvalidArgument, "worker %d: %s", r.Replica, r.Error)
	case protocol.NotOwner:
		return notOwner(id)
	}
	return status.Errorf(codes.Unavailable, "worker %d: %s; try again", r.Replica, r.Error)
}

func noJob(id protocol.JobID) error {
	return protocol.Errorf(codes.NotFound, protocol.NoJob, "there is no job %s; it was never opened here, or has ended long ago", id)
}

func ended(id protocol.JobID, reason string) error {
	return protocol.Errorf(codes.FailedPrecondition, protocol.JobEnded, "job %s has ended: %s", id, reason)
}

func notOwner(id protocol.JobID) error {
	return protocol.Errorf(codes.PermissionDenied, protocol.NotOwner, "job %s is another client's", id)
}

// asStatus returns an error as gRPC sends it: its own status if it has one, and
// what a client should do if it is of the broker or of time running out.
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
		return status.Error(codes.Unavailable, err.Error()+"; try again")
	case errors.Is(err, broker.ErrClosed):
		return errStopping
	}
	return status.Error(codes.Internal, err.Error())
}

// badRequest says that a body could not be read.
func badRequest(what string, err error) error {
	return status.Error(codes.InvalidArgument, fmt.Sprintf("%s: %v", what, err))
}

// lost says that a job cannot be finished.
func lost(id protocol.JobID, why string) error {
	return protocol.Errorf(codes.FailedPrecondition, protocol.JobFailed, "job %s has failed: %s", id, why)
}
