// Package aggregate computes group-bys: one row per distinct key, with
// aggregates whose value does not depend on the order of rows.
//
// An aggregate goes through states: a partial aggregation turns rows into
// states, any number of merges put states of equal keys together, and a final
// one turns states into values. Partial aggregation runs before an exchange, so
// that little crosses it; the same states are what is spilled.
//
// Groups live in a table: records of words, found through a directory by the
// hash of their key. A record has the key's words, then those of each aggregate's
// state. A key of fixed-width columns is its words, with one more for nulls once
// there are any; another key is encoded as bytes in an arena that the record
// refers to. Lists and sums of floats are kept beside the records.
//
// Every byte is claimed from the budget as it is allocated. Over budget the table
// is written by partition of the key hash and emptied, and at the end the
// partitions are merged one after the other by an operator of the next level,
// which may do the same with another seed. Where groups hardly repeat, rows go
// to the partitions without passing through the table at all, and do so in memory
// as soon as the table is larger than the processor's cache; a streaming
// aggregation, which may emit a key several times, sends them on instead.
package aggregate
