package answers

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"analyzer/columnar"
)

// levels writes vectors as Parquet columns: the values that are not null, and the
// definition and repetition levels of each entry (Dremel, as in the Parquet format's
// "Nested Encoding"). Its slices are scratch space.
//
//	            definition
//	flat        0 null, 1 value
//	list        0 null, 1 empty list, 2 null item, 3 item
//
// A list's repetition level is 0 at its first entry and 1 at all others.
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
	return l.values(column, v.Child, l.nested(v), l.repetition)
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

// nested returns the positions of the items that are not null.
func (l *levels) nested(v *columnar.Vector) []int32 {
	present := make([]int32, 0, v.Child.Len)
	for i := range v.Len {
		lo, hi := v.Offsets[i], v.Offsets[i+1]
		switch {
		case v.IsNull(i):
			l.place(0, 0)
		case lo == hi:
			l.place(1, 0)
		}
		for k := lo; k < hi && !v.IsNull(i); k++ {
			repetition := int16(1)
			if k == lo {
				repetition = 0
			}
			if v.Child.IsNull(int(k)) {
				l.place(2, repetition)
				continue
			}
			l.place(3, repetition)
			present = append(present, k)
		}
	}
	return present
}

func (l *levels) place(definition, repetition int16) {
	l.definition = append(l.definition, definition)
	l.repetition = append(l.repetition, repetition)
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
		l.decimals(v, present)
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

func (l *levels) decimals(v *columnar.Vector, present []int32) {
	l.bytes, l.fixed = l.bytes[:0], l.fixed[:0]
	for _, i := range present {
		if v.Type == columnar.Wide {
			l.bytes = appendBigEndian(l.bytes, v.Wides[i])
		} else {
			l.bytes = appendBigEndian(l.bytes, decimal128.FromI64(v.Ints[i]))
		}
	}
	for k := range present {
		l.fixed = append(l.fixed, l.bytes[k*decimalBytes:(k+1)*decimalBytes])
	}
}
