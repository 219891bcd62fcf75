package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// content is what a page has. It is read and decompressed as far as somebody asks for it: so rows behind the last one
// that is wanted cost nothing, little memory is touched, and what was decompressed is in the processor's cache when it is read.
type content struct {
	stored  *window // goes on with the page
	left    int     // bytes that the page has left there
	size    int     // bytes that it still has, decompressed
	snappy  bool
	literal int    // bytes of a literal that are to be copied first
	buffer  []byte // the first at bytes were read last: at their end is what was not taken, before it what copies may refer to
	at      int
	history int                 // bytes that copies may refer to
	padded  [2 * snappyTag]byte // memory for tags at the end of the file
	first   mark
}

// mark is what is left where what is compressed begins.
type mark struct {
	place      int64 // in the file
	left, size int
}

// errFar is the error of a copy from so far back that it is not known.
var errFar = errors.New("a page repeats what stands far before")

// usualHistory is how far copies of Snappy reach back: all compressors divide what they are given into blocks of this size.
// The format has copies that reach further, and they are read too.
const usualHistory = 64 << 10

// contentBuffer is the size of a buffer for long pages, and contentPart of what is decompressed at once.
const (
	contentBuffer = 4 * usualHistory
	contentPart   = usualHistory / 2
)

// open begins with what a window goes on with: so many bytes, which are size when decompressed, by Snappy or not at all.
func (c *content) open(stored *window, bytes, size int, snappy bool) error {
	*c = content{stored: stored, left: bytes, size: size, snappy: snappy, buffer: c.buffer}
	c.first.size = size
	if int64(bytes) > stored.end-stored.place() {
		return io.ErrUnexpectedEOF
	}
	if !snappy {
		if bytes != size {
			return fmt.Errorf("a page has %d bytes and not %d", bytes, size)
		}
		return nil
	}
	c.history = usualHistory
	return c.openSnappy()
}

// openSnappy reads how many bytes the page says that it has.
func (c *content) openSnappy() error {
	const ratio = 32 // is more than what Snappy compresses to one byte
	head, err := c.stored.peek(min(c.left, binary.MaxVarintLen32))
	if len(head) == 0 {
		return ended(err)
	}
	n, bytes := binary.Uvarint(head)
	if bytes <= 0 || n != uint64(c.size) || n > ratio*uint64(c.left) {
		return fmt.Errorf("a page has %d bytes and not %d", n, c.size)
	}
	c.pass(bytes)
	c.first = mark{c.stored.place(), c.left, c.size}
	return nil
}

// close passes over the rest of the page.
func (c *content) close() {
	if c.left > 0 {
		c.pass(c.left)
	}
	c.drop()
}

// drop forgets the page.
func (c *content) drop() { *c = content{buffer: c.buffer} }

func (c *content) pass(n int) {
	c.stored.pass(n)
	c.left -= n
}

// more returns what nobody has taken of what was returned last, with what comes behind it, at least n bytes. These are valid
// until the next call.
func (c *content) more(rest []byte, n int) ([]byte, error) {
	n -= len(rest)
	if n <= 0 {
		return rest, nil
	}
	if n > c.size {
		return nil, errValues
	}
	n = max(n, min(contentPart, c.size))
	c.makeRoom(len(rest), n)
	begin, before := c.at-len(rest), c.first.size-c.size
	err := c.read(c.at + n)
	if errors.Is(err, errFar) {
		begin, err = before-len(rest), c.again(before+n)
	}
	if err != nil {
		return nil, err
	}
	return c.buffer[begin:c.at], nil
}

// again reads so many bytes from the beginning, and keeps all of them.
func (c *content) again(until int) error {
	c.stored.seek(c.first.place)
	c.left, c.size, c.history, c.at, c.literal = c.first.left, c.first.size, c.first.size, 0, 0
	c.makeRoom(0, until)
	return c.read(until)
}

// all is more that returns all.
func (c *content) all(rest []byte) ([]byte, error) { return c.more(rest, len(rest)+c.size) }

// makeRoom makes room for n bytes behind what copies refer to, and what was not taken.
func (c *content) makeRoom(rest, n int) {
	if c.at+n+snappyRoom <= len(c.buffer) {
		return
	}
	to, keep := c.buffer, max(rest, min(c.at, c.history))
	if need := keep + n + snappyRoom; need > len(to) {
		to = make([]byte, max(need, min(contentBuffer, c.at+c.size+snappyRoom)))
	}
	copy(to, c.buffer[c.at-keep:c.at])
	c.buffer, c.at = to, keep
}

// read reads until the buffer has so many bytes or, if they end within what a tag stands for, some more.
func (c *content) read(until int) error {
	from := c.at
	var err error
	if c.snappy {
		err = c.decompress(until)
	} else {
		err = c.copy(until - c.at)
	}
	c.size -= c.at - from
	if more := c.left + c.literal; err == nil && (c.size < 0 || c.size == 0 && more > 0) {
		err = errSnappy
	}
	return err
}

// copy copies n bytes as they are stored.
func (c *content) copy(n int) error {
	if n > c.left {
		return errSnappy
	}
	if err := c.stored.read(c.buffer[c.at : c.at+n]); err != nil {
		return ended(err)
	}
	c.at, c.left = c.at+n, c.left-n
	return nil
}

// decompress goes on until the buffer has so many bytes.
func (c *content) decompress(until int) error {
	for c.at < until {
		if c.literal > 0 {
			n := min(c.literal, until-c.at)
			if err := c.copy(n); err != nil {
				return err
			}
			c.literal -= n
			continue
		}
		src, before, err := c.tags()
		if err != nil {
			return err
		}
		var took int
		if c.at, took = unsnap(c.buffer, c.at, until, src, before); c.at < until && took < before {
			bytes, err := c.rare(src[took:])
			if err != nil {
				return err
			}
			took += bytes
		}
		if took > c.left {
			return errSnappy
		}
		c.pass(took)
	}
	return nil
}

// rare does what a tag stands for at which unsnap stops, and returns how many bytes the tag has.
func (c *content) rare(src []byte) (bytes int, err error) {
	switch src[0] & 3 {
	case 0:
		c.literal, bytes = beginLiteral(src)
		return bytes, nil
	case 3:
		n, offset := int(src[0]>>2)+1, int64(binary.LittleEndian.Uint32(src[1:]))
		if offset > 0 && offset <= int64(c.at) {
			repeat(c.buffer[c.at-int(offset):], int(offset), n)
			c.at += n
			return 5, nil
		}
	}
	if c.history < c.first.size {
		return 0, errFar
	}
	return 0, errSnappy
}

// tags returns tags to go on with, those that begin before some place.
func (c *content) tags() (src []byte, before int, err error) {
	const least = 4 << 10
	w := c.stored
	if n := min(c.left, least); len(w.buffer) < n {
		if _, err := w.peek(n); err != nil {
			return nil, 0, ended(err)
		}
	}
	if c.left == 0 {
		return nil, 0, errSnappy
	}
	if before = min(c.left, len(w.buffer)-snappyTag); before > 0 {
		return w.buffer, before, nil
	}
	clear(c.padded[:])
	return c.padded[:], copy(c.padded[:], w.buffer[:c.left]), nil
}
