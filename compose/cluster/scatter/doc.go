// Package scatter makes of the rows of batch k of a scan one message for each
// receiver.
//
// A receiver is an input of a node behind an exchange, on one replica. Each gets
// exactly one message of a batch, empty or not, with the batch's number as its id:
// that is how receivers know what is missing. The bytes of a message are a function
// of the job, the receiver, the batch and the keys that are known of build sides;
// keys only leave out rows without a partner. So a batch may be scattered any number
// of times, by anybody.
//
// Nothing here waits, sends or looks at a clock. Gateways use it, and so do
// simulations.
package scatter
