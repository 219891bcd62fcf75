// Package broker defines what a node needs of a message broker: named queues, publish
// with confirmation, consume with acknowledgement. Package rabbit implements it on
// RabbitMQ, package membroker is an in-process broker for tests and simulations, and
// package brokertest holds both to this contract.
//
// # Guarantees
//
//  1. At least once. A message whose publish was confirmed is delivered until a
//     delivery of it is acknowledged, through any crash of broker or consumer.
//  2. Not at most once. A message may be delivered again even after an acknowledgement:
//     the acknowledgement is lost when the broker dies before writing it down.
//     The broker may or may not have kept an unconfirmed publish.
//  3. No order. Redelivered messages may come after later ones.
//  4. Redelivered is a hint. A broker that crashed forgets it.
//
// Receivers therefore deduplicate by the identity inside the body, and senders publish
// unconfirmed messages again with the same identity, as Publisher does.
//
// # Connections
//
// A Broker keeps reconnecting on its own, for ever. While the broker is away, or has
// asked for a pause because it is short of memory or disk, every call waits as
// long as its context allows; nothing else times out. A Broker never redeclares
// durable queues behind the caller's back: a missing queue means lost data, and the
// owner of the job has to know.
package broker
