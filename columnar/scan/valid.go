package scan

import "unicode/utf8"

// validUTF8 is utf8.Valid for long texts.
func validUTF8(text []byte) bool {
	const step = 64
	n := len(text) / step * step
	if n == 0 || !validates {
		return utf8.Valid(text)
	}
	if !validSteps(&text[0], n) {
		return false
	}
	// A sequence may continue after the first n bytes.
	for i := n - 1; i >= n-3; i-- {
		if utf8.RuneStart(text[i]) {
			return utf8.Valid(text[i:])
		}
	}
	return utf8.Valid(text[n:])
}
