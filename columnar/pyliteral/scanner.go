package pyliteral

import "bytes"

// scanner reads one cell from left to right. Its methods report failure by
// false, after fail has noted where and why.
type scanner struct {
	cell []byte
	pos  int
	// escape is the offset of the first backslash at or after pos, len(cell)
	// when there is none: a string that closes before it has no escapes, which
	// saves looking for them in every string.
	escape int
	// out is the text decoded so far. Text that is only skipped passes through
	// it too, if it has escapes to check, and is cut off again.
	out []byte

	offset  int
	problem string
}

func newScanner(cell, out []byte) scanner {
	s := scanner{cell: cell, out: out}
	s.findEscape()
	return s
}

func (s *scanner) findEscape() {
	s.escape = len(s.cell)
	if i := bytes.IndexByte(s.cell[s.pos:], '\\'); i >= 0 {
		s.escape = s.pos + i
	}
}

func (s *scanner) fail(offset int, problem string) bool {
	s.offset, s.problem = offset, problem
	return false
}

// unexpectedHere fails at pos, where no rule of the grammar goes on.
func (s *scanner) unexpectedHere() bool {
	if s.pos >= len(s.cell) {
		return s.fail(s.pos, endsTooEarly)
	}
	return s.fail(s.pos, unexpected)
}

// peek is the byte at pos, 0 at the end. A NUL byte in the cell needs no telling
// from the end: neither continues a literal.
func (s *scanner) peek() byte {
	if s.pos < len(s.cell) {
		return s.cell[s.pos]
	}
	return 0
}

// next skips white space and peeks.
func (s *scanner) next() byte {
	if s.pos < len(s.cell) && s.cell[s.pos] == ' ' {
		s.pos++
	}
	if s.pos < len(s.cell) && s.cell[s.pos] > ' ' {
		return s.cell[s.pos]
	}
	return s.nextAfterSpace()
}

func (s *scanner) nextAfterSpace() byte {
	for ; s.pos < len(s.cell); s.pos++ {
		switch c := s.cell[s.pos]; c {
		case ' ', '\t', '\n', '\r', '\f':
		default:
			return c
		}
	}
	return 0
}

// value skips one value that begins with c, the byte at pos. level is how many
// brackets are open around it.
func (s *scanner) value(c byte, level int) bool {
	if c == '[' || c == '{' {
		return s.container(c, level)
	}
	return s.scalar(c)
}

// scalar skips a value without brackets.
func (s *scanner) scalar(c byte) bool {
	switch c {
	case '\'', '"':
		return s.skipText(c)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '+', '.':
		return s.number()
	case 'N':
		return s.word("None")
	case 'T':
		return s.word("True")
	case 'F':
		return s.word("False")
	default:
		return s.unexpectedHere()
	}
}

func (s *scanner) word(w string) bool {
	if len(s.cell)-s.pos < len(w) || string(s.cell[s.pos:s.pos+len(w)]) != w {
		return s.unexpectedHere()
	}
	s.pos += len(w)
	return true
}

// number skips an optional sign and a decimal integer or float. What may not
// follow a number (a letter, another number) is left to the caller, who expects
// a separator.
func (s *scanner) number() bool {
	if c := s.peek(); c == '-' || c == '+' {
		s.pos++
		s.next()
	}
	begin := s.pos
	whole := s.digits()
	isFloat := false
	if s.peek() == '.' {
		isFloat = true
		s.pos++
		whole += s.digits()
	}
	if whole == 0 {
		return s.fail(begin, badNumber)
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		isFloat = true
		s.pos++
		if c := s.peek(); c == '-' || c == '+' {
			s.pos++
		}
		if s.digits() == 0 {
			return s.fail(begin, badNumber)
		}
	}
	if !isFloat && s.cell[begin] == '0' && !allZeros(s.cell[begin:s.pos]) {
		return s.fail(begin, badNumber)
	}
	return true
}

// digits skips a run of digits and returns its length.
func (s *scanner) digits() int {
	begin := s.pos
	for s.pos < len(s.cell) && s.cell[s.pos]-'0' <= 9 {
		s.pos++
	}
	return s.pos - begin
}

func allZeros(digits []byte) bool {
	for _, d := range digits {
		if d != '0' {
			return false
		}
	}
	return true
}
