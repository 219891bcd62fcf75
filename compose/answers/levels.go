package answers

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// levels writes vectors as Parquet columns: the values that are not null, and the
// definition and repetition levels of each entry (Dremel, as in the Parquet format's
// "Nested Encoding"). Its slices are scratch space.
//
// The definition level of an entry says how much of it there is: one for each list, struct, map or value on
// its way that may be null and is not, and one more for each list that is not empty. The repetition level
// of an entry says in which list it is a further item: 0 in none, 1 in the outermost.
type levels struct {
	definition, repetition []int16
	present                []int32 // positions of the values that are not null

	bools    []bool
	ints     []int64
	days     []int32
	floats   []float64
	texts    []parquet.ByteArray
	fixed    []parquet.FixedLenByteArray
	bytes    []byte
	distinct distinct
}

// step is a vector on the way to the values of a stored column, in which the next one stands.
type step struct {
	*columnar.Vector
	required bool // none of it is null
}

// stepsOf returns the ways to the values of a column that stands behind others, in the order of the columns
// that store them.
func stepsOf(way []step, v *columnar.Vector, required bool) ([][]step, error) {
	way = append(slices.Clip(way), step{v, required})
	switch {
	case required && slices.Contains(v.Valid, false):
		return nil, fmt.Errorf("a key of a map is NULL: %w", columnar.ErrNoForm)
	case v.Type.IsMap():
		entries, err := v.Entries(0, v.Len)
		if err != nil {
			return nil, err
		}
		way[len(way)-1].Vector = entries
		return fieldsOf(append(way, step{entries.Child, true}), true)
	case v.Type.IsStruct():
		return fieldsOf(way, false)
	case v.Child != nil:
		return stepsOf(way, v.Child, false)
	}
	return [][]step{way}, nil
}

// fieldsOf returns the ways that lead on from structs, which may be entries of maps.
func fieldsOf(way []step, entries bool) (all [][]step, err error) {
	structs := way[len(way)-1]
	fields, err := structs.StructColumns(0, structs.Len)
	if err != nil {
		return nil, err
	}
	for i, field := range fields {
		within, err := stepsOf(way, field, entries && i == 0)
		if err != nil {
			return nil, err
		}
		all = append(all, within...)
	}
	return all, nil
}

func (l *levels) write(column file.ColumnChunkWriter, way []step) error {
	l.definition, l.repetition = l.definition[:0], l.repetition[:0]
	if len(way) == 1 {
		l.flat(way[0].Vector)
		if texts, ok := column.(*file.ByteArrayColumnChunkWriter); ok && len(l.present) > 0 {
			if to, ok := texts.CurrentEncoder().(dictionaryOf); ok {
				return l.inDictionary(texts, to, way[0].Vector)
			}
		}
		return l.values(column, way[0].Vector, nil)
	}
	items := way[len(way)-1].Len
	l.present, l.definition, l.repetition = slices.Grow(l.present[:0], items), slices.Grow(l.definition, items), slices.Grow(l.repetition, items)
	for i := range way[0].Len {
		l.nested(way, i, entry{})
	}
	repetition := l.repetition
	if column.Descr().MaxRepetitionLevel() == 0 {
		repetition = nil
	}
	return l.values(column, way[len(way)-1].Vector, repetition)
}

// flat places the values of a vector without parts.
func (l *levels) flat(v *columnar.Vector) {
	l.definition, l.present = growTo(l.definition, v.Len), growTo(l.present, v.Len)
	present := 0
	for i := range l.definition {
		if l.definition[i] = 0; !v.IsNull(i) {
			l.definition[i], l.present[present] = 1, int32(i)
			present++
		}
	}
	l.present = l.present[:present]
}

func growTo[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// entry is the levels of an entry, and in how many lists it stands.
type entry struct{ definition, repetition, lists int16 }

// nested places value i of the first vector of a way.
func (l *levels) nested(way []step, i int, e entry) {
	v := way[0]
	if !v.IsNull(i) {
		if !v.required {
			e.definition++
		}
		switch {
		case len(way) == 1:
			l.present = append(l.present, int32(i))
		case v.Child == nil: // a struct, whose fields have as many values
			l.nested(way[1:], i, e)
			return
		case v.Offsets[i] < v.Offsets[i+1]:
			e.definition++
			e.lists++
			for k := v.Offsets[i]; k < v.Offsets[i+1]; k++ {
				l.nested(way[1:], int(k), e)
				e.repetition = e.lists
			}
			return
		}
	}
	l.definition, l.repetition = append(l.definition, e.definition), append(l.repetition, e.repetition)
}

func (l *levels) values(column file.ColumnChunkWriter, v *columnar.Vector, repetition []int16) (err error) {
	switch w := column.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(pick(&l.bools, v.Bools, l.present), l.definition, repetition)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(pick(&l.ints, v.Ints, l.present), l.definition, repetition)
	case *file.Int32ColumnChunkWriter:
		l.days = slices.Grow(l.days[:0], len(l.present))
		for _, i := range l.present {
			l.days = append(l.days, int32(v.Ints[i]))
		}
		_, err = w.WriteBatch(l.days, l.definition, repetition)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(pick(&l.floats, v.Floats, l.present), l.definition, repetition)
	case *file.ByteArrayColumnChunkWriter:
		l.texts = slices.Grow(l.texts[:0], len(l.present))
		for _, i := range l.present {
			l.texts = append(l.texts, v.Bytes(int(i)))
		}
		_, err = w.WriteBatch(l.texts, l.definition, repetition)
	case *file.FixedLenByteArrayColumnChunkWriter:
		if err = l.fixedBytes(v); err != nil {
			return err
		}
		_, err = w.WriteBatch(l.fixed, l.definition, repetition)
	default:
		err = fmt.Errorf("no values of type %s fit into a Parquet column of type %s", v.Type, column.Type())
	}
	return err
}

// pick returns the values at some positions, in the given memory unless these are all.
func pick[T any](memory *[]T, src []T, present []int32) []T {
	if len(present) == len(src) {
		return src
	}
	*memory = growTo(*memory, len(present))
	for k, i := range present {
		(*memory)[k] = src[i]
	}
	return *memory
}

// fixedBytes prepares decimals and UUIDs.
func (l *levels) fixedBytes(v *columnar.Vector) error {
	size := decimalBytes
	if v.Type.Kind() == columnar.KindInt128 {
		size = wideBytes
	}
	l.bytes, l.fixed = slices.Grow(l.bytes[:0], size*len(l.present)), slices.Grow(l.fixed[:0], len(l.present))
	for _, i := range l.present {
		switch {
		case v.Type == columnar.UUID:
			l.bytes = number.AppendUUIDBytes(l.bytes, v.Wides[i])
		case v.Type.Kind() == columnar.KindInt128:
			if !number.IsDecimal(v.Wides[i]) {
				return fmt.Errorf("%s has more than the %d digits of a decimal column: %w", v.AppendText(nil, int(i)), number.MaxPlaces, columnar.ErrNoForm)
			}
			l.bytes = appendWide(l.bytes, v.Wides[i])
		default:
			l.bytes = appendDecimal(l.bytes, v.Ints[i])
		}
	}
	for k := range l.present {
		l.fixed = append(l.fixed, l.bytes[k*size:(k+1)*size])
	}
	return nil
}
