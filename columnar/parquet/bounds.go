package parquet

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// bounds are bounds of a column's values; nil: unknown.
type bounds struct{ least, greatest *columnar.Vector }

// bounding is what a worker knows of the values of a column in the row group group - 1.
type bounding struct {
	group  int
	whole  input.Bounds
	pages  paged
	closer bool // pages were looked for
}

// Bounds returns what the file says of the values of a column in the row group in which the block is, or, if closer,
// in the pages in which the block is; see input.BoundedWorker.
func (w *Worker) Bounds(i int, closer bool) (b input.Bounds) {
	r := w.columns[i]
	if r.nested != nil {
		return b
	}
	k := &r.bounding
	if k.group != w.group+1 {
		*k = bounding{group: w.group + 1}
		w.attempt(r, func() (err error) {
			k.whole, err = w.file.boundsOf(w.group, r.column)
			return err
		})
	}
	if !closer {
		return k.whole
	}
	if !k.closer {
		k.closer = true
		w.attempt(r, func() (err error) {
			k.pages, err = w.file.pagesOf(w.group, r.column)
			return err
		})
	}
	if k.pages.stats == nil {
		return k.whole
	}
	return k.pages.closer(k.whole, r.column, w.file.footer.schema.Column(r.column.leaf), w.at, int64(w.len))
}

// attempt reads statistics. Those that cannot be read are as none: the pages say what is wrong with the file.
func (w *Worker) attempt(r *reading, do func() error) {
	_ = w.file.source.guard(*r.column, w.First()+1, do)
}

// boundsOf reads the statistics of a column in a row group.
func (f *File) boundsOf(group int, c *Column) (all input.Bounds, err error) {
	chunk, err := f.footer.chunk(group, c.leaf)
	if err != nil {
		return all, err
	}
	stored := f.footer.schema.Column(c.leaf)
	all.NoNulls = stored.MaxDefinitionLevel() == 0 || chunk.stats.nulls == 0
	all.AllNull = chunk.stats.nulls == f.groups[group].rows
	var least, greatest []byte
	switch {
	case !c.bounded() || stored.SortOrder() == schema.SortUNKNOWN:
	case stored.ColumnOrder() == parquet.ColumnOrders.TypeDefinedOrder:
		least, greatest = chunk.stats.least, chunk.stats.greatest
	case stored.SortOrder() == schema.SortSIGNED:
		least, greatest = chunk.stats.signedLeast, chunk.stats.signedGreatest
	}
	if least == nil || greatest == nil {
		return all, nil
	}
	b, err := c.boundsFrom(stored, least, greatest)
	all.Least, all.Greatest = b.least, b.greatest
	all.Exact = c.Type.Kind() != columnar.KindBytes // which may be cut
	return all, err
}

// bounded reports whether bounds of the column are read.
func (c *Column) bounded() bool { return c.Type.Kind() == c.raw.Kind() && c.Type != columnar.Invalid }

// boundsFrom reads bounds as they are stored. The rules are those of Statistics and ColumnOrder in
// parquet.thrift of the format: texts may be cut, but so that they stay bounds; the order of those of old
// programs is not defined; floats leave out NaN, which is greater than all numbers here.
func (c *Column) boundsFrom(stored *schema.Column, least, greatest []byte) (b bounds, err error) {
	switch stored.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Int64:
		return c.wholeBounds(stored, least, greatest)
	case parquet.Types.Float, parquet.Types.Double:
		b.least, err = floatOf(least) // a NaN may be greater than the other one
		return b, err
	case parquet.Types.ByteArray:
		if _, text := stored.LogicalType().(schema.StringLogicalType); text {
			b = textBounds(least, greatest)
		}
	}
	return b, nil
}

// wholeBounds returns bounds of whole numbers, or of what is stored as these.
func (c *Column) wholeBounds(stored *schema.Column, ends ...[]byte) (b bounds, err error) {
	v := columnar.NewVector(c.Type)
	for _, end := range ends {
		switch size := stored.PhysicalType().ByteSize(); {
		case len(end) != size:
			return b, errBounds
		case size == 4:
			v.AppendInt(int64(int32(binary.LittleEndian.Uint32(end))))
		default:
			v.AppendInt(int64(binary.LittleEndian.Uint64(end)))
		}
	}
	if c.convert != nil {
		err = c.convert(v, v, 0)
	}
	if err == nil && v.Ints[0] <= v.Ints[1] {
		b = bounds{v.Slice(0, 1), v.Slice(1, 2)}
	}
	return b, err
}

var errBounds = errors.New("the statistics have a value of another type")

// floatOf returns a float as a vector, or nil for NaN.
func floatOf(stored []byte) (*columnar.Vector, error) {
	var f float64
	switch len(stored) {
	case 4:
		f = float64(math.Float32frombits(binary.LittleEndian.Uint32(stored)))
	case 8:
		f = math.Float64frombits(binary.LittleEndian.Uint64(stored))
	default:
		return nil, errBounds
	}
	if math.IsNaN(f) {
		return nil, nil
	}
	v := columnar.NewVector(columnar.Float)
	v.AppendFloat(f)
	return v, nil
}

func textBounds(least, greatest []byte) (b bounds) {
	if !utf8.Valid(least) {
		return b
	}
	v := columnar.NewVector(columnar.Text)
	v.AppendBytes(least)
	v.AppendBytes(greatest)
	b.least = v.Slice(0, 1)
	if utf8.Valid(greatest) {
		b.greatest = v.Slice(1, 2)
	}
	return b
}
