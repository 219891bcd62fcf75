package jsontext

import "bytes"

// CountValues counts the values and the names of members in a valid text, or in what stands before a
// value of one.
func CountValues(text []byte) (n int64) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			n++
			i = skipText(text, i)
		case c == '{' || c == '[':
			n++
			i++
		case c == '-' || c >= '0' && c <= '9' || c == 't' || c == 'f' || c == 'n':
			n++
			if end := bytes.IndexAny(text[i:], ",]} \t\r\n"); end < 0 {
				i = len(text)
			} else {
				i += end
			}
		default:
			i++
		}
	}
	return n
}
