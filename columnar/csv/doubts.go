package csv

import (
	"bytes"
	"math/bits"
)

// Doubts returns the records of the block in which text follows a closing quote. Such a record
// may have swallowed others, if a quote before it was not closed.
func (b *Block) Doubts() []int { return b.doubts }

// Mended returns the records of the block that have a quote which is not closed, and yet do not
// swallow the lines behind them.
func (b *Block) Mended() []int { return b.mended }

// Repeats returns the records that are no rows since they repeat the header.
func (b *Block) Repeats() []int { return b.repeats }

// doubt finds the doubtful records of a table with so many fields, and mends those that it can. The first
// record of the file has first of them.
func (b *Block) doubt(fields, first int) {
	var all []mending
	begin, added := 0, 0
	if !b.behind {
		begin = b.Len()
		if b.unclosed {
			begin--
		}
	}
	for r := begin; r < b.Len(); r++ {
		behind := b.doubtful(r, func([]byte) bool { return true }) >= 0
		if !behind && !b.isUnclosed(r) {
			continue
		}
		if m, ok := b.mend(r, fields, first); ok {
			b.mended = append(b.mended, r+added)
			all, added = append(all, m), added+len(m.rows)-1
			continue
		}
		if behind {
			b.doubts = append(b.doubts, r+added)
		}
	}
	if all != nil {
		b.replace(all)
	}
}

// isUnclosed reports whether the file ends within quotes of record r.
func (b *Block) isUnclosed(r int) bool { return b.unclosed && r == b.Len()-1 }

// mending is the records that were found in place of one, from one of its fields on.
type mending struct {
	framer
	record, field int32
}

// doubtful returns the first field of a record in which text follows a closing quote, and which is
// as wanted; -1 if there is none.
func (b *Block) doubtful(r int, wanted func(cell []byte) bool) int {
	for c := range b.Fields(r) {
		if cell := b.Cell(r, c); b.lexer.followed(cell) && wanted(cell) {
			return c
		}
	}
	return -1
}

// followedQuotes reports whether text follows a closing quote in words of a regular block, of which
// the first describes data from base on. closed is 1 if a closing quote precedes them; next is the
// same for the words behind them.
func (b *Block) followedQuotes(words []word, base int, flip, closed uint64) (found bool, next uint64) {
	first := 0
	for closed == 0 && first < len(words) && words[first].quote == 0 {
		first++
	}
	words, base = words[first:], base+first*wordBytes
	b.quoted = b.quoted || len(words) > 0
	before, any := closed, uint64(0)
	for i := range words {
		w := &words[i]
		closing := w.quote &^ (w.inside ^ flip)
		any |= (closing<<1 | closed) &^ (w.end | w.quote)
		closed = closing >> 63
	}
	return any != 0 && b.textBehind(words, base, flip, before), closed
}

// isText reports whether what follows a closing quote, and is not the end of a field, is text. The
// first byte of a longer delimiter and the CR of a CRLF are none, nor are spaces before them if they may stand there.
func (x *syntax) isText(data []byte, at int) bool {
	if x.spaced {
		if at += spaces(data[at:]); at == len(data) {
			return false
		}
	}
	c := data[at]
	return !isLineEnd(c) && c != x.delimiter[0]
}

// textBehind reports whether one of the bytes behind closing quotes is text.
func (b *Block) textBehind(words []word, base int, flip, closed uint64) bool {
	for i := range words {
		w := &words[i]
		closing := w.quote &^ (w.inside ^ flip)
		for after := (closing<<1 | closed) &^ (w.end | w.quote); after != 0; after &= after - 1 {
			at := base + i*wordBytes + bits.TrailingZeros64(after)
			if at < b.size && b.lexer.isText(b.data, at) {
				return true
			}
		}
		closed = closing >> 63
	}
	return false
}

// followed reports whether text follows the closing quote of a cell, which its writer hardly meant.
func (q Quoting) followed(cell []byte) bool {
	closing := q.closing(cell)
	return closing > 0 && closing+1 < len(cell)
}

// closing returns where the closing quote of a cell is, 0 if it has none.
func (q Quoting) closing(cell []byte) int {
	if len(cell) == 0 || cell[0] != q.quote {
		return 0
	}
	for i := 1; i < len(cell); i++ {
		switch {
		case q.escapes && cell[i] == q.escape:
			i++
		case cell[i] != q.quote:
		case !q.escapes && i+1 < len(cell) && cell[i+1] == q.quote:
			i++
		default:
			return i
		}
	}
	return 0
}

// mend reads a record of several lines again, as if the quote before the doubtful text were text:
// perhaps it was never closed, and what seems to close it opens a cell of a later record, or the file ends within it. That
// reading counts if all records that it makes have as many fields as the table, or more that are empty.
func (b *Block) mend(r, fields, first int) (m mending, ok bool) {
	if max(fields, first) < 2 || !b.lexer.plain() || b.lexer.rewritten {
		return m, false
	}
	c := b.doubtful(r, func(cell []byte) bool { return bytes.ContainsAny(cell, "\r\n") })
	if c < 0 && b.isUnclosed(r) {
		c = b.Fields(r) - 1
	}
	if c < 0 {
		return m, false
	}
	in, _ := b.records.of(int32(r))
	at := in.row(int32(r))
	begin, last := int(b.bounds[at+int32(c)])+1, b.bounds[at+in.fields]
	if b.isUnclosed(r) {
		defer func(size int, endless bool) {
			if b.unclosed = !ok; !ok {
				b.data, b.endless = b.data[:size], endless
			}
		}(len(b.data), b.endless)
		last = b.endLine()
	}
	end := b.withoutBlankBehind(begin, int(last)) + 1
	var l lexer
	l.reset(b.lexer.syntax, b.lexer.classify)
	l.verbatim = true
	m = mending{framer: framer{syntax: b.lexer.syntax, state: inField}, record: int32(r), field: int32(c)}
	words := l.rest(nil, b.data[begin:end])
	m.walk(words, b.data, begin, 0, end-begin, false)
	if n := len(m.bounds); m.state == inQuoted && n > 0 { // the quote that seemed to close it is not closed either
		m.state = inField
		m.walk(words, b.data, begin, int(m.bounds[n-1])+1-begin, end-begin, false)
	}
	if m.state != recordStart || !m.uniform(b.data, int32(c), fields) {
		return m, false
	}
	m.bounds[len(m.bounds)-1] = last
	return m, true
}

// endLine ends the last line of the file, if nothing does, and returns where.
func (b *Block) endLine() int32 {
	if b.endless = !isLineEnd(b.data[len(b.data)-1]); b.endless {
		b.data = append(b.data, '\n')
	}
	return int32(len(b.data) - 1)
}

// withoutBlankBehind returns the last byte of the line end of a text that is in the block from begin on and ends
// with the line end at end: blank lines that are no records stand between the two.
func (b *Block) withoutBlankBehind(begin, end int) int {
	if b.blank == 0 {
		return end
	}
	at := int(b.trim(int32(begin), int32(end)))
	if at < end && b.data[at] == '\r' && b.data[at+1] == '\n' {
		at++
	}
	return at
}

// uniform reports whether there are several records, and all have so many fields, behind which others are
// empty or have spaces alone, or are blank. The first has c more fields than were walked.
func (f *framer) uniform(data []byte, c int32, fields int) bool {
	empty := func(from, to int32) bool {
		for i := from; i < to; i++ {
			if i < 0 || !f.IsEmpty(bytes.Trim(data[f.bounds[i]+1:f.bounds[i+1]], "\r ")) {
				return false
			}
		}
		return true
	}
	last := -1 - c
	for i, end := range f.rows {
		blank := i > 0 && end-last == 1 && len(bytes.Trim(data[f.bounds[last]+1:f.bounds[end]], "\r")) == 0
		if !blank && (int(end-last) < fields || !empty(last+int32(fields), end)) {
			return false
		}
		last = end
	}
	return len(f.rows) > 1
}

// replace puts mended records in their places, which are given in ascending order.
func (b *Block) replace(all []mending) {
	before := b.records
	b.records = runs{end: before.row(0)}
	bounds := make([]int32, 0, len(b.bounds)+len(b.bounds)/8)
	record, taken := int32(0), int32(0) // of the block before, and of its bounds
	keep := func(records, to int32) {
		shift := int32(len(bounds)) - taken
		for ; record < records; record++ {
			in, _ := before.of(record)
			b.records.add(in.row(record+1) + shift)
		}
		bounds, taken = append(bounds, b.bounds[taken:to]...), to
	}
	for i := range all {
		m := &all[i]
		in, _ := before.of(m.record)
		keep(m.record, in.row(m.record)+m.field+1)
		for _, end := range m.rows {
			b.records.add(int32(len(bounds)) + end)
		}
		bounds = append(bounds, m.bounds...)
		record, taken = m.record+1, in.row(m.record+1)+1
	}
	keep(int32(before.count), int32(len(b.bounds)))
	b.bounds = bounds
}
