package json

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// marks has a bit for each byte of some data that ends the plain part of a text in quotes: a quote, a
// backslash, or a control character. Texts are most of a file, and so are told apart 64 bytes at a time.
type marks []uint64

// mark returns the marks of data, in the memory of m.
func (m marks) mark(data []byte) marks { return m.markBy(data, markSteps) }

func (m marks) markBy(data []byte, steps func(words []uint64, data []byte)) marks {
	whole := len(data) / 64
	m = slices.Grow(m[:0], whole+1)[:whole+1]
	steps(m[:whole], data)
	rest := bytes.Repeat([]byte(" "), 64)
	copy(rest, data[64*whole:])
	steps(m[whole:], rest)
	return m
}

// next returns the first position from i on that has a mark, or one behind all data.
func (m marks) next(i int) int {
	at := i / 64
	if at >= len(m) {
		return i
	}
	if word := m[at] >> (i % 64); word != 0 {
		return i + bits.TrailingZeros64(word)
	}
	for at++; at < len(m) && m[at] == 0; at++ {
	}
	if at == len(m) {
		return 64 * at
	}
	return 64*at + bits.TrailingZeros64(m[at])
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// markPortable is markSteps in Go.
func markPortable(words []uint64, data []byte) {
	for i := range words {
		words[i] = 0
		for k := range 8 {
			x := binary.LittleEndian.Uint64(data[64*i+8*k:])
			found := zeros(x^ones*'"') | zeros(x^ones*'\\') | zeros(x&(ones*0xe0))
			words[i] |= found >> 7 * 0x0102040810204080 >> 56 << (8 * k) // the top bits side by side
		}
	}
}

// zeros sets the top bit of each byte that is zero, and no other bit.
func zeros(x uint64) uint64 { return ^(x&^highs + ^uint64(highs) | x) & highs }
