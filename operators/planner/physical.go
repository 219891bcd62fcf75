package planner

import (
	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/order"
	"analyzer/operators/plan"
	"analyzer/operators/window"
)

// Plan is a physical plan: operators, each after those it reads from, and the
// answers they end in.
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
	Project    []plan.Named            `json:"project,omitzero"` // not nil: none at all is a projection as well
	Unnest     *Unnest                 `json:"unnest,omitempty"`
	Aggregate  *aggregate.Config       `json:"aggregate,omitempty"`
	Join       *Join                   `json:"join,omitempty"`
	Sort       *order.SortConfig       `json:"sort,omitempty"`
	Percentile *order.PercentileConfig `json:"percentile,omitempty"`
	Union      bool                    `json:"union,omitempty"`
	Window     *window.Config          `json:"window,omitempty"`
	Top        *aggregate.TopConfig    `json:"top,omitempty"`
}

// Input is a node whose rows another one reads. With Exchange they cross over
// to the replica that holds their key.
type Input struct {
	Node     int       `json:"node"`
	Exchange *Exchange `json:"exchange,omitempty"`
}

// Exchange moves rows by the hash of key columns. Without keys all rows go to
// replica 0.
type Exchange struct {
	Keys []string `json:"keys,omitempty"`
}

// Stage is a set of nodes that run together, on every replica or on one: there
// is no exchange between them.
type Stage struct {
	ID     int    `json:"id"`
	Nodes  []int  `json:"nodes"`            // each after its inputs
	Table  string `json:"table,omitempty"`  // it scans this table
	Phase  int    `json:"phase,omitempty"`  // of the scan
	Single bool   `json:"single,omitempty"` // runs on one replica alone
}

// Scan reads rows of a table and keeps those that pass all conditions.
type Scan struct {
	Table   string       `json:"table"`
	Columns []string     `json:"columns"`         // that are yielded
	Where   []*expr.Expr `json:"where,omitempty"` // cheapest first
	// Filters are the keys of build sides that the rows are to be joined with.
	// They change what is read on, never what is answered.
	Filters []KeyFilter `json:"filters,omitempty"`
	// Phase orders the scans: one of phase n starts when all of lower phases
	// have ended and the build sides they feed are complete.
	Phase int `json:"phase"`
}

// KeyFilter keeps rows whose Columns may be among the keys of the build side of a
// join.
type KeyFilter struct {
	Join    int      `json:"join"` // node
	Columns []string `json:"columns"`
}

// BuildSide returns the node that yields the build side of a join, and its keys.
func (p *Plan) BuildSide(join int) (node int, keys []string) {
	n := p.Nodes[join]
	return n.Inputs[0].Node, plan.BuildKeys(n.Join.On)
}

// Unnest makes one row per item of a list.
type Unnest struct {
	Column string `json:"column"`
	As     string `json:"as"`
}

// Join is a hash join of a kind of input 0, the build side, with input 1. BuildOut and
// ProbeOut are the columns it yields, in this order.
type Join struct {
	Kind     plan.JoinKind `json:"kind,omitempty"`
	On       []plan.Pair   `json:"on,omitempty"`
	BuildOut []string      `json:"buildOut"`
	ProbeOut []string      `json:"probeOut"`
}
