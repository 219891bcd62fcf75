package broker

import "sync/atomic"

// Counters count what a Broker does, for metrics. They only grow. The Broker
// writes them, anybody may read them at any time.
type Counters struct {
	Published      atomic.Int64 // messages handed over
	PublishedBytes atomic.Int64 // bytes of their bodies
	Confirmed      atomic.Int64 // publishes that the broker has
	Returned       atomic.Int64 // publishes that found no queue
	Unconfirmed    atomic.Int64 // publishes with unknown result
	Delivered      atomic.Int64 // messages received
	DeliveredBytes atomic.Int64 // bytes of their bodies
	Redelivered    atomic.Int64 // messages received that were marked redelivered
	Acked          atomic.Int64 // acknowledgements sent
	Stale          atomic.Int64 // settlements of deliveries no longer held
	Connects       atomic.Int64 // connections made
	Disconnects    atomic.Int64 // connections lost
	Blocks         atomic.Int64 // times that the broker asked to pause publishing
}

// Each calls f with the name, a line of help and the value of each counter, always in
// the same order. Names are in snake case.
func (c *Counters) Each(f func(name, help string, value int64)) {
	f("published", "Messages handed to the broker.", c.Published.Load())
	f("published_bytes", "Bytes of messages handed to the broker.", c.PublishedBytes.Load())
	f("confirmed", "Publishes that the broker has confirmed.", c.Confirmed.Load())
	f("returned", "Publishes that found no queue.", c.Returned.Load())
	f("unconfirmed", "Publishes of which it is not known whether the broker has them.", c.Unconfirmed.Load())
	f("delivered", "Messages received.", c.Delivered.Load())
	f("delivered_bytes", "Bytes of messages received.", c.DeliveredBytes.Load())
	f("redelivered", "Messages received that were marked as delivered before.", c.Redelivered.Load())
	f("acked", "Messages acknowledged.", c.Acked.Load())
	f("stale", "Acknowledgements that came after the delivery was lost.", c.Stale.Load())
	f("connects", "Connections made.", c.Connects.Load())
	f("disconnects", "Connections lost.", c.Disconnects.Load())
	f("blocks", "Times that the broker asked to pause publishing.", c.Blocks.Load())
}
