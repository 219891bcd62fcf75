package sniff

import (
	"bytes"
	"unicode/utf8"
)

// western is the encoding of old programs, a superset of the characters of ISO 8859-1.
const western = "windows-1252"

// letters holds the counts that distinguish UTF-8 from other encodings.
type letters struct {
	valid, invalid int  // UTF-8 sequences beyond ASCII, and bytes that are not UTF-8
	foreign        bool // some bytes are undefined in western
}

// add counts the sequences and bytes of a text.
func (l *letters) add(text []byte) {
	for i := 0; i < len(text); {
		_, n := utf8.DecodeRune(text[i:])
		switch {
		case text[i] < utf8.RuneSelf:
		case n > 1:
			l.valid++
		default:
			l.invalid++
			l.foreign = l.foreign || bytes.IndexByte([]byte("\x81\x8d\x8f\x90\x9d"), text[i]) >= 0
		}
		i += n
	}
}

// western reports whether that encoding is more likely than UTF-8.
func (l *letters) western() bool { return l.invalid > l.valid && !l.foreign }

// encoded tries the encoding of old programs on a file that is not UTF-8. It also looks at
// samples, so that a single damaged byte does not change the encoding.
func (f *finder) encoded() error {
	seen := f.best.letters
	if f.given.Encoding != "" || !seen.western() {
		return nil
	}
	if f.best.anywhere {
		if err := eachSample(f.open, seen.add); err != nil || !seen.western() {
			return err
		}
	}
	f.western = true
	d := f.best.dialect
	d.Encoding, d.Skip = western, f.given.Skip
	return f.try(d, func(*looked) bool { return true })
}
