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

// Each calls f with the name and value of each counter, always in the same
// order. Names are in snake case.
func (c *Counters) Each(f func(name string, value int64)) {
	f("published", c.Published.Load())
	f("published_bytes", c.PublishedBytes.Load())
	f("confirmed", c.Confirmed.Load())
	f("returned", c.Returned.Load())
	f("unconfirmed", c.Unconfirmed.Load())
	f("delivered", c.Delivered.Load())
	f("delivered_bytes", c.DeliveredBytes.Load())
	f("redelivered", c.Redelivered.Load())
	f("acked", c.Acked.Load())
	f("stale", c.Stale.Load())
	f("connects", c.Connects.Load())
	f("disconnects", c.Disconnects.Load())
	f("blocks", c.Blocks.Load())
}
