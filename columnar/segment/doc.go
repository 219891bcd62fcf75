// Package segment keeps the state of operators on disk. Spilling and checkpointing share
// one mechanism: a file of record batches, grouped by partition, each of which can be read
// on its own.
//
// A segment is a valid Arrow IPC file, which any Arrow implementation can read. Package ipc
// writes it once, from front to back, and it is immutable afterwards. Its index is kept
// outside the file. A block is one record batch, or several that were written together; for
// every block the index has its partition, its position, its number of rows and the
// xxhash64 of its bytes.
//
//	ARROW1 | schema | block | block | … | footer | ARROW1
//
// No byte of a block is decoded before its length has been checked against the file and its
// hash against the index: Arrow's format has no checksums, and its readers trust every
// length in it.
//
// There are two places for segments, which differ in when a segment begins to exist:
//
//   - Scratch: a directory that is removed with the process. Nothing is synced.
//   - Store: the committed state of one operator replica. A manifest lists the segments
//     that exist; a commit replaces the manifest atomically. The file MANIFEST has two
//     frames (package frame): the index of all segments as JSON, and a payload that the
//     store does not interpret.
//
// Both report a full disk as ErrDiskFull and leave no partial files. Only a Store's errors
// can wrap vfs.ErrUnsure, after which the process must end.
package segment
