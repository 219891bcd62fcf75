package number

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrFloatSum is wrapped by every error of FloatSum.UnmarshalBinary.
var ErrFloatSum = errors.New("malformed float sum")

// The encoding begins with one byte, the kind. For a finite sum other than zero, two more
// bytes hold the little-endian number of zero bytes at the low end of the magnitude, and
// then follow the other bytes of the magnitude, the lowest first, without the zeros at both
// ends. So equal sums have equal encodings.
const (
	kindZero = iota
	kindPositive
	kindNegative
	kindPosInf
	kindNegInf
	kindNaN
)

const (
	limbBytes = limbBits / 8
	// magnitudeBytes is enough for a sum of 2^64 of the greatest float64. A decoded sum
	// may not have more, so that it has room for further additions.
	magnitudeBytes = (1024 - LeastExponent + 64 + 7) / 8
	headerBytes    = 3
)

// AppendBinary appends the encoding of s, 1 to some 270 bytes, mostly below 16, to dst.
// Sums with the same value have the same encoding. The error is always nil.
func (s *FloatSum) AppendBinary(dst []byte) ([]byte, error) {
	switch s.special {
	case 0:
	case posInf:
		return append(dst, kindPosInf), nil
	case negInf:
		return append(dst, kindNegInf), nil
	default:
		return append(dst, kindNaN), nil
	}
	m, negative := s.magnitude()
	var buffer [(numLimbs-1)*limbBytes + 8]byte
	for i, limb := range m.limbs {
		// The upper four bytes of this limb are overwritten by the next one.
		binary.LittleEndian.PutUint64(buffer[i*limbBytes:], uint64(limb))
	}
	low, high := 0, len(buffer)
	for high > 0 && buffer[high-1] == 0 {
		high--
	}
	if high == 0 {
		return append(dst, kindZero), nil
	}
	for buffer[low] == 0 {
		low++
	}
	kind := byte(kindPositive)
	if negative {
		kind = kindNegative
	}
	dst = append(dst, kind)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(low))
	return append(dst, buffer[low:high]...), nil
}

// UnmarshalBinary sets s to the sum that AppendBinary encoded as data, which it does not
// keep. It accepts only the canonical encoding. Errors wrap ErrFloatSum and leave s
// unchanged.
func (s *FloatSum) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("%w: no bytes", ErrFloatSum)
	}
	kind := data[0]
	if kind == kindPositive || kind == kindNegative {
		return s.unmarshalFinite(data)
	}
	if len(data) > 1 {
		return fmt.Errorf("%w: %d bytes of kind %d", ErrFloatSum, len(data), kind)
	}
	var special special
	switch kind {
	case kindZero:
	case kindPosInf:
		special = posInf
	case kindNegInf:
		special = negInf
	case kindNaN:
		special = notNumber
	default:
		return fmt.Errorf("%w: unknown kind %d", ErrFloatSum, kind)
	}
	*s = FloatSum{special: special}
	return nil
}

func (s *FloatSum) unmarshalFinite(data []byte) error {
	if len(data) <= headerBytes {
		return fmt.Errorf("%w: %d bytes", ErrFloatSum, len(data))
	}
	low := int(binary.LittleEndian.Uint16(data[1:]))
	magnitude := data[headerBytes:]
	if low+len(magnitude) > magnitudeBytes {
		return fmt.Errorf("%w: %d bytes behind %d", ErrFloatSum, len(magnitude), low)
	}
	if magnitude[0] == 0 || magnitude[len(magnitude)-1] == 0 {
		return fmt.Errorf("%w: zeros at an end", ErrFloatSum)
	}
	var sum FloatSum
	for i, b := range magnitude {
		at := low + i
		limb := int64(b) << (at % limbBytes * 8)
		if data[0] == kindNegative {
			limb = -limb
		}
		sum.limbs[at/limbBytes] += limb
	}
	*s = sum
	return nil
}
