package csv

import "unicode/utf8"

// AppendUTF8 appends text to dst, with U+FFFD in place of each maximal subpart of invalid
// UTF-8: the longest prefix of a sequence that could have become valid, or else one byte.
func AppendUTF8(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			n = subpart(text)
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}

// subpart returns the length of the maximal subpart at the beginning of text, which is
// not a valid sequence. Table 3-7 of the Unicode Standard lists which second bytes are
// allowed after a first byte.
func subpart(text []byte) int {
	low, high, length := byte(0x80), byte(0xBF), 0
	switch c := text[0]; {
	case c >= 0xC2 && c <= 0xDF:
		length = 2
	case c == 0xE0:
		low, length = 0xA0, 3
	case c == 0xED:
		high, length = 0x9F, 3
	case c >= 0xE1 && c <= 0xEF:
		length = 3
	case c == 0xF0:
		low, length = 0x90, 4
	case c == 0xF4:
		high, length = 0x8F, 4
	case c >= 0xF1 && c <= 0xF3:
		length = 4
	}
	n := 1
	for n < length && n < len(text) && text[n] >= low && text[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}
