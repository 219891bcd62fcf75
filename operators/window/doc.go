// Package window computes functions of rows among their neighbours: a rank, the value
// of the row before, an aggregate of the rows of a frame.
//
// The rows of a partition stand in a total order: by the keys of the window, then by
// its ties, then by all other columns. Rows that agree in the keys are peers. A frame
// is a run of rows that moves with the row it is of, never back.
//
// The rows are sorted by partition and order, by package order, which spills. Behind
// the sort they are numbered through all partitions and lie on a tape of blocks. A
// block is evaluated for all calls at once, as far as what it takes is known: a running
// sum needs nothing behind its row, a share of its partition the whole of that. What no
// frame can reach any more is dropped. So a partition that is larger than memory is
// held only where a frame reaches that far, and then on disk, where it is read again by
// each that needs it, a block at a time.
package window
