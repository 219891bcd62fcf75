package language

import "unicode"

// Classes of code points in an alphabet. Any larger number is the letter to
// read instead.
const (
	other      = iota // separates words
	apostrophe        // belongs to the word after it, or else to the one before it
	ignored           // is skipped wherever it is
	classes
)

// alphabet maps every code point of the Basic Multilingual Plane to its class,
// or, if it is a letter, to its lower case. Code points outside the plane
// separate words.
type alphabet [1 << 16]uint16

// newAlphabet builds the alphabet of the letters of a model. It takes the
// letters from the model and not from the unicode package, because the latter
// changes with the version of Go.
func newAlphabet(letters [][2]rune) *alphabet {
	a := new(alphabet)
	for _, r := range letters {
		for c := r[0]; c <= r[1]; c++ {
			a[c] = uint16(c)
		}
	}
	for _, r := range unicode.CaseRanges {
		for c := rune(r.Lo); c <= min(rune(r.Hi), 0xffff); c++ {
			if a[c] >= classes {
				a[c] = lower(c)
			}
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		a[c-'a'+'ａ'] = uint16(c)
		a[c-'a'+'Ａ'] = uint16(c)
	}
	for c := '\u0300'; c <= '\u036f'; c++ {
		a[c] = ignored
	}
	a['\u00ad'] = ignored
	a['\''], a['`'], a['’'] = apostrophe, apostrophe, apostrophe
	return a
}

// class returns the class of a code point, or the letter to read instead.
func (a *alphabet) class(c rune) uint16 {
	if uint32(c) >= uint32(len(a)) {
		return other
	}
	return a[c]
}

// lower returns the lower case of a letter, or the letter itself if its lower
// case is outside the plane.
func lower(c rune) uint16 {
	if l := unicode.ToLower(c); l <= 0xffff {
		return uint16(l)
	}
	return uint16(c)
}
