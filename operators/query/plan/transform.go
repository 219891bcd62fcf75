package plan

// Fold returns the plan with constant expressions replaced by their values. The receiver is not
// changed.
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

// PlainScans returns the plan with a projection above each scan that gives columns other names.
// The receiver is not changed.
func (n *Node) PlainScans() *Node {
	return n.Transform(func(m *Node) *Node {
		if m.Op == Scan && len(m.Exprs) > 0 {
			return From(m.Table).Project(m.Exprs...)
		}
		return m
	})
}

// Transform rebuilds a plan from its leaves up: it copies each node, transforms the copy's
// inputs, and replaces the copy by f's result. A node that is used in several places is
// transformed once and stays shared.
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
