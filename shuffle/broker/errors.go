package broker

import "errors"

// Errors to decide by. They come wrapped with what was being done.
var (
	// ErrNoQueue means that a queue does not exist.
	ErrNoQueue = errors.New("no such queue")
	// ErrUnconfirmed means that it is not known whether the broker has a
	// message: publish it again.
	ErrUnconfirmed = errors.New("publish not confirmed")
	// ErrStale means that a delivery is not held any more: it was settled
	// before, or the connection it came by is gone. The message comes again
	// unless it was acknowledged.
	ErrStale = errors.New("delivery no longer held")
	// ErrMismatch means that a queue exists, but not as described, or that it
	// belongs to another connection.
	ErrMismatch = errors.New("queue exists and is not as declared")
	// ErrTooLarge means that a message has more than MaxMessage bytes.
	ErrTooLarge = errors.New("message too large")
	// ErrClosed means that the Broker has been closed.
	ErrClosed = errors.New("broker closed")
)
