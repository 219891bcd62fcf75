// Package ledger records which messages a replica of a job has, and knows when it has
// all of them.
//
// A replica reads ports: each is an input of a node of the plan, with the
// senders that are expected there. A sender numbers its messages 0, 1, 2 … and
// finally says how many there are, N. A port is complete when every sender
// has said its N and the ids seen are exactly 0 to N-1. The order of messages does
// not matter, nor do duplicates: a message that was recorded before is not fresh, and
// the receiver drops it. A contradiction, such as an id beyond the end or two
// different ends, is an error and changes nothing; the job must then fail loudly.
//
// # Commits
//
// The user of a ledger
//
//  1. records messages, keeps the bodies of fresh ones, acknowledges nothing;
//  2. writes the bodies and MarshalBinary's bytes in one atomic commit;
//  3. acknowledges all the messages, fresh or not. If the write failed, it instead
//     restores the last committed bytes (UnmarshalBinary), as after a crash, and gives
//     all the messages back to the broker.
//
// A message that is not fresh may duplicate one that is not committed yet, so it, too,
// must not be acknowledged before the commit.
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
// Numbers are unsigned varints. Equal ledgers have equal bytes, whatever their history,
// and no other bytes decode. A sender without gaps takes some five bytes, one with gaps
// at most an eighth of a byte for each id.
//
// Format of bitmaps: https://github.com/RoaringBitmap/RoaringFormatSpec
package ledger
