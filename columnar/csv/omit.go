package csv

import (
	"bytes"
	"encoding/binary"
	"slices"

	"analyzer/columnar"
)

// omit finds the records of a block that are no rows: those that begin in lines which the dialect
// leaves out, and those that repeat the header, if it may be repeated.
func (r *Reader) omit(b *Block) {
	d := &r.opts.Dialect
	if d.Repeated && len(r.first) > 0 && r.named > 1 {
		r.findRepeats(b)
	}
	lines := d.Omit
	if last := len(lines) - 1; last >= 0 && b.Len() > 0 && lines[last].To != 0 && b.Line(0) > lines[last].To {
		lines = nil
	}
	if len(lines) > 0 {
		b.repeats = slices.DeleteFunc(b.repeats, func(i int) bool { return isAmong(lines, b.Line(i)) })
	}
	for _, i := range b.repeats {
		b.omitted = append(b.omitted, int32(i))
	}
	if len(lines) == 0 {
		return
	}
	for i := range b.Len() {
		if isAmong(lines, b.Line(i)) {
			b.omitted = append(b.omitted, int32(i))
		}
	}
	slices.Sort(b.omitted)
}

// findRepeats lists the records that repeat the header. The first bytes tell nearly all others from it.
func (r *Reader) findRepeats(b *Block) {
	header := beginningOf(r.first)
	data := b.data[:len(b.data)+wordBytes]
	for record := int32(0); int(record) < b.Len(); {
		in, next := b.records.of(record)
		for at := in.begin; record < next; record, at = record+1, at+in.fields {
			word := binary.LittleEndian.Uint64(data[b.bounds[at]+1:])
			if (header.is(word) || byte(word) == byteOrderMark[0] || byte(word) == formFeed[0]) && Repeats(b.Record(int(record)), r.first) {
				b.repeats = append(b.repeats, int(record))
			}
		}
	}
}

// beginning is the first bytes of a record, at most eight.
type beginning struct{ bytes, mask uint64 }

func beginningOf(record []byte) beginning {
	var word [8]byte
	n := copy(word[:], record)
	mask := ^uint64(0) >> (64 - 8*n)
	return beginning{binary.LittleEndian.Uint64(word[:]), mask}
}

func (b beginning) is(word uint64) bool { return word&b.mask == b.bytes }

// Repeats reports whether a record is the header once more, before which the byte order mark of another file may
// stand, as where files were put together, or the form feed of another page.
func Repeats(record, header []byte) bool {
	switch len(record) - len(header) { // which tells nearly all records from it
	case 0:
		return bytes.Equal(record, header)
	case len(formFeed):
		return record[0] == formFeed[0] && bytes.Equal(record[1:], header)
	case len(byteOrderMark):
		return bytes.Equal(bytes.TrimPrefix(record, byteOrderMark), header)
	}
	return false
}

// formFeed begins a page.
const formFeed = "\f"

func isAmong(all []columnar.Lines, line int64) bool {
	return slices.ContainsFunc(all, func(l columnar.Lines) bool { return l.Has(line) })
}

func (b *Block) isOmitted(r int) bool {
	_, found := slices.BinarySearch(b.omitted, int32(r))
	return found
}
