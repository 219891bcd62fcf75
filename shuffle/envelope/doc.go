// Package envelope puts what must be known of a message between stages in front
// of its body: which job and receiver it is for, who sent it, and which of the
// sender's messages it is. Identity, not order, carries correctness: a message
// may come late, twice or after any other, and is known by its Envelope.
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
//	offset 40  replica of the sender, uint32
//	offset 44  bytes of the body, uint32
//	offset 48  id, or how many ids there are, uint64
//	offset 56  rows, uint64
//	offset 64  xxhash64 of bytes 0 to 63 and the body
//	offset 72  body
//
// A body is compressed as one block of S2, if that saves an eighth of 4 KiB or more: states
// of groups, which are numbers that are small or repeat, get several times shorter, and a
// broker's work goes by the byte. S2: https://pkg.go.dev/github.com/klauspost/compress/s2
//
// The size of the header is a multiple of 8, so that the body of a message that
// begins at one in memory can be read where it lies.
//
// What a broker carries at once is one message or several, one behind the other, which
// Cut takes apart. That they came together means nothing.
//
// Append and Decode are the inverse of each other, and but for how a body is compressed no
// other bytes are a message. The checksum is that of the bytes that are carried. It finds
// faults; it is no defence against someone who writes messages on purpose, which is what
// the bounds are for and who may publish is for the broker to say.
package envelope
