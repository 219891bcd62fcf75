package csv

import (
	"context"
	"errors"
	"io"
	"slices"
)

// The bounds of one read after a block.
const (
	minTail = 4 << 10
	maxTail = 64 << 10
)

// load reads the block's bytes, and those after it up to the end of its last record. It
// gets the edge before the block from the chain and passes on the edge after it. The
// index of a regular block is left to finish, which does not need the source.
func (r *Reader) load(ctx context.Context, b *Block) error {
	if err := r.chain.failure(b.index); err != nil {
		return err
	}
	t, err := r.readBlock(b)
	if err != nil {
		return err
	}
	in, err := r.chain.enter(ctx, b.index, t)
	if err != nil {
		return err
	}
	b.start(in)
	out := t.apply(in)
	if !t.isRegular(in) {
		out = t.leave(in, b.walk())
		r.chain.leave(b.index, out)
	}
	if out.state == recordStart || !b.hasRecord() {
		return nil
	}
	return r.readTail(b, out.state)
}

// pieceBytes is how much of a block is read before it is classified, so that it is still
// in the processor's cache.
const pieceBytes = 256 << 10

// readBlock reads and classifies the bytes of the block, except those of the header.
func (r *Reader) readBlock(b *Block) (transfer, error) {
	size := int64(r.opts.BlockSize)
	end := (b.index + 1) * size
	b.offset = min(max(b.index*size, r.begin), end)
	want, err := int(min(end-b.offset, r.source.left(b.offset))), error(nil)
	b.room(want + minTail)
	b.words = slices.Grow(b.words, (want+wordBytes-1)/wordBytes)
	b.sum = r.opts.newSummary()
	for err == nil && len(b.data) < want {
		n := len(b.data)
		var more int
		more, err = r.source.read(b.data[n:min(n+pieceBytes, want)], b.offset+int64(n))
		if err != nil && !errors.Is(err, io.EOF) {
			return transfer{}, err
		}
		b.data = b.data[:n+more]
		// The next piece shows whether the last byte is the CR of a CRLF.
		b.words = classifyUpTo(b.words, max(0, len(b.data)-1)/wordBytes, b.data, r.kernels.classify, &b.sum)
	}
	b.size = len(b.data)
	b.seal()
	b.words = classified(b.words, b.data, r.kernels.classify, &b.sum)
	t := newTransfer(b.data, b.sum)
	b.returns = t.cr != 0
	return t, nil
}

// start sets the edge before the block.
func (b *Block) start(in edge) {
	b.begin, b.skip = in, 0
	if in.state == recordStart && in.afterCR && b.size > 0 && b.data[0] == '\n' {
		b.skip = 1
		b.words[0].newline &^= 1
		b.words[0].end &^= 1
	}
	b.bounds = append(b.bounds, int32(b.skip-1))
	if in.state == recordStart {
		b.rows = append(b.rows, 0)
	}
}

// hasRecord reports whether a record begins in the block, given that one is open at its
// end.
func (b *Block) hasRecord() bool {
	if b.begin.state == recordStart {
		return b.size > 0
	}
	if b.walked {
		return len(b.rows) > 0
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
	f := framer{state: b.begin.state, bounds: b.bounds, rows: b.rows}
	f.walk(b.words, 0, b.skip, b.size, false)
	b.bounds, b.rows, b.walked = f.bounds, f.rows, true
	return f.state
}

// readTail reads to the end of the record that is open at the end of the block.
func (r *Reader) readTail(b *Block, s state) error {
	f := framer{state: s, bounds: b.tailBounds}
	for size := minTail; ; size = min(2*size, maxTail) {
		at := len(b.data)
		b.room(at + size)
		n, err := r.source.peek(b.data[at:at+size], b.offset+int64(at))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		b.data = b.data[:at+n]
		b.seal()
		b.sum = r.opts.newSummary()
		b.tail = classified(b.tail[:0], b.data[at:], r.kernels.classify, &b.sum)
		b.returns = b.returns || b.sum.cr != 0
		if end := f.walk(b.tail, at, 0, n, true); len(f.rows) > 0 {
			b.data = b.data[:at+end]
			break
		}
		tooLong := len(b.data)-b.size > r.opts.MaxRecord // finish will say so
		if tooLong || errors.Is(err, io.EOF) {
			f.bounds = append(f.bounds, int32(len(b.data)))
			b.endless = true
			b.unclosed = !tooLong && f.state == inQuoted
			if !b.unclosed {
				b.data = append(b.data, '\n')
			}
			break
		}
	}
	b.tailBounds = f.bounds
	return nil
}

// finish completes the index and checks the length of records.
func (r *Reader) finish(b *Block) error {
	if !b.walked {
		b.indexRegular(r.kernels.extract)
	}
	b.endRecords()
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
