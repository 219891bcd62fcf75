package pyliteral

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendText appends the text at pos, which begins with quote, to out.
func (s *scanner) appendText(quote byte) bool {
	text, ok := s.text(quote)
	s.out = append(s.out, text...)
	return ok
}

// text parses the text at pos, which begins with quote. The result is a part of the cell,
// or lies in the spare capacity of out until something else is appended there.
func (s *scanner) text(quote byte) (text []byte, ok bool) {
	begin := s.pos + 1
	end := indexQuote(s.cell, begin, quote)
	// Nearly all texts have no escapes. If the quote ends the cell, a bracket is still open,
	// and the next step fails.
	if end < s.escape && end < len(s.cell) {
		s.pos = end + 1
		return s.cell[begin:end], true
	}
	mark := len(s.out)
	ok = s.unescape(quote)
	text, s.out = s.out[mark:], s.out[:mark]
	return text, ok
}

// indexQuote returns the offset of the first quote at or after i, len(cell) if there is
// none. Most texts are too short to pay for a call of bytes.IndexByte, so it begins with
// eight bytes at a time (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
func indexQuote(cell []byte, i int, quote byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	pattern := uint64(quote) * ones
	for range 4 {
		if i+8 > len(cell) {
			break
		}
		x := binary.LittleEndian.Uint64(cell[i:]) ^ pattern
		if zero := (x - ones) &^ x & tops; zero != 0 {
			return i + bits.TrailingZeros64(zero)>>3
		}
		i += 8
	}
	if i < len(cell) {
		if n := bytes.IndexByte(cell[i:], quote); n >= 0 {
			return i + n
		}
	}
	return len(cell)
}

// unescape decodes the text at pos and appends it to out.
func (s *scanner) unescape(quote byte) bool {
	for s.pos++; ; {
		begin := s.pos
		for s.pos < len(s.cell) && s.cell[s.pos] != quote && s.cell[s.pos] != '\\' {
			s.pos++
		}
		s.out = append(s.out, s.cell[begin:s.pos]...)
		if s.pos == len(s.cell) {
			return false
		}
		s.pos++
		switch {
		case s.cell[s.pos-1] == quote:
			if s.escape < s.pos {
				s.findEscape()
			}
			return true
		case !s.escaped():
			return false
		}
	}
}

// Escapes of one letter, and the bytes that they encode.
const (
	escapeLetters = `\'"abfnrtv`
	escapedBytes  = "\\'\"\a\b\f\n\r\t\v"
)

// escaped decodes the escape after a backslash and appends it to out, as described in
// "String and Bytes literals" of the Python language reference. It refuses \N{name}, which
// would need the names of all characters.
func (s *scanner) escaped() bool {
	c := s.peek()
	switch c {
	case '\n':
		s.pos++
		return true
	case '\r':
		s.pos++
		if s.peek() == '\n' {
			s.pos++
		}
		return true
	case '0', '1', '2', '3', '4', '5', '6', '7':
		s.octal()
		return true
	case 'x':
		return s.hex(2)
	case 'u':
		return s.hex(4)
	case 'U':
		return s.hex(8)
	case 'N':
		return false
	}
	if i := strings.IndexByte(escapeLetters, c); i >= 0 {
		s.out = append(s.out, escapedBytes[i])
		s.pos++
		return true
	}
	// Python keeps the backslash of an unknown escape; c follows as an ordinary byte.
	s.out = append(s.out, '\\')
	return true
}

// hex decodes the letter at pos and the n hexadecimal digits after it.
func (s *scanner) hex(n int) bool {
	s.pos++
	if len(s.cell)-s.pos < n {
		return false
	}
	r, err := strconv.ParseUint(string(s.cell[s.pos:s.pos+n]), 16, 32)
	if err != nil || r > utf8.MaxRune {
		return false
	}
	s.pos += n
	s.out = utf8.AppendRune(s.out, rune(r)) // a surrogate becomes U+FFFD
	return true
}

// octal decodes the one to three octal digits at pos.
func (s *scanner) octal() {
	var r rune
	for range 3 {
		c := s.peek()
		if c < '0' || c > '7' {
			break
		}
		r = r<<3 | rune(c-'0')
		s.pos++
	}
	s.out = utf8.AppendRune(s.out, r)
}
