// Package wire encodes the rows of a batch as the body of a message between
// processes, and decodes them again.
//
// Sender and receiver know the schema from the plan, so it does not travel. A
// body is one of
//
//   - nothing at all: no rows;
//   - an encapsulated Arrow IPC message with one record batch, as package message
//     decodes it and as it stands in any Arrow stream: 0xFFFFFFFF, the length of
//     the metadata as int32, the metadata, a flatbuffer, and the buffers;
//   - such a message compressed: "ans2" and a block in the format S2. It is off
//     unless Compress is called. S2 was chosen over LZ4 for its speed: at the
//     same ratio it compresses at least 1.5 times as fast.
//
// Append writes that message itself, straight from the vectors of the rows into
// the caller's bytes: each value is copied once, and nothing is allocated but
// the message. The writers of the Arrow module would copy the vectors into
// arrays first, and hold and pad more than is sent.
//
// Buffers are padded with zeros to multiples of 8 bytes and hold the rows'
// values alone, their offsets begin at zero, and a column without nulls has no
// validity bitmap. So equal rows make equal bytes, whatever vectors they are a
// slice of, as long as the slots of nulls hold what Vector says they do.
//
// Format: https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
package wire
