package csv

// Edge is what must be known about the file before a line.
type Edge struct {
	Inside bool  `json:"inside,omitempty"` // the line begins within quotes
	Line   int64 `json:"line"`             // its physical line, from 1
}

// flip returns the bits in which word.inside must be inverted.
func (e Edge) flip() uint64 {
	if e.Inside {
		return ^uint64(0)
	}
	return 0
}

// state returns the state in which the line begins.
func (e Edge) state() state {
	if e.Inside {
		return inQuoted
	}
	return recordStart
}

// A summary maps the edge before the lines that it describes to the edge after them. It is
// computed without knowing the edge.

// isRegular reports whether, if in is the edge before them, bytes are inside quotes exactly
// where an odd number of quotes precede them.
func (s *summary) isRegular(in Edge) bool {
	if in.Inside {
		return s.irregular[1] == 0
	}
	return s.irregular[0] == 0
}

// apply returns the edge after the lines if they are regular after in.
func (s *summary) apply(in Edge) Edge { return s.leave(in, in.Inside != (s.inside != 0)) }

// leave returns the edge after the lines if they end inside quotes or not.
func (s *summary) leave(in Edge, inside bool) Edge {
	return Edge{Inside: inside, Line: in.Line + s.newlines}
}
