package json

// hexOf returns the value of a hexadecimal digit, -1 if it is none.
func hexOf(c byte) rune {
	switch {
	case c-'0' <= 9:
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// appendQuoted appends a text as a cell in quotes, where quotes within are doubled.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, c := range text {
		if dst = append(dst, c); c == '"' {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
