// Package protocol is what the processes of a cluster say to each other, each
// word defined once. It only describes and converts: everything in it is a
// function of its arguments.
//
//   - A job: Spec holds all that is fixed when a job is opened, and from it
//     everybody computes the same stages, queues, senders and receivers.
//   - Clients and gateways speak Arrow Flight
//     (https://arrow.apache.org/docs/format/Flight.html), with the actions,
//     tickets and metadata below; any Flight client that keeps to it can take part.
//   - Gateways and workers send Requests to a worker's control queue, and Responses
//     to the queue of who asked. A request is answered at least once and may
//     arrive twice; each is made so that doing it again changes nothing. What must
//     not get lost, the end of a job, is repeated by who decided it until
//     everybody has confirmed.
//
// # Actions of clients
//
// A request and the first result are JSON. All but Open and List speak of one
// job.
//
//	open      OpenRequest   Opened         plan a job and have every worker take part; returns when that is durable
//	describe  JobRequest    Spec
//	status    JobRequest    Status         of all replicas in one
//	list      {}            List           the caller's jobs
//	keys      KeysRequest   Keys           key hashes of a join's build side; if Keys.Count > 0, a second result holds them, see DecodeKeys
//	endtable  TableEnd      {}             a table has so many batches; returns when every receiver will know
//	end       JobEnd        {}             end a job, whether done or not; its answers go with it
//
// Every action may be repeated after a failure, and changes nothing the second
// time, but for Open, which makes a new job.
//
// # Upload
//
// DoPut takes the rows of one scan. The descriptor is a command holding a Put as
// JSON, and comes with or before the schema, which is that of UploadSchema. Then
// each message is one batch, in any order; its application metadata is the number
// of the batch (EncodeNumber). A message with a number and nothing else is a batch
// without rows. A body that does not fit MaxMessage goes on in messages that have a
// part of it each, and nothing else, until it is as long as its header says; a
// gateway waits some seconds for each. Buffers must not be compressed, and there are
// no dictionaries.
//
// Batch k holds rows of block k of the table's file, where a block is what
// Spec.Block bytes of the decompressed file begin. It is a fixed function of
// the file: whoever sends it, and how often, it is the same batch. A client may
// leave out rows that do not pass the scan's conditions or key filters; the
// gateway tests them all again.
//
// For each batch that the broker has taken over for every receiver, the gateway
// answers with a PutResult whose application metadata is the batch's number. A
// batch without such an answer must be sent again, to any gateway. A client sends
// some batches ahead of the answers, up to Window; a gateway stops to read from
// one that does not wait for them. After the last batch the client closes its
// side and reads to the end of the results.
//
// # Answers
//
// DoGet takes a Ticket as JSON and streams an answer from one of its pages on:
// the schema, then one message per page whose application metadata is the page's
// number. It fails with NotReady while the answer is not there.
//
// # Who may do what
//
// A client shows a token with every call (WithToken). A job belongs to the name
// of the token that opened it, and nobody else can do anything with it.
//
// Errors are gRPC statuses whose messages say what to do. CodeOf tells programs
// those apart that share a code. Unavailable, and losing the connection, mean: try
// again, here or at another gateway.
//
// No message to a gateway is longer than MaxMessage, and none from it longer than
// MaxPage; both sides set these limits. A longer one ends the call with gRPC's own
// ResourceExhausted, which has no reason: who sends batches looks at their size
// before.
package protocol
