// Package ipc turns rows into Arrow IPC messages and messages into rows.
// Everything that leaves the process is written and read here: blocks of segments,
// messages between workers, uploads, pages of answers, and answers as Arrow files.
//
// It is written by hand, beside the Arrow module, for three reasons. Arrow's
// reader believes every length in a message, so that one flipped bit may ask for
// more memory than the machine has, which nothing can recover from. Its writer
// pads and copies, and makes different bytes of equal rows. And its arrays are
// not the vectors that operators work on.
//
// The decoder allocates nothing in proportion to what a message says. It checks
// that every buffer lies inside the bytes at hand, behind the one before, and is as
// long as its rows need, and that every offset points into its values. What it returns can be
// read without fear; whether the values are those that were written is for a
// checksum to say.
//
// The encoder copies each value once, straight from the vectors, and allocates
// nothing but the message. Equal rows make equal bytes, whatever vectors they are
// a slice of: buffers are padded with zeros to multiples of 8 bytes and hold the
// rows' values alone, offsets begin at zero, a column without nulls has no
// validity bitmap, and the slots of nulls hold what columnar.Vector says they do.
//
// A message is
//
//	0xFFFFFFFF | metadata length, int32 | metadata, a flatbuffer | body
//
// where metadata is a Message holding a RecordBatch (Message.fbs) and the body
// the buffers of the columns, depth first, each at a multiple of 8 bytes. The
// schema does not travel with it: both sides know it from the plan.
//
// Format: https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
package ipc
