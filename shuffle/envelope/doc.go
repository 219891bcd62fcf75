// Package envelope puts what must be known of a message between stages in front
// of its body: which job and receiver it is for, who sent it, and which of the
// sender's messages it is. Identity, not order, carries correctness: a message
// may come late, twice or after any other, and is known by its Envelope.
//
// A message is a header of fixed size and the body; numbers are little endian.
//
//	offset 0   "anxm"
//	offset 4   version of the format, uint16
//	offset 6   kind, 1 data, 2 end
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
// The size of the header is a multiple of 8, so that the body of a message that
// begins at one in memory can be read where it lies.
//
// What a broker carries at once is one message or several, one behind the other, which
// Cut takes apart. That they came together means nothing.
//
// The encoding is canonical: Append and Decode are the inverse of each other,
// and no other bytes are a message. The checksum finds faults; it is no defence
// against someone who writes messages on purpose, which is what the bounds are
// for and who may publish is for the broker to say.
package envelope
