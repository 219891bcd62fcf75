package answers

import (
	"fmt"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// levels writes vectors as Parquet columns: the values that are not null, and the
// definition and repetition levels of each entry (Dremel, as in the Parquet format's
// "Nested Encoding"). Its slices are scratch space.
//
// The definition level of a value in n lists is 2n+1, that of a null in its place 2n, and those of
// an empty list and of a null list are one and two less for each list less that they stand in. The
// repetition level of an entry says in which list it is a further item: 0 in none, 1 in the outermost.
type levels struct {
	definition, repetition []int16

	bools  []bool
	ints   []int64
	days   []int32
	floats []float64
	texts  []parquet.ByteArray
	fixed  []parquet.FixedLenByteArray
	bytes  []byte
}

func (l *levels) write(column file.ColumnChunkWriter, v *columnar.Vector) error {
	l.definition, l.repetition = l.definition[:0], l.repetition[:0]
	if v.Child == nil {
		return l.values(column, v, l.flat(v), nil)
	}
	var present []int32
	for i := range v.Len {
		present = l.nested(present, v, i, 0, 0)
	}
	for v.Child != nil {
		v = v.Child
	}
	return l.values(column, v, present, l.repetition)
}

// flat returns the positions of the values that are not null.
func (l *levels) flat(v *columnar.Vector) []int32 {
	present := make([]int32, 0, v.Len)
	for i := range v.Len {
		if v.IsNull(i) {
			l.definition = append(l.definition, 0)
			continue
		}
		l.definition = append(l.definition, 1)
		present = append(present, int32(i))
	}
	return present
}

// nested places value i of a vector that stands in so many lists, and appends the positions of the
// items within it that are not null and not lists.
func (l *levels) nested(present []int32, v *columnar.Vector, i int, lists, repetition int16) []int32 {
	null := v.IsNull(i)
	if !null && v.Child != nil && v.Offsets[i] < v.Offsets[i+1] {
		for k := v.Offsets[i]; k < v.Offsets[i+1]; k++ {
			present = l.nested(present, v.Child, int(k), lists+1, repetition)
			repetition = lists + 1
		}
		return present
	}
	definition := 2 * lists
	if !null {
		definition++
		if v.Child == nil {
			present = append(present, int32(i))
		}
	}
	l.definition, l.repetition = append(l.definition, definition), append(l.repetition, repetition)
	return present
}

func (l *levels) values(column file.ColumnChunkWriter, v *columnar.Vector, present []int32, repetition []int16) (err error) {
	switch w := column.(type) {
	case *file.BooleanColumnChunkWriter:
		l.bools = pick(l.bools, v.Bools, present)
		_, err = w.WriteBatch(l.bools, l.definition, repetition)
	case *file.Int64ColumnChunkWriter:
		l.ints = pick(l.ints, v.Ints, present)
		_, err = w.WriteBatch(l.ints, l.definition, repetition)
	case *file.Int32ColumnChunkWriter:
		l.days = l.days[:0]
		for _, i := range present {
			l.days = append(l.days, int32(v.Ints[i]))
		}
		_, err = w.WriteBatch(l.days, l.definition, repetition)
	case *file.Float64ColumnChunkWriter:
		l.floats = pick(l.floats, v.Floats, present)
		_, err = w.WriteBatch(l.floats, l.definition, repetition)
	case *file.ByteArrayColumnChunkWriter:
		l.texts = l.texts[:0]
		for _, i := range present {
			l.texts = append(l.texts, v.Bytes(int(i)))
		}
		_, err = w.WriteBatch(l.texts, l.definition, repetition)
	case *file.FixedLenByteArrayColumnChunkWriter:
		if err = l.decimals(v, present); err != nil {
			return err
		}
		_, err = w.WriteBatch(l.fixed, l.definition, repetition)
	default:
		err = fmt.Errorf("no values of type %s fit into a Parquet column of type %s", v.Type, column.Type())
	}
	return err
}

func pick[T any](dst, src []T, present []int32) []T {
	dst = dst[:0]
	for _, i := range present {
		dst = append(dst, src[i])
	}
	return dst
}

func (l *levels) decimals(v *columnar.Vector, present []int32) error {
	l.bytes, l.fixed = l.bytes[:0], l.fixed[:0]
	size := decimalBytes
	if v.Type.Kind() == columnar.KindInt128 {
		size = wideBytes
	}
	for _, i := range present {
		if v.Type.Kind() == columnar.KindInt128 {
			if !number.IsDecimal(v.Wides[i]) {
				return fmt.Errorf("%s has more than the %d digits of a decimal column: %w", v.AppendText(nil, int(i)), number.MaxPlaces, columnar.ErrNoForm)
			}
			l.bytes = appendWide(l.bytes, v.Wides[i])
		} else {
			l.bytes = appendDecimal(l.bytes, v.Ints[i])
		}
	}
	for k := range present {
		l.fixed = append(l.fixed, l.bytes[k*size:(k+1)*size])
	}
	return nil
}
