package csv

import (
	"bytes"
	"slices"

	"analyzer/columnar"
)

// omit finds the records of a block that are no rows: those that begin in lines which the dialect
// leaves out, and those that repeat the header, if it may be repeated.
func (r *Reader) omit(b *Block) {
	d := &r.opts.Dialect
	lines := d.Omit
	if last := len(lines) - 1; last >= 0 && b.Len() > 0 && lines[last].To != 0 && b.Line(0) > lines[last].To {
		lines = nil
	}
	if len(lines) == 0 && !d.Repeated {
		return
	}
	for i := range b.Len() {
		repeats := d.Repeated && Repeats(b.Record(i), r.first)
		if repeats || len(lines) > 0 && isAmong(lines, b.Line(i)) {
			b.omitted = append(b.omitted, int32(i))
		}
	}
}

// Repeats reports whether a record is the header once more, before which the byte order mark of another file may
// stand, as where files were put together.
func Repeats(record, header []byte) bool {
	return bytes.Equal(bytes.TrimPrefix(record, byteOrderMark), header)
}

func isAmong(all []columnar.Lines, line int64) bool {
	return slices.ContainsFunc(all, func(l columnar.Lines) bool { return l.Has(line) })
}

func (b *Block) isOmitted(r int) bool {
	_, found := slices.BinarySearch(b.omitted, int32(r))
	return found
}
