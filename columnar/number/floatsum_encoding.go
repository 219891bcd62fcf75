package number

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrFloatSum is what every error of FloatSum.UnmarshalBinary wraps.
var ErrFloatSum = errors.New("malformed float sum")

// The encoding is one byte of kind. A finite sum other than zero goes on with
// two bytes, the little-endian number of zero bytes at the low end of its
// magnitude, and the magnitude's other bytes, the lowest first, without the
// zeros at both ends. So equal sums have equal encodings.
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
	// magnitudeBytes is what a sum of 2^64 of the greatest float64 needs; a
	// decoded sum has no more, so that it leaves room to add to.
	magnitudeBytes = (1024 - LeastExponent + 64 + 7) / 8
	headerBytes    = 3
)

// AppendBinary appends the encoding of s, 1 to some 270 bytes, mostly below 16,
// to dst. Sums with the same value have the same encoding, however they came
// about. It returns no error.
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
		// The eight bytes of a limb reach into the next, which comes after.
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

// UnmarshalBinary sets s to the sum that AppendBinary encoded as data, which it
// does not keep. An error wraps ErrFloatSum, and s is as before: the encoding is
// taken in its one canonical form only.
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
