package segment

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"analyzer/columnar"
)

// conform returns batch under schema, so that names and metadata in the file
// are the schema's own, or says how the types differ. The caller releases it.
func conform(schema *arrow.Schema, batch columnar.RecordBatch, alloc columnar.Allocator) (columnar.RecordBatch, error) {
	if int(batch.NumCols()) != schema.NumFields() {
		return nil, fmt.Errorf("batch of %d columns, the segment has %d", batch.NumCols(), schema.NumFields())
	}
	columns := make([]arrow.Array, 0, batch.NumCols())
	defer func() {
		for _, column := range columns {
			column.Release()
		}
	}()
	for i, column := range batch.Columns() {
		field := schema.Field(i)
		if !arrow.TypeEqual(column.DataType(), field.Type) {
			return nil, fmt.Errorf("column %q is %s, the segment has %s", field.Name, column.DataType(), field.Type)
		}
		if writable(column.Data()) {
			column.Retain()
		} else {
			// A concatenation of one array is a copy without any offsets.
			copied, err := array.Concatenate([]arrow.Array{column}, alloc)
			if err != nil {
				return nil, fmt.Errorf("copy column %q: %w", field.Name, err)
			}
			column = copied
		}
		columns = append(columns, column)
	}
	return array.NewRecord(schema, columns, batch.NumRows()), nil
}

// writable reports whether Arrow's writer (v17) writes an array as it is. The
// writer takes value offsets to begin at zero wherever an array has no offset of
// its own, and writes wrong values where they do not; and an empty slice of
// binary makes it panic.
func writable(data arrow.ArrayData) bool {
	switch data.DataType().ID() {
	case arrow.STRING, arrow.BINARY:
		if data.Len() == 0 {
			values := data.Buffers()[2]
			return data.Offset() == 0 && (values == nil || values.Len() == 0)
		}
		first, _ := extent(data)
		return first == 0 || data.Offset() != 0
	case arrow.LIST:
		var first, last int32
		if data.Len() > 0 {
			first, last = extent(data)
		}
		if first != 0 && data.Offset() == 0 {
			return false
		}
		values := array.NewSliceData(data.Children()[0], int64(first), int64(last))
		defer values.Release()
		return writable(values)
	}
	return true
}

// extent returns the first and last value offset of an array that has values.
func extent(data arrow.ArrayData) (first, last int32) {
	offsets := arrow.Int32Traits.CastFromBytes(data.Buffers()[1].Bytes())[data.Offset():]
	return offsets[0], offsets[data.Len()]
}
