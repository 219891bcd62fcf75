// Package gateway is the front door of a cluster: a Flight server that takes
// uploads, runs the scan stages of jobs on their batches, and hands the rows to
// the workers through the broker. Package door describes what clients say to it.
//
// A gateway keeps no state of its own. Batch k of a scan becomes exactly one
// message for each receiver of each outlet, empty or not, with id k; when the
// broker has confirmed them all, the client is told. If the gateway dies in
// between, the client sends k again, here or elsewhere, and receivers drop what
// they have. What it remembers of jobs are copies of what workers know.
//
// Nothing that a client sends is believed: bytes are checked before they are
// decoded, numbers before they are used, and all that is held for clients is
// bounded: messages, streams, requests to workers, jobs, and the bytes of batches
// between their receipt and the broker's confirmation.
//
// One stream has two goroutines. Its intake reads a batch, runs the scan stage
// over it and hands the messages to the broker, one batch after the other. Its
// handler sends the answers and watches over time and failures. Messages that the
// broker did not confirm are published again by one goroutine for all streams.
package gateway
