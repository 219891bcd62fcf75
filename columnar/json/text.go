package json

import (
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
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

// unicode returns the character that \u with four digits stands for, and U+FFFD for half a
// surrogate.
func unicode(text []byte) (r rune) {
	for _, c := range text[2:6] {
		r = r<<4 | hexOf(c)
	}
	return r
}

// appendText appends what a valid text, without its quotes, stands for.
func appendText(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			dst = append(dst, text[i])
			i++
			continue
		}
		var n int
		dst, n = appendEscape(dst, text[i:])
		i += n
	}
	return dst
}

// appendEscape appends what the escape stands for with which text begins, and returns its length.
func appendEscape(dst, text []byte) ([]byte, int) {
	switch c := text[1]; c {
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'u':
	default:
		return append(dst, c), 2
	}
	r := unicode(text)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 6
	}
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if pair := utf16.DecodeRune(r, unicode(text[6:])); pair != utf8.RuneError {
			return utf8.AppendRune(dst, pair), 12
		}
	}
	return utf8.AppendRune(dst, utf8.RuneError), 6
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
		text = appendText(text[:0], array[i+1:end])
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
