package number

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// A UUID is stored in 128 bits, of which the first one is inverted: so the order of these numbers, which
// have a sign, is that of its bytes and of its text.

// UUIDBytes is how many bytes a UUID has.
const UUIDBytes = 16

// UUIDOf returns the stored form of UUIDBytes bytes.
func UUIDOf(b []byte) Int128 {
	return decimal128.New(int64(binary.BigEndian.Uint64(b))^math.MinInt64, binary.BigEndian.Uint64(b[8:]))
}

// AppendUUIDBytes appends the bytes of a stored UUID.
func AppendUUIDBytes(dst []byte, n Int128) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(n.HighBits()^math.MinInt64))
	return binary.BigEndian.AppendUint64(dst, n.LowBits())
}

// AppendUUID appends a stored UUID as people write it, in small letters.
func AppendUUID(dst []byte, n Int128) []byte {
	var memory [UUIDBytes]byte
	b := AppendUUIDBytes(memory[:0], n)
	dst = append(hex.AppendEncode(dst, b[:4]), '-')
	for at := 4; at < 10; at += 2 {
		dst = append(hex.AppendEncode(dst, b[at:at+2]), '-')
	}
	return hex.AppendEncode(dst, b[10:])
}

// ParseUUID reads 32 hexadecimal digits. There may be hyphens anywhere, and braces around all of it.
func ParseUUID(text []byte) (n Int128, ok bool) {
	if inside, braced := bytes.CutPrefix(text, []byte{'{'}); braced {
		if text, braced = bytes.CutSuffix(inside, []byte{'}'}); !braced {
			return n, false
		}
	}
	var b [UUIDBytes]byte
	digits := 0
	for _, c := range text {
		if c == '-' {
			continue
		}
		digit, is := hexDigit(c)
		if !is || digits == 2*UUIDBytes {
			return n, false
		}
		b[digits/2] = b[digits/2]<<4 | digit
		digits++
	}
	return UUIDOf(b[:]), digits == 2*UUIDBytes
}

// IsUUID reports whether ParseUUID reads a text.
func IsUUID(text []byte) bool {
	_, ok := ParseUUID(text)
	return ok
}

func hexDigit(c byte) (digit byte, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
