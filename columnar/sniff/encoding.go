package sniff

import (
	"bytes"
	"unicode/utf8"
)

// western is the encoding of old programs, which has ISO 8859-1 in it.
const western = "windows-1252"

// letters counts what tells UTF-8 from other encodings.
type letters struct {
	valid, invalid int  // sequences of bytes beyond ASCII that are UTF-8, and bytes that are not
	foreign        bool // there are bytes that western has no meaning for
}

// add counts those of a text.
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

// western reports whether more speaks for that encoding than for UTF-8.
func (l *letters) western() bool { return l.invalid > l.valid && !l.foreign }

// encoded reads a file that is no UTF-8 in the encoding of old programs. Samples have a say:
// one byte that was damaged makes no other encoding.
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
	d := f.best.dialect
	d.Encoding, d.Skip = western, f.given.Skip
	return f.try(d, func(*looked) bool { return true })
}
