package bind

import (
	"slices"

	"analyzer/columnar/budget"
	"analyzer/operators/expr"
)

// joinTree says in which order inputs are joined: each input is the probe side of its children.
// All that is known are the sizes of inputs and the equalities between them. An expression that
// equals a column of a small input has few distinct values. So the input that is joined next is
// the one in which the rows of an input in the tree find the fewest partners. If it has several
// such parents, it is joined to the smallest, whose rows it then reduces.
type joinTree struct {
	rels     []*relation
	edges    []*expr.Expr
	root     int
	children map[int][]int
	pairs    map[int][][2]*expr.Expr // by child: equal expressions of the child and its parent
	links    map[[2]int]*link        // by child and parent
}

// bytesOfRow is the approximate length of a row, to estimate numbers of rows from file sizes.
const bytesOfRow = 100

func rowsOf(r *relation) float64 { return float64(max(r.bytes/bytesOfRow, 1)) }

func newJoinTree(work *budget.Work, rels []*relation, edges []*expr.Expr, owner map[string]int) *joinTree {
	t := &joinTree{rels: rels, edges: edges, children: make(map[int][]int), pairs: make(map[int][][2]*expr.Expr), links: make(map[[2]int]*link)}
	for i, r := range rels {
		if r.bytes > rels[t.root].bytes {
			t.root = i
		}
	}
	work.Do(len(edges) * len(edges) / 4)
	classes := classesOf(edges, owner)
	in := []int{t.root}
	for len(in) < len(rels) {
		work.Do(len(rels) * (1 + len(classes)/4))
		child, parent := t.next(in, classes)
		for _, c := range classes {
			if c.has(child) && c.has(parent) {
				t.pairs[child] = append(t.pairs[child], c.between(child, parent, edges))
			}
		}
		t.children[parent] = append(t.children[parent], child)
		in = append(in, child)
	}
	for _, all := range t.children {
		slices.SortStableFunc(all, func(x, y int) int { return int(min(max(rels[x].bytes-rels[y].bytes, -1), 1)) })
	}
	return t
}

// next returns the input to join next, and its parent.
func (t *joinTree) next(in []int, classes []class) (child, parent int) {
	var best *link
	for _, c := range t.candidates(in) {
		for _, p := range in {
			if l := t.known(c, p, classes); l != nil && (best == nil || t.better(l, best)) {
				best = l
			}
		}
	}
	return best.child, best.parent
}

// candidates returns the inputs that are not in the tree yet. Those of semi-joins come after
// all others, so that each filters the rows of the input that it is compared with.
func (t *joinTree) candidates(in []int) []int {
	var rows, semi []int
	for i, r := range t.rels {
		switch {
		case slices.Contains(in, i):
		case r.semi:
			semi = append(semi, i)
		default:
			rows = append(rows, i)
		}
	}
	if len(rows) > 0 {
		return rows
	}
	return semi
}

// link is one way to add an input to the tree.
type link struct {
	child, parent int
	partners      float64 // estimate of how many rows of the child a row of the parent finds
}

// unequal makes a join without an equality worse than all others.
const unequal = 1e9

// known returns the link of two inputs, which does not depend on the others in the tree.
func (t *joinTree) known(child, parent int, classes []class) *link {
	both := [2]int{child, parent}
	l, known := t.links[both]
	if !known {
		l = t.link(child, parent, classes)
		t.links[both] = l
	}
	return l
}

// link returns nil if the parent cannot have the child: an input of a semi-join has children
// only if it is the root, and only the root has children that nothing equals.
func (t *joinTree) link(child, parent int, classes []class) *link {
	if t.rels[parent].semi && parent != t.root {
		return nil
	}
	partners, connected := rowsOf(t.rels[child]), false
	for _, c := range classes {
		if c.has(child) && c.has(parent) {
			partners, connected = partners/c.values(t.rels), true
		}
	}
	if !connected {
		if parent != t.root {
			return nil
		}
		partners *= unequal
	}
	return &link{child, parent, max(partners, 1)}
}

// better prefers few partners, then the larger child, and of one child the smaller parent.
func (t *joinTree) better(a, b *link) bool {
	switch {
	case a.partners != b.partners:
		return a.partners < b.partners
	case a.child != b.child:
		return t.rels[a.child].bytes > t.rels[b.child].bytes
	}
	return t.rels[a.parent].bytes < t.rels[b.parent].bytes
}

// left returns the equalities that no join has ensured.
func (t *joinTree) left() []*expr.Expr {
	joined := make(equals)
	for _, pairs := range t.pairs {
		for _, p := range pairs {
			joined.join(p[0], p[1])
		}
	}
	return slices.DeleteFunc(slices.Clone(t.edges), func(e *expr.Expr) bool { return joined.find(e.Args[0].String()) == joined.find(e.Args[1].String()) })
}

// class is an equivalence class: expressions that are all equal, each with its input, and the
// text of the one that represents them.
type class struct {
	root    string
	members []member
}

type member struct {
	of int
	e  *expr.Expr
}

func classesOf(edges []*expr.Expr, owner map[string]int) []class {
	same := make(equals)
	for _, e := range edges {
		same.join(e.Args[0], e.Args[1])
	}
	var all []class
	for _, edge := range edges {
		for _, e := range edge.Args {
			root, text := same.find(e.String()), e.String()
			i := slices.IndexFunc(all, func(c class) bool { return c.root == root })
			if i < 0 {
				i, all = len(all), append(all, class{root: root})
			}
			c := &all[i]
			if !slices.ContainsFunc(c.members, func(m member) bool { return m.e.String() == text }) {
				c.members = append(c.members, member{ownersOf(e, owner)[0], e})
			}
		}
	}
	return all
}

func (c class) has(input int) bool {
	return slices.ContainsFunc(c.members, func(m member) bool { return m.of == input })
}

// values estimates how many distinct values the members have: as many as the smallest of their
// inputs has rows.
func (c class) values(rels []*relation) float64 {
	n := rowsOf(rels[c.members[0].of])
	for _, m := range c.members {
		n = min(n, rowsOf(rels[m.of]))
	}
	return n
}

// between returns the expressions of two inputs to join by: a pair that the statement compares,
// or else the first pair.
func (c class) between(child, parent int, edges []*expr.Expr) [2]*expr.Expr {
	var first [2]*expr.Expr
	for _, x := range c.members {
		for _, y := range c.members {
			if x.of != child || y.of != parent {
				continue
			}
			written := slices.ContainsFunc(edges, func(e *expr.Expr) bool {
				a, b := e.Args[0].String(), e.Args[1].String()
				return a == x.e.String() && b == y.e.String() || a == y.e.String() && b == x.e.String()
			})
			if written {
				return [2]*expr.Expr{x.e, y.e}
			}
			if first[0] == nil {
				first = [2]*expr.Expr{x.e, y.e}
			}
		}
	}
	return first
}

// equals is a union-find structure of expressions that are equal: it maps each to its parent,
// and the root of a tree represents its set.
type equals map[string]string

func (q equals) find(e string) string {
	for q[e] != "" {
		e = q[e]
	}
	return e
}

func (q equals) join(x, y *expr.Expr) {
	if a, b := q.find(x.String()), q.find(y.String()); a != b {
		q[a] = b
	}
}
