package parquet

import (
	"encoding/binary"
	"errors"
	"unsafe"
)

// A tag of Snappy, with its literal unless that is long, takes at most snappyTag bytes, and what it stands for snappyRoom.
// Both are rounded up, to be moved without loops.
const (
	snappyTag  = 1 + 64
	snappyRoom = 64 + 8
	mostShort  = 60 // bytes of a literal that is not long
)

var errSnappy = errors.New("a page is not compressed as it should be")

// unsnap decompresses Snappy, whose format is described at
// https://github.com/google/snappy/blob/main/format_description.txt: the tags that begin before a place of src, until
// there are so many bytes in dst. It appends to what dst has before at, to which copies refer, and returns how much dst
// has then, and how much of src it took. It stops at tags that are rare: long literals, and copies from further back than
// 64 KiB or than dst goes. There must be snappyTag bytes in src behind the place, and snappyRoom in dst: so nothing else
// has to be checked but what copies refer to.
func unsnap(dst []byte, at, until int, src []byte, before int) (has, took int) {
	if len(dst) < until+snappyRoom || len(src) < before+snappyTag {
		panic("no room for a tag of Snappy")
	}
	type (
		half = [16]byte
		word = [8]byte
	)
	d, s, i := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), 0
	for i < before && at < until {
		tag := int(*(*byte)(unsafe.Add(s, i)))
		if tag&3 == 0 {
			n := tag>>2 + 1
			to, from := unsafe.Add(d, at), unsafe.Add(s, i+1)
			if n > 16 {
				if n > mostShort {
					return at, i
				}
				*(*[48]byte)(unsafe.Add(to, 16)) = *(*[48]byte)(unsafe.Add(from, 16))
			}
			*(*half)(to) = *(*half)(from)
			i, at = i+1+n, at+n
			if i >= before || at >= until {
				return at, i
			}
			if tag = int(*(*byte)(unsafe.Add(s, i))); tag&3 == 0 {
				continue
			}
		}
		kind := tag & 3
		if kind == 3 {
			return at, i
		}
		// Nobody can predict which of the other two kinds it is, so these are told apart without a branch.
		second := 1 - kind // all bits, of the second kind
		n := (tag>>2+1)&second | (tag>>2&7+4)&^second
		offset := int(binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(s, i+1))[:]))
		offset = offset&(second|0xff) | tag>>5<<8&^second
		if uint(offset-1) >= uint(at) {
			return at, i
		}
		to, from := unsafe.Add(d, at), unsafe.Add(d, at-offset)
		switch {
		case offset >= 16: // 16 bytes come before any that these repeat
			*(*half)(to) = *(*half)(from)
			*(*half)(unsafe.Add(to, 16)) = *(*half)(unsafe.Add(from, 16))
			if n > 32 {
				*(*half)(unsafe.Add(to, 32)) = *(*half)(unsafe.Add(from, 32))
				*(*half)(unsafe.Add(to, 48)) = *(*half)(unsafe.Add(from, 48))
			}
		case n <= 8 && n >= 4 && offset >= 4:
			*(*[4]byte)(to) = *(*[4]byte)(from)
			*(*[4]byte)(unsafe.Add(to, n-4)) = *(*[4]byte)(unsafe.Add(from, n-4))
		case offset >= n:
			*(*half)(to) = *(*half)(from)
		case offset == len(word{}): // as in columns of numbers that are equal
			v := *(*word)(from)
			for k := 0; k < 64; k += 2 * len(word{}) {
				*(*word)(unsafe.Add(to, k)) = v
				*(*word)(unsafe.Add(to, k+len(word{}))) = v
			}
		default:
			left := n
			for ; offset < len(word{}); offset *= 2 { // which repeats more each time
				*(*word)(to) = *(*word)(from)
				to, left = unsafe.Add(to, offset), left-offset
			}
			for ; left > 0; left -= len(word{}) {
				*(*word)(to) = *(*word)(from)
				to, from = unsafe.Add(to, len(word{})), unsafe.Add(from, len(word{}))
			}
		}
		i, at = i+1+kind, at+n
	}
	return at, i
}

// repeat repeats the first bytes of dst until n more are written.
func repeat(dst []byte, bytes, n int) {
	for end := bytes + n; bytes < end; bytes *= 2 {
		copy(dst[bytes:end], dst[:bytes])
	}
}

// beginLiteral reads the tag of a long literal: how many bytes that has, and how many the tag takes.
func beginLiteral(src []byte) (n, bytes int) {
	bytes = int(src[0]>>2) + 1 - mostShort
	var size [4]byte
	copy(size[:], src[1:1+bytes])
	return int(binary.LittleEndian.Uint32(size[:])) + 1, 1 + bytes
}
