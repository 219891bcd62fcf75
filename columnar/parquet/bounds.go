package parquet

import (
	"math"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
)

// bounds are what a row group says of a column's values; nil: nothing.
type bounds struct{ least, greatest *columnar.Vector }

// Bounds returns values that none of a column is less, and none is greater than, of the whole row group in
// which the block is; see input.BoundedWorker.
func (w *Worker) Bounds(i int) (least, greatest *columnar.Vector) {
	r := w.columns[i]
	if r.boundsOf != w.group+1 {
		r.boundsOf, r.bounds = w.group+1, bounds{}
		// Statistics that cannot be read are as none: the pages say what is wrong with the file.
		_ = w.file.source.guard(*r.column, w.First()+1, func() (err error) {
			r.bounds, err = w.file.boundsOf(w.group, r.column)
			return err
		})
	}
	return r.bounds.least, r.bounds.greatest
}

// boundsOf reads the statistics of a column. The rules are those of Statistics and ColumnOrder in
// parquet.thrift of the format: texts may be cut, but so that they stay bounds; the order of those of old
// programs is not defined; floats leave out NaN, which is greater than all numbers here.
func (f *File) boundsOf(group int, c *Column) (b bounds, err error) {
	if c.Type.Kind() != c.raw.Kind() || c.Type == columnar.Invalid {
		return b, nil
	}
	chunk, err := f.reader.MetaData().RowGroup(group).ColumnChunk(c.leaf)
	if err != nil {
		return b, err
	}
	stats, err := chunk.Statistics()
	if err != nil || stats == nil || !stats.HasMinMax() {
		return b, err
	}
	v := columnar.NewVector(c.Type)
	switch s := stats.(type) {
	case *metadata.Int32Statistics:
		v.AppendInt(int64(s.Min()))
		v.AppendInt(int64(s.Max()))
	case *metadata.Int64Statistics:
		v.AppendInt(s.Min())
		v.AppendInt(s.Max())
	case *metadata.Float32Statistics:
		return leastFloat(float64(s.Min())), nil
	case *metadata.Float64Statistics:
		return leastFloat(s.Min()), nil
	case *metadata.ByteArrayStatistics:
		_, text := stats.Descr().LogicalType().(schema.StringLogicalType)
		ordered := stats.Descr().ColumnOrder() == parquet.ColumnOrders.TypeDefinedOrder
		if !text || !ordered || !utf8.Valid(s.Min()) {
			return b, nil
		}
		v.AppendBytes(s.Min())
		v.AppendBytes(s.Max())
		b.least = v.Slice(0, 1)
		if utf8.Valid(s.Max()) {
			b.greatest = v.Slice(1, 2)
		}
		return b, nil
	default:
		return b, nil
	}
	if c.convert != nil {
		err = c.convert(v, v, 0)
	}
	if err == nil && v.Ints[0] <= v.Ints[1] {
		b = bounds{v.Slice(0, 1), v.Slice(1, 2)}
	}
	return b, err
}

func leastFloat(f float64) (b bounds) {
	if !math.IsNaN(f) {
		b.least = columnar.NewVector(columnar.Float)
		b.least.AppendFloat(f)
	}
	return b
}
