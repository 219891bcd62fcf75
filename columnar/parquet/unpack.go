package parquet

import "encoding/binary"

// unpack reads values of width bits, from a bit of packed, and returns the greatest of them. There must be
// as many. The layout is that of this width, or zero at first.
func unpack(dst []int32, packed []byte, bit, width int, l *layout) (most uint32) {
	mask := uint64(1)<<width - 1
	for i := range dst { // until one begins with a byte
		if bit&7 == 0 {
			n, greatest := unpackGroups(dst[i:], packed[min(bit>>3, len(packed)):], width, l)
			most = max(most, greatest, unpackRest(dst[i+n:], packed, bit+n*width, width))
			break
		}
		value := wordAt(packed, bit) & mask
		dst[i], most = int32(value), max(most, uint32(value))
		bit += width
	}
	return most
}

// unpackRest is unpack without vector instructions.
func unpackRest(dst []int32, packed []byte, bit, width int) (most uint32) {
	mask, shift := uint32(1)<<width-1, width&63
	for len(dst) >= 4 && width <= 14 && bit>>3+8 <= len(packed) { // 4 values and 7 bits before them fit into a word
		word, d := binary.LittleEndian.Uint64(packed[bit>>3:])>>(bit&7), (*[4]int32)(dst)
		for i := range d {
			value := uint32(word) & mask
			d[i], most = int32(value), max(most, value)
			word >>= shift
		}
		dst, bit = dst[4:], bit+4*width
	}
	for i := range dst {
		value := uint32(wordAt(packed, bit)) & mask
		dst[i], most = int32(value), max(most, value)
		bit += width
	}
	return most
}

// wordAt returns the bits from one on, and zeros after the end. At least 57 of them are those of packed.
func wordAt(packed []byte, bit int) uint64 {
	at := bit >> 3
	if at+8 <= len(packed) {
		return binary.LittleEndian.Uint64(packed[at:]) >> (bit & 7)
	}
	var word [8]byte
	copy(word[:], packed[min(at, len(packed)):])
	return binary.LittleEndian.Uint64(word[:]) >> (bit & 7)
}
