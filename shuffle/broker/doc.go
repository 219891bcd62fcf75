// Package broker is what a node needs of a message broker: named queues, publish
// with confirmation, consume with acknowledgement. Package rabbit speaks to
// RabbitMQ, package membroker is a broker within the process for tests and
// simulations, and package brokertest holds both to this contract.
//
// # What is promised
//
//  1. At least once. A message whose publish was confirmed is delivered until a
//     delivery of it is acknowledged, through any crash of broker or consumer.
//  2. Not at most once. It may be delivered again even after an acknowledgement:
//     an acknowledgement is lost when the broker dies before writing it down.
//     An unconfirmed publish may have been kept or not.
//  3. No order. Redelivered messages may come after later ones.
//  4. Redelivered is a hint. A broker that crashed forgets it.
//
// Receivers therefore drop what they have seen by the identity inside the body,
// and senders publish again, with the same identity, what was not confirmed, as
// Publisher does.
//
// # Connections
//
// A Broker reconnects on its own, for ever. While the broker is away, or has
// asked for a pause because it is short of memory or disk, every call waits as
// long as its context lets it; nothing else times out. Durable queues are never
// declared again behind the caller's back: a queue that has gone missing is lost
// data, which the owner of the job has to know.
package broker
