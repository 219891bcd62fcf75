package physical

import (
	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/order"
	"analyzer/operators/query/plan"
	"analyzer/operators/window"
)

// Plan is a physical plan: operators, each after its inputs, and the answers that they produce.
type Plan struct {
	Version plan.Version `json:"version"` // of a plan read from JSON
	Nodes   []*Node      `json:"nodes"`
	Stages  []*Stage     `json:"stages"`
	Answers []Answer     `json:"answers"`
}

// Answer says which node yields the rows of a query's answer, in order.
type Answer struct {
	Query string `json:"query"`
	Node  int    `json:"node"`
}

// Node is one operator. One of the pointers after Inputs is set.
type Node struct {
	ID     int             `json:"id"`
	Stage  int             `json:"stage"`
	Schema columnar.Schema `json:"schema"`
	Inputs []Input         `json:"inputs,omitempty"`

	Scan       *Scan                   `json:"scan,omitempty"`
	Filter     *expr.Expr              `json:"filter,omitempty"`
	Project    []plan.Named            `json:"project,omitzero"` // not nil: a projection to no columns is a projection as well
	Unnest     *Unnest                 `json:"unnest,omitempty"`
	Aggregate  *aggregate.Config       `json:"aggregate,omitempty"`
	Join       *Join                   `json:"join,omitempty"`
	Sort       *order.SortConfig       `json:"sort,omitempty"`
	Percentile *order.PercentileConfig `json:"percentile,omitempty"`
	Union      bool                    `json:"union,omitempty"`
	Window     *window.Config          `json:"window,omitempty"`
	Top        *aggregate.TopConfig    `json:"top,omitempty"`
}

// Input is a node whose rows another node reads. With Exchange, each row moves to the replica
// that holds its key.
type Input struct {
	Node     int       `json:"node"`
	Exchange *Exchange `json:"exchange,omitempty"`
}

// Exchange moves rows by the hash of key columns. Without keys all rows go to
// replica 0.
type Exchange struct {
	Keys []string     `json:"keys,omitempty"`
	Kind ExchangeKind `json:"kind,omitempty"`
}

// Stage is a set of nodes that run together, on every replica or on one. There is no exchange
// between them.
type Stage struct {
	ID     int    `json:"id"`
	Nodes  []int  `json:"nodes"`            // each after its inputs
	Table  string `json:"table,omitempty"`  // the table it scans
	Phase  int    `json:"phase,omitempty"`  // of the scan
	Single bool   `json:"single,omitempty"` // runs on one replica only
	First  *int64 `json:"first,omitempty"`  // rows of the table that pass and are needed, from its beginning; nil: all
}

// Scan reads a table and keeps the rows that pass all conditions.
type Scan struct {
	Table   string       `json:"table"`
	Columns []string     `json:"columns"`         // columns that are yielded
	Where   []*expr.Expr `json:"where,omitempty"` // cheapest first
	// Filters hold the keys of build sides that the rows will be joined with. They reduce the
	// rows that are passed on, and never change an answer.
	Filters []KeyFilter `json:"filters,omitempty"`
	// Phase orders the scans: a scan of phase n starts when all scans of lower phases have
	// ended and the build sides they feed are complete.
	Phase int `json:"phase"`
}

// KeyFilter keeps rows whose Columns may equal keys of the build side of a join.
type KeyFilter struct {
	Join    int      `json:"join"` // node
	Columns []string `json:"columns"`
}

// BuildSide returns the node that yields the build side of a join, and its key columns.
func (p *Plan) BuildSide(join int) (node int, keys []string) {
	n := p.Nodes[join]
	return n.Inputs[0].Node, plan.BuildKeys(n.Join.On)
}

// Unnest makes one row per place in lists, side by side.
type Unnest struct {
	Lists []plan.Unnested `json:"lists"`
}

// Join is a hash join of input 0, the build side, with input 1. BuildOut, followed by ProbeOut,
// are the columns it yields.
type Join struct {
	Kind     plan.JoinKind `json:"kind,omitempty"`
	On       []plan.Pair   `json:"on,omitempty"`
	BuildOut []string      `json:"buildOut"`
	ProbeOut []string      `json:"probeOut"`
}
