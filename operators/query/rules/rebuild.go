package rules

import (
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// chosen is a rebuilt node. names maps the old names of columns to the new ones.
type chosen struct {
	node  *plan.Node
	has   []string // all its columns
	names map[string]string
}

// rebuild returns a node with new names; its inputs are already rebuilt.
func (t *choice) rebuild(n *plan.Node) chosen {
	switch n.Op {
	case plan.Scan:
		return chosen{n, t.columns[n], same(t.columns[n])}
	case plan.Join:
		return t.join(n)
	case plan.Union:
		return t.union(n)
	case plan.Window:
		return t.window(n)
	}
	in := t.done[n.Inputs[0]]
	m := *n
	m.Inputs = []*plan.Node{in.node}
	out := chosen{&m, in.has, in.names}
	switch n.Op {
	case plan.Filter:
		m.Where = in.expr(n.Where)
	case plan.Percentile:
		m.Column = in.names[n.Column]
	case plan.Project:
		return t.project(n, in)
	case plan.Unnest:
		t.unnest(n, in, &out)
	case plan.Aggregate:
		t.aggregate(n, in, &out)
	case plan.Sort:
		if _, most := n.Rows(); !n.Limited() && most <= 1 {
			return in
		}
		t.sort(n, in, &out)
	}
	return out
}

// expr returns an expression with the new names.
func (t chosen) expr(e *expr.Expr) *expr.Expr {
	return e.Rename(func(name string) *expr.Expr { return expr.Col(t.names[name]) })
}

// now maps old names of columns to the new ones.
func (t chosen) now(columns []string) []string {
	return columnar.Each(columns, func(c string) string { return t.names[c] })
}

// exactly returns the node with only these columns, under the names as.
func (t chosen) exactly(columns, as []string) *plan.Node {
	now := t.now(columns)
	if slices.Equal(t.has, as) && slices.Equal(now, as) {
		return t.node
	}
	out := plan.Cols(now...)
	for i := range out {
		out[i].Name = as[i]
	}
	return t.node.Project(out...)
}

func same(names []string) map[string]string {
	out := make(map[string]string, len(names))
	for _, name := range names {
		out[name] = name
	}
	return out
}

// name returns the final name of a column if it is free, or else its own name, made unique.
func (u *use) name(column string, taken columnar.NameSet) string {
	if wish := u.wishes[column]; wish != "" && !taken.Has(wish) {
		return wish
	}
	return taken.Free(column)
}

// project rebuilds a projection, and drops it if it only renames columns.
func (t *choice) project(n *plan.Node, in chosen) chosen {
	own := t.use(n)
	var exprs []plan.Named
	var columns, from []string
	passed, taken := make(columnar.NameSet), make(columnar.NameSet)
	for _, e := range n.Exprs {
		if !own.read[e.Name] {
			continue
		}
		columns = append(columns, e.Name)
		e.Expr = in.expr(e.Expr)
		exprs = append(exprs, e)
		if e.Expr.Op == expr.OpColumn && !passed.Has(e.Expr.Name) {
			passed.Add(e.Expr.Name)
			from = append(from, e.Expr.Name)
		}
	}
	out := chosen{in.node, in.has, make(map[string]string)}
	if len(from) == len(exprs) {
		for i, c := range columns {
			out.names[c] = from[i]
		}
		return out
	}
	out.has = nil
	for i, c := range columns {
		// A column that is passed on keeps its name, unless it is passed on twice.
		if e := exprs[i].Expr; e.Op == expr.OpColumn && !taken.Has(e.Name) && own.wishes[c] == "" {
			exprs[i].Name = e.Name
		} else {
			exprs[i].Name = own.name(c, taken)
		}
		taken.Add(exprs[i].Name)
		out.names[c] = exprs[i].Name
		out.has = append(out.has, exprs[i].Name)
	}
	out.node = in.node.Project(exprs...)
	return out
}

func (t *choice) unnest(n *plan.Node, in chosen, out *chosen) {
	unnested := t.use(n).unnested(n)
	lists := in.now(plan.ListColumns(unnested))
	taken := columnar.SetOf(columnar.Without(in.has, lists))
	out.has, out.names, out.node.Lists = slices.Clone(in.has), maps.Clone(in.names), nil
	for _, l := range n.Lists {
		delete(out.names, l.Column)
	}
	for i, l := range unnested {
		as := t.use(n).name(l.As, taken)
		taken.Add(as)
		out.node.Lists = append(out.node.Lists, plan.Unnested{Column: lists[i], As: as, Step: l.Step, Place: l.Place})
		out.has[slices.Index(in.has, lists[i])] = as
		out.names[l.As] = as
	}
}

func (t *choice) aggregate(n *plan.Node, in chosen, out *chosen) {
	out.has, out.names = nil, make(map[string]string)
	taken := make(columnar.NameSet)
	add := func(old, now string) {
		taken.Add(now)
		out.names[old] = now
		out.has = append(out.has, now)
	}
	for _, k := range n.Keys {
		add(k, in.names[k])
	}
	out.node.Keys, out.node.Aggs = out.has, slices.Clone(n.Aggs)
	for i, a := range n.Aggs {
		m := &out.node.Aggs[i]
		*m = a.Renamed(func(name string) string { return in.names[name] })
		m.Name = t.use(n).name(a.Name, taken)
		add(a.Name, m.Name)
	}
}

// join rebuilds a join. Where columns of both sides have the same name, those of the probe side
// get another one. The result of an inner join does not have the probe side's keys.
func (t *choice) join(n *plan.Node) chosen {
	build, probe := t.done[n.Inputs[0]], t.done[n.Inputs[1]]
	hidden := func(name string) bool {
		return n.Kind == plan.Inner && slices.ContainsFunc(n.On, func(p plan.Pair) bool { return probe.names[p.Probe] == name })
	}
	built := columnar.SetOf(build.has)
	if slices.ContainsFunc(probe.has, func(c string) bool { return built.Has(c) && !hidden(c) }) {
		build = build.only(t.use(n.Inputs[0]), nil, nil)
		probe = probe.only(t.use(n.Inputs[1]), build.has, hidden)
	}
	m := build.node.OuterJoin(n.Kind, probe.node)
	for _, p := range n.On {
		m.On = append(m.On, plan.On(build.names[p.Build], probe.names[p.Probe]))
	}
	out := chosen{m, slices.Concat(build.has, columnar.Only(probe.has, func(c string) bool { return !hidden(c) })), maps.Clone(probe.names)}
	maps.Copy(out.names, build.names)
	return out
}

// only keeps the columns that are read. Columns whose names are taken get other names, unless
// they are hidden.
func (t chosen) only(u *use, taken []string, hidden func(string) bool) chosen {
	read, renamed := make(columnar.NameSet), make(map[string]string)
	for old := range u.read {
		read.Add(t.names[old])
	}
	has := columnar.Only(t.has, read.Has)
	out := chosen{node: t.node, names: make(map[string]string)}
	var columns []plan.Named
	others, all := columnar.SetOf(taken), columnar.SetOf(taken, has)
	for _, c := range has {
		if renamed[c] = c; others.Has(c) && !hidden(c) {
			renamed[c] = all.Free(c)
		}
		all.Add(renamed[c])
		out.has = append(out.has, renamed[c])
		columns = append(columns, plan.As(renamed[c], expr.Col(c)))
	}
	for old := range u.read {
		out.names[old] = renamed[t.names[old]]
	}
	switch {
	case slices.Equal(out.has, t.has):
	case t.node.Op == plan.Project: // replace the projection
		columns = columns[:0]
		for i, c := range t.has {
			if read[c] {
				columns = append(columns, plan.As(renamed[c], t.node.Exprs[i].Expr))
			}
		}
		out.node = t.node.Inputs[0].Project(columns...)
	default:
		out.node = t.node.Project(columns...)
	}
	return out
}

// sort rebuilds a sort. It keeps the order of the columns that are not keys if they break ties.
func (t *choice) sort(n *plan.Node, in chosen, out *chosen) {
	m := out.node
	m.Order = slices.Clone(n.Order)
	for i := range m.Order {
		m.Order[i].Column = in.names[m.Order[i].Column]
	}
	if t.total(n) {
		read := columnar.SetOf(in.now(slices.Collect(maps.Keys(t.use(n.Inputs[0]).read))))
		if now := columnar.Only(in.has, read.Has); len(now) < len(in.has) {
			out.has, m.Inputs[0] = now, in.node.Select(now...)
		}
		return
	}
	now, keys := in.now(t.columns[n]), columnar.Each(m.Order, func(o plan.Order) string { return o.Column })
	if len(in.has) != len(now) || !slices.Equal(columnar.Without(in.has, keys), columnar.Without(now, keys)) {
		out.has, m.Inputs[0] = now, in.node.Select(now...)
	}
}

// window rebuilds a window, whose columns keep their names and their order. What a window below it keeps stays: a
// projection between the two would cost more than it saves.
func (t *choice) window(n *plan.Node) chosen {
	m, in, has := *n, t.done[n.Inputs[0]], t.kept(n)
	if n.Inputs[0].Op == plan.Window {
		has = in.has
	}
	m.Inputs = []*plan.Node{in.exactly(has, has)}
	has = append(slices.Clone(has), columnar.Each(n.Calls, func(c plan.Call) string { return c.Name })...)
	return chosen{&m, has, same(has)}
}

// union rebuilds a union, whose columns all stay, in their order. All inputs get the same new names.
func (t *choice) union(n *plan.Node) chosen {
	m := *n
	out := chosen{node: &m, names: make(map[string]string)}
	taken := make(columnar.NameSet)
	for _, old := range t.columns[n] {
		out.names[old] = t.use(n).name(old, taken)
		taken.Add(out.names[old])
		out.has = append(out.has, out.names[old])
	}
	m.Inputs = make([]*plan.Node, len(n.Inputs))
	for i, in := range n.Inputs {
		m.Inputs[i] = t.done[in].exactly(t.columns[in], out.now(t.columns[in]))
	}
	return out
}
