package bind

import (
	"cmp"
	"maps"
	"slices"

	"analyzer/operators/expr"
	"analyzer/operators/plan"
)

// tidy returns a plan with the same answer in which a column keeps its name as long as
// no other has it. While a statement is bound no two columns of a plan share a name,
// which takes projections that do nothing else, and planners look through none of
// those. It also leaves out the columns that nobody reads.
func tidy(root *plan.Node, tables plan.Tables) (*plan.Node, error) {
	t := &tidying{tables: tables, uses: make(map[*plan.Node]*use), done: make(map[*plan.Node]tidied)}
	schema, err := root.Schema(tables)
	if err != nil {
		return nil, err
	}
	nodes := below(root, make(map[*plan.Node]bool), nil)
	t.use(root).add(schema.Names()...)
	for _, n := range slices.Backward(nodes) { // all that read a node go before it
		if err := t.spread(n); err != nil {
			return nil, err
		}
	}
	for _, n := range nodes {
		if t.done[n], err = t.rebuild(n); err != nil {
			return nil, err
		}
	}
	return t.done[root].exactly(schema.Names(), schema.Names()), nil
}

type tidying struct {
	tables plan.Tables
	uses   map[*plan.Node]*use
	done   map[*plan.Node]tidied
}

// use is what is done with the columns of a node: which are read, and under which
// names they end.
type use struct {
	read   map[string]bool
	wishes map[string]string
}

// tidied is a node with new names for the columns that are read.
type tidied struct {
	node  *plan.Node
	has   []string // all its columns
	names map[string]string
}

// below appends a node behind all those it reads, each once.
func below(n *plan.Node, seen map[*plan.Node]bool, dst []*plan.Node) []*plan.Node {
	if seen[n] {
		return dst
	}
	seen[n] = true
	for _, in := range n.Inputs {
		dst = below(in, seen, dst)
	}
	return append(dst, n)
}

func (t *tidying) use(n *plan.Node) *use {
	u := t.uses[n]
	if u == nil {
		u = &use{read: make(map[string]bool), wishes: make(map[string]string)}
		t.uses[n] = u
	}
	return u
}

func (u *use) add(names ...string) {
	for _, name := range names {
		u.read[name] = true
	}
}

// end notes under which name a column ends that is passed on as another one.
func (u *use) end(column, as string, above *use) {
	if above.wishes[as] != "" {
		as = above.wishes[as]
	}
	if u.wishes[column] == "" && column != as {
		u.wishes[column] = as
	}
}

// spread notes what a node does with the columns of its inputs.
func (t *tidying) spread(n *plan.Node) error {
	own := t.use(n)
	switch n.Op {
	case plan.Scan:
	case plan.Project:
		in := t.use(n.Inputs[0])
		for _, e := range n.Exprs {
			if own.read[e.Name] {
				in.add(e.Expr.Columns()...)
			}
			if e.Expr.Op == expr.OpColumn {
				in.end(e.Expr.Name, e.Name, own)
			}
		}
	case plan.Aggregate:
		in := t.use(n.Inputs[0])
		in.add(n.Keys...)
		for _, a := range n.Aggs {
			if a.Arg != "" {
				in.add(a.Arg)
			}
		}
		for _, k := range n.Keys {
			in.end(k, k, own)
		}
	case plan.Filter, plan.Unnest, plan.Percentile, plan.Join:
		return t.spreadOn(n, own)
	default:
		return t.spreadAll(n, own)
	}
	return nil
}

// spreadAll notes that a node reads all columns of its inputs: of a sort they settle
// what its keys leave open, and of others nothing more is known here.
func (t *tidying) spreadAll(n *plan.Node, own *use) error {
	for _, in := range n.Inputs {
		schema, err := in.Schema(t.tables)
		if err != nil {
			return err
		}
		u := t.use(in)
		u.add(schema.Names()...)
		for _, f := range schema {
			switch n.Op {
			case plan.Sort:
				u.end(f.Name, f.Name, own)
			case plan.Union:
				u.wishes[f.Name] = cmp.Or(own.wishes[f.Name], f.Name)
			default:
				u.wishes[f.Name] = f.Name
			}
		}
	}
	return nil
}

// spreadOn passes on what is done with the columns of a node that are those of its
// inputs.
func (t *tidying) spreadOn(n *plan.Node, own *use) error {
	read := make(map[string]bool)
	for name := range own.read {
		read[name] = n.Op != plan.Unnest || name != n.As
	}
	if n.Column != "" {
		read[n.Column] = true
	}
	for _, c := range n.Where.Columns() {
		read[c] = true
	}
	for side, in := range n.Inputs {
		schema, err := in.Schema(t.tables)
		if err != nil {
			return err
		}
		for _, f := range schema {
			if read[f.Name] {
				t.use(in).add(f.Name)
			}
			t.use(in).end(f.Name, f.Name, own)
		}
		for _, pair := range n.On {
			t.use(in).add([]string{pair.Build, pair.Probe}[side])
		}
	}
	return nil
}

// rebuild makes a node anew whose inputs are done.
func (t *tidying) rebuild(n *plan.Node) (tidied, error) {
	m := *n
	m.Inputs = slices.Clone(n.Inputs)
	if n.Op == plan.Scan {
		names := t.tables[n.Table].Schema().Names()
		return tidied{n, names, same(names)}, nil
	}
	in := t.done[n.Inputs[0]]
	if len(n.Inputs) == 1 {
		m.Inputs[0] = in.node
	}
	switch n.Op {
	case plan.Filter:
		m.Where = in.expr(n.Where)
		return tidied{&m, in.has, in.names}, nil
	case plan.Percentile:
		m.Column = in.names[n.Column]
		return tidied{&m, in.has, in.names}, nil
	case plan.Project:
		return t.project(n, in), nil
	case plan.Unnest:
		return t.unnest(&m, n, in), nil
	case plan.Aggregate:
		return t.aggregate(&m, n, in), nil
	case plan.Join:
		return t.join(&m, n), nil
	case plan.Sort:
		if n.Limit == nil && n.Offset == 0 && isRow(n) {
			return in, nil
		}
		return t.sort(&m, n, in)
	case plan.Union:
		return t.union(&m, n)
	}
	return t.asIs(&m, n)
}

// expr returns an expression with the new names.
func (t tidied) expr(e *expr.Expr) *expr.Expr {
	return e.Rename(func(name string) *expr.Expr { return expr.Col(t.names[name]) })
}

// exactly returns a node with these columns alone, under other names.
func (t tidied) exactly(columns, as []string) *plan.Node {
	now := make([]string, len(columns))
	out := make([]plan.Named, len(columns))
	for i, c := range columns {
		now[i] = t.names[c]
		out[i] = plan.As(as[i], expr.Col(now[i]))
	}
	if slices.Equal(t.has, as) && slices.Equal(now, as) {
		return t.node
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

// name returns the name under which a column ends if it is free, or else its own.
func (u *use) name(column string, taken []string) string {
	if wish := u.wishes[column]; wish != "" && !slices.Contains(taken, wish) {
		return wish
	}
	return free(column, taken)
}

func free(name string, taken []string) string {
	for slices.Contains(taken, name) {
		name += "_"
	}
	return name
}

// project leaves out what only names columns.
func (t *tidying) project(n *plan.Node, in tidied) tidied {
	own := t.use(n)
	var exprs []plan.Named
	var columns, from []string
	for _, e := range n.Exprs {
		if !own.read[e.Name] {
			continue
		}
		columns = append(columns, e.Name)
		e.Expr = in.expr(e.Expr)
		exprs = append(exprs, e)
		if e.Expr.Op == expr.OpColumn && !slices.Contains(from, e.Expr.Name) {
			from = append(from, e.Expr.Name)
		}
	}
	out := tidied{in.node, in.has, make(map[string]string)}
	if len(from) == len(exprs) {
		for i, c := range columns {
			out.names[c] = from[i]
		}
		return out
	}
	out.has = nil
	for i, c := range columns {
		// What is passed on keeps its name, unless it stands twice.
		if e := exprs[i].Expr; e.Op == expr.OpColumn && !slices.Contains(out.has, e.Name) && own.wishes[c] == "" {
			exprs[i].Name = e.Name
		} else {
			exprs[i].Name = own.name(c, out.has)
		}
		out.names[c] = exprs[i].Name
		out.has = append(out.has, exprs[i].Name)
	}
	out.node = in.node.Project(exprs...)
	return out
}

func (t *tidying) unnest(m, n *plan.Node, in tidied) tidied {
	m.Column = in.names[n.Column]
	out := tidied{node: m, names: make(map[string]string)}
	others := slices.DeleteFunc(slices.Clone(in.has), func(c string) bool { return c == m.Column })
	m.As = t.use(n).name(n.As, others)
	for _, c := range in.has {
		if c == m.Column {
			c = m.As
		}
		out.has = append(out.has, c)
	}
	maps.Copy(out.names, in.names)
	delete(out.names, n.Column)
	out.names[n.As] = m.As
	return out
}

func (t *tidying) aggregate(m, n *plan.Node, in tidied) tidied {
	out := tidied{node: m, names: make(map[string]string)}
	m.Keys, m.Aggs = nil, nil
	add := func(old, now string) {
		out.names[old] = now
		out.has = append(out.has, now)
	}
	for _, k := range n.Keys {
		m.Keys = append(m.Keys, in.names[k])
		add(k, in.names[k])
	}
	for _, a := range n.Aggs {
		old := a.Name
		if a.Name = t.use(n).name(old, out.has); a.Arg != "" {
			a.Arg = in.names[a.Arg]
		}
		m.Aggs = append(m.Aggs, a)
		add(old, a.Name)
	}
	return out
}

// join parts columns of one name, of which those of the probe side get another one. The
// keys of an inner join that are those of the probe side are not in its rows.
func (t *tidying) join(m, n *plan.Node) tidied {
	build, probe := t.done[n.Inputs[0]], t.done[n.Inputs[1]]
	var buildKeys, probeKeys []string
	for _, pair := range n.On {
		buildKeys, probeKeys = append(buildKeys, pair.Build), append(probeKeys, pair.Probe)
	}
	hidden := func(name string) bool {
		return n.Kind == plan.Inner && slices.ContainsFunc(probeKeys, func(k string) bool { return probe.names[k] == name })
	}
	if slices.ContainsFunc(probe.has, func(c string) bool { return !hidden(c) && slices.Contains(build.has, c) }) {
		build = build.only(t.use(n.Inputs[0]))
		probe = probe.only(t.use(n.Inputs[1]))
		probe = probe.apart(build.has, hidden)
	}
	m.Inputs[0], m.Inputs[1] = build.node, probe.node
	out := tidied{node: m, has: slices.Clone(build.has), names: make(map[string]string)}
	for _, c := range probe.has {
		if !hidden(c) {
			out.has = append(out.has, c)
		}
	}
	maps.Copy(out.names, probe.names)
	maps.Copy(out.names, build.names)
	m.On = nil
	for i := range n.On {
		m.On = append(m.On, plan.On(build.names[buildKeys[i]], probe.names[probeKeys[i]]))
	}
	return out
}

// only keeps the columns that are read.
func (t tidied) only(u *use) tidied {
	out := tidied{node: t.node, names: make(map[string]string)}
	for old := range u.read {
		out.names[old] = t.names[old]
	}
	for _, c := range t.has {
		for _, now := range out.names {
			if c == now {
				out.has = append(out.has, c)
				break
			}
		}
	}
	if len(out.has) < len(t.has) {
		out.node = t.node.Select(out.has...)
	}
	return out
}

// apart gives columns whose names are taken, and that are not hidden, other ones.
func (t tidied) apart(taken []string, hidden func(string) bool) tidied {
	out := tidied{names: make(map[string]string)}
	renamed := make(map[string]string)
	var columns []plan.Named
	changed := false
	for _, c := range t.has {
		name := c
		if !hidden(c) && slices.Contains(taken, c) {
			name = free(c, slices.Concat(taken, out.has, t.has))
		}
		changed = changed || name != c
		renamed[c] = name
		out.has = append(out.has, name)
		columns = append(columns, plan.As(name, expr.Col(c)))
	}
	if !changed {
		return t
	}
	for old, now := range t.names {
		out.names[old] = renamed[now]
	}
	out.node = t.node.Project(columns...)
	return out
}

// isRow reports whether a node is known to have one row at most.
func isRow(n *plan.Node) bool {
	switch n.Op {
	case plan.Aggregate:
		return len(n.Keys) == 0
	case plan.Project, plan.Filter, plan.Sort:
		return isRow(n.Inputs[0])
	}
	return false
}

// sort keeps the order of the columns that no key is of: they settle what the keys
// leave open.
func (t *tidying) sort(m, n *plan.Node, in tidied) (tidied, error) {
	schema, err := n.Inputs[0].Schema(t.tables)
	if err != nil {
		return tidied{}, err
	}
	now := make([]string, len(schema))
	out := tidied{node: m, has: in.has, names: in.names}
	for i, f := range schema {
		now[i] = in.names[f.Name]
	}
	m.Order = nil
	for _, o := range n.Order {
		o.Column = in.names[o.Column]
		m.Order = append(m.Order, o)
	}
	open := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(c string) bool {
			return slices.ContainsFunc(m.Order, func(o plan.Order) bool { return o.Column == c })
		})
	}
	if len(in.has) != len(now) || !slices.Equal(open(in.has), open(now)) {
		out.node, out.has = m, now
		m.Inputs[0] = in.node.Select(now...)
	}
	return out, nil
}

// union gives the columns of all inputs the same names.
func (t *tidying) union(m, n *plan.Node) (tidied, error) {
	schema, err := n.Schema(t.tables)
	if err != nil {
		return tidied{}, err
	}
	out := tidied{node: m, names: make(map[string]string)}
	for _, old := range schema.Names() {
		out.names[old] = t.use(n).name(old, out.has)
		out.has = append(out.has, out.names[old])
	}
	for i, in := range n.Inputs {
		m.Inputs[i] = t.done[in].exactly(schema.Names(), out.has)
	}
	return out, nil
}

// asIs keeps a node of which nothing more is known, with all its columns.
func (t *tidying) asIs(m, n *plan.Node) (tidied, error) {
	schema, err := n.Schema(t.tables)
	if err != nil {
		return tidied{}, err
	}
	for i, in := range n.Inputs {
		columns, err := in.Schema(t.tables)
		if err != nil {
			return tidied{}, err
		}
		m.Inputs[i] = t.done[in].exactly(columns.Names(), columns.Names())
	}
	return tidied{m, schema.Names(), same(schema.Names())}, nil
}

// tablesOf are the tables of a catalog by their names in plans.
func (c Catalog) tablesOf() plan.Tables {
	all := make(plan.Tables)
	add := func(t *Table) {
		if t == nil {
			return
		}
		for _, part := range t.Parts {
			all[part.Name] = part
		}
	}
	for _, of := range []map[string]*Table{c.Tables, c.Files} {
		for _, t := range of {
			add(t)
		}
	}
	add(c.Nothing)
	return all
}
