package scan

import (
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// texts copies the texts of output i; with nullable, those that do not fit the
// column's format are null.
func (w *Worker) texts(i int, records []int32, nullable bool) arrow.Array {
	c, block := &w.scan.outputs[i], w.block.Data()
	w.spans = w.block.Spans(w.spans, c.field, records)
	size := 0
	for _, s := range w.spans {
		size += int(s.End - s.Begin)
	}
	offsets, data := w.buffer(4*(len(records)+1)), w.buffer(size)
	at, out := arrow.Int32Traits.CastFromBytes(offsets.Bytes()), data.Bytes()
	at[0] = 0
	n, begins := 0, true // every text begins with the beginning of a sequence
	for j, s := range w.spans {
		if cell := block[s.Begin:s.End]; len(cell) > 0 {
			var m int
			if cell[0] != '"' {
				m = copy(out[n:], cell)
			} else {
				m = len(csv.AppendUnquoted(out[n:n], cell))
			}
			begins = begins && (m == 0 || utf8.RuneStart(out[n]))
			n += m
		}
		at[j+1] = int32(n)
	}
	if begins && validUTF8(out[:n]) {
		data.ResizeNoShrink(n)
	} else {
		data = w.mendTexts(i, records, at, data)
	}
	known := validity{worker: w, rows: len(records)}
	if nullable {
		out = data.Bytes()
		for j := range records {
			if text := out[at[j]:at[j+1]]; len(text) == 0 || !c.fits(text) {
				known.clear(j)
			}
		}
	}
	return newArray(columnar.Text, len(records), known.nulls, nil, []*memory.Buffer{known.bits, offsets, data})
}

// mendTexts returns the texts with what is invalid in them replaced, in place of
// data, and warns of the texts where something was.
func (w *Worker) mendTexts(output int, records, at []int32, data *memory.Buffer) *memory.Buffer {
	old := data.Bytes()
	defer data.Release()
	mended, begin := make([]byte, 0, len(old)+64), int32(0)
	for j := range at[1:] {
		text := old[begin:at[j+1]]
		begin = at[j+1]
		if utf8.Valid(text) {
			mended = append(mended, text...)
		} else {
			mended = appendUTF8(mended, text)
			w.warn(&w.scan.tally.invalid[output], records[j])
		}
		at[j+1] = int32(len(mended))
	}
	b := w.buffer(len(mended))
	copy(b.Bytes(), mended)
	return b
}
