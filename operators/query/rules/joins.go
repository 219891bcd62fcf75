package rules

import (
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// orderJoins decides in which order inner joins are done, and which side of each join is its build
// side. Statements are bound to products of tables with conditions above them.
func orderJoins(r *rewriting, root *plan.Node) *plan.Node {
	o := &ordering{rewriting: r, model: newModel(r.work), readers: make(map[*plan.Node]int), done: make(map[*plan.Node]*plan.Node)}
	joins := false
	for _, n := range root.All() {
		joins = joins || n.Op == plan.Join
		o.hasOuter = o.hasOuter || n.Op == plan.Join && n.Kind != plan.Inner
		for _, in := range n.Inputs {
			o.readers[in]++
		}
	}
	if !joins {
		return root
	}
	o.fresh = newNames(r.work, root, r.tables)
	return o.rebuild(root)
}

type ordering struct {
	*rewriting
	model *model
	fresh Fresh

	hasOuter bool               // whether there are outer joins
	readers  map[*plan.Node]int // how many nodes read a node
	done     map[*plan.Node]*plan.Node
}

// rebuild orders the joins of a node and those below it.
func (o *ordering) rebuild(n *plan.Node) *plan.Node {
	if m, ok := o.done[n]; ok {
		return m
	}
	o.work.Do(1)
	m := o.stricter(n)
	if o.leadsToJoin(m) {
		m = o.region(m)
	} else {
		m = eachInput(m, o.rebuild)
		if m.Op == plan.Join {
			m = o.outerJoin(m)
		}
	}
	o.done[n] = m
	return m
}

// leadsToJoin reports whether a node is an inner join, perhaps with conditions and other names of
// columns above it. What is below it and read elsewhere too is an input, since it is computed once.
func (o *ordering) leadsToJoin(n *plan.Node) bool {
	for n.Op == plan.Filter || n.Op == plan.Project && copies(n) {
		if n = n.Inputs[0]; o.readers[n] > 1 {
			return false
		}
	}
	return n.Op == plan.Join && (n.Kind == plan.Inner || isProduct(n))
}

// isProduct reports whether an outer join is a product, since the side that gives rows to others has
// exactly one row. So are values of queries joined.
func isProduct(n *plan.Node) bool {
	return len(n.On) == 0 && (n.Kind == plan.Right && alwaysOne(n.Inputs[0]) || n.Kind == plan.Left && alwaysOne(n.Inputs[1]))
}

// alwaysOne reports whether a node has one row, whatever it reads.
func alwaysOne(n *plan.Node) bool {
	least, most := n.Rows()
	return least == 1 && most == 1
}

// copies reports whether a projection computes nothing.
func copies(n *plan.Node) bool {
	return !slices.ContainsFunc(n.Exprs, func(e plan.Named) bool { return e.Expr.Op != expr.OpColumn })
}

// outerJoin exchanges the sides of an outer join if that costs less.
func (o *ordering) outerJoin(n *plan.Node) *plan.Node {
	mirrored := map[plan.JoinKind]plan.JoinKind{plan.Left: plan.Right, plan.Right: plan.Left, plan.Full: plan.Full}
	other := n.Inputs[1].OuterJoin(mirrored[n.Kind], n.Inputs[0])
	for _, p := range n.On {
		other.On = append(other.On, plan.On(p.Probe, p.Build))
	}
	if len(n.On) == 0 || o.model.outerCost(n) <= o.model.outerCost(other) {
		return n
	}
	return other.Select(o.columns(n)...)
}

// region is inner joins with nothing but conditions and other names between them: inputs, each row of
// which is joined with each of the others if all conditions are true.
type region struct {
	*ordering
	inputs []*plan.Node
	owner  Owners
	// conditions on columns of the inputs.
	conditions []*expr.Expr
	dropped    map[string]string // columns that a join drops, and those that equal them
}

// region orders the joins from a node down to the inputs.
func (o *ordering) region(n *plan.Node) *plan.Node {
	r := &region{ordering: o, owner: make(Owners), dropped: make(map[string]string)}
	names := r.flatten(n)
	edges, rest := r.divide()
	for i, in := range r.inputs {
		r.inputs[i] = o.rebuild(in)
	}
	t := r.tree(edges, rest)
	made := r.made(t, t.best())
	if where := expr.Conjoin(r.now(append(rest, t.left()...))); where != nil {
		made = made.Filter(where)
	}
	out := columnar.Each(o.columns(n), func(name string) plan.Named { return plan.As(name, r.survivor(column(names, name).Name)) })
	o.work.Do(len(out) / 8)
	return made.Project(out...)
}

// flatten adds the inputs and conditions from a node down. It returns the names that columns of the
// node have in the inputs, if these are others.
func (r *region) flatten(n *plan.Node) (names map[string]string) {
	r.work.Do(1)
	switch n.Op {
	case plan.Filter:
		names = r.flattenBelow(n.Inputs[0])
		r.add(names, expr.Conjuncts(n.Where)...)
		return names
	case plan.Project:
		below := r.flattenBelow(n.Inputs[0])
		names = make(map[string]string)
		for _, e := range n.Exprs {
			names[e.Name] = column(below, e.Expr.Name).Name
		}
		return names
	}
	build, probe := r.flattenBelow(n.Inputs[0]), r.flattenBelow(n.Inputs[1])
	for _, p := range n.On { // both may have one name, which is that of the build side above
		r.conditions = append(r.conditions, expr.Eq(column(build, p.Build), column(probe, p.Probe)))
	}
	for _, p := range n.On {
		delete(probe, p.Probe)
	}
	maps.Copy(build, probe)
	return build
}

// column returns a column, which may have another name in the inputs.
func column(names map[string]string, name string) *expr.Expr {
	if names[name] != "" {
		name = names[name]
	}
	return expr.Col(name)
}

// flattenBelow is flatten for a node below others, which is an input if it is read elsewhere too.
func (r *region) flattenBelow(n *plan.Node) map[string]string {
	if r.readers[n] <= 1 {
		n = r.stricter(n)
		if r.leadsToJoin(n) {
			return r.flatten(n)
		}
	}
	return r.input(n)
}

// input adds an input, with other names for columns that an input before it has too.
func (r *region) input(n *plan.Node) map[string]string {
	var columns []plan.Named
	names := make(map[string]string)
	all := r.columns(n)
	r.work.Do(1 + len(all)/8)
	for _, c := range all {
		name := c
		if _, taken := r.owner[c]; taken {
			name = r.fresh(c, nil)
			names[c] = name
		}
		columns = append(columns, plan.As(name, expr.Col(c)))
		r.owner[name] = len(r.inputs)
	}
	if len(names) > 0 {
		n = n.Project(columns...)
	}
	r.inputs = append(r.inputs, n)
	return names
}

// add adds conditions on columns that may have other names in the inputs.
func (r *region) add(names map[string]string, conditions ...*expr.Expr) {
	for _, c := range conditions {
		r.conditions = append(r.conditions, c.Rename(func(name string) *expr.Expr { return column(names, name) }))
	}
}

// divide moves conditions on one input into it. Of the others, edges are equalities between two
// inputs.
func (r *region) divide() (edges, rest []*expr.Expr) {
	own := make([][]*expr.Expr, len(r.inputs))
	for _, c := range r.conditions {
		switch of := r.owner.Of(c); {
		case len(of) == 1:
			own[of[0]] = append(own[of[0]], c)
		case r.isEdge(c, r.inputs, r.owner):
			edges = append(edges, c)
		default:
			for input, implied := range r.ofOneInput(c, of) {
				if implied != nil {
					own[of[input]] = append(own[of[input]], implied)
				}
			}
			rest = append(rest, c)
		}
	}
	for i, conditions := range own {
		r.inputs[i] = r.pushInto(conditions, r.inputs[i])
	}
	return edges, rest
}

// ofOneInput returns, for each of some inputs, the condition on it alone that an OR implies, if every
// alternative restricts it; otherwise nil.
func (r *region) ofOneInput(c *expr.Expr, inputs []int) []*expr.Expr {
	if c.Op != expr.OpOr {
		return nil
	}
	all := make([]*expr.Expr, len(inputs))
	for i, of := range inputs {
		var own []*expr.Expr
		for _, way := range expr.Disjuncts(c) {
			mine := slices.DeleteFunc(expr.Conjuncts(way), func(c *expr.Expr) bool { return !slices.Equal(r.owner.Of(c), []int{of}) })
			if len(mine) == 0 {
				own = nil
				break
			}
			own = append(own, expr.Conjoin(mine))
		}
		if own != nil {
			all[i] = expr.Or(own...)
		}
	}
	return all
}

// now returns conditions on columns of the inputs as conditions on those that joins have left.
func (r *region) now(conditions []*expr.Expr) []*expr.Expr {
	return columnar.Each(conditions, func(c *expr.Expr) *expr.Expr { return c.Rename(r.survivor) })
}

// survivor returns a column that equals the given one and that joins have left.
func (r *region) survivor(column string) *expr.Expr {
	for r.dropped[column] != "" {
		column = r.dropped[column]
	}
	return expr.Col(column)
}

// made makes the nodes of joins.
func (r *region) made(t *joinTree, j *joined) *plan.Node {
	if j.build == nil {
		return r.inputs[j.input]
	}
	build, probe := r.made(t, j.build), r.made(t, j.probe)
	keys := t.between(j)
	build, on := r.keyed(build, keys[0])
	probe, with := r.keyed(probe, keys[1])
	pairs := make([]plan.Pair, len(on))
	for i := range on {
		pairs[i] = plan.On(on[i], with[i])
		r.dropped[with[i]] = on[i]
	}
	return build.Join(probe, pairs...)
}

// keyed returns a node with a column for each key. A key gets a column of its own if it is computed, is
// used twice, or is a float, since -0 equals 0 but differs from it.
func (r *region) keyed(n *plan.Node, keys []*expr.Expr) (*plan.Node, []string) {
	all := r.columns(n)
	columns := plan.Cols(all...)
	r.work.Do(1 + len(all)/8)
	var names []string
	for _, k := range keys {
		float := r.typeOf(k, r.inputs[r.owner.Of(k)[0]]) == columnar.Float
		k = k.Rename(r.survivor)
		name := k.Name
		if k.Op != expr.OpColumn || float || slices.Contains(names, name) {
			name = r.fresh("key", nil)
			columns = append(columns, plan.As(name, k))
		}
		names = append(names, name)
	}
	if len(columns) == len(all) {
		return n, names
	}
	return n.Project(columns...), names
}
