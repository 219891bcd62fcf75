// Package protocol is what the processes of a cluster say to each other, each
// word defined once. It only describes and converts: everything in it is a
// function of its arguments.
//
//   - A job: Spec holds all that is fixed when a job is opened, and from it
//     everybody computes the same stages, queues, senders and receivers.
//   - Clients and gateways speak Arrow Flight
//     (https://arrow.apache.org/docs/format/Flight.html), as
//     docs/protocol.md describes it with examples, which tests hold to the code; any
//     Flight client that keeps to it can take part.
//   - Gateways and workers send Requests to a worker's control queue, and Responses
//     to the queue of who asked. A request is answered at least once and may
//     arrive twice; each is made so that doing it again changes nothing. What must
//     not get lost, the end of a job, is repeated by who decided it until
//     everybody has confirmed.
package protocol
