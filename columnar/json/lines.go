package json

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// lines counts the lines of blocks that are read at the same time.
type lines struct {
	mu     sync.Mutex
	first  int64           // the first block that is read
	counts map[int64]int64 // of blocks behind one that has not been counted
	begins []int64         // by block from the first on: the line, from 1, on which it begins
	more   *sync.Cond      // begins has grown
}

// newLines counts from a line on, on which the first block that is read begins.
func newLines(first, line int64) *lines {
	l := &lines{first: first, counts: make(map[int64]int64), begins: []int64{line}}
	l.more = sync.NewCond(&l.mu)
	return l
}

// add notes how many lines block k has. It must be called for each block that was claimed.
func (l *lines) add(k, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[k] = n
	for {
		last := len(l.begins) - 1
		n, known := l.counts[l.first+int64(last)]
		if !known {
			break
		}
		delete(l.counts, l.first+int64(last))
		l.begins = append(l.begins, l.begins[last]+n)
	}
	l.more.Broadcast()
}

// line returns the line on which block k begins. It waits until the blocks before it were
// counted, which other workers do as soon as they have read them.
func (l *lines) line(k int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	for int64(len(l.begins)) <= k-l.first {
		l.more.Wait()
	}
	return l.begins[k-l.first]
}

// edges returns the line on which the first block begins, and the one behind the last.
func (l *lines) edges() (first, next int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begins[0], l.begins[len(l.begins)-1]
}

// The bounds of one read behind the lines of a block.
const (
	minTail = 4 << 10
	maxTail = 64 << 10
)

// nextLines reads the lines that begin in the next block.
func (r *reader) nextLines(ctx context.Context, b *Block) (at part, err error) {
	k, err := r.source.Claim(ctx)
	if b.index = k; err != nil {
		return at, err
	}
	b.lines = func() int64 { return r.lines.line(k) }
	err = r.readLines(b)
	r.source.Release()
	r.lines.add(k, int64(bytes.Count(b.data, []byte{'\n'})))
	if err != nil {
		return at, err
	}
	if len(b.data) > r.most {
		if i := longer(b.data, r.most); i >= 0 {
			return at, r.tooLong(b.lineOf(i))
		}
	}
	if k == 0 {
		at.begin = int(r.start)
	}
	at.lines = true
	return at, nil
}

// longer returns where the first line begins that is longer than most bytes, or -1.
func longer(data []byte, most int) int {
	for i := 0; i < len(data); {
		n := bytes.IndexByte(data[i:], '\n')
		if n < 0 {
			n = len(data) - i
		}
		if n > most {
			return i
		}
		i += n + 1
	}
	return -1
}

func (r *reader) readLines(b *Block) error {
	end := (b.index + 1) * int64(r.blockSize)
	if err := r.findLine(b, end); err != nil || b.offset >= end {
		return err
	}
	want := int(min(end-b.offset, r.source.Left(b.offset)))
	b.data = slices.Grow(b.data[:0], want+minTail+slack)[:want]
	n, err := r.source.Read(b.data, b.offset)
	b.data = b.data[:n]
	whole := errors.Is(err, io.EOF)
	if err != nil && !whole {
		return err
	}
	if n == 0 || whole || b.data[n-1] == '\n' {
		return nil
	}
	for size := minTail; ; size = min(2*size, maxTail) {
		from := len(b.data)
		whole, err := r.peek(b, size, b.offset)
		if err != nil {
			return err
		}
		if lf := bytes.IndexByte(b.data[from:], '\n'); lf >= 0 {
			b.data = b.data[:from+lf+1]
			return nil
		}
		if whole || len(b.data)-n > r.most {
			return nil
		}
	}
}

// findLine sets the block's offset to where its first line begins: behind the first line feed from
// the byte before the block on. A block without such a line begins at end, its own end.
func (r *reader) findLine(b *Block, end int64) error {
	begin := b.index * int64(r.blockSize)
	b.offset, b.data = begin, b.data[:0]
	if begin == 0 {
		return nil
	}
	for size := 512; ; size = min(2*size, maxTail) {
		from := len(b.data)
		whole, err := r.peek(b, size, begin-1)
		if err != nil {
			return err
		}
		lf := bytes.IndexByte(b.data[from:], '\n')
		if b.offset = begin + int64(from+lf); lf >= 0 {
			break
		}
		if b.offset = end; whole || begin-1+int64(len(b.data)) >= end {
			break
		}
	}
	b.offset, b.data = min(b.offset, end), b.data[:0]
	r.source.Skip(b.offset - begin)
	return nil
}

// peek appends up to size more bytes to the data of a block, which begins at offset base of the
// file, and reports whether the file ends with them.
func (r *reader) peek(b *Block, size int, base int64) (whole bool, err error) {
	at := len(b.data)
	b.data = slices.Grow(b.data, size+slack)[:at+size]
	n, err := r.source.Peek(b.data[at:], base+int64(at))
	b.data = b.data[:at+n]
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return err != nil, nil
}
