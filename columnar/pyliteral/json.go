package pyliteral

import (
	"bytes"
	"strconv"

	"analyzer/columnar/jsontext"
)

// AppendJSON appends the list or dict of a cell as JSON (RFC 8259), and otherwise ErrMalformed is its error. Numbers that
// JSON does not write so, such as .5, become those of the nearest float.
func AppendJSON(dst, cell []byte) ([]byte, error) {
	s := &scanner{cell: cell}
	s.findEscape()
	if c := s.next(); c != '[' && c != '{' {
		return dst, ErrMalformed
	}
	out, ok := s.appendJSON(dst, 0)
	if !ok || s.next() != 0 || s.pos != len(s.cell) {
		return dst, ErrMalformed
	}
	return out, nil
}

// appendJSON appends the value at pos, inside level open brackets.
func (s *scanner) appendJSON(dst []byte, level int) ([]byte, bool) {
	switch c := s.next(); c {
	case '[':
		return s.appendItems(dst, level, ']', s.appendJSON)
	case '{':
		return s.appendItems(dst, level, '}', s.appendMember)
	case '\'', '"':
		text, ok := s.text(c)
		return jsontext.AppendQuoted(dst, text), ok
	default:
		return s.appendScalar(dst, c)
	}
}

// appendItems appends the list or dict at pos, of which item appends one after the other.
func (s *scanner) appendItems(dst []byte, level int, end byte, item func([]byte, int) ([]byte, bool)) (_ []byte, ok bool) {
	if level == MaxDepth {
		return dst, false
	}
	dst = append(dst, s.peek())
	s.pos++
	for more := false; s.next() != end; more = true {
		if more {
			dst = append(dst, ',')
		}
		if dst, ok = item(dst, level+1); !ok || !s.pass(',') && s.peek() != end {
			return dst, false
		}
	}
	s.pos++
	return append(dst, end), true
}

// appendMember appends the entry of a dict at pos. Keys that are no texts become such.
func (s *scanner) appendMember(dst []byte, level int) (_ []byte, ok bool) {
	switch c := s.next(); c {
	case '[', '{':
		return dst, false
	case '\'', '"':
		dst, ok = s.appendJSON(dst, level)
	default:
		var key []byte
		key, ok = s.appendScalar(nil, c)
		dst = jsontext.AppendQuoted(dst, key)
	}
	if !ok || !s.pass(':') {
		return dst, false
	}
	return s.appendJSON(append(dst, ':'), level)
}

// appendScalar appends the number, None, True or False at pos, which begins with c.
func (s *scanner) appendScalar(dst []byte, c byte) ([]byte, bool) {
	begin := s.pos
	if !s.scalar(c) {
		return dst, false
	}
	switch c {
	case 'N':
		return append(dst, "null"...), true
	case 'T':
		return append(dst, "true"...), true
	case 'F':
		return append(dst, "false"...), true
	}
	digits := bytes.Join(bytes.Fields(s.cell[begin:s.pos]), nil) // a sign may stand apart
	if jsontext.Valid(digits) {
		return append(dst, digits...), true
	}
	number, err := strconv.ParseFloat(string(digits), 64)
	return strconv.AppendFloat(dst, number, 'g', -1, 64), err == nil
}
