package parquet

import (
	"encoding/binary"
	"errors"
	"math"
)

// compact reads what is written in Thrift's compact protocol, as footers and headers of pages are; see
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. It reads fields of
// structs in turn: each has to be taken by number, bytes, list or a loop over the fields within it, or passed
// over by skip. It trusts nothing, allocates nothing, and ends at the first error.
type compact struct {
	data []byte
	at   int
	err  error
}

// element is what a field of a struct or an element of a list has.
type element struct {
	id   int16 // of a field
	kind byte
}

// The kinds of elements. Truth values of fields have no bytes of their own.
const (
	kindTrue   = 1
	kindFalse  = 2
	kindByte   = 3
	kindI16    = 4
	kindI32    = 5
	kindI64    = 6
	kindDouble = 7
	kindBinary = 8
	kindList   = 9
	kindSet    = 10
	kindMap    = 11
	kindStruct = 12
)

// mostDepth is how deep structs and lists that nobody knows may lie in each other.
const mostDepth = 64

var errCompact = errors.New("what the file says about itself cannot be read")

// next goes to the next field of a struct, from the zero element on. It reports false at the end of the
// struct, and after an error.
func (c *compact) next(f *element) bool {
	head := c.byte()
	if c.err != nil || head&15 == 0 {
		return false
	}
	if f.kind = head & 15; head>>4 != 0 {
		f.id += int16(head >> 4)
	} else {
		f.id = int16(c.number(element{kind: kindI16}))
	}
	return c.err == nil
}

func (c *compact) byte() byte {
	if c.err != nil || c.at >= len(c.data) {
		c.fail()
		return 0
	}
	c.at++
	return c.data[c.at-1]
}

func (c *compact) fail() {
	if c.err == nil {
		c.err = errCompact
	}
}

func (c *compact) varint() uint64 {
	if c.err != nil {
		return 0
	}
	v, n := binary.Uvarint(c.data[c.at:])
	if n <= 0 {
		c.fail()
		return 0
	}
	c.at += n
	return v
}

// number reads a whole number.
func (c *compact) number(is element) int64 {
	if is.kind < kindI16 || is.kind > kindI64 {
		c.fail()
		return 0
	}
	return zigzag(c.varint())
}

// int32 reads a number of 32 bits.
func (c *compact) int32(is element) int {
	n := c.number(is)
	if n < math.MinInt32 || n > math.MaxInt32 {
		c.fail()
		return 0
	}
	return int(n)
}

// truth reads a truth value of a field.
func (c *compact) truth(is element) bool {
	if is.kind != kindTrue && is.kind != kindFalse {
		c.fail()
	}
	return is.kind == kindTrue
}

// bytes reads bytes, which are borrowed.
func (c *compact) bytes(is element) []byte {
	if is.kind != kindBinary {
		c.fail()
	}
	return c.take(c.varint())
}

func (c *compact) take(n uint64) []byte {
	if c.err != nil || n > uint64(len(c.data)-c.at) {
		c.fail()
		return nil
	}
	c.at += int(n)
	return c.data[c.at-int(n) : c.at : c.at]
}

// list begins a list, and returns how many elements it has and of which kind. Each takes a byte at least.
func (c *compact) list(is element) (n int, of element) {
	if is.kind != kindList && is.kind != kindSet {
		c.fail()
	}
	head := c.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = c.varint()
	}
	if c.err != nil || size > uint64(len(c.data)-c.at) {
		c.fail()
		return 0, element{}
	}
	return int(size), element{kind: head & 15}
}

// structs calls each for the elements of a list of structs.
func (c *compact) structs(is element, each func(i, n int)) {
	n, of := c.list(is)
	if n > 0 && of.kind != kindStruct {
		c.fail()
	}
	for i := 0; i < n && c.err == nil; i++ {
		each(i, n)
	}
}

// skip passes over what a field has.
func (c *compact) skip(is element) { c.pass(is, mostDepth) }

func (c *compact) pass(is element, depth int) {
	if depth == 0 {
		c.fail()
	}
	if c.err != nil {
		return
	}
	switch is.kind {
	case kindTrue, kindFalse:
	case kindByte:
		c.byte()
	case kindI16, kindI32, kindI64:
		c.varint()
	case kindDouble:
		c.take(8)
	case kindBinary:
		c.bytes(is)
	case kindList, kindSet:
		for n, of := c.list(is); n > 0 && c.err == nil; n-- {
			c.passElement(of, depth)
		}
	case kindMap:
		c.passMap(depth)
	case kindStruct:
		for f := (element{}); c.next(&f); {
			c.pass(f, depth-1)
		}
	default:
		c.fail()
	}
}

// passElement passes over an element of a list, in which truth values are bytes.
func (c *compact) passElement(of element, depth int) {
	if of.kind == kindTrue || of.kind == kindFalse {
		of.kind = kindByte
	}
	c.pass(of, depth-1)
}

func (c *compact) passMap(depth int) {
	n := c.varint()
	if n == 0 {
		return
	}
	for kinds := c.byte(); n > 0 && c.err == nil; n-- {
		c.passElement(element{kind: kinds >> 4}, depth)
		c.passElement(element{kind: kinds & 15}, depth)
	}
}
