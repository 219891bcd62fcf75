package ipc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
)

// ErrMalformed is wrapped by the error of bytes that are not a record batch of
// the schema, or one whose buffers are compressed: to expand those takes a reader
// that believes the lengths inside.
var ErrMalformed = errors.New("malformed record batch")

// Types of messages, Message.header_type.
const headerSchema, headerBatch = 1, 3

// Slots of the flatbuffer tables Message and RecordBatch.
const (
	messageHeaderType, messageHeader, messageBodyLength = 1, 2, 3

	batchLength, batchNodes, batchBuffers, batchCompression = 0, 1, 2, 3
)

// Decode returns the rows of a message as a record batch of schema, which is that
// of Schema.Arrow; who decodes many messages makes it once. No bytes are no rows.
// The caller releases the batch.
//
// The batch shares the memory of message, which must not change while the batch
// or a column of it lives. A message that does not begin at a multiple of 8 bytes
// in memory is copied to a buffer of alloc instead. Beyond that Decode allocates
// in proportion to the columns, whatever the bytes are: they need not be trusted.
// Errors wrap ErrMalformed.
func Decode(schema *arrow.Schema, message []byte, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	if len(message) == 0 {
		return noRows(schema, alloc), nil
	}
	block := aligned(message, alloc)
	defer block.Release()
	return DecodeBuffer(schema, block)
}

// DecodeParts is Decode of a message whose metadata and body came apart, as they
// do in Flight. The batch shares the memory of the body.
func DecodeParts(schema *arrow.Schema, metadata, body []byte, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	if len(metadata) == 0 && len(body) == 0 {
		return noRows(schema, alloc), nil
	}
	block := aligned(body, alloc)
	defer block.Release()
	return decode(schema, metadata, block, 0)
}

// DecodeBuffer is Decode of a whole buffer, which the batch retains, as does every
// column kept after the batch was released. The buffer must begin at a multiple of
// 8 bytes in memory, as buffers of Arrow's allocators do.
func DecodeBuffer(schema *arrow.Schema, block *memory.Buffer) (columnar.RecordBatch, error) {
	metadata, body, err := Split(block.Bytes())
	if err != nil {
		return nil, err
	}
	return decode(schema, metadata, block, block.Len()-len(body))
}

// DecodeAt is DecodeBuffer of the message that begins at a position of block, among
// others. It returns the bytes that the message takes as well.
func DecodeAt(schema *arrow.Schema, block *memory.Buffer, at int) (batch columnar.RecordBatch, size int, err error) {
	data := block.Bytes()[at:]
	metadata, rest, err := Split(data)
	if err != nil {
		return nil, 0, err
	}
	body, err := BodySize(metadata)
	if err == nil && body > uint64(len(rest)) {
		err = fmt.Errorf("body of %d bytes, %d are there", body, len(rest))
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	message := memory.SliceBuffer(block, at, len(data)-len(rest)+int(body))
	defer message.Release()
	batch, err = DecodeBuffer(schema, message)
	return batch, message.Len(), err
}

// Split cuts a message into metadata and body, which share its memory; Flight
// sends them as fields of their own. No bytes give neither.
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

// aligned returns bytes as a buffer that begins at a multiple of 8 bytes in memory.
// The caller releases it.
func aligned(data []byte, alloc columnar.Allocator) *memory.Buffer {
	if isAligned(data) {
		return memory.NewBufferBytes(data)
	}
	block := memory.NewResizableBuffer(alloc)
	block.Resize(len(data))
	copy(block.Bytes(), data)
	return block
}

func isAligned(data []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(data)))%alignment == 0
}

// noRows returns a batch of schema without rows.
func noRows(schema *arrow.Schema, alloc columnar.Allocator) columnar.RecordBatch {
	columns := make([]arrow.Array, schema.NumFields())
	for i := range columns {
		columns[i] = array.MakeArrayOfNull(alloc, schema.Field(i).Type, 0)
		defer columns[i].Release()
	}
	return array.NewRecord(schema, columns, 0)
}

// decode returns the batch whose body begins at a position of block.
func decode(schema *arrow.Schema, metadata []byte, block *memory.Buffer, body int) (columnar.RecordBatch, error) {
	d := decoder{block: block, body: body, size: block.Len() - body}
	rows, err := d.header(metadata)
	if err == nil {
		var batch columnar.RecordBatch
		if batch, err = d.batch(schema, rows); err == nil {
			return batch, nil
		}
	}
	return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
}

// header reads the metadata of a message, and returns the rows that it has.
func (d *decoder) header(metadata []byte) (rows int64, err error) {
	if !isAligned(d.block.Bytes()) {
		return 0, errors.New("the bytes are not aligned in memory")
	}
	length, err := BodySize(metadata)
	if err != nil {
		return 0, err
	}
	if length != uint64(d.size) {
		return 0, fmt.Errorf("body of %d bytes, %d expected", d.size, length)
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
	n, err := header.number(number{slot: batchLength, size: 8})
	if err != nil {
		return 0, err
	}
	if d.nodes, err = header.pairs(batchNodes); err != nil {
		return 0, err
	}
	d.buffers, err = header.pairs(batchBuffers)
	return int64(n), err
}

// BodySize returns how long the metadata of a message says its body is.
func BodySize(metadata []byte) (uint64, error) {
	message, err := rootTable(metadata)
	if err != nil {
		return 0, err
	}
	return message.number(number{slot: messageBodyLength, size: 8})
}

// messageTable returns what a message's metadata holds, which has to be of a kind.
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
	if len(d.nodes) > 0 || len(d.buffers) > 0 {
		return nil, errors.New("the message holds more columns than the schema")
	}
	if rows < 0 || rows >= math.MaxInt32 { // a batch without columns may claim any number
		return nil, fmt.Errorf("%d rows", rows)
	}
	return array.NewRecord(schema, columns, rows), nil
}
