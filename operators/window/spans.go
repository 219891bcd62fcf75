package window

// span is rows from a number up to another one, not including that.
type span struct{ from, to int64 }

// without appends to dst the rows of a span that are not in a hole.
func (s span) without(hole span, dst []span) []span {
	if hole.from >= s.to || hole.to <= s.from || hole.from >= hole.to {
		return append(dst, s)
	}
	if s.from < hole.from {
		dst = append(dst, span{s.from, hole.from})
	}
	if hole.to < s.to {
		dst = append(dst, span{hole.to, s.to})
	}
	return dst
}

// minus appends to dst the rows of spans that are not in others. Both are in order.
func minus(dst, of, others []span) []span {
	for _, s := range of {
		for _, o := range others {
			if o.from >= s.to || s.from >= s.to {
				break
			}
			if o.from > s.from {
				dst = append(dst, span{s.from, o.from})
			}
			s.from = max(s.from, o.to)
		}
		if s.from < s.to {
			dst = append(dst, s)
		}
	}
	return dst
}

// rowsOf returns how many rows there are in spans.
func rowsOf(spans []span) (n int64) {
	for _, s := range spans {
		n += s.to - s.from
	}
	return n
}

// nth returns the n-th row of spans, from 0 on, or -1 if there is none.
func nth(spans []span, n int64) int64 {
	for _, s := range spans {
		if n < s.to-s.from {
			return s.from + n
		}
		n -= s.to - s.from
	}
	return -1
}
