package physical

import (
	"math"
	"slices"
	"sort"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/order"
	"analyzer/operators/query/plan"
)

// scope is what lowering a node must know about the nodes above it.
type scope struct {
	phase   int         // of the scans below
	least   int         // the phase if they meet no key filter: no build side may come after its probe side
	filters []KeyFilter // key filters that the rows will meet; Columns have the names of the node's schema
}

// below is the scope below a node that holds all rows of its keys until it knows all of them: key filters by
// other columns must not drop some of these.
func (p *planner) below(s scope, keys []string) scope {
	known := columnar.SetOf(keys)
	s.filters = columnar.Only(s.filters, func(f KeyFilter) bool { return known.HasAll(f.Columns) })
	if p.early && len(s.filters) == 0 {
		s.phase = s.least
	}
	return s
}

// lower makes the operators of a logical node, with at least the needed columns. It returns the
// last operator.
func (p *planner) lower(n *plan.Node, need []string, s scope) int {
	p.work.Do(1 + len(need))
	switch n.Op {
	case plan.Scan, plan.Filter:
		return p.lowerFilter(n, need, s)
	case plan.Project:
		return p.lowerProject(n, need, s)
	case plan.Unnest:
		return p.lowerUnnest(n, need, s)
	case plan.Join:
		return p.lowerJoin(n, need, s)
	case plan.Aggregate:
		return p.lowerAggregate(n, s)
	case plan.Sort:
		return p.lowerSort(n, s)
	case plan.Percentile:
		return p.lowerPercentile(n, need, s)
	case plan.Window:
		return p.lowerWindow(n, 0, s)
	}
	return p.lowerUnion(n, need, s)
}

func (p *planner) lowerFilter(n *plan.Node, need []string, s scope) int {
	conditions, below := n.Conditions()
	sort.SliceStable(conditions, func(i, j int) bool { return conditions[i].Cost() < conditions[j].Cost() })
	if below.Op == plan.Scan {
		return p.scan(below, conditions, need, s)
	}
	need = columnar.Union(append([][]string{need}, columnar.Each(conditions, (*expr.Expr).Columns)...)...)
	var in int
	if below.Op == plan.Window {
		in = p.lowerWindow(below, firstOf(below, conditions), s)
	} else {
		in = p.lower(below, need, s)
	}
	return p.add(&Node{Schema: p.node(in).Schema, Inputs: []Input{{Node: in}}, Filter: expr.Conjoin(conditions)}, p.placed[in])
}

func (p *planner) scan(n *plan.Node, where []*expr.Expr, need []string, s scope) int {
	all := p.tables[n.Table].Schema()
	scan := &Scan{Table: n.Table, Where: where, Filters: s.filters, Phase: s.phase}
	if p.shared != nil {
		need = columnar.Union(need, p.shared[scan.reads()])
	}
	var schema columnar.Schema
	needed := columnar.SetOf(need)
	for _, f := range all {
		if needed.Has(f.Name) {
			schema = append(schema, f)
			scan.Columns = append(scan.Columns, f.Name)
		}
	}
	return p.add(&Node{Schema: schema, Scan: scan}, placement{})
}

func (p *planner) lowerProject(n *plan.Node, need []string, s scope) int {
	var exprs []plan.Named
	var below [][]string
	copies, needed := true, columnar.SetOf(need)
	for _, e := range n.Exprs {
		if !needed.Has(e.Name) {
			continue
		}
		exprs = append(exprs, e)
		below = append(below, e.Expr.Columns())
		copies = copies && e.Expr.Op == expr.OpColumn && e.Expr.Name == e.Name
	}
	in := p.lower(n.Inputs[0], columnar.Union(below...), scope{phase: s.phase, least: s.least, filters: renamed(s.filters, n.Exprs)})
	if copies {
		return in
	}
	var schema columnar.Schema
	known := p.node(in).Schema.Lookup()
	for _, e := range exprs {
		schema = append(schema, columnar.Field{Name: e.Name, Type: sound(e.Expr.TypeOf(known.Only(e.Expr.Columns())))})
	}
	return p.add(&Node{Schema: schema, Inputs: []Input{{Node: in}}, Project: exprs}, projected(p.placed[in], exprs))
}

// renamed translates filters to the columns below a projection. It drops those whose columns
// the projection does not pass on.
func renamed(filters []KeyFilter, exprs []plan.Named) []KeyFilter {
	var out []KeyFilter
next:
	for _, f := range filters {
		columns := make([]string, len(f.Columns))
		for i, c := range f.Columns {
			at := slices.IndexFunc(exprs, func(e plan.Named) bool { return e.Name == c })
			if at < 0 || exprs[at].Expr.Op != expr.OpColumn {
				continue next
			}
			columns[i] = exprs[at].Expr.Name
		}
		out = append(out, KeyFilter{Join: f.Join, Columns: columns})
	}
	return out
}

// projected returns where rows are after a projection. The placement by hash remains if the
// keys are passed on.
func projected(at placement, exprs []plan.Named) placement {
	if at.kind != byHash {
		return at
	}
	keys := make([]string, len(at.keys))
	for i, k := range at.keys {
		j := slices.IndexFunc(exprs, func(e plan.Named) bool { return e.Expr.Op == expr.OpColumn && e.Expr.Name == k })
		if j < 0 {
			return placement{}
		}
		keys[i] = exprs[j].Name
	}
	return placement{kind: byHash, keys: keys}
}

func (p *planner) lowerUnnest(n *plan.Node, need []string, s scope) int {
	lists, items := plan.ListColumns(n.Lists), plan.ItemColumns(n.Lists)
	isItem := func(column string) bool { return slices.Contains(items, column) }
	below := columnar.Union(columnar.Without(need, items), lists)
	s.filters = columnar.Only(s.filters, func(f KeyFilter) bool { return !slices.ContainsFunc(f.Columns, isItem) })
	in := p.lower(n.Inputs[0], below, s)
	from := p.node(in).Schema
	if slices.ContainsFunc(items, func(c string) bool { return from.Index(c) >= 0 && !slices.Contains(lists, c) }) { // the key of a join, which no node above needs
		from = from.Project(sound(from.Positions(below)))
		in = p.withSchema(in, from)
	}
	schema := slices.Clone(from)
	for _, l := range n.Lists {
		at := from.Index(l.Column)
		schema[at] = columnar.Field{Name: l.As, Type: from[at].Type.Item()}
	}
	at := p.placed[in]
	if slices.ContainsFunc(at.keys, func(k string) bool { return slices.Contains(lists, k) }) {
		at = placement{}
	}
	return p.add(&Node{Schema: schema, Inputs: []Input{{Node: in}}, Unnest: &Unnest{Lists: n.Lists}}, at)
}

func (p *planner) lowerSort(n *plan.Node, s scope) int {
	schema := p.schema(n.Inputs[0])
	limit := int64(-1)
	if n.Limit != nil {
		limit = *n.Limit + min(n.Offset, math.MaxInt64-*n.Limit)
	}
	// All columns take part in the order, so all are needed. They must be in the order of the
	// logical plan, so that ties are broken as it says.
	in := p.lower(n.Inputs[0], schema.Names(), p.below(s, nil))
	in = p.withSchema(in, schema)
	if limit >= 0 && p.placed[in].kind != onOne {
		in = p.add(&Node{Schema: schema, Inputs: []Input{{Node: in}}, Sort: &order.SortConfig{Order: n.Order, Limit: limit}}, p.placed[in])
	}
	from, at := p.together(in, nil)
	return p.add(&Node{Schema: schema, Inputs: []Input{from}, Sort: &order.SortConfig{Order: n.Order, Limit: limit, Offset: n.Offset}}, at)
}

func (p *planner) lowerPercentile(n *plan.Node, need []string, s scope) int {
	in := p.lower(n.Inputs[0], columnar.Union(need, []string{n.Column}), p.below(s, nil))
	from, at := p.together(in, nil)
	return p.add(&Node{Schema: p.node(in).Schema, Inputs: []Input{from}, Percentile: &order.PercentileConfig{Column: n.Column, Quantile: n.Quantile}}, at)
}

func (p *planner) lowerUnion(n *plan.Node, need []string, s scope) int {
	inputs, schema := p.unionInputs(n, need, s)
	out := &Node{Schema: schema, Union: true}
	out.Inputs = p.inputs(inputs, func(i int) (*Exchange, bool) { return &Exchange{}, p.placed[inputs[i]].kind != onOne })
	return p.add(out, placement{kind: onOne})
}

// unionInputs makes the inputs of a union, each with only the needed columns.
func (p *planner) unionInputs(n *plan.Node, need []string, s scope) (inputs []int, schema columnar.Schema) {
	schema = columnar.Only(p.schema(n), func(f columnar.Field) bool { return slices.Contains(need, f.Name) })
	for _, input := range n.Inputs {
		inputs = append(inputs, p.withSchema(p.lower(input, schema.Names(), scope{phase: s.phase, least: s.least}), schema))
	}
	return inputs, schema
}
