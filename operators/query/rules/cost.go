package rules

import (
	"math"
	"slices"

	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// The cost model: how many rows the nodes of a plan yield, and which of several joins costs least. All
// that is known are estimates of the rows of tables, and of the distinct values of some columns.
//
// A join builds a table of the rows of one side and looks those of the other up in it. Before that,
// whatever reads the other side drops rows whose keys the table has not. So a build side costs what
// it takes to make and to keep it; a probe side costs less, the fewer of its rows find a partner.

const (
	unknownRows = 1000 // of a table of which nothing is known
	itemsOfList = 3
	rowsOfGroup = 8 // where nothing is known of the keys

	costOfBuilt = 2 // to keep a row of a build side, where to make one costs 1
	// costOfDoubt is for each row that a build side would have without conditions: they may keep more
	// rows than is thought.
	costOfDoubt = 0.02

	costOfModel = 100 // to run a text model on a row
	// shareOfJudged is of the rows that a model sees on a probe side: rules spare it others there.
	shareOfJudged = 0.5

	// The share of rows that a condition keeps.
	shareOfValue   = 0.1 // x = 1, where nothing is known of x
	shareOfRange   = 1.0 / 3
	shareOfPattern = 0.1
	shareOfNulls   = 0.1
	shareOfOthers  = 1.0 / 3
)

// estimate is what a node costs and yields.
type estimate struct {
	rows  float64
	whole float64 // the rows that it would yield without conditions
	read  float64 // the rows that must be made for it; more than rows above an aggregation
	// judged are the rows that text models see.
	judged float64
}

// made is the cost of making the rows.
func (e estimate) made() float64 { return e.read + float64(costOfModel*e.judged) }

// model estimates nodes, and remembers what it has estimated. The nodes must not change meanwhile.
type model struct {
	work   *budget.Work
	known  map[*plan.Node]estimate
	values map[columnOf]float64
}

type columnOf struct {
	of     *plan.Node
	column string
}

func newModel(work *budget.Work) *model {
	return &model{work: work, known: make(map[*plan.Node]estimate), values: make(map[columnOf]float64)}
}

// of estimates a node.
func (m *model) of(n *plan.Node) estimate {
	e, known := m.known[n]
	if !known {
		m.work.Do(1)
		e = m.estimate(n)
		m.known[n] = e
	}
	return e
}

func (m *model) estimate(n *plan.Node) estimate {
	var in estimate
	if len(n.Inputs) > 0 {
		in = m.of(n.Inputs[0])
	}
	switch n.Op {
	case plan.Scan:
		rows := float64(unknownRows)
		if n.Stats != nil {
			rows = max(n.Stats.Rows, 1)
		}
		return estimate{rows: rows, whole: rows, read: rows}
	case plan.Filter:
		return m.filtered(n, in)
	case plan.Project:
		if slices.ContainsFunc(n.Exprs, func(e plan.Named) bool { return e.Expr.Cost() >= expr.Expensive }) {
			in.judged += in.rows
		}
	case plan.Percentile:
		return in.kept(1 - n.Quantile)
	case plan.Unnest:
		return estimate{in.rows * itemsOfList, in.whole * itemsOfList, in.read * itemsOfList, in.judged}
	case plan.Sort:
		if n.Limit != nil {
			in.rows = min(in.rows, float64(*n.Limit))
		}
	case plan.Aggregate:
		return m.groups(n, in)
	case plan.Union:
		for _, other := range n.Inputs[1:] {
			more := m.of(other)
			in = estimate{in.rows + more.rows, in.whole + more.whole, in.read + more.read, in.judged + more.judged}
		}
	case plan.Join:
		return m.joined(n)
	}
	return in
}

// filtered estimates a filter, the costly conditions of which only see rows that meet the others.
func (m *model) filtered(n *plan.Node, in estimate) estimate {
	distinct := func(column string) float64 { return m.distinct(n.Inputs[0], column) }
	costly := 1.0
	for _, c := range expr.Conjuncts(n.Where) {
		if share := m.share(c, distinct); c.Cost() >= expr.Expensive {
			costly *= share
		} else {
			in = in.kept(share)
		}
	}
	if costly < 1 {
		in.judged += in.rows
		return in.kept(costly)
	}
	return in
}

// kept is the estimate where a condition keeps a share of the rows. It spares no work below an
// aggregation.
func (e estimate) kept(share float64) estimate {
	if e.read <= e.rows {
		e.read *= share
	}
	e.rows *= share
	return e
}

// groups estimates an aggregation.
func (m *model) groups(n *plan.Node, in estimate) estimate {
	groups, known := 1.0, true
	for _, k := range n.Keys {
		values := m.distinct(n.Inputs[0], k)
		groups, known = groups*max(values, 1), known && values > 0
	}
	if !known {
		groups = max(groups, in.whole/rowsOfGroup)
	}
	return estimate{min(groups, in.rows), min(groups, in.whole), max(in.read, in.rows), in.judged}
}

// joined estimates a join that has its place.
func (m *model) joined(n *plan.Node) estimate {
	build, probe := m.of(n.Inputs[0]), m.of(n.Inputs[1])
	var values []float64
	for _, p := range n.On {
		a, b := m.distinct(n.Inputs[0], p.Build), m.distinct(n.Inputs[1], p.Probe)
		if values = append(values, max(a, b)); a == 0 && b == 0 {
			values[len(values)-1] = min(build.whole, probe.whole)
		}
	}
	pairs := pairsOf(values, build.whole, probe.whole)
	e := estimate{rows: build.rows * probe.rows / pairs, whole: build.whole * probe.whole / pairs, judged: build.judged + probe.judged}
	if n.Kind.KeepsBuild() {
		e.rows, e.whole = max(e.rows, build.rows), max(e.whole, build.whole)
	}
	if n.Kind.KeepsProbe() {
		e.rows, e.whole = max(e.rows, probe.rows), max(e.whole, probe.whole)
	}
	e.read = e.rows
	return e
}

// pairsOf returns how many pairs of rows there are for each one that a join keeps, which compares columns
// that have so many distinct values each. If it compares several, their values depend on each
// other, and a row of the larger side finds one partner at least.
func pairsOf(values []float64, build, probe float64) float64 {
	all, most := 1.0, 1.0
	for _, v := range values {
		all, most = all*v, max(most, v)
	}
	if len(values) > 1 {
		all = min(all, max(most, min(build, probe)))
	}
	return all
}

// distinct returns how many distinct values a column of a node has, without the conditions on it; 0:
// nobody knows.
func (m *model) distinct(n *plan.Node, column string) float64 {
	of := columnOf{n, column}
	v, known := m.values[of]
	if !known {
		m.work.Do(1)
		v = m.distinctOf(n, column)
		m.values[of] = v
	}
	return v
}

func (m *model) distinctOf(n *plan.Node, column string) float64 {
	switch n.Op {
	case plan.Scan:
		if n.Stats == nil {
			return 0
		}
		return n.Stats.Distinct[column]
	case plan.Project:
		for _, e := range n.Exprs {
			switch {
			case e.Name != column:
			case e.Expr.Op == expr.OpColumn:
				return m.distinct(n.Inputs[0], e.Expr.Name)
			case e.Expr.Op == expr.OpLiteral:
				return 1
			}
		}
		return 0
	case plan.Aggregate:
		for _, a := range n.Aggs {
			if a.Name == column {
				return 0
			}
		}
		if v := m.distinct(n.Inputs[0], column); v > 0 || len(n.Keys) > 1 {
			return v
		}
		return m.of(n).whole
	case plan.Union:
		most := 0.0
		for _, in := range n.Inputs {
			most = max(most, m.distinct(in, column))
		}
		return most
	case plan.Join:
		return max(m.distinct(n.Inputs[0], column), m.distinct(n.Inputs[1], column))
	}
	return m.distinct(n.Inputs[0], column)
}

// share estimates which part of the rows a condition keeps. distinct is as in model.distinct.
func (m *model) share(c *expr.Expr, distinct func(column string) float64) float64 {
	m.work.Do(1)
	switch c.Op {
	case expr.OpAnd:
		all := 1.0
		for _, c := range c.Args {
			all *= m.share(c, distinct)
		}
		return all
	case expr.OpOr:
		none := 1.0
		for _, c := range c.Args {
			none *= 1 - m.share(c, distinct)
		}
		return 1 - none
	case expr.OpNot:
		return 1 - m.share(c.Args[0], distinct)
	case expr.OpEq:
		return shareOfEqual(c, distinct)
	case expr.OpNe:
		return 1 - shareOfEqual(c, distinct)
	case expr.OpListContains:
		return min(1, float64(max(1, itemsOf(c.Args[0])))*shareOfEqual(c, distinct))
	case expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe:
		return shareOfRange
	case expr.OpIsNull:
		return shareOfNulls
	case expr.OpContains, expr.OpStartsWith, expr.OpEndsWith, expr.OpLike, expr.OpMatch:
		return shareOfPattern
	case expr.OpLiteral:
		if c.IsBool(true) {
			return 1
		}
		return 0
	}
	return shareOfOthers
}

// itemsOf estimates how many items a list has.
func itemsOf(list *expr.Expr) int {
	switch literal := list.Literal(); {
	case literal != nil:
		return len(literal.Texts)
	case list.Op == expr.OpListOf:
		return len(list.Args)
	case list.Op == expr.OpListTransform:
		return itemsOf(list.Args[0])
	}
	return 1
}

func shareOfEqual(c *expr.Expr, distinct func(column string) float64) float64 {
	most := 0.0
	for _, e := range c.Args {
		if e.Op == expr.OpColumn {
			most = max(most, distinct(e.Name))
		}
	}
	if most == 0 {
		return shareOfValue
	}
	return 1 / most
}

// outerCost returns the cost of an outer join. Where it keeps the rows of its probe side, none is
// dropped before the join; where it keeps those of its build side, it must find out which have no
// partner.
func (m *model) outerCost(n *plan.Node) float64 {
	build, probe := m.of(n.Inputs[0]), m.of(n.Inputs[1])
	cost := build.made() + float64(costOfBuilt*build.rows) + float64(costOfDoubt*build.whole)
	if n.Kind.KeepsBuild() {
		cost += build.rows
	}
	if n.Kind.KeepsProbe() {
		return cost + probe.made()
	}
	inner := *n
	inner.Kind = plan.Inner
	return cost + float64(probe.made()*min(1, m.joined(&inner).rows/probe.rows))
}

// joined is a tree of joins of some inputs, or one input.
type joined struct {
	build, probe *joined   // nil for an input
	input        int       // its index
	inputs       inputSet  // all of them
	values       []float64 // by class: how many distinct values its expressions have; 0: none is of these inputs
	left         []float64 // by class: how many of them conditions have left
	rows, whole  float64   // as in estimate
	cost         float64   // of all but what follows
	feed         float64   // the rows of the last probe side that must be made
	judged       float64   // those of them that text models see
}

func (j *joined) total() float64 { return j.cost + j.feed + float64(costOfModel*j.judged) }

// added is what a join costs beside its sides.
func (j *joined) added() float64 { return j.total() - j.build.total() - j.probe.total() }

// joinedWith returns the join of a build side with a probe side, which keeps a share of the pairs of rows,
// and of which whatever reads the probe side passes a share of its rows on.
func (j *joined) joinedWith(probe *joined, kept, passed float64) joined {
	out := joined{build: j, probe: probe, rows: float64(j.rows * probe.rows * kept), whole: j.whole * probe.whole * kept}
	out.cost = j.total() + float64(costOfBuilt*j.rows) + float64(costOfDoubt*j.whole) + probe.cost + out.rows
	out.feed, out.judged = probe.feed*passed, probe.judged*min(passed, shareOfJudged)
	return out
}

// inputSet is a set of inputs, as bits.
type inputSet []uint64

func (s inputSet) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

func (s inputSet) hasAll(inputs []int) bool {
	return !slices.ContainsFunc(inputs, func(i int) bool { return !s.has(i) })
}

// input returns the tree of one input.
func (m *model) input(i int, nodes []*plan.Node, classes int) *joined {
	e, set := m.of(nodes[i]), make(inputSet, 1+len(nodes)/64)
	set[i/64] |= 1 << (i % 64)
	return &joined{input: i, inputs: set, rows: e.rows, whole: e.whole, feed: e.read, judged: e.judged, values: make([]float64, classes), left: make([]float64, classes)}
}

// equate sets how many distinct values the members of a class have, in their inputs. Where nobody knows, it
// is as many as the smallest of the inputs has rows.
func (m *model) equate(at int, c class, nodes []*plan.Node, inputs []*joined) {
	least, most := math.Inf(1), 0.0
	values := make([]float64, len(c.members))
	for i, of := range c.members {
		if of.e.Op == expr.OpColumn {
			values[i] = m.distinct(nodes[of.of], of.e.Name)
		}
		least, most = min(least, inputs[of.of].whole), max(most, values[i])
	}
	for i, of := range c.members {
		in := inputs[of.of]
		v := values[i]
		switch {
		case v > 0:
		case most > 0:
			v = min(most, in.whole)
		default:
			v = least
		}
		if v = max(v, 1); in.values[at] > 0 {
			v = min(v, in.values[at])
		}
		in.values[at], in.left[at] = v, min(v, in.rows)
	}
}
