package gateway

import (
	"sync/atomic"

	"analyzer/compose/cluster/monitor"
)

// Metrics counts what a gateway does. All but Streams, Held and Downloads only grow.
// The gateway writes them; anybody may read them at any time.
type Metrics struct {
	Streams   atomic.Int64 `metric:"streams" help:"Uploads that are open."`
	Held      atomic.Int64 `metric:"held_bytes" help:"Bytes of batches that are taken in and not yet confirmed by the broker, or promised room."`
	Downloads atomic.Int64 `metric:"downloads" help:"Answers that are being sent."`

	Uploads      atomic.Int64 `metric:"uploads_total" help:"Uploads begun."`
	Batches      atomic.Int64 `metric:"batches_total" help:"Batches taken in from clients, repeated ones included."`
	Rows         atomic.Int64 `metric:"rows_total" help:"Rows of batches taken in."`
	Bytes        atomic.Int64 `metric:"bytes_total" help:"Bytes of batches taken in, as they came."`
	Acked        atomic.Int64 `metric:"acked_total" help:"Batches that clients were told are safe."`
	Messages     atomic.Int64 `metric:"messages_total" help:"Messages of rows handed to the broker, each once; several may go as one, which counts as one."`
	MessageBytes atomic.Int64 `metric:"message_bytes_total" help:"Bytes of messages of rows handed to the broker."`
	Republished  atomic.Int64 `metric:"republished_total" help:"Messages handed to the broker again, since it did not confirm them."`
	Actions      atomic.Int64 `metric:"actions_total" help:"Actions that clients asked for."`
	Requests     atomic.Int64 `metric:"requests_total" help:"Requests to workers, each once."`
	Repeated     atomic.Int64 `metric:"repeated_total" help:"Requests to workers sent again, since no answer came."`
	Pages        atomic.Int64 `metric:"pages_total" help:"Pages of answers sent to clients."`
	Refused      atomic.Int64 `metric:"refused_total" help:"Calls of clients that ended with an error."`
	Panics       atomic.Int64 `metric:"panics_total" help:"Calls that ended with a fault of the program, which is to be reported."`

	BatchTook   monitor.Times `metric:"batch_seconds" help:"Time from the receipt of a batch to the broker's confirmation of all its messages."`
	RequestTook monitor.Times `metric:"request_seconds" help:"Time from a request to a worker to its answer."`
}

// Each shows all metrics.
func (m *Metrics) Each(show func(monitor.Metric)) { monitor.Fields(m, "", show) }
