// Package aggregate computes group-bys: one row per distinct key, with
// aggregates whose value does not depend on the order of rows.
//
// An aggregate is computed through states. Partial aggregation turns rows into
// states, any number of merges combine the states of equal keys, and final
// aggregation turns states into results. Partial aggregation runs before an
// exchange, so that little data crosses it. Spills write the same states.
// Aggregates that differ in nothing but their parameter, such as quantiles of one
// column, share a state.
//
// Groups live in a table of records, which are runs of words. A directory finds
// a record by the hash of its key. A record holds the words of its key, then
// those of each aggregate's state. A key of fixed-width columns is one word per
// column, plus one word for nulls once there are any; any other key is encoded
// as bytes, in the record if it is short and else in an arena that the record
// refers to. Lists and long sums of floats are kept outside the records.
//
// Every byte is claimed from the budget as it is allocated. When the table
// exceeds the budget, it is spilled by partition of the key hash and emptied.
// At the end the partitions are merged one after the other by an operator of
// the next level, which may spill again with another seed. Where groups hardly
// repeat, rows bypass the table and go straight to the partitions. That happens
// in memory too, as soon as the table is larger than the processor's cache. A
// streaming aggregation, which may emit a key several times, sends such rows on
// instead.
package aggregate
