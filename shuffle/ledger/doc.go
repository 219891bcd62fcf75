// Package ledger keeps book of which messages a replica of a job has, and knows
// when it has all of them.
//
// A replica reads ports: each is an input of a node of the plan, with the
// senders that are expected there. A sender numbers its messages 0, 1, 2 … and
// says at the end how many there are, N. A port is complete when every sender
// has said its N and the ids seen are exactly 0 to N-1. Neither the order in
// which messages come nor how often they come plays a part: a message that was
// recorded before is not fresh and is to be dropped. What can only be a fault,
// such as an id beyond the end or two different ends, is an error and changes
// nothing; the job must fail then, loudly.
//
// # Commits
//
// A driver
//
//  1. records messages, keeps the bodies of fresh ones, acknowledges nothing;
//  2. writes the bodies and MarshalBinary's bytes in one atomic commit;
//  3. acknowledges all the messages, fresh or not; or, when the write failed, reads
//     the bytes that were committed last (UnmarshalBinary), as it does after a crash,
//     and gives all the messages back to the broker.
//
// A message that is not fresh may repeat one that is not committed yet: it too must
// wait for the commit before it is acknowledged.
//
// # Encoding
//
//	version, a byte
//	xxhash64 of the ports, uint64 little endian
//	for each sender of each port, in order:
//	  flags, a byte: 1 the end is known, 2 there are gaps
//	  N, if the end is known
//	  without gaps: how many ids were seen, from 0 on
//	  with gaps: bytes of the bitmap; a roaring bitmap, its runs optimised
//
// Numbers are unsigned varints. Equal ledgers have equal bytes, however they came
// about, and nothing else is read as one. A sender without gaps takes some five
// bytes, one with gaps at most an eighth of a byte for each id.
//
// Format of bitmaps: https://github.com/RoaringBitmap/RoaringFormatSpec
package ledger
