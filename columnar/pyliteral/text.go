package pyliteral

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// plain reads the text at pos, which begins with quote, when its bytes are its
// value: without escapes and followed by a separator, as nearly all are. The
// result aliases the cell. Otherwise it leaves pos alone and returns false; text then
// reads the value or says what is wrong with it.
func (s *scanner) plain(quote byte) ([]byte, bool) {
	begin := s.pos + 1
	end := indexQuote(s.cell, begin, quote)
	// Text that ends the cell is in an open bracket, hence an error.
	if end >= s.escape || end+1 >= len(s.cell) {
		return nil, false
	}
	switch s.cell[end+1] {
	case ',', ':', '}', ']':
		s.pos = end + 1
		return s.cell[begin:end], true
	default:
		return nil, false
	}
}

// indexQuote is the offset of the first quote at or after i, len(cell) when
// there is none. Most texts are too short to pay for a call of
// bytes.IndexByte, hence eight bytes at a time to begin with
// (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
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

// skipText skips the text at pos, which begins with quote.
func (s *scanner) skipText(quote byte) bool {
	if _, ok := s.plain(quote); ok {
		return true
	}
	mark := len(s.out)
	ok := s.text(quote)
	s.out = s.out[:mark]
	return ok
}

// text decodes the literal at pos, which begins with quote, to the end of out.
func (s *scanner) text(quote byte) bool {
	begin := s.pos
	for s.pos++; ; {
		s.chunk(quote)
		switch {
		case s.pos >= len(s.cell):
			return s.fail(begin, unterminated)
		case s.cell[s.pos] == quote:
			s.pos++
			if s.escape < s.pos {
				s.findEscape()
			}
			return true
		case !s.escaped():
			return false
		}
	}
}

// chunk copies the bytes before the next quote or backslash to out.
func (s *scanner) chunk(quote byte) {
	begin := s.pos
	for s.pos < len(s.cell) && s.cell[s.pos] != quote && s.cell[s.pos] != '\\' {
		s.pos++
	}
	s.out = append(s.out, s.cell[begin:s.pos]...)
}
