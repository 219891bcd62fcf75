package segment

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/cespare/xxhash/v2"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
)

// Reader reads the blocks of one segment, in any order. Its methods may be
// called concurrently, Close last.
type Reader struct {
	segment *Segment
	file    vfs.File
}

// openSegment opens a segment's file. The file is corrupt if its size differs from the size
// that was written.
func openSegment(fs vfs.FS, segment *Segment) (*Reader, error) {
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
	return &Reader{segment: segment, file: file}, nil
}

// Segment returns the segment that is read.
func (r *Reader) Segment() *Segment { return r.segment }

// Close closes the file. Rows that were read stay valid.
func (r *Reader) Close() error { return r.file.Close() }

// ReadMessage reads the bytes of the i-th block, in dst's memory if that is large enough.
// They are as package ipc encoded them and can be sent unchanged. The error wraps ErrCorrupt
// if the bytes are not those that were written.
func (r *Reader) ReadMessage(i int, dst []byte) ([]byte, error) {
	message, err := r.load(r.segment.Blocks[i], dst)
	if err != nil {
		return nil, fmt.Errorf("read block %d of segment: %w", i, err)
	}
	return message, nil
}

// ReadBlock reads the i-th block, which must be one message, like ReadMessage, and decodes
// it. The rows share the memory of the message, which is also returned.
func (r *Reader) ReadBlock(i int, dst []byte) (columnar.Rows, []byte, error) {
	message, err := r.ReadMessage(i, dst)
	if err != nil {
		return columnar.Rows{}, nil, err
	}
	rows, rest, err := ipc.DecodeFirst(r.segment.Schema, message)
	block := r.segment.Blocks[i]
	switch {
	case err != nil:
		err = r.corrupt(i, err.Error())
	case len(rest) > 0:
		err = r.corrupt(i, fmt.Sprintf("%d bytes follow the rows", len(rest)))
	case int64(rows.Len) != block.Rows:
		err = r.corrupt(i, fmt.Sprintf("%d rows, %d were written", rows.Len, block.Rows))
	}
	return rows, message, err
}

// Partition yields the rows of one partition batch by batch, in the order in which they were
// written. A batch is valid until the next one: it uses the memory of buffer, which can be
// reused for other readers afterwards. The first error ends the sequence.
func (r *Reader) Partition(partition int, buffer *[]byte) iter.Seq2[columnar.Rows, error] {
	return func(yield func(columnar.Rows, error) bool) {
		for i, block := range r.segment.Blocks {
			if block.Partition != partition {
				continue
			}
			message, err := r.ReadMessage(i, *buffer)
			if err != nil {
				yield(columnar.Rows{}, err)
				return
			}
			*buffer = message
			if !r.batches(i, message, yield) {
				return
			}
		}
	}
}

// batches yields the batches of a block, and reports whether to continue.
func (r *Reader) batches(i int, messages []byte, yield func(columnar.Rows, error) bool) bool {
	left := r.segment.Blocks[i].Rows
	for len(messages) > 0 {
		rows, rest, err := ipc.DecodeFirst(r.segment.Schema, messages)
		if err != nil {
			yield(columnar.Rows{}, r.corrupt(i, err.Error()))
			return false
		}
		messages, left = rest, left-int64(rows.Len)
		if !yield(rows, nil) {
			return false
		}
	}
	if left != 0 {
		yield(columnar.Rows{}, r.corrupt(i, fmt.Sprintf("%d rows are missing", left)))
	}
	return left == 0
}

// load reads the bytes of a block and checks them.
func (r *Reader) load(block Block, dst []byte) ([]byte, error) {
	if block.Offset < 0 || block.Length < 0 || block.Length > r.segment.Size-block.Offset {
		return nil, r.corruptAt(block, fmt.Sprintf("%d bytes in a file of %d", block.Length, r.segment.Size))
	}
	data := slices.Grow(dst[:0], int(block.Length))[:block.Length]
	n, err := r.file.ReadAt(data, block.Offset)
	if n < len(data) && errors.Is(err, io.EOF) {
		return nil, r.corruptAt(block, fmt.Sprintf("the file ends after %d of %d bytes", n, block.Length))
	}
	if n < len(data) {
		return nil, err
	}
	if hash := xxhash.Sum64(data); hash != block.Hash {
		return nil, r.corruptAt(block, fmt.Sprintf("%d bytes hash to %016x, those written to %016x", block.Length, hash, block.Hash))
	}
	return data, nil
}

// corrupt returns the error for block i if it does not decode as it was written.
func (r *Reader) corrupt(i int, reason string) error {
	return fmt.Errorf("read block %d of segment: %w", i, r.corruptAt(r.segment.Blocks[i], reason))
}

func (r *Reader) corruptAt(block Block, reason string) error {
	return &CorruptError{Path: r.segment.Path, Offset: block.Offset, Reason: reason}
}
