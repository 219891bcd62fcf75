package segment

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
)

// Reader reads the blocks of one segment, in any order. Its methods may be
// called concurrently, Close last.
type Reader struct {
	segment *Segment
	schema  *arrow.Schema
	file    vfs.File
}

// Open opens a segment's file. A file of another size than was written is
// corrupt.
func Open(fs vfs.FS, segment *Segment) (*Reader, error) {
	file, err := fs.Open(segment.Path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	size, err := file.Size()
	if err == nil && size != segment.Size {
		err = wrongSize(segment, size)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open segment: %w", err), file.Close())
	}
	return &Reader{segment: segment, schema: segment.Schema.Arrow(), file: file}, nil
}

// Segment returns what is read.
func (r *Reader) Segment() *Segment { return r.segment }

// Close closes the file. Batches that were read live on.
func (r *Reader) Close() error { return r.file.Close() }

// ReadBlock reads the i-th block, which is one batch. Its bytes are one buffer of alloc, checked
// before they are decoded and then shared by all columns of the batch: to keep
// one column is to keep them all. The caller releases the batch.
//
// Errors wrap ErrCorrupt when the file does not hold what was written.
func (r *Reader) ReadBlock(i int, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	block := r.segment.Blocks[i]
	batch, err := r.read(block, alloc)
	if err != nil {
		return nil, fmt.Errorf("read block %d of segment: %w", i, err)
	}
	return batch, nil
}

// ReadMessage reads the bytes of the i-th block, as package ipc encoded them and as
// they can be sent. They are checked as ReadBlock checks them, but not decoded. The
// caller releases the buffer.
func (r *Reader) ReadMessage(i int, alloc columnar.Allocator) (*memory.Buffer, error) {
	buffer, err := r.load(r.segment.Blocks[i], alloc)
	if err != nil {
		return nil, fmt.Errorf("read block %d of segment: %w", i, err)
	}
	return buffer, nil
}

// Partition yields the batches of one partition in the order they were written.
// Whoever is yielded a batch releases it. The first error ends the sequence.
func (r *Reader) Partition(partition int, alloc columnar.Allocator) iter.Seq2[columnar.RecordBatch, error] {
	return func(yield func(columnar.RecordBatch, error) bool) {
		for i, block := range r.segment.Blocks {
			if block.Partition != partition {
				continue
			}
			if !r.batches(i, alloc, yield) {
				return
			}
		}
	}
}

// batches yields the batches of a block, and reports whether to go on.
func (r *Reader) batches(i int, alloc columnar.Allocator, yield func(columnar.RecordBatch, error) bool) bool {
	block, err := r.ReadMessage(i, alloc)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer block.Release()
	left := r.segment.Blocks[i].Rows
	for at := 0; at < block.Len(); {
		batch, size, err := ipc.DecodeAt(r.schema, block, at)
		if err != nil {
			yield(nil, fmt.Errorf("read block %d of segment: %w", i, r.corrupt(r.segment.Blocks[i], err.Error())))
			return false
		}
		at, left = at+size, left-batch.NumRows()
		if !yield(batch, nil) {
			return false
		}
	}
	if left != 0 {
		yield(nil, fmt.Errorf("read block %d of segment: %w", i, r.corrupt(r.segment.Blocks[i], fmt.Sprintf("%d rows are missing", left))))
	}
	return left == 0
}

func (r *Reader) read(block Block, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	buffer, err := r.load(block, alloc)
	if err != nil {
		return nil, err
	}
	defer buffer.Release()
	batch, err := ipc.DecodeBuffer(r.schema, buffer)
	if err != nil {
		return nil, r.corrupt(block, err.Error())
	}
	if batch.NumRows() != block.Rows {
		defer batch.Release()
		return nil, r.corrupt(block, fmt.Sprintf("%d rows, %d were written", batch.NumRows(), block.Rows))
	}
	return batch, nil
}

// load reads the bytes of a block and checks them. The caller releases them.
func (r *Reader) load(block Block, alloc columnar.Allocator) (*memory.Buffer, error) {
	if block.Offset < 0 || block.Length < 0 || block.Length > r.segment.Size-block.Offset {
		return nil, r.corrupt(block, fmt.Sprintf("%d bytes in a file of %d", block.Length, r.segment.Size))
	}
	buffer := memory.NewResizableBuffer(alloc)
	buffer.Resize(int(block.Length))
	n, err := r.file.ReadAt(buffer.Bytes(), block.Offset)
	switch {
	case int64(n) == block.Length:
	case errors.Is(err, io.EOF):
		buffer.Release()
		return nil, r.corrupt(block, fmt.Sprintf("the file ends after %d of %d bytes", n, block.Length))
	default:
		buffer.Release()
		return nil, err
	}
	if hash := xxhash.Sum64(buffer.Bytes()); hash != block.Hash {
		buffer.Release()
		return nil, r.corrupt(block, fmt.Sprintf("%d bytes hash to %016x, those written to %016x", block.Length, hash, block.Hash))
	}
	return buffer, nil
}

func (r *Reader) corrupt(block Block, reason string) error {
	return &CorruptError{Path: r.segment.Path, Offset: block.Offset, Reason: reason}
}
