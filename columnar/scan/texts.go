package scan

import (
	"errors"
	"slices"
	"unicode/utf8"

	"analyzer/columnar/csv"
	"analyzer/columnar/number"
	"analyzer/columnar/pyliteral"
)

// textSlack is how many bytes after the texts may be overwritten.
const textSlack = 64

// texts copies the texts of output i. With nullable, those that do not fit the column's
// format become null.
func (w *cellWorker) texts(i int, to *cells, records []int32, nullable bool) {
	c, column, q := &w.scan.outputs[i], &w.column, w.block.Quoting()
	to.Offsets, to.Data = growTo(to.Offsets, len(records)+1), to.Data[:0]
	to.Offsets[0] = 0
	begins := true
	for at, part := range w.block.Parts(records) {
		if q.Typed() {
			w.block.Values(column, c.field, part)
		} else {
			w.block.Column(column, c.field, part)
		}
		begins = to.append(column, to.Offsets[at:][:len(part)+1], q) && begins
	}
	if !begins || !validUTF8(to.Data) {
		w.mendTexts(i, to, records)
	}
	if c.bare != nil {
		to.strip(c.bare)
	}
	switch {
	case nullable && q.Typed() && c.fits == nil:
		to.keepFilled(column)
	case nullable:
		to.keepFitting(c.fits)
	}
}

// append appends the texts of a column, whose ends it writes behind the end of the text before them. It reports
// whether none of them begins with a UTF-8 continuation byte.
func (c *cells) append(column *csv.Column, ends []int32, q csv.Quoting) (begins bool) {
	n, size := len(ends)-1, 0
	for i := 0; i < n*column.Stride; i += column.Stride {
		size += int(column.Bounds[i+1] - column.Bounds[i])
	}
	c.Data = slices.Grow(c.Data, size+textSlack)
	out := c.Data[:len(c.Data)+size+textSlack]
	begins = true
	for j := 0; j < n; j++ {
		if j += copyTexts(out, ends[j:], &column.Cells, j, q); j == n {
			break
		}
		at, cell := ends[j], column.Cell(j)
		m := len(cell)
		switch p := cell[:m+number.Behind]; {
		case m > 0 && p[0] == q.Quote():
			m = len(q.Append(out[at:at], cell))
		case m <= number.Behind: // cheaper than a call; the next text overwrites the excess bytes
			*(*[number.Behind]byte)(out[at:]) = *(*[number.Behind]byte)(p)
		default:
			copy(out[at:], cell)
		}
		begins = begins && (m == 0 || utf8.RuneStart(out[at]))
		ends[j+1] = at + int32(m)
	}
	c.Data = out[:ends[n]]
	return begins
}

// strip drops what stands around texts.
func (c *cells) strip(bare func([]byte) []byte) {
	at, begin, n := c.Offsets, int32(0), 0
	for i := range c.Len {
		n += copy(c.Data[n:], bare(c.Data[begin:at[i+1]]))
		begin = at[i+1]
		at[i+1] = int32(n)
	}
	c.Data = c.Data[:n]
}

// keepFilled makes texts null whose cells are empty, and not even quoted.
func (c *cells) keepFilled(column *csv.Column) {
	if !anyEmpty(c.Offsets[:c.Len+1]) {
		return
	}
	for i := range c.Len {
		if c.Offsets[i] == c.Offsets[i+1] && len(column.Cell(i)) == 0 {
			c.null(i)
		}
	}
}

// mendTexts replaces invalid UTF-8 in texts, and warns about each text that had any.
func (w *cellWorker) mendTexts(output int, to *cells, records []int32) {
	at, begin := to.Offsets, int32(0)
	mended := make([]byte, 0, len(to.Data)+64)
	for j := range at[1:] {
		text := to.Data[begin:at[j+1]]
		begin = at[j+1]
		if utf8.Valid(text) {
			mended = append(mended, text...)
		} else {
			mended = csv.AppendUTF8(mended, text)
			w.warn(&w.scan.tally.invalid[output], records[j])
		}
		at[j+1] = int32(len(mended))
	}
	to.Data = mended
}

// keepFitting makes texts null that do not fit or, if fits is nil, are empty.
func (c *cells) keepFitting(fits func([]byte) bool) {
	if fits == nil {
		c.keepSome()
		return
	}
	at, begin, n := c.Offsets, int32(0), 0
	for i := range c.Len {
		text := c.Data[begin:at[i+1]]
		switch {
		case !fits(text):
			c.null(i)
		case n < int(begin):
			n += copy(c.Data[n:], text)
		default: // no text was dropped so far, so that this one need not move
			n += len(text)
		}
		begin = at[i+1]
		at[i+1] = int32(n)
	}
	c.Data = c.Data[:n]
}

// keepSome makes texts null that are empty.
func (c *cells) keepSome() {
	if at := c.Offsets[:c.Len+1]; anyEmpty(at) {
		valid := c.nulls()
		for i := range valid {
			valid[i] = at[i] < at[i+1]
		}
	}
}

// anyEmpty reports whether a text is empty.
func anyEmpty(offsets []int32) bool {
	for i, end := range offsets[1:] {
		if end == offsets[i] {
			return true
		}
	}
	return false
}

// lists parses the list cells of output i.
func (w *cellWorker) lists(i int, to *cells, records []int32) error {
	c, tally := &w.scan.outputs[i], w.scan.tally
	to.Offsets = growTo(to.Offsets, len(records)+1)
	to.Offsets[0] = 0
	w.items.Reset()
	w.block.Column(&w.column, c.field, records)
	for j := range records {
		cell := w.column.Cell(j)
		if len(cell) == 0 && w.block.Quoting().Typed() {
			to.null(j)
		}
		text := w.text(cell)
		if !utf8.Valid(text) {
			w.mended = csv.AppendUTF8(w.mended[:0], text)
			text = w.mended
			w.warn(&tally.invalid[i], records[j])
		}
		var err error
		if len(text) > 0 && (c.null == nil || !c.null(text)) {
			err = c.items(&w.items, text)
		}
		if err != nil {
			if !errors.Is(err, pyliteral.ErrMalformed) {
				return err
			}
			w.warn(&tally.malformed[i], records[j])
		}
		to.Offsets[j+1] = int32(w.items.Len())
	}
	items := to.Child
	items.Len, items.Offsets = w.items.Len(), append(items.Offsets[:1], w.items.Ends...)
	items.Data, w.items.Data = w.items.Data, items.Data
	return nil
}
