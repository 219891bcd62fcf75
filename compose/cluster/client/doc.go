// Package client is the client's side of a cluster: it opens a job at a gateway, uploads the
// tables that the job's plan reads, and fetches the answers. Package protocol defines the
// messages, and package gateway serves them.
//
// # Upload
//
// Scans run here, phase by phase and table by table, on all cores, as they do in an embedded
// run. Each scan makes its batch k from block k of the table: the columns that the scan
// reads, for the rows that pass its cheap conditions and the key filters known so far.
// Dropping rows here only saves bandwidth; the gateway tests every row again. Blocks are
// large, since each batch is a message. They are read in parts that fit a processor's cache,
// by whichever goroutine is free, and the last part to come sends the batch. The client keeps
// each batch on its stream until a gateway has acknowledged it. When a stream breaks, the client
// sends the unacknowledged batches again, to the next gateway. Uploads are idempotent: batch k is
// a function of the file, so it does not matter how often it is sent, to whom, or by which
// process.
//
// # Resuming
//
// A Journal keeps on disk which batches were acknowledged, and a fingerprint of each file. A
// client that was cut off or killed can resume from it, and sends only the batches that are
// not known to be acknowledged. A file that has changed since is refused, because a job must
// not see two versions of one batch.
//
// # Patience
//
// A gateway that cannot be reached, or says Unavailable, is not a failure: calls are retried
// at one gateway after the other until none has succeeded for Config.Patience. The error then
// wraps ErrCutOff, and the job lives on without its client until its time to live is over.
// Likewise, a client does not wait forever for a cluster that only waits because the broker
// has lost messages: see ErrLost.
package client
