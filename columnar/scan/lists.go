package scan

import (
	"errors"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/pyliteral"
)

// lists makes the lists of output i.
func (w *Worker) lists(i int, records []int32) (arrow.Array, error) {
	c := &w.scan.outputs[i]
	offsets := w.buffer(4 * (len(records) + 1))
	at := arrow.Int32Traits.CastFromBytes(offsets.Bytes())
	at[0] = 0
	w.items.Reset()
	tally := w.scan.tally
	block := w.block.Data()
	w.spans = w.block.Spans(w.spans, c.field, records)
	for j, s := range w.spans {
		text := w.text(block[s.Begin:s.End])
		if !utf8.Valid(text) {
			w.mended = appendUTF8(w.mended[:0], text)
			text = w.mended
			w.warn(&tally.invalid[i], records[j])
		}
		var err error
		if len(text) > 0 {
			err = c.items(&w.items, text)
		}
		if err != nil {
			if !errors.Is(err, pyliteral.ErrMalformed) {
				offsets.Release()
				return nil, err
			}
			w.warn(&tally.malformed[i], records[j])
		}
		at[j+1] = int32(w.items.Len())
	}
	return newArray(columnar.TextList, len(records), 0, w.itemArray(), []*memory.Buffer{nil, offsets}), nil
}

// itemArray copies the items of all lists.
func (w *Worker) itemArray() arrow.Array {
	offsets, data := w.buffer(4*(w.items.Len()+1)), w.buffer(len(w.items.Data))
	at := arrow.Int32Traits.CastFromBytes(offsets.Bytes())
	at[0] = 0
	copy(at[1:], w.items.Ends)
	copy(data.Bytes(), w.items.Data)
	return newArray(columnar.Text, w.items.Len(), 0, nil, []*memory.Buffer{nil, offsets, data})
}
