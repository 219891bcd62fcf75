package gateway

import "sync/atomic"

// Metrics counts what a gateway does. All but Streams, Held and Downloads only grow.
// The gateway writes them, anybody may read them at any time.
type Metrics struct {
	Streams   atomic.Int64 // uploads that are open
	Held      atomic.Int64 // bytes of batches held
	Downloads atomic.Int64 // answers that are being sent

	Uploads      atomic.Int64 // uploads begun
	Batches      atomic.Int64 // taken in
	Rows         atomic.Int64 // of them
	Bytes        atomic.Int64 // of them, as they came
	Acked        atomic.Int64 // batches that clients were told of
	Messages     atomic.Int64 // handed to the broker, each once
	MessageBytes atomic.Int64 // of their bodies
	Republished  atomic.Int64 // messages handed over again
	Actions      atomic.Int64 // asked for
	Requests     atomic.Int64 // to workers, each once
	Repeated     atomic.Int64 // requests sent again
	Pages        atomic.Int64 // of answers sent
	Refused      atomic.Int64 // calls that ended with an error
	Panics       atomic.Int64 // calls that ended with a fault of the program
}

// Each calls f with the name and value of each metric, always in the same order.
// Names are in snake case.
func (m *Metrics) Each(f func(name string, value int64)) {
	f("streams", m.Streams.Load())
	f("held_bytes", m.Held.Load())
	f("downloads", m.Downloads.Load())
	f("uploads", m.Uploads.Load())
	f("batches", m.Batches.Load())
	f("rows", m.Rows.Load())
	f("bytes", m.Bytes.Load())
	f("acked", m.Acked.Load())
	f("messages", m.Messages.Load())
	f("message_bytes", m.MessageBytes.Load())
	f("republished", m.Republished.Load())
	f("actions", m.Actions.Load())
	f("requests", m.Requests.Load())
	f("repeated", m.Repeated.Load())
	f("pages", m.Pages.Load())
	f("refused", m.Refused.Load())
	f("panics", m.Panics.Load())
}
