package pyliteral

import "bytes"

// dictLevel is how many brackets are open inside a dict that is an item of the
// cell's list.
const dictLevel = 2

// dict reads the rest of an item that began with a brace, and appends the text
// under key to out, if there is one. The item may turn out to be a set.
func (s *scanner) dict(key string) (found, ok bool) {
	mark := len(s.out)
	for first := true; ; first = false {
		c := s.next()
		if skipped := s.skipEntries(key); skipped {
			first = false
			c = s.next()
		}
		if c == '}' {
			s.pos++
			return found, true
		}
		wanted, ok := s.dictKey(c, key)
		if !ok {
			return false, false
		}
		switch c = s.next(); {
		case c == ':':
			s.pos++
		case first:
			return false, s.rest(frame{state: braceFirst}, dictLevel)
		default:
			return false, s.unexpectedHere()
		}
		c = s.next()
		if wanted {
			s.out = s.out[:mark]
			found, ok = s.dictValue(c)
		} else {
			ok = s.value(c, dictLevel, false)
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
func (s *scanner) skipEntries(wanted string) (skipped bool) {
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
			return true
		}
		if cell[end] != ',' || cell[end+1] != ' ' {
			break
		}
		pos = end + 2
		skipped = true
	}
	s.pos = pos
	return skipped
}

// simpleEnd is the offset behind the value at pos if that is text without
// prefix, escape or line continuation, a whole number or None; otherwise
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
	if text, ok := s.plain(c); ok {
		return string(text) == key, true
	}
	if !startsText(c) {
		return false, s.value(c, dictLevel, true)
	}
	mark := len(s.out)
	isText, ok := s.text()
	wanted = isText && string(s.out[mark:]) == key
	s.out = s.out[:mark]
	return wanted, ok
}

// dictValue appends a value that begins with c to out if it is text.
func (s *scanner) dictValue(c byte) (found, ok bool) {
	if startsText(c) {
		return s.appendText(c)
	}
	return false, s.value(c, dictLevel, false)
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
