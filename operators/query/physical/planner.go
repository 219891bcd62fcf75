package physical

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
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
