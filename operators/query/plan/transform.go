package plan

// All returns a node and all nodes below it, inputs first, each once.
func (n *Node) All() (all []*Node) {
	seen := make(map[*Node]bool)
	var add func(*Node)
	add = func(n *Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, in := range n.Inputs {
			add(in)
		}
		all = append(all, n)
	}
	add(n)
	return all
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
