package broker

import "time"

// Delivery is one message handed to a consumer, which holds it until it calls
// Ack or Reject, or its connection is lost, or its subscription ends.
type Delivery struct {
	// Queue is where it came from.
	Queue string
	// Body may be kept, but not changed.
	Body []byte
	// Redelivered says that the broker remembers having delivered it before.
	// It may be wrong in both directions.
	Redelivered bool
	// Published is when its publisher sent it, by that one's clock; zero if the
	// message does not say.
	Published time.Time

	// Settle is what the Broker gives Ack and Reject to call, from any goroutine. It
	// returns ErrStale if the delivery is not held any more.
	Settle func(how Settlement) error
}

// Settlement is what becomes of a delivery.
type Settlement uint8

// The settlements.
const (
	// Ack: the broker may forget the message.
	Ack Settlement = iota
	// Requeue: the message goes back to its queue.
	Requeue
	// Discard: the broker drops the message.
	Discard
)

// Ack lets the broker forget the message. It may be called from any goroutine,
// and does not wait for the broker: nil means that the acknowledgement was sent,
// not that it arrived. Errors: ErrStale, after which the message comes again
// unless it was settled before.
func (d Delivery) Ack() error { return d.settle(Ack) }

// Reject gives the message back, to be delivered again, or drops it. Errors: as
// of Ack.
func (d Delivery) Reject(requeue bool) error {
	if requeue {
		return d.settle(Requeue)
	}
	return d.settle(Discard)
}

func (d Delivery) settle(how Settlement) error {
	if d.Settle == nil {
		return ErrStale
	}
	return d.Settle(how)
}
