package ipc

import (
	"encoding/binary"

	"analyzer/columnar"
)

// template is the first 80 bytes of the metadata of a record batch message, a flatbuffer. It
// is the same for every schema, except for the numbers at the positions below. Nodes and
// buffers follow:
//
//	80       nodes of two 64-bit numbers: values, nulls
//	         4 bytes of padding, number of buffers
//	         buffers of two 64-bit numbers: position in the body, bytes
//
// Every 64-bit number lies at a multiple of 8.
//
// Formats: https://flatbuffers.dev/internals/ and Message.fbs of Arrow.
const template = "\x1c\x00\x00\x00" + // 0: offset of Message, at 28
	"\x0c\x00\x14\x00\x10\x00\x12\x00\x0c\x00\x04\x00" + // 4: vtable: its size, that of Message; version, header type, header, body length
	"\x0a\x00\x14\x00\x04\x00\x0c\x00\x10\x00\x00\x00" + // 16: vtable: its size, that of RecordBatch; length, nodes, buffers
	"\x18\x00\x00\x00" + // 28: Message; distance to its vtable
	"\x00\x00\x00\x00\x00\x00\x00\x00" + // 32: body length
	"\x0c\x00\x00\x00" + // 40: offset of RecordBatch, at 52
	"\x04\x00\x03\x00" + // 44: format version V5, header type RecordBatch
	"\x00\x00\x00\x00" + // 48
	"\x24\x00\x00\x00" + // 52: RecordBatch; distance to its vtable
	"\x00\x00\x00\x00\x00\x00\x00\x00" + // 56: length, in rows
	"\x0c\x00\x00\x00" + // 64: offset of the nodes, at 76
	"\x00\x00\x00\x00" + // 68: offset of the buffers
	"\x00\x00\x00\x00" + // 72
	"\x00\x00\x00\x00" // 76: number of nodes

const (
	bodyLengthAt    = 32
	rowsAt          = 56
	buffersOffsetAt = 68
	nodeCountAt     = 76

	prefixSize   = 8          // continuation marker and metadata length
	continuation = 0xFFFFFFFF // marks a message of format version 0.15 or later
	alignment    = 8          // of buffers within a message
)

// shape counts the nodes and buffers of a schema's columns.
type shape struct{ nodes, buffers int }

func shapeOf(schema columnar.Schema, public bool) shape {
	var s shape
	for _, f := range schema {
		s.add(f.Type, public)
	}
	return s
}

// add counts the node and buffers of a column: validity and values, plus offsets if values
// vary in size. A list has its items as a column in place of values, and the public form of a struct
// its fields.
func (s *shape) add(t columnar.Type, public bool) {
	s.nodes, s.buffers = s.nodes+1, s.buffers+2
	switch kind := t.Kind(); {
	case public && t.IsStruct():
		s.buffers--
		for _, f := range t.Fields() {
			s.add(f.Type, public)
		}
	case public && t.IsMap():
		s.add(t.Entries().Item(), public)
	case kind == columnar.KindBytes:
		s.buffers++
	case kind == columnar.KindList:
		s.add(t.Item(), public)
	}
}

// firstNode and firstBuffer are positions in the metadata.
func (s shape) firstNode() int   { return len(template) }
func (s shape) firstBuffer() int { return s.firstNode() + s.nodes*pairSize + 8 }
func (s shape) metadata() int    { return s.firstBuffer() + s.buffers*pairSize }

// appendMetadata appends the prefix of a message and its metadata. Body length, nodes and
// buffers are still zero.
func (s shape) appendMetadata(dst []byte, rows int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, continuation)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.metadata()))
	start := len(dst)
	dst = append(dst, template...)
	dst = append(dst, make([]byte, s.metadata()-len(template))...)
	metadata := dst[start:]
	countAt := s.firstBuffer() - 4
	binary.LittleEndian.PutUint64(metadata[rowsAt:], uint64(rows))
	binary.LittleEndian.PutUint32(metadata[buffersOffsetAt:], uint32(countAt-buffersOffsetAt))
	binary.LittleEndian.PutUint32(metadata[nodeCountAt:], uint32(s.nodes))
	binary.LittleEndian.PutUint32(metadata[countAt:], uint32(s.buffers))
	return dst
}
