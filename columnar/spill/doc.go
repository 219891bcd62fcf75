// Package spill keeps rows by partition, in memory while the budget allows and
// in a segment file of a scratch directory beyond that.
//
// It is the one way in which operators and queues hold more than memory does:
// an aggregate's partial states, both sides of a join, sorted runs and batches
// nobody has asked for yet are all rows of partitions that are written once and
// read back partition by partition.
package spill
