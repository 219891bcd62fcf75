// Package ipc decodes one record batch from an encapsulated Arrow IPC
// message, without copying it and without trusting it.
//
// The IPC readers of the Arrow module copy every buffer and believe every
// length in a message: a single flipped bit may ask for more memory than the
// machine has, which nothing can recover from. Decode allocates nothing in
// proportion to what a message says, checks that every buffer lies inside the
// bytes at hand and is as long as its rows need, and that every offset points
// into its values. What it returns can be read without fear; whether the values
// are those that were written is for a checksum to say.
//
// Format: https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
//
//	0xFFFFFFFF | metadata length, int32 | metadata, a flatbuffer | body
//
// Metadata is a Message holding a RecordBatch (Message.fbs); the body is the
// buffers of the columns, depth first, each at a multiple of 8 bytes.
package ipc
