package segment

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// mergedBlock is how many bytes of blocks are joined to one block, at most.
const mergedBlock = 1 << 20

// Merge appends the blocks of several segments to one, partition after
// partition, those of a partition in the order given. Small blocks are joined.
// Memory is twice that of a block of 1 MiB, or of the largest one; all segments
// are open at once. It is how a store is compacted that has nothing better to do
// with its rows: commit the merged segment and remove the others in one change.
func Merge(fs vfs.FS, from []*Segment, to *Writer) (err error) {
	m := merger{to: to, alloc: to.opts.Allocator}
	defer func() {
		m.release()
		for _, reader := range m.readers {
			err = errors.Join(err, reader.Close())
		}
	}()
	partitions := map[int]bool{}
	for _, segment := range from {
		reader, err := Open(fs, segment)
		if err != nil {
			return fmt.Errorf("merge segments: %w", err)
		}
		m.readers = append(m.readers, reader)
		for _, block := range segment.Blocks {
			partitions[block.Partition] = true
		}
	}
	for _, partition := range slices.Sorted(maps.Keys(partitions)) {
		if err := m.partition(partition); err != nil {
			return fmt.Errorf("merge segments: %w", err)
		}
	}
	return nil
}

// merger collects blocks of one partition until they make a large one.
type merger struct {
	to      *Writer
	alloc   columnar.Allocator
	readers []*Reader
	batches []columnar.RecordBatch // owned
	size    int64                  // bytes of their blocks
}

func (m *merger) partition(partition int) error {
	for _, reader := range m.readers {
		for i, block := range reader.segment.Blocks {
			if block.Partition != partition {
				continue
			}
			if m.size > 0 && m.size+block.Length > mergedBlock {
				if err := m.flush(partition); err != nil {
					return err
				}
			}
			batch, err := reader.ReadBlock(i, m.alloc)
			if err != nil {
				return err
			}
			m.batches = append(m.batches, batch)
			m.size += block.Length
		}
	}
	return m.flush(partition)
}

// flush writes what was collected as one block.
func (m *merger) flush(partition int) error {
	defer m.release()
	switch len(m.batches) {
	case 0:
		return nil
	case 1:
		return m.to.Append(partition, m.batches[0])
	}
	joined, err := join(m.batches, m.alloc)
	if err != nil {
		return err
	}
	defer joined.Release()
	return m.to.Append(partition, joined)
}

func (m *merger) release() {
	for _, batch := range m.batches {
		batch.Release()
	}
	m.batches, m.size = m.batches[:0], 0
}

// join returns the rows of several batches of one schema as one batch, which
// the caller releases.
func join(batches []columnar.RecordBatch, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	var rows int64
	for _, batch := range batches {
		rows += batch.NumRows()
	}
	schema := batches[0].Schema()
	columns := make([]arrow.Array, 0, schema.NumFields())
	defer func() {
		for _, column := range columns {
			column.Release()
		}
	}()
	parts := make([]arrow.Array, len(batches))
	for i := range schema.NumFields() {
		for j, batch := range batches {
			if !schema.Equal(batch.Schema()) {
				return nil, fmt.Errorf("segments of different columns: %s and %s", schema, batch.Schema())
			}
			parts[j] = batch.Column(i)
		}
		column, err := array.Concatenate(parts, alloc)
		if err != nil {
			return nil, fmt.Errorf("join column %q: %w", schema.Field(i).Name, err)
		}
		columns = append(columns, column)
	}
	return array.NewRecord(schema, columns, rows), nil
}
