package answers

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
)

// appendCell appends value i as text for people.
func appendCell(dst []byte, v *columnar.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "NULL"...)
	}
	switch kind := v.Type.Kind(); {
	case kind == columnar.KindBytes:
		return appendVisible(dst, v.Printed(i))
	case kind == columnar.KindList:
		for k := v.Offsets[i]; k < v.Offsets[i+1]; k++ {
			if k > v.Offsets[i] {
				dst = append(dst, ", "...)
			}
			dst = appendCell(dst, v.Child, int(k))
		}
		return dst
	}
	return v.AppendText(dst, i)
}

// appendVisible appends text. It escapes, as in Go, the characters that would move the
// cursor, change colours or reverse the writing direction, so that a cell stays on its
// line and a file cannot control the terminal.
func appendVisible(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case unicode.IsControl(r) || isDirection(r):
			dst = appendEscaped(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
		text = text[size:]
	}
	return dst
}

// Visible returns a text that came from a file, such as the name of a column, with the characters escaped that
// would move the cursor, change colours or reverse the writing direction.
func Visible(text string) string { return string(appendVisible(nil, []byte(text))) }

// VisibleLines is Visible for a text of several lines and tabulators, which stay.
func VisibleLines(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && (unicode.IsControl(r) || isDirection(r)) }) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for k, part := range parts {
			parts[k] = Visible(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

func appendEscaped(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// isDirection reports whether a code point overrides the writing direction, or is the
// line or paragraph separator.
func isDirection(r rune) bool {
	return r == '\u2028' || r == '\u2029' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
