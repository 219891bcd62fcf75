package parquet

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/klauspost/compress/s2"
)

// snappy decompresses a page as far as its bytes are asked for: of a page that filters nearly rule out, those behind
// the last row that is wanted are never made, and those of a block of rows are still in the cache when they are
// read. The format is described at https://github.com/google/snappy/blob/main/format_description.txt. It trusts
// nothing. The zero value is one of no bytes.
type snappy struct {
	from []byte // what is compressed, without the length before it
	at   int    // where the next element begins
	to   []byte // of the length of the whole; there is room for slack more
	done int    // so many bytes were made
}

// slack is how many bytes behind its end decompression may read and write: those of the longest element but one.
const slack = 80

// mostRatio is more than what Snappy compresses to one byte.
const mostRatio = 32

var errSnappy = errors.New("a page is compressed with Snappy, and damaged")

// begin begins with a page that has size bytes, for which it takes the memory. It makes all of them where only
// that is fast.
func (s *snappy) begin(memory, from []byte, size int) (err error) {
	n, head := binary.Uvarint(from)
	if head <= 0 || n != uint64(size) || size > mostRatio*len(from) {
		return errSnappy
	}
	*s = snappy{from: from[head:], to: slices.Grow(memory[:0], size+slack)[:size]}
	if decodesTags {
		return nil
	}
	s.done = size
	_, err = s2.Decode(s.to, from)
	return err
}

// allBut makes the bytes up to the last left ones.
func (s *snappy) allBut(left int) error {
	for wanted := len(s.to) - left; s.done < wanted; {
		if room := cap(s.from) - len(s.from); room >= slack && s.done >= recent && s.at < len(s.from) {
			s.done, s.at = decodeTags(s.to, s.done, wanted, s.from, s.at, &tags)
		}
		if s.done < wanted && s.at < len(s.from) {
			s.element()
		}
		if s.done > len(s.to) || s.at > len(s.from) || s.done < wanted && s.at == len(s.from) {
			return errSnappy
		}
	}
	if s.done == len(s.to) && s.at != len(s.from) {
		return errSnappy
	}
	return nil
}

// The kinds of elements, which are the lowest bits of the byte that they begin with.
const (
	literal = 0
	copy1   = 1 // of the length 4 to 11 and an offset of 11 bits
	copy2   = 2 // of an offset of 16 bits
	copy4   = 3
)

// element makes the bytes of the next element. If there is none, it puts at behind the end.
func (s *snappy) element() {
	var word [4]byte
	tag, rest := s.from[s.at], s.from[s.at+1:]
	copy(word[:], rest)
	length, extra, offset := int(tag>>2)+1, 0, int(binary.LittleEndian.Uint32(word[:]))
	switch tag & 3 {
	case literal:
		if extra = max(length-60, 0); extra > 0 {
			length = offset&(1<<(8*extra)-1) + 1
		}
		if extra > len(rest) || length > len(rest)-extra || length > len(s.to)-s.done {
			s.at = len(s.from) + 1
			return
		}
		s.done += copy(s.to[s.done:], rest[extra:extra+length])
		s.at += 1 + extra + length
		return
	case copy1:
		length, extra, offset = 4+int(tag>>2&7), 1, int(tag>>5)<<8|offset&0xFF
	case copy2:
		extra, offset = 2, offset&0xFFFF
	case copy4:
		extra = 4
	}
	if extra > len(rest) || offset == 0 || offset > s.done || length > len(s.to)-s.done {
		s.at = len(s.from) + 1
		return
	}
	for end := s.done + length; s.done < end; { // what it copies may be what it has just made
		s.done += copy(s.to[s.done:end], s.to[s.done-offset:s.done])
	}
	s.at += 1 + extra
}
