// Package window computes functions of rows among their neighbours: a rank, the value
// of the row before, an aggregate of the rows of a frame.
//
// The rows of a partition are in a total order: by the keys of the window, then by its ties,
// then by all other columns. Rows with equal keys are peers. A frame is a run of rows. It moves
// with the row it belongs to, and never back.
//
// Package order sorts the rows by partition and order, and spills them if need be. The sorted
// rows are numbered through all partitions and put on a tape of blocks. A block is evaluated
// for all calls at once, as soon as the rows it depends on are known: a running sum needs no
// row after its own, a share of the partition needs the whole partition. Rows that no frame can
// reach any more are dropped. So a partition larger than memory is held only where a frame
// reaches that far, and then on disk. Each call that needs it reads it again from there, one
// block at a time.
package window
