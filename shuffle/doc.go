// Package shuffle moves batches between stages: which receiver a row goes to,
// and how it gets there.
//
// A Router routes rows by xxhash64 of their key columns modulo the number of
// receivers (columnar.HashRows). An Outbox is the sending end of a task: it
// collects rows by receiver and sends them as record batches. A Queue is the
// receiving end, one for each input of each replica. It holds back a sender
// whose receiver is at work, but never one whose receiver is not listening yet:
// it keeps the rest on disk instead, as a broker would, so that a join can take
// its build side first without any sender waiting for another.
package shuffle
