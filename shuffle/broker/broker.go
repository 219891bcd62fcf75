package broker

import (
	"context"
	"errors"
)

// MaxMessage is the largest size of a message, in bytes. RabbitMQ 4 refuses messages
// over 16 MiB, and large messages cost it much memory.
const MaxMessage = 8 << 20

// Broker is one process's access to a broker. All methods may be called
// concurrently.
type Broker interface {
	// Declare creates the queues that do not exist yet. Sender and receiver both
	// declare a queue, so that neither has to be first. Errors:
	// ErrMismatch when a queue exists but is not as described.
	Declare(ctx context.Context, queues ...Queue) error

	// Delete removes queues with all messages in them. Deleting a queue that does
	// not exist is not an error. Subscriptions to a deleted queue end with
	// ErrNoQueue.
	Delete(ctx context.Context, names ...string) error

	// Depth returns how many messages wait in the queues, all together. Messages that
	// a consumer holds do not count. A queue that does not exist has none.
	Depth(ctx context.Context, names ...string) (int, error)

	// Publish hands a persistent message for a queue to the broker. It returns
	// once the message has been handed over, and waits while too much is
	// unconfirmed. Then done is called exactly once, from another goroutine:
	// with nil when the broker has the message; with ErrNoQueue when there is
	// no such queue; with ErrUnconfirmed when it is unknown whether the broker
	// has the message, and the caller should publish it again. done must
	// neither block nor publish. The body must not change until done is called.
	//
	// When Publish returns an error, nothing was sent and done is not called.
	// Errors: ErrTooLarge, ErrClosed, or that of the context, which bounds the
	// hand-over only.
	Publish(ctx context.Context, queue string, body []byte, done func(error)) error

	// Consume calls handle for each message of a queue, one call at a time,
	// with at most prefetch unacknowledged deliveries (1 to MaxPrefetch).
	// It continues after a lost connection. Errors: ErrNoQueue, ErrClosed, or
	// that of the context, which bounds the start only.
	Consume(ctx context.Context, queue string, prefetch int, handle func(Delivery)) (Subscription, error)

	// Ready waits until the broker can be reached. Its error is that of the
	// context, and says why the broker could not be reached.
	Ready(ctx context.Context) error

	// State says whether the broker can be reached now.
	State() State

	// Close ends the connection and all subscriptions, and waits for the
	// goroutines and callbacks that the Broker started. Unconfirmed publishes end
	// with ErrUnconfirmed; unacknowledged deliveries go back to their queues. Close
	// does not wait for the broker, must not be called from handle or done, and may
	// be called again.
	Close() error
}

// MaxPrefetch is the largest prefetch that the protocol can express.
const MaxPrefetch = 1<<16 - 1

// Subscription is a running Consume.
type Subscription interface {
	// Cancel ends the subscription. It returns once handle is not running and
	// will not be called again. Unacknowledged deliveries then go back to
	// the queue. It must not be called from handle, and may be called again.
	Cancel()

	// Done is closed when handle will not be called again.
	Done() <-chan struct{}

	// Err is why the subscription ended, once Done is closed: nil after Cancel,
	// ErrNoQueue when the queue is gone, ErrClosed when the Broker was closed.
	Err() error
}

// State says whether a broker can be reached.
type State int32

// The states of a connection.
const (
	// Away: not connected; the Broker keeps trying to connect.
	Away State = iota
	// Connected: messages can flow both ways.
	Connected
	// NoMemory, NoDisk: connected, but the broker is short of memory or disk and takes
	// no messages until it has enough again. It still delivers.
	NoMemory
	NoDisk
)

// Blocked reports whether the broker is connected but takes no messages.
func (s State) Blocked() bool { return s == NoMemory || s == NoDisk }

func (s State) String() string {
	switch s {
	case Away:
		return "away"
	case Connected:
		return "connected"
	case NoMemory:
		return "blocked: memory alarm"
	case NoDisk:
		return "blocked: disk alarm"
	}
	return "unknown"
}

// Sentinel errors for callers to test with errors.Is. They come wrapped with the
// operation that failed.
var (
	// ErrNoQueue means that a queue does not exist.
	ErrNoQueue = errors.New("no such queue")
	// ErrUnconfirmed means that it is unknown whether the broker has a
	// message: publish it again.
	ErrUnconfirmed = errors.New("publish not confirmed")
	// ErrStale means that the consumer no longer holds a delivery: it was settled
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
