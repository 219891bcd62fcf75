// Package envelope puts a header in front of the body of a message between stages:
// which job and receiver the message is for, who sent it, and which of the
// sender's messages it is. Correctness rests on identity, not on order: a message
// may come late, twice or after any other, and its Envelope identifies it.
//
// A message is a header of fixed size and the body; numbers are little endian.
//
//	offset 0   "anxm"
//	offset 4   version of the format, uint16
//	offset 6   kind, 1 data, 2 end, and 128 more if the body is compressed
//	offset 7   kind of the sender, 1 scan, 2 stage
//	offset 8   job, 16 bytes
//	offset 24  node, uint32
//	offset 28  input, uint32
//	offset 32  replica of the receiver, uint32
//	offset 36  number of the sender, uint32
//	offset 40  replica of the sender, or split of the table that it scans, uint32
//	offset 44  bytes of the body, uint32
//	offset 48  id, or how many ids there are, uint64
//	offset 56  rows, uint64
//	offset 64  xxhash64 of bytes 0 to 63 and the body
//	offset 72  body
//
// A body of 4 KiB or more is compressed as one block of S2 if that saves at least an eighth
// of it: states of groups, which are small or repeated numbers, get several times shorter,
// and a broker's cost goes by the byte. S2: https://pkg.go.dev/github.com/klauspost/compress/s2
//
// The size of the header is a multiple of 8. So the body of a message that begins at a
// multiple of 8 in memory is aligned, too, and can be read in place.
//
// One message of the broker holds one message of this format or several, concatenated.
// Cut splits them. That they came together means nothing.
//
// Append and Decode are inverses. Every message has one encoding, but for how its body is
// compressed. The checksum covers the bytes as they are carried. It finds faults; it is no
// defence against forged messages. The bounds limit what those can do, and the broker
// decides who may publish.
package envelope
