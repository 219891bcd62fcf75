// Package segment keeps the state of operators on disk. Spilling and
// checkpointing are one mechanism: record batches, grouped by partition, in a
// file from which each can be read alone.
//
// A segment is a valid Arrow IPC file (any Arrow implementation reads it as it
// is), written by package ipc once, from front to back, and immutable after. Its index is kept
// outside: for every block, that is for every record batch, or several that were
// written together, the partition, where it lies, its rows and the xxhash64 of its
// bytes.
//
//	ARROW1 | schema | block | block | … | footer | ARROW1
//
// No byte of a block is decoded before its length was checked against the file
// and its hash against the index: Arrow's format has no checksums, and its
// readers believe every length in it.
//
// There are two homes for segments, which differ in when a file begins to exist:
//
//   - Scratch: a directory that goes away with the process. Nothing is synced.
//   - Store: the committed state of one operator replica. A manifest lists the
//     segments that exist; a commit replaces the manifest in one step. The file
//     MANIFEST is two frames (package frame): the index of all segments as JSON,
//     and a payload that the store does not look into.
//
// Both report a full disk as ErrDiskFull and leave no partial files; only a
// Store's errors can be vfs.ErrUnsure, after which the process must end.
package segment
