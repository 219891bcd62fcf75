// Package membroker is a broker within the process, for tests and simulations.
//
// It has no goroutines. What a broker does by itself, it does when Step is
// called: each call picks one thing that could happen next (a publish arrives, a
// confirm comes back, a message goes to a consumer, a handler is called, an
// acknowledgement arrives, a client reconnects) by the seed. With one goroutine
// calling Step and everything else called from there, the same seed gives the
// same run. Tests with goroutines of their own let Run call Step.
//
// Its troubles are those that were seen of RabbitMQ, at the moments and in the
// combinations that hurt: see Config for what happens by chance and Client.Cut,
// Client.Kill, Server.Crash for what is made to happen.
//
//   - A cut connection loses the acknowledgements on their way. Of the publishes
//     on their way some are lost, some arrive, some arrive after the client has
//     reconnected and published others. All are ErrUnconfirmed. Deliveries on
//     their way are dropped, or handled although they go to others as well.
//   - A crash of the broker brings acknowledged messages back, loses those that
//     were not confirmed or not, and forgets what was redelivered.
//   - The server may notice late that a client was killed. Until then the client's
//     connection holds messages, and others wait behind its subscriptions.
//   - Redelivered messages, and others, come in any order.
package membroker
