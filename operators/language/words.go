package language

import (
	"encoding/binary"
	"unicode/utf8"
)

// Limits of how much of a text is read. softEnd and hardEnd count the bytes of its
// words and one byte for each gap between them.
const (
	maxScan  = 8 << 10 // bytes of the text, so that drawings cost little
	softEnd  = 350     // bytes after which a gap ends the reading
	hardEnd  = 380     // bytes after which any letter ends it
	maxWord  = 70      // bytes of a word that n-grams are taken from
	maxGrams = hardEnd/2 + 8
)

// grams collects the n-grams of a text. It lives on the stack of one call.
type grams struct {
	keys [maxGrams]key
	n    int
	word [hardEnd + utf8.UTFMax]byte
	size int // bytes of word
	read int // bytes of all words and gaps
	// sigma says that word ends with a sigma that was a capital.
	sigma bool
}

// collect reads the words of text and collects their n-grams.
func (g *grams) collect(a *alphabet, text []byte) {
	text = text[:min(len(text), maxScan)]
	for i := 0; i < len(text) && g.read <= hardEnd; {
		if i = g.letters(a, text, i); g.read <= hardEnd {
			i = g.gap(a, text, i)
		}
	}
	g.endWord()
}

// letters appends the letters from text[i] on to the word, and returns where
// they end.
func (g *grams) letters(a *alphabet, text []byte, i int) int {
	for g.read <= hardEnd {
		i = g.asciiLetters(a, text, i)
		if i == len(text) || text[i] < utf8.RuneSelf || g.read > hardEnd {
			return i
		}
		c, size := utf8.DecodeRune(text[i:])
		class := a.class(c)
		if class >= classes {
			g.letter(rune(class))
			g.sigma = c == 'Σ'
		} else if class != ignored {
			return i
		}
		i += size
	}
	return i
}

// asciiLetters is like letters, but stops at the first byte that is not ASCII.
func (g *grams) asciiLetters(a *alphabet, text []byte, i int) int {
	rest := text[i:min(len(text), i+hardEnd+1-g.read)]
	word := g.word[g.size:][:len(rest)]
	n := 0
	for n < len(rest) && rest[n] < utf8.RuneSelf && a[rest[n]] >= classes {
		word[n] = byte(a[rest[n]])
		n++
	}
	if n > 0 {
		g.size += n
		g.read += n
		g.sigma = false
	}
	return i + n
}

// letter appends one letter to the word.
func (g *grams) letter(l rune) {
	n := utf8.EncodeRune(g.word[g.size:], l)
	g.size += n
	g.read += n
}

// gap reads the text between two letters, from text[i] on, and returns where it
// ends. It returns the end of the text if nothing more is to be read.
func (g *grams) gap(a *alphabet, text []byte, i int) int {
	end, parted, marks := nextLetter(a, text, i)
	if parted {
		if linkEnd := g.link(text, i); linkEnd > 0 {
			end, marks = linkEnd, linkEnd
		}
		g.endWord()
		if g.read > softEnd {
			return len(text)
		}
		if g.read > 0 {
			g.read++
		}
	}
	if end < len(text) || g.size > 0 {
		g.apostrophes(text[marks:end])
	}
	return end
}

// nextLetter returns the position of the next letter from text[i] on, whether
// something before it separates words, and where the apostrophes before it
// start.
func nextLetter(a *alphabet, text []byte, i int) (end int, parted bool, marks int) {
	marks = i
	for i < len(text) {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(text[i:])
		}
		class := a.class(c)
		if class >= classes {
			break
		}
		i += size
		if class == other {
			parted, marks = true, i
		}
	}
	return i, parted, marks
}

// link returns the end of a link whose scheme or host name is the current word
// and which continues at text[i], or 0 if there is no link. It drops the word.
func (g *grams) link(text []byte, i int) int {
	rest := text[i:]
	switch string(g.word[:g.size]) {
	case "http", "https":
		if len(rest) < 3 || string(rest[:3]) != "://" {
			return 0
		}
	case "www":
		if len(rest) < 2 || rest[0] != '.' {
			return 0
		}
	default:
		return 0
	}
	g.read -= g.size
	g.size = 0
	for i < len(text) && text[i] > ' ' && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// apostrophes appends apostrophes to the word.
func (g *grams) apostrophes(marks []byte) {
	for len(marks) > 0 && g.read <= hardEnd {
		c, size := utf8.DecodeRune(marks)
		marks = marks[size:]
		if c == '\'' || c == '`' || c == '’' {
			g.letter(c)
			g.sigma = false
		}
	}
}

// endWord adds the n-grams of the current word and starts a new one.
//
// N-grams are four bytes long and start at every third byte; the last one is
// moved back to end where the word ends. A word that is too long has no such
// last one.
func (g *grams) endWord() {
	w := g.word[:g.size]
	if g.sigma && g.size > len("σ") {
		copy(w[g.size-len("ς"):], "ς")
	}
	g.size, g.sigma = 0, false
	switch n := len(w); {
	case n == 0:
	case n <= 4:
		var padded [4]byte
		copy(padded[:], w)
		g.add(whole, padded[:])
	default:
		g.add(prefix, w)
		end := min(n, maxWord)
		for j := 3; j+4 < end; j += 3 {
			g.add(inside, w[j:])
		}
		if n <= maxWord {
			g.add(suffix, w[n-4:])
		}
	}
}

// add adds the n-gram of the first four bytes of b.
func (g *grams) add(k kind, b []byte) {
	if g.n < len(g.keys) {
		g.keys[g.n] = k.of(binary.BigEndian.Uint32(b))
		g.n++
	}
}
