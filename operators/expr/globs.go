package expr

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"

	"analyzer/columnar"
)

// OpGlobbed is the regular expression that matches what a pattern of GLOB does, if it matches a whole text.
const OpGlobbed Op = "globbed"

func init() {
	functions.Add(func() []function {
		return []function{{
			op: OpGlobbed, takes: "a text", types: only(columnar.Text, columnar.Text), cost: costCase,
			canFail: true, build: perRow(globs),
		}}
	})
}

func globs(out *result, args []*columnar.Vector, i int) error {
	out.Data = appendGlobbed(out.Data, args[0].Bytes(i))
	return out.fits(0)
}

// nothing is a regular expression that matches no text.
const nothing = `[^\x00-\x{10FFFF}]`

func appendGlobbed(dst, pattern []byte) []byte {
	dst = append(dst, "(?s)"...)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			dst = append(dst, ".*"...)
		case c == '?':
			dst = append(dst, '.')
		case c == '[':
			n := 0
			if dst, n = appendBrackets(dst, pattern[i+1:]); n == 0 {
				return append(dst, nothing...)
			}
			i += n
		case c == '\\' && i+1 < len(pattern):
			i++
			dst = append(dst, regexp.QuoteMeta(string(pattern[i:i+1]))...)
		default:
			dst = append(dst, regexp.QuoteMeta(string(pattern[i:i+1]))...)
		}
	}
	return dst
}

// appendBrackets appends what matches the characters and ranges in brackets, and returns how many bytes of the
// pattern it has read, 0 if they are not closed. A bracket that comes first, or ends a range, closes none.
func appendBrackets(dst, pattern []byte) (_ []byte, n int) {
	negated := bytes.HasPrefix(pattern, []byte("!"))
	if negated {
		n++
	}
	var class []byte
	for first := true; n < len(pattern); first = false {
		low, size := utf8.DecodeRune(pattern[n:])
		if n += size; low == ']' && !first {
			return append(dst, bracketed(class, negated)...), n
		}
		high := low
		if bytes.HasPrefix(pattern[n:], []byte("-")) {
			high, size = utf8.DecodeRune(pattern[n+1:])
			n += 1 + size
		}
		if low <= high {
			class = fmt.Appendf(class, `\x{%X}-\x{%X}`, low, high)
		}
	}
	return dst, 0
}

// bracketed is the regular expression of a class, or of what is not in it.
func bracketed(class []byte, negated bool) string {
	switch {
	case negated && len(class) == 0:
		return "."
	case negated:
		return "[^" + string(class) + "]"
	case len(class) == 0:
		return nothing
	}
	return "[" + string(class) + "]"
}
