package pyliteral

import "bytes"

// dictLevel is how many brackets are open inside a dict that is an item of the
// cell's list.
const dictLevel = 2

// dict reads the rest of an item that began with a brace, and appends the text
// under key to out, if there is one.
func (s *scanner) dict(key string) (found, ok bool) {
	mark := len(s.out)
	for {
		s.skipEntries(key)
		c := s.next()
		if c == '}' {
			s.pos++
			return found, true
		}
		wanted, ok := s.dictKey(c, key)
		if !ok {
			return false, false
		}
		if s.next() != ':' {
			return false, s.unexpectedHere()
		}
		s.pos++
		switch c = s.next(); {
		case wanted && (c == '\'' || c == '"'):
			s.out = s.out[:mark]
			found, ok = true, s.appendText(c)
		case wanted:
			s.out = s.out[:mark]
			found, ok = false, s.value(c, dictLevel)
		default:
			ok = s.value(c, dictLevel)
		}
		if !ok || !s.endEntry() {
			return false, false
		}
	}
}

// skipEntries skips the entries from pos on that are written as repr writes
// them, 'key': value with a short value, and do not have the wanted key. It
// stops in front of the first that is otherwise, or of the closing brace. What
// it skips the general road would skip as well; this one is shorter by half,
// and nearly every byte of a long list of dicts goes over it.
func (s *scanner) skipEntries(wanted string) {
	cell, pos := s.cell, s.pos
	for pos < len(cell) && cell[pos] == '\'' {
		end := indexQuote(cell, pos+1, '\'')
		if end >= s.escape || end+4 > len(cell) || cell[end+1] != ':' || cell[end+2] != ' ' ||
			string(cell[pos+1:end]) == wanted {
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

// simpleEnd is the offset behind the value at pos if that is text without
// escapes, a whole number or None; otherwise
// len(cell).
func (s *scanner) simpleEnd(pos int) int {
	cell := s.cell
	switch c := cell[pos]; c {
	case '\'', '"':
		// The byte behind the quote decides what an empty text is: a quote
		// there is no separator.
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

// dictKey skips a key that begins with c and says whether it is key.
func (s *scanner) dictKey(c byte, key string) (wanted, ok bool) {
	switch c {
	case '\'', '"':
		if text, ok := s.plain(c); ok {
			return string(text) == key, true
		}
		mark := len(s.out)
		ok = s.text(c)
		wanted = ok && string(s.out[mark:]) == key
		s.out = s.out[:mark]
		return wanted, ok
	case '[', '{':
		return false, s.fail(s.pos, unhashable)
	default:
		return false, s.scalar(c)
	}
}

// endEntry passes what may follow an entry of a dict: a comma, or nothing
// before the closing brace.
func (s *scanner) endEntry() bool {
	switch s.next() {
	case ',':
		s.pos++
		return true
	case '}':
		return true
	default:
		return s.unexpectedHere()
	}
}
