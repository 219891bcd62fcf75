// Package jsontext writes values as JSON texts (RFC 8259), and finds parts of such texts by their
// paths. It works on the bytes, without a tree but in Container, and allocates nothing for a part.
package jsontext

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Valid reports whether a text is JSON. All other functions want a valid text, or a part of one.
func Valid(text []byte) bool { return json.Valid(text) }

// The kinds of values, as DuckDB's json_type names them.
const (
	Null     = "NULL"
	Boolean  = "BOOLEAN"
	Whole    = "BIGINT"
	Positive = "UBIGINT"
	Double   = "DOUBLE"
	String   = "VARCHAR"
	Array    = "ARRAY"
	Object   = "OBJECT"
)

// TypeOf returns the kind of a value.
func TypeOf(text []byte) string {
	text = Trim(text)
	switch text[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Boolean
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	}
	return numberType(text)
}

// numberType returns the kind of a number. What is none of the others is told from them before it is parsed, since an
// error takes memory.
func numberType(text []byte) string {
	kind, err := Double, error(nil)
	switch {
	case pointOf(text) >= 0:
	case text[0] == '-':
		kind = Whole
		_, err = strconv.ParseInt(string(text), 10, 64)
	default:
		kind = Positive
		_, err = strconv.ParseUint(string(text), 10, 64)
	}
	if err != nil {
		return Double
	}
	return kind
}

// pointOf returns where the point or the exponent of a number stands, -1 if it has none.
func pointOf(text []byte) int {
	return slices.IndexFunc(text, func(c byte) bool { return c == '.' || c|0x20 == 'e' })
}

// Len returns how many items an array has; 0 for anything else.
func Len(text []byte) int {
	n := 0
	for range Items(text) {
		n++
	}
	return n
}

// Items yields the items of an array; none of anything else.
func Items(text []byte) func(yield func(item []byte) bool) {
	return func(yield func(item []byte) bool) {
		if text = Trim(text); text[0] != '[' {
			return
		}
		for i := space(text, 1); text[i] != ']'; i = next(text, i) {
			begin := i
			if i = skip(text, i); !yield(text[begin:i]) {
				return
			}
		}
	}
}

// Members yields the members of an object, the names in their quotes; none of anything else.
func Members(text []byte) func(yield func(name, value []byte) bool) {
	return func(yield func(name, value []byte) bool) {
		if text = Trim(text); text[0] != '{' {
			return
		}
		for i := space(text, 1); text[i] != '}'; i = next(text, i) {
			end := skip(text, i)
			begin := space(text, space(text, end)+1) // behind the colon
			name := text[i:end]
			if i = skip(text, begin); !yield(name, text[begin:i]) {
				return
			}
		}
	}
}

// next returns where what follows a value that ends at i begins: another value, or the end.
func next(text []byte, i int) int {
	if i = space(text, i); text[i] == ',' {
		i = space(text, i+1)
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func space(text []byte, i int) int {
	for isSpace(text[i]) {
		i++
	}
	return i
}

// Trim returns a value without the spaces around it.
func Trim(text []byte) []byte {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// skip returns the end of the value that begins at i.
func skip(text []byte, i int) int {
	depth := 0
	for {
		switch c := text[i]; {
		case c == '"':
			i = skipText(text, i)
		case c == '[' || c == '{':
			depth++
			i++
		case c == ']' || c == '}':
			depth--
			i++
		case depth > 0 && (c == ',' || c == ':' || isSpace(c)):
			i++
			continue
		default:
			for i < len(text) && !isSpace(text[i]) && text[i] != ',' && text[i] != ']' && text[i] != '}' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// skipText returns the end of the text in quotes that begins at i.
func skipText(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// AppendCompact appends a value without the spaces around its parts. Numbers and texts stay as they
// are written.
func AppendCompact(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		begin := i
		switch {
		case text[i] == '"':
			i = skipText(text, i)
		case isSpace(text[i]):
			i++
			continue
		default:
			i++
		}
		dst = append(dst, text[begin:i]...)
	}
	return dst
}

// AppendString appends the characters of a text, or any other value compactly.
func AppendString(dst, text []byte) []byte {
	text = Trim(text)
	if text[0] != '"' {
		return AppendCompact(dst, text)
	}
	return AppendPlain(dst, text[1:len(text)-1])
}

// AppendPlain appends what a valid text, without its quotes, stands for. Half a surrogate is U+FFFD.
func AppendPlain(dst, text []byte) []byte {
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 {
			return append(dst, text...)
		}
		var r rune
		dst = append(dst, text[:at]...)
		r, text = Unescape(text[at+1:])
		dst = utf8.AppendRune(dst, r)
	}
}

// escapes are what the letters of escapes stand for that do not stand for themselves.
var escapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// Unescape returns the character that the valid escape at the beginning of a text, without its backslash, stands for,
// and what follows it. Half a surrogate is U+FFFD.
func Unescape(text []byte) (r rune, rest []byte) {
	c := text[0]
	if c != 'u' {
		return rune(cmp.Or(escapes[c], c)), text[1:]
	}
	if r, text = unit(text[1:5]), text[5:]; !utf16.IsSurrogate(r) {
		return r, text
	}
	pair := rune(utf8.RuneError)
	if len(text) >= 6 && text[0] == '\\' && text[1] == 'u' {
		pair = utf16.DecodeRune(r, unit(text[2:6]))
	}
	if pair != utf8.RuneError {
		text = text[6:]
	}
	return pair, text
}

// unit returns the UTF-16 unit of four hexadecimal digits.
func unit(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		if c > '9' {
			c += 9 // the low half of a letter's byte is its place in the alphabet
		}
		r = r<<4 | rune(c&15)
	}
	return r
}
