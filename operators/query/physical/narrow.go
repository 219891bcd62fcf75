package physical

import (
	"slices"

	"analyzer/columnar"
)

// narrow has sorts and windows emit only those columns that a node above reads. All take part in their
// order, and most are not read behind it. Other processes take the columns of a sort for those of its input,
// so that this is for plans that one process runs.
func (p *Plan) narrow() {
	read := make([]columnar.NameSet, len(p.Nodes))
	for i := range read {
		read[i] = make(columnar.NameSet)
	}
	for _, a := range p.Answers {
		read[a.Node].Add(p.Nodes[a.Node].Schema.Names()...)
	}
	for i, n := range slices.Backward(p.Nodes) { // readers come behind what they read
		for _, in := range n.Inputs {
			names := n.reads(p.Nodes[in.Node].Schema)
			if n.Filter != nil {
				names = append(n.Filter.Columns(), slices.DeleteFunc(names, func(c string) bool { return !read[i].Has(c) })...)
			}
			if read[in.Node].Add(names...); in.Exchange != nil {
				read[in.Node].Add(in.Exchange.Keys...)
			}
		}
	}
	for i, n := range p.Nodes {
		switch {
		case n.Filter != nil:
			n.Schema = p.Nodes[n.Inputs[0].Node].Schema
		case n.Aggregate != nil && !n.Aggregate.FromStates:
			n.Aggregate.Input = p.Nodes[n.Inputs[0].Node].Schema
		case n.Sort != nil:
			n.emit(read[i], len(n.Schema))
		case n.Window != nil:
			n.emit(read[i], len(n.Schema)-len(n.Window.Calls))
		}
	}
}

// emit leaves those of the first columns out that are not read, but for one, so that there are some.
func (n *Node) emit(read columnar.NameSet, first int) {
	var at []int
	for i, f := range n.Schema {
		if i >= first || read.Has(f.Name) {
			at = append(at, i)
		}
	}
	if len(at) == 0 && first > 0 {
		at = append(at, 0)
	}
	n.Schema = n.Schema.Project(at)
}
