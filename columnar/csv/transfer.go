package csv

// edge is what a block's parser must know about the file before the block.
type edge struct {
	state   state
	afterCR bool  // the last byte was CR, so that an LF belongs to it
	line    int64 // physical line of the next byte, from 1
}

// flip returns the bits in which word.inside must be inverted.
func (e edge) flip() uint64 {
	if e.state == inQuoted {
		return ^uint64(0)
	}
	return 0
}

// transfer maps the edge before a block to the edge after it. It is computed without
// knowing the edge.
type transfer struct {
	summary
	empty bool
	first byte
	last  byte
}

func newTransfer(data []byte, s summary) transfer {
	if len(data) == 0 {
		return transfer{empty: true}
	}
	return transfer{summary: s, first: data[0], last: data[len(data)-1]}
}

// isRegular reports whether, if in is the edge before it, the block's bytes are inside
// quotes exactly where an odd number of quotes precede them. The first byte needs its own
// check, since the summary does not know the byte before it.
func (t *transfer) isRegular(in edge) bool {
	switch {
	case t.empty:
		return true
	case in.state == inQuoted:
		return t.irregular[1] == 0
	case in.state == inField && t.first == '"':
		return false
	}
	return t.irregular[0] == 0
}

// apply returns the edge after the block if the block is regular after in.
func (t *transfer) apply(in edge) edge {
	if t.empty {
		return in
	}
	var out state
	switch inside := (in.state == inQuoted) != (t.inside != 0); {
	case inside:
		out = inQuoted
	case t.last == '\n' || t.last == '\r':
		out = recordStart
	case uint64(t.last) == t.delimiter:
		out = fieldStart
	case t.last == '"':
		out = quoteInQuoted
	default:
		out = inField
	}
	return t.leave(in, out)
}

// leave returns the edge after the block if the block ends in state out.
func (t *transfer) leave(in edge, out state) edge {
	if t.empty {
		return in
	}
	line := in.line + t.newlines
	if in.afterCR && t.first == '\n' {
		line--
	}
	return edge{state: out, afterCR: t.last == '\r', line: line}
}
