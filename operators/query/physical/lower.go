package physical

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/order"
	"analyzer/operators/query/plan"
)

// New plans queries over tables together, for one process. Where work must stop, the error is
// its.
func New(work *budget.Work, queries []*plan.Query, tables plan.Tables) (*Plan, error) {
	p, err := newPlan(queries, &planner{work: work, tables: tables})
	if err == nil {
		p.inProcess(tables)
	}
	return p, err
}

// NewDistributed plans queries for a cluster, where a stage is computed when its whole input
// has arrived. The keys of a build side must be known before the probe side is read. So all
// rows of a stage have the same phase, and every build side ends its stage.
func NewDistributed(work *budget.Work, queries []*plan.Query, tables plan.Tables) (*Plan, error) {
	return newPlan(queries, &planner{work: work, tables: tables, onePhase: true})
}

// newPlan returns the plan that reads tables least often. Where some are read several times, it may be that some
// of these readings need not be apart.
func newPlan(queries []*plan.Query, p *planner) (*Plan, error) {
	late, err := p.made(queries)
	if err != nil || late.readings() == len(late.Tables()) {
		return late, err
	}
	p.early = true
	early, err := p.made(queries)
	if err != nil || early.readings() > late.readings() || early.readings() == late.readings() && len(early.Nodes) >= len(late.Nodes) {
		return late, err
	}
	return early, nil
}

// readings returns how often the plan reads tables.
func (p *Plan) readings() (n int) {
	for _, s := range p.Stages {
		if s.Table != "" {
			n++
		}
	}
	return n
}

func (p *planner) made(queries []*plan.Query) (made *Plan, err error) {
	defer budget.Catch(&err)
	p.schemas, p.shared = plan.NewSchemas(p.work, p.tables), nil
	if err := p.queries(queries); err != nil {
		return nil, err
	}
	if p.shared = p.plan.sharedScans(); p.shared != nil {
		if err := p.queries(queries); err != nil {
			return nil, err
		}
	}
	p.plan.dropUnread()
	p.nameJoins()
	p.cut()
	p.plan.findFirst(p.tables)
	return p.plan, nil
}

// queries makes the nodes of all queries.
func (p *planner) queries(queries []*plan.Query) error {
	p.plan, p.known = &Plan{}, make(map[[sha256.Size]byte]int)
	p.builds, p.placed, p.phases, p.levels, p.grouped = nil, nil, nil, nil, make(map[likeness][]*grouped)
	for _, q := range queries {
		schema, err := p.schemas.Of(q.Root)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.Name, err)
		}
		p.query(q, schema)
	}
	return nil
}

type planner struct {
	work    *budget.Work
	tables  plan.Tables
	schemas *plan.Schemas
	shared  map[string][]string // columns of scans that several others would equal, by what they read
	// onePhase puts an exchange between nodes of different phases.
	onePhase bool
	// early reads rows at once, instead of behind the build sides that their groups will meet, where no key
	// filter can drop them. So they may be those of another part of the plan.
	early bool

	plan   *Plan
	known  map[[sha256.Size]byte]int // nodes by the hash of their JSON
	builds []buildSide               // build sides that key filters refer to
	placed []placement               // of each node's rows
	phases []int                     // the highest phase of the scans below each node
	levels []int                     // the most exchanges between each node and a scan

	grouped map[likeness][]*grouped // aggregations
}

// sound returns v, which was derived from a checked query. If there is an error, the query is wrong all the same, or
// the planner has made something wrong of it. Planning stops then, so that a process that plans for others survives.
func sound[T any](v T, err error) T {
	if err != nil {
		panic(&budget.Stop{Err: fmt.Errorf("planner: %w", err)})
	}
	return v
}

// schema returns the columns of a node of a checked query.
func (p *planner) schema(n *plan.Node) columnar.Schema { return sound(p.schemas.Of(n)) }

// placement says where the rows of a node are: anywhere, on the replica of the hash of their
// keys, or on one replica.
type placement struct {
	kind placementKind
	keys []string
}

type placementKind uint8

const (
	anywhere placementKind = iota
	byHash
	onOne
)

// exchanged returns where rows are after an exchange by keys, or on one replica without keys.
func exchanged(keys []string) placement {
	if len(keys) == 0 {
		return placement{kind: onOne}
	}
	return placement{kind: byHash, keys: keys}
}

func (p *planner) query(q *plan.Query, schema columnar.Schema) {
	root := q.Root
	if !ordered(root) {
		root = root.Sort()
	}
	id := p.lower(root, schema.Names(), scope{})
	p.plan.Answers = append(p.plan.Answers, Answer{Query: q.Name, Node: p.withSchema(id, schema)})
}

// ordered reports whether a plan's rows come in a total order on one replica.
func ordered(n *plan.Node) bool {
	switch n.Op {
	case plan.Sort:
		return true
	case plan.Project, plan.Filter:
		return ordered(n.Inputs[0])
	case plan.Aggregate:
		return len(n.Keys) == 0
	}
	return false
}

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

func (p *planner) node(id int) *Node { return p.plan.Nodes[id] }

// textOfStep is about how many bytes the JSON of a column or of a part of an expression has.
const textOfStep = 64

// add adds n, or returns the existing node that is equal to it.
func (p *planner) add(n *Node, at placement) int {
	text, err := json.Marshal(n)
	if err != nil {
		panic(fmt.Sprintf("planner: a node does not serialise: %v", err))
	}
	p.work.Do(1 + len(text)/textOfStep)
	hash := sha256.Sum256(text)
	if id, ok := p.known[hash]; ok {
		return id
	}
	id := len(p.plan.Nodes)
	phase, level := 0, 0
	if n.Scan != nil {
		phase = n.Scan.Phase
	}
	for _, in := range n.Inputs {
		phase = max(phase, p.phases[in.Node])
		level = max(level, p.levelBehind(in.Node, in.Exchange != nil))
	}
	p.known[hash] = id
	n.ID = id
	p.plan.Nodes = append(p.plan.Nodes, n)
	p.placed = append(p.placed, at)
	p.phases = append(p.phases, phase)
	p.levels = append(p.levels, level)
	return id
}

// withSchema returns a node with the columns of id in the order of a schema.
func (p *planner) withSchema(id int, schema columnar.Schema) int {
	if p.node(id).Schema.String() == schema.String() {
		return id
	}
	cols := plan.Cols(schema.Names()...)
	return p.add(&Node{Schema: schema, Inputs: []Input{{Node: id}}, Project: cols}, projected(p.placed[id], cols))
}

// inputs returns the inputs of a node with several inputs. exchange returns the exchange for
// the rows of each input, and whether it is needed in any case.
func (p *planner) inputs(ids []int, exchange func(i int) (x *Exchange, needed bool)) []Input {
	crosses, in := make([]bool, len(ids)), make([]Input, len(ids))
	for i := range ids {
		_, crosses[i] = exchange(i)
	}
	p.keepApart(ids, crosses)
	for i, id := range ids {
		in[i].Node = id
		if crosses[i] {
			in[i].Exchange, _ = exchange(i)
		}
	}
	return in
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
