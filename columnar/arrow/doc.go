// Package arrow reads the columns of Arrow IPC files and streams as vectors, with many workers in
// parallel. Package ipc reads the metadata, and trusts none of it; the formats are described at
// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc.
//
// A file is divided into blocks of consecutive rows, each within one batch. Which rows a block has
// depends on the file and the block size alone. Only the columns that are asked for are read, and of
// these only the rows of a block, since batches may be as large as the file. A dictionary is the
// only thing that is read as a whole.
package arrow
