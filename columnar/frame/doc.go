// Package frame puts blocks of bytes into frames that tell what was written
// from what was not: a length, and checksums of the length and of the bytes.
//
//	offset 0   length of the payload, uint64 little endian
//	offset 8   xxhash64 of the payload
//	offset 16  xxhash64 of bytes 0 to 15
//	offset 24  payload
//
// The header has a checksum of its own, so that a length is believed before
// anything is allocated by it, and so that a frame that was cut off (ErrTorn,
// as a crash leaves behind at the end of a file) is told from one whose length
// was changed (ErrCorrupt). A cut is only known for one at the end of the bytes:
// bytes that are there and wrong are always corrupt.
//
// xxhash64 finds faults of disks and networks. It is no defence against someone
// who writes frames on purpose; that is what the bound on the length is for.
package frame
