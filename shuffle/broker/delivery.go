package broker

import "time"

// Delivery is one message handed to a consumer, which holds it until it calls
// Ack or Requeue, or its connection is lost, or its subscription ends.
type Delivery struct {
	// Body may be kept, but not changed.
	Body []byte
	// Redelivered says that the broker remembers having delivered it before.
	// It may be wrong in both directions.
	Redelivered bool
	// Published is when the publisher sent the message, by the publisher's clock;
	// zero if the message does not say.
	Published time.Time

	// Settle is set by the Broker for Ack and Requeue to call, from any goroutine. It
	// returns ErrStale if the consumer no longer holds the delivery.
	Settle func(ack bool) error
}

// Ack lets the broker forget the message. It may be called from any goroutine,
// and does not wait for the broker: nil means that the acknowledgement was sent,
// not that it arrived. Errors: ErrStale, after which the message comes again
// unless it was settled before.
func (d Delivery) Ack() error { return d.settle(true) }

// Requeue gives the message back, to be delivered again. Errors: as for Ack.
func (d Delivery) Requeue() error { return d.settle(false) }

func (d Delivery) settle(ack bool) error {
	if d.Settle == nil {
		return ErrStale
	}
	return d.Settle(ack)
}
