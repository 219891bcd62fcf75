package broker

import (
	"context"
	"errors"
)

// MaxMessage is how many bytes a message has at most. RabbitMQ 4 refuses messages
// over 16 MiB, and large messages cost it much memory.
const MaxMessage = 8 << 20

// Broker is one process's access to a broker. All methods may be called
// concurrently.
type Broker interface {
	// Declare makes queues that do not exist yet. Sender and receiver both
	// declare a queue, so that neither needs the other to be first. Errors:
	// ErrMismatch when a queue exists but is not as described.
	Declare(ctx context.Context, queues ...Queue) error

	// Delete removes queues with all messages in them. A queue that does not
	// exist is none to remove, not an error. Subscriptions to it end with
	// ErrNoQueue.
	Delete(ctx context.Context, names ...string) error

	// Depth returns how many messages of queues wait for a consumer. Those that one
	// holds are not among them. A queue that does not exist has none.
	Depth(ctx context.Context, names ...string) (int, error)

	// Publish hands a persistent message for a queue to the broker. It returns
	// once the message has been handed over, and waits while too much is
	// unconfirmed. Then done is called exactly once, from another goroutine:
	// with nil when the broker has the message; with ErrNoQueue when there is
	// no such queue; with ErrUnconfirmed when it is not known whether the
	// broker has the message, and it should be published again. done must not
	// wait for anything, nor publish. The body must not change until then.
	//
	// When Publish returns an error, nothing was sent and done is not called.
	// Errors: ErrTooLarge, ErrClosed, or that of the context, which bounds the
	// handing over only.
	Publish(ctx context.Context, queue string, body []byte, done func(error)) error

	// Consume calls handle for each message of a queue, one call at a time,
	// with at most prefetch deliveries not yet acknowledged (1 to MaxPrefetch).
	// It goes on after a lost connection. Errors: ErrNoQueue, ErrClosed, or
	// that of the context, which bounds the start only.
	Consume(ctx context.Context, queue string, prefetch int, handle func(Delivery)) (Subscription, error)

	// Ready waits until the broker can be reached. Its error is that of the
	// context, and says what the trouble was.
	Ready(ctx context.Context) error

	// State says whether the broker can be reached now.
	State() State

	// Close ends the connection and all subscriptions and waits for what it
	// started. Unconfirmed publishes are done with ErrUnconfirmed; deliveries
	// not acknowledged go back to their queues. It does not wait for the
	// broker, must not be called from handle or done, and may be called again.
	Close() error
}

// MaxPrefetch is the largest prefetch that the protocol can express.
const MaxPrefetch = 1<<16 - 1

// Subscription is a running Consume.
type Subscription interface {
	// Cancel ends the subscription and returns when handle is not running and
	// will not be called again. Deliveries not acknowledged by then go back to
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
	// Away: not connected; the connection is being tried again and again.
	Away State = iota
	// Connected: messages can flow both ways.
	Connected
	// NoMemory, NoDisk: connected, but the broker takes no messages until it has that
	// again. It still delivers.
	NoMemory
	NoDisk
)

// Blocked reports whether the broker takes no messages, although it is connected.
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
