// Package membroker is an in-process broker for tests and simulations.
//
// It has no goroutines. Whatever a broker does by itself happens when Step is
// called: each call picks, by the seed, one thing that could happen next (a publish
// arrives, a confirm comes back, a message goes to a consumer, a handler is called, an
// acknowledgement arrives, a client reconnects). If one goroutine calls Step and
// everything else runs within it, the same seed gives the same run. Tests with
// goroutines of their own let Run call Step.
//
// Its faults are those observed with RabbitMQ, at the moments and in the combinations
// that hurt. Config sets which faults happen by chance; Client.Cut, Client.Kill and
// Server.Crash cause them on demand.
//
//   - A cut connection loses acknowledgements in flight. Of the publishes
//     in flight some are lost, some arrive, some arrive after the client has
//     reconnected and published others. All are ErrUnconfirmed. Deliveries in
//     flight are dropped, or handled although they go to other consumers as well.
//   - A crash of the broker may bring acknowledged messages back, may lose
//     unconfirmed ones, and may forget which were redelivered.
//   - The server may notice late that a client was killed. Until then the client's
//     connection holds messages, and consumers wait behind its subscriptions.
//   - Messages, redelivered or not, come in any order.
package membroker
