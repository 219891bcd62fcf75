package csv

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

const (
	// The bounds of one read after a block.
	minTail = 4 << 10
	maxTail = 64 << 10
	// findBytes is how many bytes of a block are first read to find where its first line begins.
	findBytes = 512
	// longLine is how far a line may go beyond its block before there is room at once for the rest of it: to grow step by
	// step leaves several times as much garbage.
	longLine = 256 << 10
	// longRecord is likewise how far a record may go before there is room for as long a one as can be.
	longRecord = 4 << 20
)

// load reads the lines that begin in the block, and those after it up to the end of its last
// record. It gets the edge before the block from the chain and passes on the edge after it. The
// index of a regular block is left to finish, which does not need the source.
func (r *Reader) load(ctx context.Context, b *Block) error {
	if err := r.chain.failure(b.index); err != nil {
		return err
	}
	if err := r.readLines(b); err != nil {
		return err
	}
	in, err := r.chain.enter(ctx, b.index, b.lexer.sum)
	if err != nil {
		return err
	}
	b.start(in)
	sum := &b.lexer.sum
	out := sum.apply(in)
	if !sum.isRegular(in) {
		out = sum.leave(in, b.walk() == inQuoted)
		r.chain.leave(b.index, out)
	}
	if out.Inside && b.hasRecord() {
		return r.readTail(b)
	}
	b.data = b.data[:b.size]
	if n := b.size; n > 0 && !out.Inside && !isLineEnd(b.data[n-1]) {
		b.endFile(false)
	}
	return nil
}

// pieceBytes is how much of a block is read before it is classified, so that it is still
// in the processor's cache.
const pieceBytes = 256 << 10

// readLines reads and classifies the lines that begin in the block, except the header.
func (r *Reader) readLines(b *Block) error {
	b.lexer.reset(&r.syntax, r.kernels.classify)
	end := (b.index + 1) * int64(r.opts.BlockSize)
	if err := r.findLine(b, end); err != nil {
		return err
	}
	want, err := int(min(end-b.offset, r.source.Left(b.offset))), error(nil)
	b.room(want + minTail)
	b.words = slices.Grow(b.words, (want+minTail+wordBytes-1)/wordBytes)
	for err == nil && len(b.data) < want {
		n := len(b.data)
		var more int
		more, err = r.source.Read(b.data[n:min(n+pieceBytes, want)], b.offset+int64(n))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		b.data = b.data[:n+more]
		// The next piece shows whether the last byte is the CR of a CRLF.
		b.words = b.lexer.upTo(b.words, max(0, len(b.data)-1)/wordBytes, b.data)
	}
	if err := r.readToLineEnd(b); err != nil {
		return err
	}
	b.words = b.lexer.rest(b.words, b.data[:b.size])
	b.returns = b.lexer.sum.cr != 0
	return nil
}

// findLine sets the block's offset to where its first line begins: after the first line end from
// the byte before the block on. A block without such a line begins at end, its own end.
func (r *Reader) findLine(b *Block, end int64) error {
	begin := b.index * int64(r.opts.BlockSize)
	if begin <= r.begin {
		b.offset = min(r.begin, end)
		return nil
	}
	for size := findBytes; ; size = min(2*size, maxTail) {
		at := len(b.data)
		whole, err := r.peekMore(b, size, begin-1)
		if err != nil {
			return err
		}
		// at-1: a CR at the end of what was read so far may be one of a CRLF.
		line, found := afterLineEnd(b.data, max(0, at-1), whole)
		if b.offset = begin - 1 + int64(line); found || whole || b.offset >= end {
			break
		}
	}
	b.offset, b.data = min(b.offset, end), b.data[:0]
	r.source.Skip(b.offset - begin)
	return nil
}

// readToLineEnd reads on until the last line that begins in the block is complete, or longer than
// a record may be.
func (r *Reader) readToLineEnd(b *Block) error {
	at, long := len(b.data), false
	found, whole, err := at == 0, false, error(nil)
	for size := minTail; !found; size = min(2*size, maxTail) {
		if n := len(b.data); n-at > longLine && !long {
			rest, err := r.lineLeft(b.offset+int64(n), r.opts.MaxRecord-(n-at))
			if err != nil {
				return err
			}
			b.room(n + rest + 2*maxTail)
			long = true
		}
		from := max(0, len(b.data)-1)
		if whole, err = r.peekMore(b, size, b.offset); err != nil {
			return err
		}
		if b.size, found = afterLineEnd(b.data, from, whole); whole || len(b.data)-at > r.opts.MaxRecord {
			break
		}
	}
	b.cut = !found && !whole
	b.seal()
	return nil
}

// lineLeft returns about how many bytes of a line there are from an offset on, most at most. Reading them twice takes less
// than finding out by making room how much is needed.
func (r *Reader) lineLeft(from int64, most int) (int, error) {
	piece := make([]byte, maxTail)
	for left := 0; left < most; left += len(piece) {
		n, err := r.source.Peek(piece, from+int64(left))
		if _, found := afterLineEnd(piece[:n], 0, false); found || errors.Is(err, io.EOF) {
			return left + n, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return most, nil
}

// peekMore appends up to size more bytes to the data of a block, which begins at offset base of the
// file, and reports whether the file ends with them.
func (r *Reader) peekMore(b *Block, size int, base int64) (whole bool, err error) {
	at := len(b.data)
	b.room(at + size)
	n, err := r.source.Peek(b.data[at:at+size], base+int64(at))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	b.data = b.data[:at+n]
	return err != nil, nil
}

// afterLineEnd returns the position after the first line end in data that is at from or later.
// If there is none, that is the end of data. whole means that the file ends there.
func afterLineEnd(data []byte, from int, whole bool) (after int, found bool) {
	rest := data[from:]
	lf := bytes.IndexByte(rest, '\n')
	before := rest
	if lf >= 0 {
		before = rest[:lf]
	}
	for i := 0; ; i++ {
		cr := bytes.IndexByte(before[i:], '\r')
		if cr < 0 {
			break
		}
		if i += cr; i+1 < len(rest) && rest[i+1] != '\n' || i+1 == len(rest) && whole {
			return from + i + 1, true
		}
	}
	if lf >= 0 {
		return from + lf + 1, true
	}
	return len(data), false
}

// lastLineEnd returns the position after the last line end in data that is at from or later, 0 if
// there is none. The file may go on behind data.
func lastLineEnd(data []byte, from int) int {
	end := 0
	if lf := bytes.LastIndexByte(data[from:], '\n'); lf >= 0 {
		end = from + lf + 1
	}
	from = max(from, end)
	if cr := bytes.LastIndexByte(data[from:max(from, len(data)-1)], '\r'); cr >= 0 {
		end = from + cr + 1 // behind the last LF, so that none follows it
	}
	return end
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// start sets the edge before the block.
func (b *Block) start(in Edge) {
	b.begin = in
	b.bounds, b.records.lines = append(b.bounds, -1), int(b.lexer.sum.newlines)
	if !in.Inside {
		b.records.end = 0
	}
}

// hasRecord reports whether a record begins in the block, given that one is open at its
// end.
func (b *Block) hasRecord() bool {
	if !b.begin.Inside {
		return b.size > 0
	}
	if b.walked {
		return b.records.end != noEnd
	}
	flip := b.begin.flip()
	for i := range b.words {
		if w := &b.words[i]; w.newline&^(w.inside^flip) != 0 {
			return true
		}
	}
	return false
}

// walk indexes an irregular block and returns its last state.
func (b *Block) walk() state {
	if b.lexer.comments { // they were left out as if the block began outside quotes
		sum := b.lexer.sum
		b.lexer.reset(b.lexer.syntax, b.lexer.classify)
		b.lexer.verbatim = true
		b.words = b.lexer.rest(b.words[:0], b.data[:b.size])
		b.lexer.sum = sum
	}
	f := framer{syntax: b.lexer.syntax, state: b.begin.state(), bounds: b.bounds, rows: b.ends[:0]}
	f.walk(b.words, b.data, 0, 0, b.size, false)
	b.bounds, b.ends, b.walked, b.quoted, b.behind = f.bounds, f.rows, true, true, f.behind
	for _, end := range f.rows {
		b.records.add(end)
	}
	return f.state
}

// readTail reads to the end of the record that is open, within quotes, after the lines of the block.
func (r *Reader) readTail(b *Block) error {
	if b.cut { // finish will say so
		b.endFile(false)
		return nil
	}
	f := framer{syntax: b.lexer.syntax, state: inQuoted, bounds: b.tailBounds}
	l := lexer{found: b.lexer.found} // that of the block still says where its escapes are
	b.data = b.data[:b.size]
	for size := minTail; ; size = min(2*size, maxTail) {
		at := len(b.data)
		ended, err := r.peekLines(b, size)
		if err != nil {
			return err
		}
		l.reset(b.lexer.syntax, b.lexer.classify)
		l.verbatim = true
		b.tail = l.rest(b.tail[:0], b.data[at:])
		b.returns = b.returns || l.sum.cr != 0
		if end := f.walk(b.tail, b.data, at, 0, len(b.data)-at, true); len(f.rows) > 0 {
			b.data = b.data[:at+end]
			break
		}
		tooLong := len(b.data)-b.size > r.opts.MaxRecord // finish will say so
		if tooLong || ended {
			b.tailBounds, b.behind = f.bounds, b.behind || f.behind
			b.endFile(!tooLong && f.state == inQuoted)
			return nil
		}
	}
	b.tailBounds, b.behind = f.bounds, b.behind || f.behind
	return nil
}

// peekLines appends whole lines to the data of a block, size bytes or more, and reports
// whether the file ends with them. A line that is longer than a record may be is cut.
func (r *Reader) peekLines(b *Block, size int) (ended bool, err error) {
	at, begin := len(b.data), b.offset
	for {
		if len(b.data)-b.size > longRecord {
			b.room(b.size + r.opts.MaxRecord + 2*maxTail)
		}
		from := max(at, len(b.data)-1)
		whole, err := r.peekMore(b, size, begin)
		if err != nil {
			return false, err
		}
		end := len(b.data)
		if !whole {
			end = lastLineEnd(b.data, from)
		}
		if whole || end > 0 || len(b.data)-at > r.opts.MaxRecord {
			if end > 0 {
				b.data = b.data[:end]
			}
			b.seal()
			return whole, nil
		}
		size = min(2*size, maxTail)
	}
}

// endFile ends the last record where the file ends, within quotes or not.
func (b *Block) endFile(unclosed bool) {
	b.tailBounds = append(b.tailBounds, int32(len(b.data)))
	b.endless, b.unclosed = true, unclosed
	if !unclosed {
		b.data = append(b.data, '\n')
	}
}

// finish completes the index and checks the length of records.
func (r *Reader) finish(b *Block) error {
	if !b.walked {
		b.indexRegular(r.kernels.extract, r.opts.SkipBlank)
	}
	b.endRecords()
	if b.endless && b.Len() > 0 && b.Fields(b.Len()-1) == 0 {
		b.endless = false // a comment: without a line end it is not even a blank line
		b.records.pop()
	}
	b.doubt(len(r.header), r.named)
	r.omit(b)
	if len(b.data) <= r.opts.MaxRecord {
		return nil
	}
	for i := range b.Len() {
		if len(b.Record(i)) > r.opts.MaxRecord {
			return r.tooLong(b.Line(i))
		}
	}
	return nil
}
