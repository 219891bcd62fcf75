package answers

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"analyzer/columnar"
)

// dictionaryOf is implemented by the package's encoders of columns that have a dictionary.
type dictionaryOf interface {
	PutDictionary(values arrow.Array) error
}

// distinct finds the distinct texts of a column. The package can do that too, but allocates for each row and
// compares each with the least and the greatest text so far.
type distinct struct {
	places map[string]int32 // of texts in the dictionary
	texts  []parquet.ByteArray
	codes  []int32 // by row: the place of its text; of nulls anything
}

func (d *distinct) find(v *columnar.Vector) {
	if d.places == nil {
		d.places = make(map[string]int32)
	}
	clear(d.places)
	d.texts, d.codes = d.texts[:0], growTo(d.codes, v.Len)
	for i := range d.codes {
		if v.IsNull(i) {
			continue
		}
		text := v.Bytes(i)
		place, ok := d.places[string(text)]
		if !ok {
			place = int32(len(d.texts))
			d.places[string(text)] = place
			d.texts = append(d.texts, text)
		}
		d.codes[i] = place
	}
}

// inDictionary writes texts that have no parts, with their distinct ones as the dictionary.
func (l *levels) inDictionary(w *file.ByteArrayColumnChunkWriter, to dictionaryOf, v *columnar.Vector) error {
	d := &l.distinct
	d.find(v)
	texts := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	for _, text := range d.texts {
		texts.Append(text)
	}
	if err := to.PutDictionary(texts.NewArray()); err != nil {
		return err
	}
	if stats, ok := w.PageStatistics().(*metadata.ByteArrayStatistics); ok {
		stats.Update(d.texts, int64(v.Len-len(l.present)))
		stats.IncNumValues(int64(len(l.present) - len(d.texts)))
	}
	codes := array.NewInt32Builder(memory.DefaultAllocator)
	codes.AppendValues(d.codes, v.Valid)
	return w.WriteDictIndices(codes.NewArray(), l.definition, nil)
}
