package csv

// edge is what has to be known of the file before a block in order to read it.
type edge struct {
	state   state
	afterCR bool  // the last byte was CR, so that an LF belongs to it
	line    int64 // physical line of the next byte, from 1
}

// transfer is what a block does to an edge, found without knowing the edge.
type transfer struct {
	empty     bool
	odd       bool    // number of quotes
	irregular [2]bool // a quote stands irregularly, if the block begins outside, inside quotes
	ends      [2]bool // a record ends in the block, likewise
	first     byte
	last      byte
	newlines  int64 // line ends; a CR at the end of the block is one
}

// newTransfer summarises a block of which words describes the bytes.
//
// A quote is irregular if it opens a field without standing at its beginning,
// or closes one without standing at its end. What the first byte follows is
// unknown here; regular looks at it.
func newTransfer(data []byte, words []word) transfer {
	if len(data) == 0 {
		return transfer{empty: true}
	}
	t := transfer{first: data[0], last: data[len(data)-1], newlines: countNewlines(words)}
	// Bytes behind the data may follow a closing quote.
	var behind uint64
	if n := len(data) % wordBytes; n != 0 {
		behind = ^uint64(0) << n
	}
	// before has bit 0 set if a quote may open a field behind the previous
	// byte; pending if that byte is a closing quote, for either beginning.
	before, inside := uint64(1), uint64(0)
	var pending, wrong, ends [2]uint64
	for i := range words {
		w := &words[i]
		structural := w.quote | w.comma | w.newline | w.cr
		if i == len(words)-1 {
			structural |= behind
		}
		if w.quote != 0 || pending[0]|pending[1] != 0 {
			mask := prefixXor(w.quote) ^ inside
			inside = uint64(int64(mask) >> 63)
			odd, even := w.quote&mask, w.quote&^mask
			mayOpen := structural<<1 | before
			wrong[0] |= odd&^mayOpen | (even<<1|pending[0])&^structural
			wrong[1] |= even&^mayOpen | (odd<<1|pending[1])&^structural
			pending[0], pending[1] = even>>63, odd>>63
			ends[0] |= w.newline &^ mask
			ends[1] |= w.newline & mask
		} else {
			ends[0] |= w.newline &^ inside
			ends[1] |= w.newline & inside
		}
		before = structural >> 63
	}
	t.odd = inside != 0
	t.irregular = [2]bool{wrong[0] != 0, wrong[1] != 0}
	t.ends = [2]bool{ends[0] != 0, ends[1] != 0}
	return t
}

// regular reports whether after in the block's bytes are inside quotes exactly
// where an odd number of quotes precede them.
func (t *transfer) regular(in edge) bool {
	switch {
	case t.empty:
		return true
	case in.state == inQuoted:
		return !t.irregular[1]
	case in.state == inField && t.first == '"':
		return false
	case in.state == quoteInQuoted && t.first != '"' && t.first != ',' && t.first != '\n' && t.first != '\r':
		return false
	}
	return !t.irregular[0]
}

// apply returns the edge behind the block if it is regular after in.
func (t *transfer) apply(in edge) edge {
	if t.empty {
		return in
	}
	out := in.state
	switch inside := (in.state == inQuoted) != t.odd; {
	case inside:
		out = inQuoted
	case t.last == '\n' || t.last == '\r':
		out = recordStart
	case t.last == ',':
		out = fieldStart
	case t.last == '"':
		out = quoteInQuoted
	default:
		out = inField
	}
	return t.leave(in, out)
}

// hasEnd reports whether a record ends in the block if it is regular after in.
func (t *transfer) hasEnd(in edge) bool {
	if in.state == inQuoted {
		return t.ends[1]
	}
	return t.ends[0]
}

// leave returns the edge behind the block if it ends in state out.
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
