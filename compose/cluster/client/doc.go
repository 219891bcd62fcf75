// Package client is the client's side of a cluster: it opens a job at a gateway,
// uploads the tables that the job's plan reads, and fetches the answers. Package
// protocol describes the language, and package gateway is who answers.
//
// # Upload
//
// Scans run here, phase by phase and table by table, with all cores, as they do
// in an embedded run. Of block k of a table each scan's batch k is made: the
// columns that the scan reads, of the rows that pass its cheap conditions and the
// key filters known by then. Leaving rows out saves the way only; the gateway
// tests them all again. Each batch goes out on a stream until a gateway has
// acknowledged it. When a stream breaks, what is not acknowledged is sent again
// to the next gateway. Since batch k is a function of the file, it does not matter
// how often it is sent, to whom, or by which process.
//
// # Resuming
//
// A Journal keeps on disk which batches were acknowledged, and a fingerprint of
// each file. A client that was cut off, killed or not, can go on with it: only
// what is not known to be acknowledged is sent. A file that has changed since is
// refused, because a job must not see two versions of one batch.
//
// # Patience
//
// A gateway that cannot be reached, or says Unavailable, is no failure: calls go
// on to the next one, again and again, until nothing has succeeded for
// Config.Patience. What fails then wraps ErrCutOff, and the job goes on living
// without its client until its time to live is over. Likewise a client does not wait
// for ever where the cluster does nothing but wait, since the broker has lost
// messages: ErrLost.
package client
