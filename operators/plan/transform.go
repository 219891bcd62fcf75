package plan

// Fold returns the plan with what is known beforehand in the place of expressions that
// come to it. The plan is not changed.
func (n *Node) Fold() *Node {
	folded, _ := n.Transform(func(m *Node) (*Node, error) {
		if m.Where != nil {
			m.Where = m.Where.Fold()
		}
		for i := range m.Exprs {
			m.Exprs[i].Expr = m.Exprs[i].Expr.Fold()
		}
		return m, nil
	})
	return folded
}

// Transform rebuilds a plan from its leaves up: each node is copied, its inputs
// transformed, and f's result takes its place. A node that stands in several
// places is transformed once and stays shared.
func (n *Node) Transform(f func(*Node) (*Node, error)) (*Node, error) {
	return transform(n, f, make(map[*Node]*Node))
}

func transform(n *Node, f func(*Node) (*Node, error), done map[*Node]*Node) (*Node, error) {
	if m, ok := done[n]; ok {
		return m, nil
	}
	m := *n
	m.Inputs = make([]*Node, len(n.Inputs))
	m.Exprs = append([]Named(nil), n.Exprs...)
	for i, in := range n.Inputs {
		t, err := transform(in, f, done)
		if err != nil {
			return nil, err
		}
		m.Inputs[i] = t
	}
	out, err := f(&m)
	if err != nil {
		return nil, err
	}
	done[n] = out
	return out, nil
}
