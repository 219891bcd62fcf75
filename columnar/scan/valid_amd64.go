package scan

import (
	"unicode/utf8"

	"golang.org/x/sys/cpu"
)

// validUTF8 is utf8.Valid for long texts.
func validUTF8(text []byte) bool {
	const step = 64
	n := len(text) / step * step
	if n == 0 || !cpu.X86.HasAVX2 {
		return utf8.Valid(text)
	}
	if !validAVX2(&text[0], n) {
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

// validAVX2 reports whether the n bytes at p are a prefix of valid UTF-8. n must be a
// positive multiple of 64.
//
//go:noescape
func validAVX2(p *byte, n int) bool
