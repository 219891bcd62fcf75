package sentiment

import (
	"unicode/utf8"
)

// emojis replaces emoji by their descriptions. It is immutable once built.
type emojis struct {
	descriptions map[rune]string
	// present has one bit for each code point, so that text without emoji needs
	// no look-up in the map.
	present []uint64
}

// newEmojis copies descriptions. It leaves out emoji of several code points,
// because a text is searched code point by code point.
func newEmojis(descriptions map[string]string) *emojis {
	e := &emojis{descriptions: make(map[rune]string, len(descriptions))}
	for text, description := range descriptions {
		r, size := utf8.DecodeRuneInString(text)
		if size != len(text) || size == 0 {
			continue
		}
		e.descriptions[r] = description
		for int(r)>>6 >= len(e.present) {
			e.present = append(e.present, 0)
		}
		e.present[r>>6] |= 1 << (r & 63)
	}
	return e
}

// has reports whether r is an emoji.
func (e *emojis) has(r rune) bool {
	at := int(r) >> 6
	return at < len(e.present) && e.present[at]>>(r&63)&1 != 0
}

// appendText appends text to buf. It replaces each emoji by its description,
// with a space between the description and whatever comes before it, and each
// invalid byte by U+FFFD.
func (e *emojis) appendText(buf, text []byte) []byte {
	plain := asciiPrefix(text) // no emoji is ASCII
	buf = append(buf, text[:plain]...)
	start := len(buf) == 0 || buf[len(buf)-1] == ' '
	for i := plain; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		i += size
		if e.has(r) {
			if !start {
				buf = append(buf, ' ')
			}
			buf = append(buf, e.descriptions[r]...)
			start = false
			continue
		}
		buf = utf8.AppendRune(buf, r)
		start = r == ' '
	}
	return buf
}
