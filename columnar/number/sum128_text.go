package number

import (
	"math/bits"
	"strconv"
)

// String is s in decimal notation without trailing zeros: "120153886644",
// "-4.5".
func (s Sum128) String() string { return string(s.AppendDecimal(nil)) }

// AppendDecimal appends what String returns to dst.
func (s Sum128) AppendDecimal(dst []byte) []byte {
	if s.IsNeg() {
		dst = append(dst, '-')
		s = s.wrappedNeg() // the least one is its own counterpart, 2^127 unsigned
	}
	var buffer [40]byte
	digits := appendUint128(buffer[:0], uint64(s.Hi), s.Lo)
	if whole := len(digits) - Scale; whole > 0 {
		dst = append(dst, digits[:whole]...)
		digits = digits[whole:]
	} else {
		dst = append(dst, '0')
	}
	point := len(dst)
	dst = append(dst, '.')
	dst = appendZeros(dst, Scale-len(digits))
	dst = append(dst, digits...)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	if len(dst) == point+1 {
		dst = dst[:point]
	}
	return dst
}

// appendUint128 appends the decimal digits of hi*2^64 + lo, which is at most
// 2^127, so that hi is less than the divisor and the quotient fits.
func appendUint128(dst []byte, hi, lo uint64) []byte {
	const digits, divisor = 19, 1e19
	quotient, rest := bits.Div64(hi, lo, divisor)
	if quotient == 0 {
		return strconv.AppendUint(dst, rest, 10)
	}
	dst = strconv.AppendUint(dst, quotient, 10)
	var buffer [20]byte
	low := strconv.AppendUint(buffer[:0], rest, 10)
	dst = appendZeros(dst, digits-len(low))
	return append(dst, low...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
