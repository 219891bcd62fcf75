// Package ipc encodes rows as Arrow IPC messages and decodes them. All data that leaves the
// process passes through it: blocks of segments, messages between workers, uploads, pages
// of answers, and answers as Arrow files.
//
// It is written by hand, instead of using the Arrow module, for three reasons. Arrow's
// reader trusts every length in a message, so that one flipped bit may ask for more memory
// than the machine has, which is a fatal error. Arrow's writer pads and copies, and may
// encode equal rows as different bytes. And Arrow's arrays are not the vectors that
// operators work on.
//
// The decoder never allocates memory in proportion to a length in a message. It checks that
// every buffer lies inside the given bytes, after the previous buffer, and is as long as its
// rows need, and that every offset points into its values. The result is safe to read; only
// a checksum can tell whether the values are those that were written.
//
// The encoder copies each value once, straight from the vectors, and allocates nothing but
// the message. Equal rows have equal encodings, no matter which vectors they are slices of:
// buffers hold only the rows' values and are padded with zeros to multiples of 8 bytes,
// offsets begin at zero, a column without nulls has no validity bitmap, and the slots of
// nulls hold the values that columnar.Vector prescribes.
//
// A message is
//
//	0xFFFFFFFF | metadata length, int32 | metadata, a flatbuffer | body
//
// The metadata is a Message with a RecordBatch (Message.fbs). The body contains the buffers
// of the columns, depth first, each at a multiple of 8 bytes. A message does not contain the
// schema: both sides know it from the plan.
//
// Format: https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
package ipc
