package ipc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

// ErrCompressed is the error of a batch whose buffers are compressed. Only a
// decompressor that believes the lengths inside can read it.
var ErrCompressed = errors.New("the record batch is compressed")

// ErrMalformed is wrapped by the error of bytes that are not a record batch of
// the schema.
var ErrMalformed = errors.New("malformed record batch")

const (
	prefixSize   = 8          // continuation marker and metadata length
	continuation = 0xFFFFFFFF // marks a message of format version 0.15 or later
	alignment    = 8          // of buffers within a message
	headerBatch  = 3          // Message.header_type of a RecordBatch
)

// Slots of the flatbuffer tables Message and RecordBatch.
const (
	messageHeaderType, messageHeader, messageBodyLength = 1, 2, 3

	batchLength, batchNodes, batchBuffers, batchCompression = 0, 1, 2, 3
)

// Decode returns the record batch of schema that block holds, and nothing but
// it. The batch shares block's memory and retains it, as does every column
// kept after the batch was released; the caller releases the batch. block must
// begin at a multiple of 8 bytes in memory, as buffers of Arrow allocators do,
// and not change while the batch lives.
//
// The schema may hold the types columnar.Type maps to, no dictionaries. Errors
// wrap ErrMalformed or ErrCompressed.
func Decode(schema *arrow.Schema, block *memory.Buffer) (columnar.RecordBatch, error) {
	batch, err := decode(schema, block)
	if err != nil && !errors.Is(err, ErrCompressed) {
		err = fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return batch, err
}

func decode(schema *arrow.Schema, block *memory.Buffer) (columnar.RecordBatch, error) {
	data := block.Bytes()
	metadata, body, err := split(data)
	if err != nil {
		return nil, err
	}
	header, err := batchHeader(metadata, len(body))
	if err != nil {
		return nil, err
	}
	d := decoder{block: block, body: len(data) - len(body), size: len(body)}
	rows, err := header.int64(batchLength)
	if err == nil {
		d.nodes, err = header.pairs(batchNodes)
	}
	if err == nil {
		d.buffers, err = header.pairs(batchBuffers)
	}
	if err != nil {
		return nil, err
	}
	return d.batch(schema, rows)
}

// split cuts an encapsulated message into metadata and body.
func split(data []byte) (metadata, body []byte, err error) {
	if len(data) < prefixSize {
		return nil, nil, fmt.Errorf("%d bytes are too few for a message", len(data))
	}
	if uintptr(unsafe.Pointer(&data[0]))%alignment != 0 {
		return nil, nil, errors.New("the bytes are not aligned in memory")
	}
	if marker := binary.LittleEndian.Uint32(data); marker != continuation {
		return nil, nil, fmt.Errorf("a message begins with %#x, not %#x", uint32(continuation), marker)
	}
	length := int64(binary.LittleEndian.Uint32(data[4:]))
	if length%alignment != 0 || length > int64(len(data)-prefixSize) {
		return nil, nil, fmt.Errorf("metadata of %d bytes in a message of %d", length, len(data))
	}
	return data[prefixSize : prefixSize+length], data[prefixSize+length:], nil
}

// batchHeader returns the RecordBatch table inside a message's metadata.
func batchHeader(metadata []byte, bodySize int) (table, error) {
	message, err := rootTable(metadata)
	if err != nil {
		return table{}, err
	}
	kind, err := message.uint8(messageHeaderType)
	if err != nil {
		return table{}, err
	}
	if kind != headerBatch {
		return table{}, fmt.Errorf("message of type %d is not a record batch", kind)
	}
	length, err := message.int64(messageBodyLength)
	if err != nil {
		return table{}, err
	}
	if length != int64(bodySize) {
		return table{}, fmt.Errorf("body of %d bytes, %d expected", bodySize, length)
	}
	header, present, err := message.table(messageHeader)
	if err != nil {
		return table{}, err
	}
	if !present {
		return table{}, errors.New("the message holds no record batch")
	}
	_, compressed, err := header.table(batchCompression)
	if err != nil {
		return table{}, err
	}
	if compressed {
		return table{}, ErrCompressed
	}
	return header, nil
}

// batch takes the columns of schema off the decoder.
func (d *decoder) batch(schema *arrow.Schema, rows int64) (columnar.RecordBatch, error) {
	columns := make([]arrow.Array, 0, schema.NumFields())
	defer func() {
		for _, column := range columns {
			column.Release()
		}
	}()
	for i := range schema.NumFields() {
		field := schema.Field(i)
		data, err := d.column(field.Type)
		if err == nil && int64(data.Len()) != rows {
			err = fmt.Errorf("%d values in a batch of %d rows", data.Len(), rows)
			data.Release()
		}
		if err != nil {
			return nil, fmt.Errorf("column %d %q: %w", i, field.Name, err)
		}
		columns = append(columns, array.MakeFromData(data))
		data.Release()
	}
	if len(d.nodes.data) > 0 || len(d.buffers.data) > 0 {
		return nil, errors.New("the message holds more columns than the schema")
	}
	if rows < 0 {
		return nil, fmt.Errorf("%d rows", rows)
	}
	return array.NewRecord(schema, columns, rows), nil
}
