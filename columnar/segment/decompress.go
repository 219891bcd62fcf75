package segment

import (
	"bytes"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"analyzer/columnar"
)

// decompress decodes a block of compressed buffers with Arrow's own reader,
// which believes every length in it: the block's hash must have been checked.
// The caller releases the batch, which shares nothing with block.
func decompress(schema *arrow.Schema, block []byte, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	// A stream is the schema's message, those of the batches, and an end.
	var header bytes.Buffer
	if err := ipc.NewWriter(&header, ipc.WithSchema(schema), ipc.WithAllocator(alloc)).Close(); err != nil {
		return nil, err
	}
	const endOfStream = 8
	header.Truncate(header.Len() - endOfStream)
	reader, err := ipc.NewReader(io.MultiReader(&header, bytes.NewReader(block)), ipc.WithAllocator(alloc))
	if err != nil {
		return nil, err
	}
	defer reader.Release()
	batch, err := reader.Read()
	if err != nil {
		return nil, err
	}
	batch.Retain()
	return batch, nil
}
