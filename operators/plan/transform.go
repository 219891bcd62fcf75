package plan

// Fold returns the plan with what is known beforehand in the place of expressions that
// come to it. The plan is not changed.
func (n *Node) Fold() *Node {
	return n.Transform(func(m *Node) *Node {
		if m.Where != nil {
			m.Where = m.Where.Fold()
		}
		for i := range m.Exprs {
			m.Exprs[i].Expr = m.Exprs[i].Expr.Fold()
		}
		return m
	})
}

// Transform rebuilds a plan from its leaves up: each node is copied, its inputs
// transformed, and f's result takes its place. A node that stands in several
// places is transformed once and stays shared.
func (n *Node) Transform(f func(*Node) *Node) *Node {
	return transform(n, f, make(map[*Node]*Node))
}

func transform(n *Node, f func(*Node) *Node, done map[*Node]*Node) *Node {
	if m, ok := done[n]; ok {
		return m
	}
	m := *n
	m.Inputs = make([]*Node, len(n.Inputs))
	m.Exprs = append([]Named(nil), n.Exprs...)
	for i, in := range n.Inputs {
		m.Inputs[i] = transform(in, f, done)
	}
	done[n] = f(&m)
	return done[n]
}
