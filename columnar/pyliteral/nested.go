package pyliteral

// MaxDepth is how many brackets may be open at once; a cell with more is
// malformed. Python itself stops at 200.
const MaxDepth = 64

// state is what the innermost open bracket waits for.
type state uint8

const (
	listItem   state = iota // an item or ]
	listNext                // , or ]
	tupleEmpty              // the first item or )
	tupleFirst              // the comma that makes it a tuple
	tupleItem               // an item or )
	tupleNext               // , or )
	braceEmpty              // the first key of a dict or item of a set, or }
	braceFirst              // what tells dict from set: : or , or }
	dictKey                 // a key or }
	dictColon               // :
	dictValue               // a value
	dictNext                // , or }
	setItem                 // an item or }
	setNext                 // , or }
	invalid
)

func (st state) afterValue() state {
	switch st {
	case listItem:
		return listNext
	case tupleEmpty:
		return tupleFirst
	case tupleItem:
		return tupleNext
	case braceEmpty:
		return braceFirst
	case dictKey:
		return dictColon
	case dictValue:
		return dictNext
	case setItem:
		return setNext
	default:
		return invalid
	}
}

// after is the state that follows the separator c, a comma or a colon.
func (st state) after(c byte) state {
	switch st {
	case braceFirst:
		if c == ':' {
			return dictValue
		}
		return setItem
	case dictColon:
		if c == ':' {
			return dictValue
		}
	case listNext:
		if c == ',' {
			return listItem
		}
	case tupleFirst, tupleNext:
		if c == ',' {
			return tupleItem
		}
	case dictNext:
		if c == ',' {
			return dictKey
		}
	case setNext:
		if c == ',' {
			return setItem
		}
	}
	return invalid
}

// closes says whether the bracket c ends the container in state st.
func (st state) closes(c byte) bool {
	switch st {
	case listItem, listNext:
		return c == ']'
	case tupleEmpty, tupleItem, tupleNext:
		return c == ')'
	case braceEmpty, braceFirst, dictKey, dictNext, setItem, setNext:
		return c == '}'
	default:
		return false
	}
}

// frame is one open bracket. hashed says that the container itself must be
// hashable, which only a tuple can be, and then its items must be too.
type frame struct {
	state  state
	hashed bool
}

// needsHash says whether the value that f waits for must be hashable.
func (f frame) needsHash() bool {
	switch f.state {
	case braceEmpty, dictKey, setItem:
		return true
	default:
		return f.hashed
	}
}

// open passes the bracket c at pos, which stands within level others, and sets
// f to its frame.
func (s *scanner) open(c byte, level int, hashed bool, f *frame) bool {
	if level >= MaxDepth {
		return s.fail(s.pos, tooDeep)
	}
	if hashed && c != '(' {
		return s.fail(s.pos, unhashable)
	}
	switch c {
	case '(':
		*f = frame{tupleEmpty, hashed}
	case '[':
		*f = frame{listItem, false}
	default:
		*f = frame{braceEmpty, false}
	}
	s.pos++
	return true
}

// bracket skips the container that the bracket c at pos opens.
func (s *scanner) bracket(c byte, level int, hashed bool) bool {
	var f frame
	return s.open(c, level, hashed, &f) && s.rest(f, level+1)
}

// rest skips the rest of container f, past its closing bracket; level counts
// f's own bracket. It keeps the brackets within f on a stack of its own, so
// that no cell can exhaust the goroutine's.
func (s *scanner) rest(f frame, level int) bool {
	var stack [MaxDepth]frame
	depth := 0
	for {
		switch c := s.next(); c {
		case ',', ':':
			f.state = f.state.after(c)
			if f.state == invalid {
				return s.unexpectedHere()
			}
			s.pos++
		case ']', ')', '}':
			if !f.state.closes(c) {
				return s.unexpectedHere()
			}
			s.pos++
			if depth == 0 {
				return true
			}
			depth--
			f = stack[depth]
		default:
			hashed := f.needsHash()
			f.state = f.state.afterValue()
			if f.state == invalid {
				return s.unexpectedHere()
			}
			if c != '[' && c != '(' && c != '{' {
				if !s.scalar(c) {
					return false
				}
				continue
			}
			stack[depth] = f
			if !s.open(c, level+depth, hashed, &f) {
				return false
			}
			depth++
		}
	}
}
