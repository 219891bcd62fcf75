package aggregate

import "analyzer/columnar"

// countState counts rows, values that are not null, or true ones, in one word.
type countState struct {
	inRecord
	onlyTrue bool
	ones     columnar.Vector // states of single rows
}

func (*countState) words() int { return 1 }

func (c *countState) update(r records, arg *columnar.Vector) error {
	switch {
	case c.onlyTrue:
		for i, ref := range r.refs {
			if arg.Bools[i] && !arg.IsNull(i) {
				*r.pages.word(ref, r.at)++
			}
		}
	case arg != nil && arg.Valid != nil:
		for i, ref := range r.refs {
			if arg.Valid[i] {
				*r.pages.word(ref, r.at)++
			}
		}
	default:
		for i := 0; i < len(r.refs); {
			end := runEnd(r.refs, i)
			*r.pages.word(r.refs[i], r.at) += uint64(end - i)
			i = end
		}
	}
	return nil
}

func (*countState) merge(r records, cols []*columnar.Vector) error {
	counts := cols[0].Ints[:len(r.refs)]
	for i, ref := range r.refs {
		*r.pages.word(ref, r.at) += uint64(counts[i])
	}
	return nil
}

func (*countState) appendStates(r records, out []*columnar.Vector) error {
	appendInts(out[0], r)
	return nil
}

func (*countState) appendValues(r records, out *columnar.Vector) error {
	appendInts(out, r)
	return nil
}

func (c *countState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) error {
	c.ones.Type, c.ones.Len = columnar.Int, rows
	c.ones.Ints = grow(c.ones.Ints[:0], rows)
	for i := range c.ones.Ints {
		c.ones.Ints[i] = 1
		if arg != nil && (arg.IsNull(i) || c.onlyTrue && !arg.Bools[i]) {
			c.ones.Ints[i] = 0
		}
	}
	out[0] = &c.ones
	return nil
}
