package pyliteral

import "bytes"

// MaxDepth is how many brackets may be open at once; a cell with more is
// malformed. Python itself stops at 200.
const MaxDepth = 64

// scanner parses one cell from left to right. Its methods return false if the cell does not
// match the grammar at pos.
type scanner struct {
	cell []byte
	pos  int
	// escape is the offset of the first backslash at or after pos, len(cell) if there is
	// none. A string that closes before it has no escapes, so that not every string must
	// be searched for them.
	escape int

	// names means that the texts under key in the dicts of the list are wanted, not the
	// texts in the list itself.
	names bool
	key   string
	// out holds the texts so far, ends the end of each of them.
	out  []byte
	ends []int32
}

func (s *scanner) findEscape() {
	s.escape = len(s.cell)
	if i := bytes.IndexByte(s.cell[s.pos:], '\\'); i >= 0 {
		s.escape = s.pos + i
	}
}

// peek returns the byte at pos, 0 at the end. A NUL byte in the cell need not be
// distinguished from the end: neither continues a literal.
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

// pass skips white space, and the byte c if it follows. It reports whether it did.
func (s *scanner) pass(c byte) bool {
	if s.next() != c {
		return false
	}
	s.pos++
	return true
}

// list parses the list at pos, inside level open brackets. It appends the wanted values of
// the outermost list.
func (s *scanner) list(level int) bool {
	if level == MaxDepth {
		return false
	}
	s.pos++
	for c := s.next(); c != ']'; c = s.next() {
		found, ok := false, false
		switch text := c == '\'' || c == '"'; {
		case level == 0 && s.names && c == '{':
			found, ok = s.dict(level+1, true)
		case level == 0 && !s.names && text:
			found, ok = true, s.appendText(c)
		default:
			ok = s.skip(c, level+1)
		}
		if !ok || !s.pass(',') && s.peek() != ']' {
			return false
		}
		if found {
			s.ends = append(s.ends, int32(len(s.out)))
		}
	}
	s.pos++
	return true
}

// dict parses the dict at pos, inside level open brackets. If wanted, it appends the text
// under the key and reports whether there was one.
func (s *scanner) dict(level int, wanted bool) (found, ok bool) {
	if level == MaxDepth {
		return false, false
	}
	s.pos++
	mark := len(s.out)
	for {
		s.skipEntries(wanted)
		c := s.next()
		if c == '}' {
			s.pos++
			return found, true
		}
		isKey := false
		switch c {
		case '\'', '"':
			var text []byte
			text, ok = s.text(c)
			isKey = wanted && string(text) == s.key
		case '[', '{': // cannot be hashed
			return false, false
		default:
			ok = s.scalar(c)
		}
		if !ok || !s.pass(':') {
			return false, false
		}
		c = s.next()
		if isKey {
			s.out, found = s.out[:mark], c == '\'' || c == '"'
		}
		if isKey && found {
			ok = s.appendText(c)
		} else {
			ok = s.skip(c, level+1)
		}
		if !ok || !s.pass(',') && s.peek() != '}' {
			return false, false
		}
	}
}

// skipEntries skips entries in the usual form of repr, 'key': value with a simple value,
// that do not have the wanted key. It stops before the first other entry or before the
// closing brace. It is a fast path: dict would skip the same entries, but takes twice as
// long, and nearly every byte of a long list of dicts is in such entries.
func (s *scanner) skipEntries(wanted bool) {
	cell, pos, key := s.cell, s.pos, s.key
	for pos < len(cell) && cell[pos] == '\'' {
		end := indexQuote(cell, pos+1, '\'')
		if end >= s.escape || end+4 > len(cell) || cell[end+1] != ':' || cell[end+2] != ' ' ||
			string(cell[pos+1:end]) == key && wanted {
			break
		}
		end = s.simpleEnd(end + 3)
		if end+2 > len(cell) {
			break
		}
		if cell[end] == '}' {
			s.pos = end
			return
		}
		if cell[end] != ',' || cell[end+1] != ' ' {
			break
		}
		pos = end + 2
	}
	s.pos = pos
}

// simpleEnd returns the offset after the value at pos if that is text without escapes, a
// whole number or None; otherwise len(cell).
func (s *scanner) simpleEnd(pos int) int {
	cell := s.cell
	switch c := cell[pos]; c {
	case '\'', '"':
		// After an empty text, the caller looks at the byte after the quotes: another quote is
		// no separator, so triple quotes are not skipped here.
		if end := indexQuote(cell, pos+1, c); end < s.escape {
			return end + 1
		}
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		for pos++; pos < len(cell) && cell[pos]-'0' <= 9; pos++ {
		}
		return pos
	case '0':
		return pos + 1
	case 'N':
		if bytes.HasPrefix(cell[pos:], []byte("None")) {
			return pos + len("None")
		}
	}
	return len(cell)
}

// skip skips one value that begins with c, the byte at pos. level is how many
// brackets are open around it.
func (s *scanner) skip(c byte, level int) (ok bool) {
	switch c {
	case '[':
		return s.list(level)
	case '{':
		_, ok = s.dict(level, false)
		return ok
	case '\'', '"':
		_, ok = s.text(c)
		return ok
	}
	return s.scalar(c)
}

// scalar skips a number, None, True or False.
func (s *scanner) scalar(c byte) bool {
	switch c {
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '+', '.':
		return s.number()
	case 'N':
		return s.word("None")
	case 'T':
		return s.word("True")
	case 'F':
		return s.word("False")
	}
	return false
}

func (s *scanner) word(w string) bool {
	ok := bytes.HasPrefix(s.cell[s.pos:], []byte(w))
	s.pos += len(w)
	return ok
}

// number skips an optional sign and a decimal integer or float. The caller, which expects a
// separator, detects what must not follow a number (a letter, another number).
func (s *scanner) number() bool {
	if c := s.peek(); c == '-' || c == '+' {
		s.pos++
		s.next()
	}
	begin := s.pos
	digits := s.digits()
	padded := digits > 1 && len(bytes.Trim(s.cell[begin:s.pos], "0")) > 0 && s.cell[begin] == '0'
	isFloat := false
	if s.peek() == '.' {
		isFloat = true
		s.pos++
		digits += s.digits()
	}
	if c := s.peek(); digits > 0 && (c == 'e' || c == 'E') {
		isFloat = true
		s.pos++
		if c := s.peek(); c == '-' || c == '+' {
			s.pos++
		}
		if s.digits() == 0 {
			return false
		}
	}
	return digits > 0 && (isFloat || !padded)
}

// digits skips a run of digits and returns its length.
func (s *scanner) digits() int {
	begin := s.pos
	for s.pos < len(s.cell) && s.cell[s.pos]-'0' <= 9 {
		s.pos++
	}
	return s.pos - begin
}
