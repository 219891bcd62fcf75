package csv

// edge is what must be known about the file before a line.
type edge struct {
	inside bool  // the line begins within quotes
	line   int64 // its physical line, from 1
}

// flip returns the bits in which word.inside must be inverted.
func (e edge) flip() uint64 {
	if e.inside {
		return ^uint64(0)
	}
	return 0
}

// state returns the state in which the line begins.
func (e edge) state() state {
	if e.inside {
		return inQuoted
	}
	return recordStart
}

// A summary maps the edge before the lines that it describes to the edge after them. It is
// computed without knowing the edge.

// isRegular reports whether, if in is the edge before them, bytes are inside quotes exactly
// where an odd number of quotes precede them.
func (s *summary) isRegular(in edge) bool {
	if in.inside {
		return s.irregular[1] == 0
	}
	return s.irregular[0] == 0
}

// apply returns the edge after the lines if they are regular after in.
func (s *summary) apply(in edge) edge { return s.leave(in, in.inside != (s.inside != 0)) }

// leave returns the edge after the lines if they end inside quotes or not.
func (s *summary) leave(in edge, inside bool) edge {
	return edge{inside: inside, line: in.line + s.newlines}
}
