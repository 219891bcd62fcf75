// Package gateway is the front door of a cluster: a Flight server that takes
// uploads, scatters their batches, and hands the messages to the broker for the
// workers. Package protocol describes what clients say to it, package scatter what
// becomes of a batch.
//
// A gateway keeps no state of its own. When the broker has confirmed all messages of
// batch k, the client is told. If the gateway dies in between, the client sends k
// again, here or elsewhere, and receivers drop what they have. What it remembers of
// jobs are copies of what workers know.
//
// Nothing that a client sends is believed: bytes are checked before they are
// decoded, numbers before they are used, and all that is held for clients is
// bounded: messages, streams, requests to workers, jobs, and the bytes of batches
// between their receipt and the broker's confirmation. See admission.
//
// One stream has two goroutines. Its intake reads a batch, scatters it and hands the
// messages to the broker, one batch after the other. Its handler sends the answers
// and watches over time and failures. A broker.Publisher for all streams publishes
// again what was not confirmed.
package gateway
