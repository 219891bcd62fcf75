package rules

import (
	"cmp"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// chooseColumns returns an equivalent plan without the projections that only rename columns.
// While a statement is bound, no two columns of its plan share a name, which takes many such
// projections, and planners do not look through them. So a column keeps its name as long as no
// other column has it. Columns that are never read are dropped.
func chooseColumns(r *rewriting, root *plan.Node) *plan.Node {
	t := &choice{columns: make(map[*plan.Node][]string), places: make(map[*plan.Node][]string), uses: make(map[*plan.Node]*use), done: make(map[*plan.Node]chosen)}
	nodes := root.All()
	for _, n := range nodes { // the inputs of a node come before it
		t.columns[n], t.places[n] = r.columns(n), t.place(n, r.tables)
	}
	t.use(root).read.Add(t.columns[root]...)
	for _, n := range slices.Backward(nodes) { // the readers of a node come before it
		t.spread(n)
	}
	for _, n := range nodes {
		t.done[n] = t.rebuild(n)
	}
	return t.done[root].exactly(t.columns[root], t.columns[root])
}

type choice struct {
	columns map[*plan.Node][]string // the columns of each node before
	places  map[*plan.Node][]string // those that say where each row comes from
	uses    map[*plan.Node]*use
	done    map[*plan.Node]chosen
}

// use says how the columns of a node are used: which are read, and, in wishes, the names that
// they are finally given.
type use struct {
	read   columnar.NameSet
	wishes map[string]string
}

func (t *choice) use(n *plan.Node) *use {
	u := t.uses[n]
	if u == nil {
		u = &use{read: make(columnar.NameSet), wishes: make(map[string]string)}
		t.uses[n] = u
	}
	return u
}

// end records the final name of a column that the node above passes on under the name as.
func (u *use) end(column, as string, above *use) {
	if above.wishes[as] != "" {
		as = above.wishes[as]
	}
	if u.wishes[column] == "" && column != as {
		u.wishes[column] = as
	}
}

// spread records how a node uses the columns of its inputs: which it reads itself, and which it
// passes on. A sort or a window uses all of them, since they break ties of its keys, unless there are none.
// Unions keep all columns.
func (t *choice) spread(n *plan.Node) {
	own := t.use(n)
	for side, in := range n.Inputs {
		u := t.use(in)
		u.read.Add(own.reads(n, side)...)
		switch n.Op {
		case plan.Project:
			for _, e := range n.Exprs {
				if e.Expr.Op == expr.OpColumn {
					u.end(e.Expr.Name, e.Name, own)
				}
			}
		case plan.Aggregate:
			for _, k := range n.Keys {
				u.end(k, k, own)
			}
		case plan.Union:
			u.read.Add(t.columns[in]...)
			for _, name := range t.columns[in] {
				u.wishes[name] = cmp.Or(own.wishes[name], name)
			}
		case plan.Window:
			for _, name := range t.kept(n) {
				u.read.Add(name)
				u.wishes[name] = name
			}
		default:
			for _, name := range t.columns[in] {
				if n.Op == plan.Sort && !t.total(n) || own.read[name] && !slices.ContainsFunc(n.Lists, func(l plan.Unnested) bool { return name == l.As }) {
					u.read.Add(name)
				}
				u.end(name, name, own)
			}
		}
	}
}

// total reports whether no two rows agree in the order of a sort or a window, since that has the place of each.
func (t *choice) total(n *plan.Node) bool {
	place := t.places[n.Inputs[0]]
	return len(place) > 0 && !slices.ContainsFunc(place, func(column string) bool {
		is := func(o plan.Order) bool { return o.Column == column }
		return !slices.ContainsFunc(n.Order, is) && !slices.ContainsFunc(n.Ties, is)
	})
}

// place returns the columns that say together where in a table a row comes from, of which no other row of the node
// comes; nil: there are none.
func (t *choice) place(n *plan.Node, tables plan.Tables) (columns []string) {
	switch n.Op {
	case plan.Scan:
		for _, c := range tables[n.Table].Columns {
			if c.Place() {
				columns = append(columns, c.Name)
			}
		}
	case plan.Filter, plan.Sort, plan.Window, plan.Percentile:
		return t.places[n.Inputs[0]]
	case plan.Project:
		for _, below := range t.places[n.Inputs[0]] {
			at := slices.IndexFunc(n.Exprs, func(e plan.Named) bool { return e.Expr.Op == expr.OpColumn && e.Expr.Name == below })
			if at < 0 {
				return nil
			}
			columns = append(columns, n.Exprs[at].Name)
		}
	}
	return columns
}

// kept returns the columns of a window's input that stay.
func (t *choice) kept(n *plan.Node) []string {
	all := t.columns[n.Inputs[0]]
	if !t.total(n) {
		return all
	}
	used := columnar.SetOf(n.Reads())
	return columnar.Only(all, func(c string) bool { return t.use(n).read[c] || used.Has(c) })
}

// reads returns the columns that a node reads from an input to compute those of its columns
// that are read.
func (u *use) reads(n *plan.Node, side int) []string {
	columns := append(slices.Clone(n.Keys), n.Where.Columns()...)
	if n.Column != "" {
		columns = append(columns, n.Column)
	}
	columns = append(columns, plan.ListColumns(u.unnested(n))...)
	for _, a := range n.Aggs {
		columns = append(columns, a.Reads()...)
	}
	for _, e := range n.Exprs {
		if u.read[e.Name] {
			columns = append(columns, e.Expr.Columns()...)
		}
	}
	for _, pair := range n.On {
		columns = append(columns, []string{pair.Build, pair.Probe}[side])
	}
	for _, o := range n.Order {
		columns = append(columns, o.Column)
	}
	return columns
}

// unnested returns the lists of a node that make its rows: all but one of places that are not read.
func (u *use) unnested(n *plan.Node) []plan.Unnested {
	return columnar.Only(n.Lists, func(l plan.Unnested) bool { return !l.Place || u.read[l.As] })
}
