package pyliteral

// MaxDepth is how many brackets may be open at once; a cell with more is
// malformed. Python itself stops at 200.
const MaxDepth = 64

// state is what the innermost open bracket waits for.
type state uint8

const (
	listItem  state = iota // an item or ]
	listNext               // , or ]
	dictKey                // a key or }
	dictColon              // :
	dictValue              // a value
	dictNext               // , or }
	invalid
)

// afterValue is the state that follows a value.
func (st state) afterValue() state {
	switch st {
	case listItem:
		return listNext
	case dictKey:
		return dictColon
	case dictValue:
		return dictNext
	default:
		return invalid
	}
}

// after is the state that follows the separator c, a comma or a colon.
func (st state) after(c byte) state {
	switch {
	case st == listNext && c == ',':
		return listItem
	case st == dictColon && c == ':':
		return dictValue
	case st == dictNext && c == ',':
		return dictKey
	default:
		return invalid
	}
}

// closes says whether the bracket c ends the container in state st.
func (st state) closes(c byte) bool {
	switch st {
	case listItem, listNext:
		return c == ']'
	case dictKey, dictNext:
		return c == '}'
	default:
		return false
	}
}

// container skips the list or dict that the bracket c at pos opens; level is how
// many brackets are open around it. It keeps the brackets within on a stack of its
// own, so that no cell can exhaust the goroutine's.
func (s *scanner) container(c byte, level int) bool {
	var stack [MaxDepth]state
	depth := 0
	st, ok := s.open(c, level)
	for ok {
		switch c := s.next(); c {
		case ',', ':':
			if st = st.after(c); st == invalid {
				return s.unexpectedHere()
			}
			s.pos++
		case ']', '}':
			if !st.closes(c) {
				return s.unexpectedHere()
			}
			s.pos++
			if depth == 0 {
				return true
			}
			depth--
			st = stack[depth]
		default:
			before := st
			if st = st.afterValue(); st == invalid {
				return s.unexpectedHere()
			}
			if c != '[' && c != '{' {
				ok = s.scalar(c)
				continue
			}
			if before == dictKey {
				return s.fail(s.pos, unhashable)
			}
			stack[depth] = st
			depth++
			st, ok = s.open(c, level+depth)
		}
	}
	return false
}

// open passes the bracket c at pos, which stands within level others.
func (s *scanner) open(c byte, level int) (state, bool) {
	if level >= MaxDepth {
		return invalid, s.fail(s.pos, tooDeep)
	}
	s.pos++
	if c == '[' {
		return listItem, true
	}
	return dictKey, true
}
