package rules

import (
	"math/bits"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
)

// joinTree finds the cheapest tree of joins of some inputs.
type joinTree struct {
	work    *budget.Work
	edges   []*expr.Expr
	classes []class
	rest    []further
	inputs  []*joined
	pairs   [][2]*expr.Expr    // by which inputs have been joined
	written map[[2]string]bool // pairs that the statement compares
	met     []float64          // memory for join
}

// class is an equivalence class: expressions that are all equal, each with its input.
type class struct{ members []member }

type member struct {
	of   int
	e    *expr.Expr
	text string
}

// further is a condition that is no equality between two inputs.
type further struct {
	of    []int // the inputs that it reads
	share float64
}

// tree prepares the search for a tree.
func (r *region) tree(edges, rest []*expr.Expr) *joinTree {
	t := &joinTree{work: r.work, edges: edges, classes: r.classes(edges), written: make(map[[2]string]bool)}
	for _, e := range edges {
		a, b := e.Args[0].String(), e.Args[1].String()
		t.written[[2]string{a, b}], t.written[[2]string{b, a}] = true, true
	}
	for _, c := range rest {
		t.rest = append(t.rest, further{r.owner.Of(c), r.model.share(c, func(string) float64 { return 0 })})
	}
	for i := range r.inputs {
		t.inputs = append(t.inputs, r.model.input(i, r.inputs, len(t.classes)))
	}
	for i, c := range t.classes {
		r.model.equate(i, c, r.inputs, t.inputs)
	}
	return t
}

// classes returns the sets of expressions that edges equate.
func (r *region) classes(edges []*expr.Expr) []class {
	same := make(equals)
	for _, e := range edges {
		same.join(e.Args[0].String(), e.Args[1].String())
	}
	var all []class
	at, known := make(map[string]int), make(map[string]bool)
	for _, edge := range edges {
		for _, e := range edge.Args {
			text := e.String()
			if known[text] {
				continue
			}
			known[text] = true
			root := same.find(text)
			i, ok := at[root]
			if !ok {
				i, all = len(all), append(all, class{})
				at[root] = i
			}
			all[i].members = append(all[i].members, member{r.owner.Of(e)[0], e, text})
		}
	}
	return all
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

func (q equals) join(x, y string) {
	if a, b := q.find(x), q.find(y); a != b {
		q[a] = b
	}
}

// mostExact bounds the inputs whose best tree is found, which takes time exponential in their number.
// Of more inputs, those are joined first that cost least.
const mostExact = 9

// best returns the cheapest tree that was found. Inputs that no equality connects are joined last.
func (t *joinTree) best() *joined {
	parts := columnar.Each(t.components(), func(connected []*joined) *joined { return t.search(connected, false) })
	return t.search(parts, true)
}

// components returns the inputs that equalities connect.
func (t *joinTree) components() (all [][]*joined) {
	of := make([]int, len(t.inputs)) // a component's number for each input
	for i := range of {
		of[i] = i
	}
	for _, c := range t.classes {
		for _, m := range c.members[1:] {
			from, to := of[m.of], of[c.members[0].of]
			for i := range of {
				if of[i] == from {
					of[i] = to
				}
			}
		}
	}
	at := make(map[int]int)
	for i, in := range t.inputs {
		k, ok := at[of[i]]
		if !ok {
			k, all = len(all), append(all, nil)
			at[of[i]] = k
		}
		all[k] = append(all[k], in)
	}
	return all
}

// search joins parts. With products, it joins parts that nothing connects as well.
func (t *joinTree) search(parts []*joined, products bool) *joined {
	parts = t.fewer(parts, products)
	best := make([]*joined, 1<<len(parts)) // by the set of parts, as bits
	for i, p := range parts {
		best[1<<i] = p
	}
	for set := range best {
		if bits.OnesCount(uint(set)) < 2 {
			continue
		}
		t.work.Do(1 + 1<<bits.OnesCount(uint(set))/16)
		var cheapest joined
		for some := (set - 1) & set; some > set/2; some = (some - 1) & set { // each pair of parts once
			cheapest = t.cheaper(cheapest, best[some], best[set&^some], products)
		}
		if cheapest.build != nil {
			best[set] = t.kept(cheapest)
		}
	}
	return best[len(best)-1]
}

// fewer joins parts until few enough are left for the exact search.
func (t *joinTree) fewer(parts []*joined, products bool) []*joined {
	if len(parts) <= mostExact {
		return parts
	}
	p := t.pairing(parts, products)
	for range len(parts) - mostExact {
		p.join(p.cheapest())
	}
	return columnar.Only(p.parts, func(part *joined) bool { return part != nil })
}

// cheaper returns the join of two trees if it costs less than another one; that may have no sides, which
// is no join. With products, the trees need no equality that connects them.
func (t *joinTree) cheaper(than joined, a, b *joined, products bool) joined {
	if a == nil || b == nil {
		return than
	}
	t.met = t.met[:0]
	passed := [2]float64{1, 1} // of a, of b
	for i, v := range a.values {
		if w := b.values[i]; v > 0 && w > 0 {
			t.met = append(t.met, max(v, w))
			passed[0], passed[1] = min(passed[0], b.left[i]/max(v, w)), min(passed[1], a.left[i]/max(v, w))
		}
	}
	if len(t.met) == 0 && !products {
		return than
	}
	share := 1 / pairsOf(t.met, a.whole, b.whole)
	for _, f := range t.rest {
		if t.decides(f, a, b) {
			share *= f.share
		}
	}
	for _, j := range []joined{a.joinedWith(b, share, passed[1]), b.joinedWith(a, share, passed[0])} {
		if than.build == nil || j.total() < than.total() {
			than = j
		}
	}
	return than
}

// decides reports whether a condition can be decided where two trees are joined, and not before.
func (t *joinTree) decides(f further, a, b *joined) bool {
	inEither := !slices.ContainsFunc(f.of, func(i int) bool { return !a.inputs.has(i) && !b.inputs.has(i) })
	return inEither && !a.inputs.hasAll(f.of) && !b.inputs.hasAll(f.of)
}

// kept completes a join that becomes part of others.
func (t *joinTree) kept(j joined) *joined {
	j.inputs, j.values, j.left = slices.Clone(j.build.inputs), slices.Clone(j.build.values), slices.Clone(j.build.left)
	for i, bits := range j.probe.inputs {
		j.inputs[i] |= bits
	}
	for i, v := range j.probe.values {
		j.values[i], j.left[i] = least(j.values[i], v), min(least(j.left[i], j.probe.left[i]), j.rows)
	}
	return &j
}

// least returns the lesser of two numbers of values, where 0 is none.
func least(a, b float64) float64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// between returns the expressions that a join compares, of its build and of its probe side: for each
// class a pair that the statement compares, or else the first pair.
func (t *joinTree) between(j *joined) (keys [2][]*expr.Expr) {
	for i, c := range t.classes {
		if j.build.values[i] == 0 || j.probe.values[i] == 0 {
			continue
		}
		pair := t.pair(c, j)
		t.pairs = append(t.pairs, pair)
		keys[0], keys[1] = append(keys[0], pair[0]), append(keys[1], pair[1])
	}
	return keys
}

func (t *joinTree) pair(c class, j *joined) [2]*expr.Expr {
	var sides [2][]member
	for _, m := range c.members {
		switch {
		case j.build.inputs.has(m.of):
			sides[0] = append(sides[0], m)
		case j.probe.inputs.has(m.of):
			sides[1] = append(sides[1], m)
		}
	}
	for _, x := range sides[0] {
		for _, y := range sides[1] {
			if t.written[[2]string{x.text, y.text}] {
				return [2]*expr.Expr{x.e, y.e}
			}
		}
	}
	return [2]*expr.Expr{sides[0][0].e, sides[1][0].e}
}

// left returns the equalities that no join has ensured.
func (t *joinTree) left() []*expr.Expr {
	ensured := make(equals)
	for _, p := range t.pairs {
		ensured.join(p[0].String(), p[1].String())
	}
	return columnar.Only(t.edges, func(e *expr.Expr) bool {
		return ensured.find(e.Args[0].String()) != ensured.find(e.Args[1].String())
	})
}
