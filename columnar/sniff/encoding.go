package sniff

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"analyzer/columnar/stored"
)

// western is the encoding of old programs, a superset of the characters of ISO 8859-1.
const western = "windows-1252"

// letters holds what distinguishes UTF-8 from other encodings.
type letters struct {
	valid, invalid int    // UTF-8 sequences beyond ASCII, and bytes that are not UTF-8
	foreign        bool   // some bytes are undefined in western
	sample         []byte // lines with bytes beyond ASCII
}

// sampledLetters is how many bytes of such lines are looked at.
const sampledLetters = 16 << 10

// add counts the sequences and bytes of a text.
func (l *letters) add(text []byte) {
	before := l.valid + l.invalid
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
	if l.valid+l.invalid == before {
		return
	}
	for line := range bytes.Lines(text) {
		if len(l.sample)+len(line) > sampledLetters {
			break
		}
		if slices.ContainsFunc(line, func(c byte) bool { return c >= utf8.RuneSelf }) {
			l.sample = append(l.sample, line...)
		}
	}
}

// western reports whether that encoding is more likely than UTF-8.
func (l *letters) western() bool { return l.invalid > l.valid && !l.foreign }

// Of the characters beyond ASCII of a text, this share must be frequent in its script, and none must be
// invalid, before that is certain. As others read the text it must be far from that.
const (
	leastFrequent   = 0.4
	leastCyrillic   = 0.65 // an alphabet has few letters
	leastLetters    = 10   // of an alphabet
	leastAccents    = 0.07 // of Greek letters; in those that Russian ones look like there are a third of it
	leastSigns      = 3    // different ones, of scripts with many
	timesUnlikelier = 2
)

// scripted returns the encoding of a text in a script other than the Latin one, "" if none is certain.
func (l *letters) scripted() string {
	best, second, name := 0.0, 0.0, ""
	for _, s := range scripts {
		switch share := s.share(l.sample); {
		case share > best:
			best, second, name = share, best, s.encoding
		case share > second:
			second = share
		}
	}
	if best < timesUnlikelier*second {
		return ""
	}
	return name
}

// script is an encoding of texts that are not Latin, and the characters that are frequent in them.
type script struct{ encoding, frequent string }

func (s script) alphabet() bool { return len(s.frequent) < 100 }

// share returns how many of the characters of a text beyond ASCII are frequent ones, from 0 to 1; 0 if the
// text is not in this encoding, or too short to say. The letters of an alphabet stand side by side, which those
// beyond ASCII of Western words seldom do.
func (s script) share(text []byte) float64 {
	if s.alphabet() && !beside(text) {
		return 0
	}
	all, counts := 0, make(map[rune]int)
	for _, r := range string(stored.Decode(s.encoding, text)) {
		switch {
		case r == utf8.RuneError:
			return 0
		case r < utf8.RuneSelf || r >= '\u3000' && r <= '\u3002' || r >= '\uff01' && r <= '\uff9f': // of several scripts, or halves of syllables
			continue
		}
		all++
		counts[r]++
	}
	accented := 0
	for _, r := range accents {
		accented += counts[r]
	}
	if s.frequent == greek && float64(accented) < leastAccents*float64(all) {
		return 0
	}
	known, different := 0, 0
	for _, r := range s.frequent {
		if counts[r] > 0 {
			known, different = known+counts[r], different+1
			delete(counts, r) // some are listed twice
		}
	}
	least, enough := leastFrequent, different >= leastSigns
	if s.alphabet() {
		least, enough = leastCyrillic, known >= leastLetters
	}
	if share := float64(known) / float64(max(1, all)); enough && share >= least {
		return share
	}
	return 0
}

// beside reports whether most bytes beyond ASCII stand next to others.
func beside(text []byte) bool {
	all, near := 0, 0
	for i, c := range text {
		if c < utf8.RuneSelf {
			continue
		}
		if all++; i > 0 && text[i-1] >= utf8.RuneSelf || i+1 < len(text) && text[i+1] >= utf8.RuneSelf {
			near++
		}
	}
	return 10*near >= 7*all
}

// encoded tries other encodings on a file that is not UTF-8: those of scripts or languages whose characters it shows, or
// that of old programs. It also looks at samples, so that a single damaged byte does not change the
// encoding.
func (f *finder) encoded() error {
	seen := f.best.letters
	if f.given.Encoding != "" || seen.invalid == 0 {
		return nil
	}
	name := cmp.Or(seen.scripted(), seen.latin())
	if name == "" && !seen.western() {
		return nil
	}
	if name == "" && f.best.anywhere {
		if err := eachSample(f.open, seen.add); err != nil || !seen.western() {
			return err
		}
	}
	plain := f.best
	if f.encoding = cmp.Or(name, western); name == "" {
		d := plain.dialect
		d.Encoding, d.Skip, d.Omit = western, f.given.Skip, f.given.Omit
		if err := f.try(d, func(*looked) bool { return true }); err != nil {
			return err
		}
	} else {
		f.best, f.text = nil, nil // a byte of a character may be a delimiter, or a quote
		if err := f.usual(); err != nil || f.best == nil {
			f.best = plain
			return err
		}
	}
	return nil
}
