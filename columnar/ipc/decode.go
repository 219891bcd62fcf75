package ipc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"

	"analyzer/columnar"
)

// ErrMalformed is wrapped by the error for bytes that are not a record batch of the schema,
// or for a batch with compressed buffers: decompressing them would mean trusting the lengths
// inside.
var ErrMalformed = errors.New("malformed record batch")

// Types of messages, Message.header_type.
const headerSchema, headerBatch = 1, 3

// Slots of the flatbuffer tables Message and RecordBatch.
const (
	messageHeaderType, messageHeader, messageBodyLength = 1, 2, 3

	batchLength, batchNodes, batchBuffers, batchCompression, batchVariadic = 0, 1, 2, 3, 4
)

// Decode returns the rows of a message with the given schema. An empty message has no rows.
//
// The rows share the memory of message, which must not change while they are used. A body
// that does not begin at a multiple of 8 bytes in memory is copied, and bits are expanded to
// bytes. Other than that, Decode allocates in proportion to the number of columns, whatever
// the bytes are, so they need not be trusted. Errors wrap ErrMalformed.
func Decode(schema columnar.Schema, message []byte) (columnar.Rows, error) {
	metadata, body, err := Split(message)
	if err != nil {
		return columnar.Rows{}, err
	}
	return DecodeParts(schema, metadata, body)
}

// DecodeFirst decodes the first of several concatenated messages and returns the rest.
func DecodeFirst(schema columnar.Schema, messages []byte) (rows columnar.Rows, rest []byte, err error) {
	metadata, body, err := Split(messages)
	if err != nil {
		return columnar.Rows{}, nil, err
	}
	size, err := BodySize(metadata)
	if err == nil && size > uint64(len(body)) {
		err = fmt.Errorf("body of %d bytes, %d are there", size, len(body))
	}
	if err != nil {
		return columnar.Rows{}, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	rows, err = DecodeParts(schema, metadata, body[:size])
	return rows, body[size:], err
}

// DecodeParts is Decode for a message whose metadata and body are separate, as in Flight.
func DecodeParts(schema columnar.Schema, metadata, body []byte) (columnar.Rows, error) {
	if len(metadata) == 0 && len(body) == 0 {
		return columnar.NewRows(schema), nil
	}
	d := decoder{body: aligned(body)}
	rows, err := d.decode(schema, metadata)
	if err != nil {
		return columnar.Rows{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return rows, nil
}

// Split cuts a message into metadata and body, which share its memory; Flight sends them as
// separate fields. Both are empty if message is.
func Split(message []byte) (metadata, body []byte, err error) {
	if len(message) == 0 {
		return nil, nil, nil
	}
	if len(message) < prefixSize {
		return nil, nil, fmt.Errorf("%w: %d bytes are too few for a message", ErrMalformed, len(message))
	}
	if marker := binary.LittleEndian.Uint32(message); marker != continuation {
		return nil, nil, fmt.Errorf("%w: a message begins with %#x, not %#x", ErrMalformed, uint32(continuation), marker)
	}
	length := int64(binary.LittleEndian.Uint32(message[4:]))
	if length%alignment != 0 || length > int64(len(message)-prefixSize) {
		return nil, nil, fmt.Errorf("%w: metadata of %d bytes in a message of %d", ErrMalformed, length, len(message))
	}
	end := prefixSize + int(length)
	return message[prefixSize:end:end], message[end:], nil
}

// aligned returns data, copied if it does not begin at a multiple of 8 bytes in memory.
func aligned(data []byte) []byte {
	if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%alignment == 0 {
		return data
	}
	words := make([]uint64, (len(data)+7)/8)
	block := arrow.Uint64Traits.CastToBytes(words)
	return block[:copy(block, data)]
}

// decode decodes a message with the given metadata and the decoder's body.
func (d *decoder) decode(schema columnar.Schema, metadata []byte) (columnar.Rows, error) {
	n, err := d.header(metadata)
	if err != nil {
		return columnar.Rows{}, err
	}
	rows := columnar.Rows{Len: int(n), Cols: make([]*columnar.Vector, len(schema))}
	for i, f := range schema {
		v, err := d.column(f.Type)
		if err == nil && v.Len != rows.Len {
			err = fmt.Errorf("%d values in a batch of %d rows", v.Len, n)
		}
		if err != nil {
			return columnar.Rows{}, fmt.Errorf("column %d %q: %w", i, f.Name, err)
		}
		rows.Cols[i] = v
	}
	if len(d.nodes) > 0 || len(d.buffers) > 0 {
		return columnar.Rows{}, errors.New("the message holds more columns than the schema")
	}
	return rows, nil
}

// header reads the metadata of a message and returns its number of rows.
func (d *decoder) header(metadata []byte) (rows uint64, err error) {
	length, err := BodySize(metadata)
	if err != nil {
		return 0, err
	}
	if length != uint64(len(d.body)) {
		return 0, fmt.Errorf("body of %d bytes, %d expected", len(d.body), length)
	}
	if length%alignment != 0 {
		return 0, fmt.Errorf("body of %d bytes, which are not padded to a multiple of %d", length, alignment)
	}
	header, err := messageTable(metadata, headerBatch)
	if err != nil {
		return 0, err
	}
	if header.has(batchCompression) {
		return 0, errors.New("the record batch is compressed")
	}
	rows, err = header.number(number{slot: batchLength, size: 8})
	if err == nil && rows >= math.MaxInt32 { // a batch without columns may claim any number
		err = fmt.Errorf("%d rows", int64(rows))
	}
	if err != nil {
		return 0, err
	}
	if d.nodes, err = header.pairs(batchNodes); err != nil {
		return 0, err
	}
	d.buffers, err = header.pairs(batchBuffers)
	return rows, err
}

// BodySize returns the length of the body that the metadata of a message states.
func BodySize(metadata []byte) (uint64, error) {
	message, err := rootTable(metadata)
	if err != nil {
		return 0, err
	}
	return message.number(number{slot: messageBodyLength, size: 8})
}

// messageTable returns the header table of a message, which must have the given type.
func messageTable(metadata []byte, kind uint64) (table, error) {
	message, err := rootTable(metadata)
	if err != nil {
		return table{}, err
	}
	got, err := message.number(number{slot: messageHeaderType, size: 1})
	if err != nil {
		return table{}, err
	}
	if got != kind {
		return table{}, fmt.Errorf("a message of type %d, not %d", got, kind)
	}
	return message.table(messageHeader)
}
