package json

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// values cuts a file between objects, one block after the other: the items of an array, or objects
// that go over several lines.
type values struct {
	reader *reader
	array  bool

	mu     sync.Mutex
	cutter cutter
	index  int64
	offset int64  // of the next block in the file
	line   int64  // on which it begins
	indent int    // bytes of that line before it
	rest   []byte // bytes of it that were read
	ended  bool
	failed error // ends the reading
}

func newValues(r *reader, array bool) *values {
	v := &values{reader: r, array: array, line: 1}
	if array {
		v.cutter.outer = 1
	}
	return v
}

// next reads the next block: whole objects, and what stands before each.
func (v *values) next(ctx context.Context, b *Block) (at part, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b.index = v.index
	switch {
	case v.failed != nil:
		return at, v.failed
	case v.ended:
		return at, io.EOF
	}
	at, v.failed = v.cut(ctx, b)
	return at, v.failed
}

// cut fills a block.
func (v *values) cut(ctx context.Context, b *Block) (at part, err error) {
	b.data = append(slices.Grow(b.data[:0], len(v.rest)+v.reader.blockSize+slack), v.rest...)
	cut := 0
	for cut == 0 && !v.ended {
		from := len(b.data)
		if v.ended, err = v.read(ctx, b); err != nil {
			return at, err
		}
		if n := v.cutter.cut(b.data[from:]); n > 0 {
			cut = from + n
		}
		if len(b.data) > v.reader.most+2*v.reader.blockSize && cut == 0 {
			return at, v.reader.tooLong(v.line)
		}
	}
	if v.ended {
		cut = len(b.data)
	}
	v.rest = append(v.rest[:0], b.data[cut:]...)
	b.data, b.offset = b.data[:cut], v.offset
	line := v.line
	b.lines, b.indent = func() int64 { return line }, v.indent
	if lf := bytes.LastIndexByte(b.data, '\n'); lf >= 0 {
		v.indent = len(b.data) - lf - 1
	} else {
		v.indent += len(b.data)
	}
	if at = (part{array: v.array, from: v.index == 0, to: v.ended}); at.from {
		at.begin = int(v.reader.start)
	}
	v.index, v.offset, v.line = v.index+1, v.offset+int64(cut), v.line+int64(bytes.Count(b.data, []byte{'\n'}))
	return at, nil
}

// read appends the next bytes of the file to a block, and reports whether there are none.
func (v *values) read(ctx context.Context, b *Block) (ended bool, err error) {
	source, size := v.reader.source, v.reader.blockSize
	k, err := source.Claim(ctx)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		return false, err
	}
	defer source.Release()
	from := len(b.data)
	want := int(min(int64(size), source.Left(k*int64(size))))
	b.data = slices.Grow(b.data, want+slack)[:from+want]
	n, err := source.Read(b.data[from:], k*int64(size))
	b.data = b.data[:from+n]
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return false, nil
}

// cutter finds where values end in bytes that come in pieces. It does not care whether they are
// valid.
type cutter struct {
	outer   int // how many brackets are around all values
	depth   int
	inside  bool // a text in quotes
	escaped bool // the next byte belongs to an escape
}

// cut goes on with the next bytes, and returns the position behind the last value that ends in
// them, 0 if there is none.
func (c *cutter) cut(data []byte) (end int) {
	for i := 0; i < len(data); i++ {
		if c.inside {
			if i = c.text(data, i); c.inside {
				break
			}
			continue
		}
		switch data[i] {
		case '"':
			c.inside = true
		case '{', '[':
			c.depth++
		case '}', ']':
			if c.depth--; c.depth == c.outer {
				end = i + 1
			}
		}
	}
	return end
}

// text goes on within quotes, and returns the position of the closing one.
func (c *cutter) text(data []byte, i int) int {
	for ; i < len(data); i++ {
		switch {
		case c.escaped:
			c.escaped = false
		case data[i] == '\\':
			c.escaped = true
		case data[i] == '"':
			c.inside = false
			return i
		}
	}
	return i
}
