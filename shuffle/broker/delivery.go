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

	settler Settler
	tag     uint64
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

// Settler is the part of a Broker that deliveries are settled with. It knows
// them by tag, and returns ErrStale for a tag that it does not hold.
type Settler interface {
	Settle(tag uint64, how Settlement) error
}

// NewDelivery returns a delivery that the consumer settles with s by tag. It is
// for implementations of Broker.
func NewDelivery(queue string, body []byte, redelivered bool, s Settler, tag uint64) Delivery {
	return Delivery{Queue: queue, Body: body, Redelivered: redelivered, settler: s, tag: tag}
}

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
	if d.settler == nil {
		return ErrStale
	}
	return d.settler.Settle(d.tag, how)
}
