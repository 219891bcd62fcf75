package gateway

import (
	"sync/atomic"

	"analyzer/compose/cluster/monitor"
)

// Metrics counts what a gateway does. All but Streams, Held and Downloads only grow.
// The gateway writes them, anybody may read them at any time.
type Metrics struct {
	Streams   atomic.Int64
	Held      atomic.Int64
	Downloads atomic.Int64

	Uploads      atomic.Int64
	Batches      atomic.Int64
	Rows         atomic.Int64
	Bytes        atomic.Int64
	Acked        atomic.Int64
	Messages     atomic.Int64
	MessageBytes atomic.Int64
	Republished  atomic.Int64
	Actions      atomic.Int64
	Requests     atomic.Int64
	Repeated     atomic.Int64
	Pages        atomic.Int64
	Refused      atomic.Int64
	Panics       atomic.Int64

	request, batch monitor.Times
}

// Each shows all metrics.
func (m *Metrics) Each(show func(monitor.Metric)) {
	number := func(name string, n *atomic.Int64, help string) {
		show(monitor.Metric{Name: name, Help: help, Value: float64(n.Load())})
	}
	number("streams", &m.Streams, "Uploads that are open.")
	number("held_bytes", &m.Held, "Bytes of batches that are taken in and not yet confirmed by the broker, or promised room.")
	number("downloads", &m.Downloads, "Answers that are being sent.")
	number("uploads_total", &m.Uploads, "Uploads begun.")
	number("batches_total", &m.Batches, "Batches taken in from clients, repeated ones included.")
	number("rows_total", &m.Rows, "Rows of batches taken in.")
	number("bytes_total", &m.Bytes, "Bytes of batches taken in, as they came.")
	number("acked_total", &m.Acked, "Batches that clients were told are safe.")
	number("messages_total", &m.Messages, "Messages of rows handed to the broker, each once; several may go as one, which counts as one.")
	number("message_bytes_total", &m.MessageBytes, "Bytes of messages of rows handed to the broker.")
	number("republished_total", &m.Republished, "Messages handed to the broker again, since it did not confirm them.")
	number("actions_total", &m.Actions, "Actions that clients asked for.")
	number("requests_total", &m.Requests, "Requests to workers, each once.")
	number("repeated_total", &m.Repeated, "Requests to workers sent again, since no answer came.")
	number("pages_total", &m.Pages, "Pages of answers sent to clients.")
	number("refused_total", &m.Refused, "Calls of clients that ended with an error.")
	number("panics_total", &m.Panics, "Calls that ended with a fault of the program, which is to be reported.")
	show(monitor.Metric{Name: "batch_seconds", Help: "Time from the receipt of a batch to the broker's confirmation of all its messages.", Times: &m.batch})
	show(monitor.Metric{Name: "request_seconds", Help: "Time from a request to a worker to its answer.", Times: &m.request})
}
