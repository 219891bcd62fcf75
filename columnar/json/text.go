package json

import (
	"encoding/json"

	"analyzer/columnar/jsontext"
)

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

// appendList appends a valid array of texts, with no other escapes than those that mean the same in
// Python.
func appendList(dst, array []byte) []byte {
	var text []byte
	for i := 0; i < len(array); {
		if array[i] != '"' {
			dst = append(dst, array[i])
			i++
			continue
		}
		end := i + 1
		for array[end] != '"' {
			if array[end] == '\\' {
				end++
			}
			end++
		}
		text = jsontext.AppendPlain(text[:0], array[i+1:end])
		dst = append(dst, '"')
		for _, c := range text {
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c < ' ':
				quoted, _ := json.Marshal(string(rune(c))) // of texts never fails
				dst = append(dst, quoted[1:len(quoted)-1]...)
			default:
				dst = append(dst, c)
			}
		}
		dst, i = append(dst, '"'), end+1
	}
	return dst
}
