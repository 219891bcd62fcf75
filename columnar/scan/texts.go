package scan

import (
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/csv"
)

// texts copies the texts of output i; with nullable, those that do not fit the
// column's format are null.
func (w *Worker) texts(i int, records []int32, nullable bool) arrow.Array {
	c := &w.scan.outputs[i]
	size := 0
	for _, r := range records {
		size += len(w.block.Cell(int(r), c.field))
	}
	offsets, data := w.buffer(4*(len(records)+1)), w.buffer(size)
	at, out := arrow.Int32Traits.CastFromBytes(offsets.Bytes()), data.Bytes()[:0]
	at[0] = 0
	begins := true // every text begins with the beginning of a sequence
	for j, r := range records {
		n := len(out)
		out = csv.AppendUnquoted(out, w.block.Cell(int(r), c.field))
		at[j+1] = int32(len(out))
		begins = begins && (len(out) == n || utf8.RuneStart(out[n]))
	}
	if begins && utf8.Valid(out) {
		data.ResizeNoShrink(len(out))
	} else {
		data = w.mendTexts(i, at, data)
	}
	nulls, validity := 0, (*memory.Buffer)(nil)
	if nullable {
		nulls, validity = w.fitting(c.Format, at, data.Bytes())
	}
	return newArray(columnar.Text, len(records), nulls, nil, []*memory.Buffer{validity, offsets, data})
}

// mendTexts returns the texts with what is invalid in them replaced, in place of
// data, and counts the texts where something was.
func (w *Worker) mendTexts(output int, at []int32, data *memory.Buffer) *memory.Buffer {
	old := data.Bytes()
	defer data.Release()
	mended, invalid, begin := make([]byte, 0, len(old)+64), int64(0), int32(0)
	for j := range at[1:] {
		text := old[begin:at[j+1]]
		begin = at[j+1]
		if utf8.Valid(text) {
			mended = append(mended, text...)
		} else {
			mended = appendUTF8(mended, text)
			invalid++
		}
		at[j+1] = int32(len(mended))
	}
	w.scan.tally.invalid[output].Add(invalid)
	b := w.buffer(len(mended))
	copy(b.Bytes(), mended)
	return b
}

// fitting finds which texts fit a format.
func (w *Worker) fitting(f columnar.Format, at []int32, data []byte) (nulls int, validity *memory.Buffer) {
	validity = w.bitmap(len(at) - 1)
	for j := range at[1:] {
		if text := data[at[j]:at[j+1]]; len(text) > 0 && w.fits(f, text) {
			bitutil.SetBit(validity.Bytes(), j)
		} else {
			nulls++
		}
	}
	return nulls, validity
}
