package columnar

import "encoding/binary"

// IsASCII reports whether no byte of a text has its highest bit.
func IsASCII(text []byte) bool {
	var all uint64
	for ; len(text) >= 32; text = text[32:] {
		all |= binary.LittleEndian.Uint64(text) | binary.LittleEndian.Uint64(text[8:]) |
			binary.LittleEndian.Uint64(text[16:]) | binary.LittleEndian.Uint64(text[24:])
	}
	for _, b := range text {
		all |= uint64(b)
	}
	return all&0x8080808080808080 == 0
}
