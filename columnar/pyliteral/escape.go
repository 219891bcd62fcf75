package pyliteral

import "unicode/utf8"

// escaped decodes the backslash at pos and what belongs to it to the end of
// out, as "String and Bytes literals" of the Python language reference has it.
func (s *scanner) escaped() bool {
	begin := s.pos
	s.pos++
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
		return s.hex(begin, 2)
	case 'u', 'U', 'N':
		return s.named(begin, c)
	}
	if d := single(c); d != 0 {
		s.out = append(s.out, d)
		s.pos++
		return true
	}
	// Python keeps the backslash of an escape it does not know; c follows as
	// an ordinary byte.
	s.out = append(s.out, '\\')
	return true
}

// single is the byte that a backslash and c stand for, 0 when they are no
// escape of one letter.
func single(c byte) byte {
	switch c {
	case '\\', '\'', '"':
		return c
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	default:
		return 0
	}
}

// named decodes \uNNNN and \UNNNNNNNN; \N{name} would need the names of all
// characters and is refused.
func (s *scanner) named(begin int, c byte) bool {
	switch c {
	case 'u':
		return s.hex(begin, 4)
	case 'U':
		return s.hex(begin, 8)
	default:
		return s.fail(begin, badEscape)
	}
}

// hex decodes the letter at pos and the n hexadecimal digits after it.
func (s *scanner) hex(begin, n int) bool {
	s.pos++
	if len(s.cell)-s.pos < n {
		return s.fail(begin, badEscape)
	}
	var r uint32
	for _, c := range s.cell[s.pos : s.pos+n] {
		d, ok := hexDigit(c)
		if !ok {
			return s.fail(begin, badEscape)
		}
		r = r<<4 | uint32(d)
	}
	if r > utf8.MaxRune {
		return s.fail(begin, badEscape)
	}
	s.pos += n
	s.out = utf8.AppendRune(s.out, rune(r)) // a surrogate becomes U+FFFD
	return true
}

func hexDigit(c byte) (d byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	default:
		return 0, false
	}
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
