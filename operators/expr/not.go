package expr

import "analyzer/columnar"

// not negates Bools.
type not struct {
	result
	arg node
}

func (n *not) eval(in *input) (*columnar.Vector, error) {
	a, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf1(a)
	for i, b := range a.Bools[:in.rows] {
		out.Bools[i] = !b
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// isNull finds nulls.
type isNull struct {
	result
	arg node
}

func (n *isNull) eval(in *input) (*columnar.Vector, error) {
	a, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	clear(out.Bools)
	if a.Valid != nil {
		for i, ok := range a.Valid[:in.rows] {
			out.Bools[i] = !ok
		}
	}
	return out, nil
}
