package plan

import (
	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/join"
	"analyzer/operators/order"
	"analyzer/operators/window"
)

// Op is the kind of a node.
type Op string

// The kinds of nodes.
const (
	Scan       Op = "scan"       // rows of a table
	Filter     Op = "filter"     // rows for which Where is true
	Project    Op = "project"    // columns computed by Exprs
	Unnest     Op = "unnest"     // one row per place in Lists, side by side
	Join       Op = "join"       // equi-join of two inputs, build side first
	Aggregate  Op = "aggregate"  // one row per distinct Keys, with Aggs
	Sort       Op = "sort"       // rows in Order: skips Offset rows, then keeps the first Limit
	Percentile Op = "percentile" // rows whose Column is at or over its Quantile
	Union      Op = "union"      // rows of all inputs
	Window     Op = "window"     // rows with the columns of Calls added, by partitions of equal Keys in Order
	// Apply gives, for each row of the first input, the rows of the second, which may read the
	// columns of the first. It stands in plans that are being made; package rules removes it.
	Apply Op = "apply"
)

// Node is one operator of a logical plan with its inputs. Op decides which fields are set.
type Node struct {
	Op     Op      `json:"op"`
	Inputs []*Node `json:"inputs,omitempty"`

	Table    string     `json:"table,omitempty"`    // scan
	Where    *expr.Expr `json:"where,omitempty"`    // filter
	Exprs    []Named    `json:"exprs,omitempty"`    // project; scan: other names of the columns, in plans that are being made
	Column   string     `json:"column,omitempty"`   // percentile
	Lists    []Unnested `json:"lists,omitempty"`    // unnest
	Kind     JoinKind   `json:"kind,omitempty"`     // join
	On       []Pair     `json:"on,omitempty"`       // join
	Keys     []string   `json:"keys,omitempty"`     // aggregate, window
	Aggs     []Agg      `json:"aggs,omitempty"`     // aggregate
	Order    []Order    `json:"order,omitempty"`    // sort, window
	Ties     []Order    `json:"ties,omitempty"`     // window: orders rows that agree in Order, before their other columns
	Calls    []Call     `json:"calls,omitempty"`    // window
	Limit    *int64     `json:"limit,omitempty"`    // sort: rows; nil for all
	Offset   int64      `json:"offset,omitempty"`   // sort: rows
	Quantile float64    `json:"quantile,omitempty"` // percentile: from 0 to 1
	Domain   *Domain    `json:"-"`                  // apply
	Stats    *Stats     `json:"-"`                  // scan: what is known of the table, in plans that are being made; nil: nothing
}

// Stats are estimates of what a table holds. Joins are ordered by them; answers do not depend on
// them.
type Stats struct {
	Rows float64
	// Distinct are numbers of distinct values, by the names of columns in the table. Of a column
	// that is not there, nobody knows the number.
	Distinct map[string]float64
}

// Part returns what is known of one of several equal parts of a table.
func (s *Stats) Part(of int) *Stats {
	if s == nil {
		return nil
	}
	return &Stats{Rows: s.Rows / float64(of), Distinct: s.Distinct}
}

// Domain is what an Apply needs to know of its first input, whose rows are distinct.
type Domain struct {
	// Columns are the outer columns that the second input reads.
	Columns []string
	// Keys are columns that are never null, and equal in two rows if and only if Columns are.
	Keys []string
	// LookedUp means that the second input is an aggregation without keys, and that whoever reads
	// the Apply makes up for rows that it lacks where there are no rows to aggregate.
	LookedUp bool
}

// Named is an expression with the name of the column it makes.
type Named struct {
	Name string     `json:"name"`
	Expr *expr.Expr `json:"expr"`
}

// Unnested is a list whose items become the values of the column As. The column takes the place of
// the list.
type Unnested struct {
	Column string `json:"column"`
	As     string `json:"as"`
	// Step says that each item is more than the one before, or less if it is negative, over all rows; 0: nobody knows.
	// It is no part of a plan that is sent elsewhere.
	Step int8 `json:"-"`
	// Place says that the items number those of the longest list beside it, so that it may be left out where nobody needs
	// them. It is no part of such a plan either.
	Place bool `json:"-"`
}

// ListColumns returns the columns of lists.
func ListColumns(lists []Unnested) []string {
	return columnar.Each(lists, func(l Unnested) string { return l.Column })
}

// ItemColumns returns the columns that the items of lists become.
func ItemColumns(lists []Unnested) []string {
	return columnar.Each(lists, func(l Unnested) string { return l.As })
}

// Pair is one condition of an equi-join: a column of the build side equal to
// one of the probe side.
type Pair struct {
	Build string `json:"build"`
	Probe string `json:"probe"`
}

// BuildKeys returns the columns of the build side in the join conditions.
func BuildKeys(on []Pair) []string { return columnar.Each(on, func(p Pair) string { return p.Build }) }

// ProbeKeys returns the columns of the probe side in the join conditions.
func ProbeKeys(on []Pair) []string { return columnar.Each(on, func(p Pair) string { return p.Probe }) }

// JoinKind says of which sides a join keeps the rows without a partner. The build side is the
// left one.
type JoinKind = join.Kind

// The kinds of joins.
const (
	Inner = join.Inner
	Left  = join.Left
	Right = join.Right
	Full  = join.Full
)

// Agg is one aggregate. Package aggregate has the list of functions. Plans written in Go name
// them by constants.
type Agg = aggregate.Agg

// Call is one function of a window. Package window has the list of functions.
type Call = window.Call

// Frame says which rows of a window a call covers.
type Frame = window.Frame

// Bound is the beginning or the end of a frame.
type Bound = window.Bound

// The aggregate functions that the built-in queries use, among others.
const (
	Count   = aggregate.Count
	CountIf = aggregate.CountIf
	Sum     = aggregate.Sum
	Avg     = aggregate.Avg
	Min     = aggregate.Min
	Max     = aggregate.Max
	List    = aggregate.List
)

// Order is one key of a sort.
type Order = order.Key

// Param is a named constant that a query was made with. The plan contains its value already;
// Param shows it to people, who write all values as text.
type Param struct {
	Name    string
	Type    columnar.Type
	Default string
	Values  []string // allowed values; none means any value of the type
	Value   string   // the value the query was made with
}

// Query is a named plan. Its root's rows, in order, are the answer.
type Query struct {
	// Version is set only in plans that were read from JSON.
	Version Version `json:"version"`
	Name    string  `json:"name"`
	Title   string  `json:"title,omitempty"` // the question it answers, for people
	Params  []Param `json:"-"`
	Root    *Node   `json:"root"`
}
