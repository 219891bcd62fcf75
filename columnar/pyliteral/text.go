package pyliteral

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// startsText says whether a value that begins with c can only be text or bytes.
func startsText(c byte) bool {
	switch c {
	case '\'', '"', 'u', 'U', 'r', 'R', 'b', 'B':
		return true
	default:
		return false
	}
}

// plain reads the text at pos when its bytes are its value: one literal without
// prefix or escape, followed by a separator, as nearly all are. The result
// aliases the cell. Otherwise it leaves pos alone and returns false; text then
// reads the value or says what is wrong with it.
func (s *scanner) plain(quote byte) ([]byte, bool) {
	if quote != '\'' && quote != '"' {
		return nil, false
	}
	begin := s.pos + 1
	end := indexQuote(s.cell, begin, quote)
	// Text that ends the cell is in an open bracket, hence an error. The first
	// two of three quotes are no plain text, since no separator follows them.
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

// skipText skips text or bytes.
func (s *scanner) skipText() bool {
	if _, ok := s.plain(s.cell[s.pos]); ok {
		return true
	}
	mark := len(s.out)
	_, ok := s.text()
	s.out = s.out[:mark]
	return ok
}

// text decodes the literal at pos and those that follow it without a separator
// to the end of out. isText is false for bytes.
func (s *scanner) text() (isText, ok bool) {
	isText, ok = s.literal()
	for ok && startsText(s.next()) {
		begin := s.pos
		var alike bool
		alike, ok = s.literal()
		if ok && alike != isText {
			return false, s.fail(begin, mixedBytes)
		}
	}
	if s.escape < s.pos {
		s.findEscape()
	}
	return isText, ok
}

// literal decodes one literal to the end of out.
func (s *scanner) literal() (isText, ok bool) {
	begin := s.pos
	raw, isBytes := s.prefix()
	quote := s.peek()
	if quote != '\'' && quote != '"' {
		return false, s.fail(begin, badTextPrefix)
	}
	width := 1
	if s.quotesAt(s.pos, quote, 3) {
		width = 3
	}
	s.pos += width
	for {
		s.chunk(quote)
		switch {
		case s.pos >= len(s.cell):
			return false, s.fail(begin, unterminated)
		case s.cell[s.pos] == '\\':
			if !s.escaped(quote, raw, isBytes) {
				return false, false
			}
		case s.quotesAt(s.pos, quote, width):
			s.pos += width
			if isBytes && !isASCII(s.cell[begin:s.pos]) {
				return false, s.fail(begin, notASCII)
			}
			return !isBytes, true
		default:
			s.out = append(s.out, quote)
			s.pos++
		}
	}
}

// prefix passes the letters before the opening quote: u, or r and b in any
// order and case. Others it leaves for the caller to stumble over.
func (s *scanner) prefix() (raw, isBytes bool) {
	if c := s.peek(); c == 'u' || c == 'U' {
		s.pos++
		return false, false
	}
	for {
		switch s.peek() {
		case 'r', 'R':
			if raw {
				return raw, isBytes
			}
			raw = true
		case 'b', 'B':
			if isBytes {
				return raw, isBytes
			}
			isBytes = true
		default:
			return raw, isBytes
		}
		s.pos++
	}
}

// quotesAt says whether n quotes stand at i.
func (s *scanner) quotesAt(i int, quote byte, n int) bool {
	if i+n > len(s.cell) {
		return false
	}
	for _, c := range s.cell[i : i+n] {
		if c != quote {
			return false
		}
	}
	return true
}

// chunk copies the bytes before the next quote or backslash to out.
func (s *scanner) chunk(quote byte) {
	begin := s.pos
	for s.pos < len(s.cell) && s.cell[s.pos] != quote && s.cell[s.pos] != '\\' {
		s.pos++
	}
	s.out = append(s.out, s.cell[begin:s.pos]...)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
