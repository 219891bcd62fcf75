// Package rabbit implements package broker on RabbitMQ, 3.10 and later and 4.x, over
// AMQP 0-9-1. It is the only package that uses the AMQP library.
//
// # Words
//
//	here            RabbitMQ
//	Publish         basic.publish to the default exchange, persistent, mandatory,
//	                on a channel in confirm mode
//	ErrNoQueue      basic.return before the confirm; 404 to a consumer
//	ErrUnconfirmed  basic.nack, or a channel that ended before the confirm
//	Subscription    a consumer with a prefetch, on a channel that it may share
//	ErrStale        a delivery tag of a channel that is gone, or settled before:
//	                sent nevertheless, it would close the channel (406)
//	NoMemory, NoDisk
//	                connection.blocked, with what there is an alarm for
//
// # How it is built
//
// A link is one connection that reconnects whenever it is lost, with exponential
// backoff and jitter. A Broker has two: one publishes; the other consumes,
// acknowledges and declares. During an alarm RabbitMQ stops reading from a
// connection that publishes, and acknowledgements sent on it would be stuck behind
// the messages.
//
// The publisher owns one goroutine that writes and, for each AMQP channel, one that
// listens: to confirms, returns, alarms, and a clock. Returns come by an unbuffered
// Go channel, so the listener takes a return before the library can send the confirm
// that follows it, and one goroutine sees both in order. A publish that hangs in the
// socket cannot be cancelled; when nothing was confirmed for long, and there is
// no alarm, the listener closes the socket under it.
//
// The AMQP library reports confirms in the order of publishing, and reports a refused
// message as confirmed when a later confirm covers it. So we take only the delivery
// tag from its report, and the outcome from that message's own
// DeferredConfirmation.
//
// The library blocks on its users in some places. So we drain every channel it
// notifies on until the library closes it, and wrap the socket (type socket) so that
// the end of reading also ends a stuck write.
package rabbit
