package sentiment

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// token is what the rules need to know of one word of a text.
type token struct {
	entry uint16 // of the word in lower case; 0 if it has none
	// upper: it has a letter of A-Z and none of a-z.
	upper bool
	// folded: it differs from its dictionary entry in the case of its letters.
	folded bool
	// listed: the lexicon contains it exactly as it is written.
	listed bool
	// start and end delimit it in the text, without punctuation.
	start, end int
}

// padding is how many bytes must follow a text that is split into tokens. Words
// are read eight bytes at a time, up to the length of a key.
const padding = maxKey

// asciiPrefix returns the length of the longest prefix of text that is ASCII.
func asciiPrefix(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		if binary.LittleEndian.Uint64(text[i:])&highs != 0 {
			break
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// strip returns the word buf[start:end] without punctuation at its ends. If
// fewer than three bytes are left, it returns the whole word.
func (v *vader) strip(buf []byte, start, end int) (int, int) {
	s, e := start, end
	for s < e && v.punctuation[buf[s]] {
		s++
	}
	for s < e && v.punctuation[buf[e-1]] {
		e--
	}
	if e-s < 3 {
		return start, end
	}
	return s, e
}

// read makes t describe the word buf[start:end]; padding bytes must follow it.
func (v *vader) read(t *token, buf []byte, start, end int) {
	start, end = v.strip(buf, start, end)
	*t = token{start: start, end: end}
	n := end - start
	if n > maxKey {
		v.readLong(t, buf[start:end])
		return
	}
	k := key{n: n}
	var upper, lower, high uint64
	for i := 0; 8*i < n; i++ {
		w := binary.LittleEndian.Uint64(buf[start+8*i:])
		if rest := n - 8*i; rest < 8 {
			w &= 1<<(8*rest&63) - 1
		}
		up := upperMask(w)
		upper |= up
		lower |= lowerMask(w)
		high |= w
		k.w[i] = w | up>>2
	}
	t.upper = upper != 0 && lower == 0
	if high&highs != 0 {
		v.resolve(t, buf[start:end])
		return
	}
	t.entry = v.dict.find(&k)
	if upper == 0 {
		t.listed = v.dict.entries[t.entry].inLexicon
		return
	}
	t.folded = true
	t.listed = v.asWritten(buf[start:end])
}

// readLong describes a word that is longer than a key. The dictionary can only
// contain it if some of its letters are shorter in lower case.
func (v *vader) readLong(t *token, w []byte) {
	var upper, lower bool
	for _, c := range w {
		upper = upper || c >= 'A' && c <= 'Z'
		lower = lower || c >= 'a' && c <= 'z'
	}
	t.upper = upper && !lower
	if len(w) <= utf8.UTFMax*maxKey {
		v.resolve(t, w)
	}
}

// resolve finds the entry of a word with Unicode's rules for lower case. These
// map a few letters outside ASCII to ASCII ones: U+212A becomes a "k".
func (v *vader) resolve(t *token, w []byte) {
	var folded [utf8.UTFMax * (utf8.UTFMax*maxKey + 1)]byte
	n := 0
	for i := 0; i < len(w); {
		r, size := utf8.DecodeRune(w[i:])
		i += size
		n += utf8.EncodeRune(folded[n:], unicode.ToLower(r))
	}
	t.folded = !bytes.Equal(folded[:n], w)
	if n <= maxKey {
		k := makeKey(folded[:n])
		t.entry = v.dict.find(&k)
	}
	if t.folded {
		t.listed = v.asWritten(w)
	} else {
		t.listed = v.dict.entries[t.entry].inLexicon
	}
}

// asWritten reports whether the lexicon contains a word that is not all lower
// case exactly as it is written. A few emoticons are such words.
func (v *vader) asWritten(w []byte) bool {
	if len(w) > v.dict.maxCased {
		return false
	}
	k := makeKey(w)
	return v.dict.entries[v.dict.find(&k)].inLexicon
}

// negates reports whether a token reverses the valence of what follows: it is a
// listed word or contains "n't".
func (v *vader) negates(t *token, buf []byte) bool {
	return v.dict.entries[t.entry].negates || holdsNot(buf[t.start:t.end])
}

// holdsNot reports whether the lower case of w contains "n't". No letter
// outside ASCII has n or t as its lower case.
func holdsNot(w []byte) bool {
	for {
		at := bytes.IndexByte(w, '\'')
		if at < 0 || at+1 >= len(w) {
			return false
		}
		if at > 0 && w[at-1]|0x20 == 'n' && w[at+1]|0x20 == 't' {
			return true
		}
		w = w[at+1:]
	}
}
