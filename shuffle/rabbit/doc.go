// Package rabbit is the broker of package broker on RabbitMQ, 3.10 and later and
// 4.x, over AMQP 0-9-1. It is the only package that knows of RabbitMQ.
//
// # Words
//
//	here            RabbitMQ
//	Publish         basic.publish to the default exchange, persistent, mandatory,
//	                on a channel in confirm mode
//	ErrNoQueue      basic.return before the confirm; 404 to a consumer
//	ErrUnconfirmed  basic.nack, or a channel that ended before the confirm
//	Subscription    a channel of its own with a prefetch and one consumer
//	ErrStale        a delivery tag of a channel that is gone, or settled before:
//	                sent nevertheless, it would close the channel (406)
//	NoMemory, NoDisk
//	                connection.blocked, with what there is an alarm for
//
// # How it is built
//
// A link is one connection that is made again whenever it is lost, with a pause
// that grows and is randomly shortened. A Broker has two: one publishes; the
// other consumes, acknowledges and declares. During an alarm RabbitMQ stops
// reading from a connection that publishes, and acknowledgements sent on it would
// be stuck with the messages.
//
// The publisher owns one goroutine that writes and, for each channel, one that
// listens: to confirms, returns, alarms, and to a clock. A return is taken from
// an unbuffered channel before the confirm that follows it can be sent, so that
// one goroutine listening to both sees them in order. A publish that hangs in the
// socket cannot be called back; when nothing was confirmed for long, and there is
// no alarm, the listener closes the socket under it.
//
// The AMQP library tells of confirms in the order of publishing, and takes a message
// that was refused for one that is confirmed when a later confirm covers it. Of what
// it tells we believe which message it is about, and ask that message's own
// DeferredConfirmation the rest.
//
// The library waits for its users in places: every channel it notifies on
// is drained until the library closes it, and the socket is wrapped (type
// socket) so that the end of reading also ends a write that is stuck.
package rabbit
