package wire

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// Decode returns the rows of a body as a record batch of schema, which is that of
// Schema.Arrow; who decodes many bodies makes it once. The caller releases the
// batch.
//
// The batch shares the memory of body, which must not change while the batch or
// a column of it lives. A body that is compressed, or does not begin at a
// multiple of 8 bytes in memory, is written to a buffer of alloc instead, of at
// most MaxExpanded bytes. Beyond that Decode allocates in proportion to the
// columns, whatever the bytes are: they need not be trusted. Errors wrap
// message.ErrMalformed or message.ErrCompressed.
func Decode(schema *arrow.Schema, body []byte, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	if len(body) == 0 {
		return noRows(schema, alloc), nil
	}
	batch, err := decode(schema, body, alloc)
	if err != nil {
		return nil, fmt.Errorf("decode body of %d bytes: %w", len(body), err)
	}
	return batch, nil
}

func decode(schema *arrow.Schema, body []byte, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	block, err := load(body, alloc)
	if err != nil {
		return nil, err
	}
	defer block.Release()
	batch, err := ipc.Decode(schema, block)
	if err != nil {
		return nil, err
	}
	// A batch without columns may claim any number of rows.
	if rows := batch.NumRows(); rows >= math.MaxInt32 {
		batch.Release()
		return nil, fmt.Errorf("%w: %d rows", ipc.ErrMalformed, rows)
	}
	return batch, nil
}

// load returns the message of a body, in memory as Arrow needs it. The caller
// releases it.
func load(body []byte, alloc columnar.Allocator) (*memory.Buffer, error) {
	if compressed(body) {
		return expand(body, alloc)
	}
	if uintptr(unsafe.Pointer(&body[0]))%alignment == 0 {
		return memory.NewBufferBytes(body), nil
	}
	block := memory.NewResizableBuffer(alloc)
	block.Resize(len(body))
	copy(block.Bytes(), body)
	return block, nil
}

func noRows(schema *arrow.Schema, alloc columnar.Allocator) columnar.RecordBatch {
	columns := make([]arrow.Array, schema.NumFields())
	for i := range columns {
		columns[i] = array.MakeArrayOfNull(alloc, schema.Field(i).Type, 0)
		defer columns[i].Release()
	}
	return array.NewRecord(schema, columns, 0)
}
