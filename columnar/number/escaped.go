package number

// AppendEscaped appends bytes as people write them: those that are no letters, digits or plain signs of ASCII
// as \xAB.
func AppendEscaped(dst, b []byte) []byte {
	const digits = "0123456789ABCDEF"
	for _, c := range b {
		if c < ' ' || c > '~' || c == '\\' || c == '\'' || c == '"' {
			dst = append(dst, '\\', 'x', digits[c>>4], digits[c&15])
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// AppendUnescaped appends the bytes that a text stands for, which is ASCII, with other bytes as \xAB. It
// appends nothing of any other text.
func AppendUnescaped(dst, text []byte) (b []byte, ok bool) {
	begin := len(dst)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			if i+3 >= len(text) || text[i+1] != 'x' {
				return dst[:begin], false
			}
			high, ok := hexDigit(text[i+2])
			low, also := hexDigit(text[i+3])
			if !ok || !also {
				return dst[:begin], false
			}
			c = high<<4 | low
			i += 3
		} else if c > '~'+1 {
			return dst[:begin], false
		}
		dst = append(dst, c)
	}
	return dst, true
}
