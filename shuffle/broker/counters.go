package broker

import "sync/atomic"

// Counters count what a Broker does. Their tags hold the names and help texts of the
// metrics. They only grow. The Broker writes them; anybody may read them at any time.
type Counters struct {
	Published      atomic.Int64 `metric:"published_total" help:"Messages handed to the broker."`
	PublishedBytes atomic.Int64 `metric:"published_bytes_total" help:"Bytes of messages handed to the broker."`
	Confirmed      atomic.Int64 `metric:"confirmed_total" help:"Publishes that the broker has confirmed."`
	Returned       atomic.Int64 `metric:"returned_total" help:"Publishes that found no queue."`
	Unconfirmed    atomic.Int64 `metric:"unconfirmed_total" help:"Publishes of which it is not known whether the broker has them."`
	Delivered      atomic.Int64 `metric:"delivered_total" help:"Messages received."`
	DeliveredBytes atomic.Int64 `metric:"delivered_bytes_total" help:"Bytes of messages received."`
	Redelivered    atomic.Int64 `metric:"redelivered_total" help:"Messages received that were marked as delivered before."`
	Acked          atomic.Int64 `metric:"acked_total" help:"Messages acknowledged."`
	Stale          atomic.Int64 `metric:"stale_total" help:"Acknowledgements that came after the delivery was lost."`
	Connects       atomic.Int64 `metric:"connects_total" help:"Connections made."`
	Disconnects    atomic.Int64 `metric:"disconnects_total" help:"Connections lost."`
	Blocks         atomic.Int64 `metric:"blocks_total" help:"Times that the broker asked to pause publishing."`
}
