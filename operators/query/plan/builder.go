package plan

import "analyzer/operators/expr"

// From starts a plan with the rows of a table.
func From(table string) *Node { return &Node{Op: Scan, Table: table} }

// NamedScan starts a plan with the rows of a table, whose columns it gives other names.
func NamedScan(table string, columns ...Named) *Node {
	return &Node{Op: Scan, Table: table, Exprs: columns}
}

// Filter keeps the rows for which where is true.
func (n *Node) Filter(where *expr.Expr) *Node {
	return &Node{Op: Filter, Inputs: []*Node{n}, Where: where}
}

// As names an expression.
func As(name string, e *expr.Expr) Named { return Named{Name: name, Expr: e} }

// Cols names columns after themselves.
func Cols(names ...string) []Named {
	out := make([]Named, len(names))
	for i, name := range names {
		out[i] = As(name, expr.Col(name))
	}
	return out
}

// Project replaces the columns of each row by computed ones.
func (n *Node) Project(exprs ...Named) *Node {
	return &Node{Op: Project, Inputs: []*Node{n}, Exprs: exprs}
}

// Select keeps the named columns.
func (n *Node) Select(names ...string) *Node { return n.Project(Cols(names...)...) }

// Unnest makes one row per item of a list column. The item is in column as, which takes the
// place of the list.
func (n *Node) Unnest(column, as string) *Node {
	return n.UnnestAll(Unnested{Column: column, As: as})
}

// UnnestAll makes as many rows of each row as the longest of some lists has items. Shorter lists
// give nulls behind their end.
func (n *Node) UnnestAll(lists ...Unnested) *Node {
	return &Node{Op: Unnest, Inputs: []*Node{n}, Lists: lists}
}

// Join pairs each row of n, the build side, with each row of probe that has equal keys. Its
// columns are those of n, then those of probe that are not join keys. All other names must
// differ. Without keys it pairs every row with every row.
func (n *Node) Join(probe *Node, on ...Pair) *Node {
	return &Node{Op: Join, Inputs: []*Node{n, probe}, On: on}
}

// OuterJoin pairs rows as Join does, and keeps the rows of one side, or both, that have no
// partner. Its columns are those of n, then all of probe. All names must differ.
func (n *Node) OuterJoin(kind JoinKind, probe *Node, on ...Pair) *Node {
	return &Node{Op: Join, Kind: kind, Inputs: []*Node{n, probe}, On: on}
}

// On is a join condition.
func On(build, probe string) Pair { return Pair{Build: build, Probe: probe} }

// Aggregate makes one row per distinct combination of keys. Without keys it makes one row, even
// if there are no input rows.
func (n *Node) Aggregate(keys []string, aggs ...Agg) *Node {
	return &Node{Op: Aggregate, Inputs: []*Node{n}, Keys: keys, Aggs: aggs}
}

// Distinct projects the rows to the named columns and keeps one of each set of equal rows.
func (n *Node) Distinct(columns ...string) *Node { return n.Aggregate(columns) }

// Asc sorts the smallest value first.
func Asc(column string) Order { return Order{Column: column} }

// Sort orders the rows. Rows with equal keys are ordered by their other columns, so the order
// is total.
func (n *Node) Sort(order ...Order) *Node {
	return &Node{Op: Sort, Inputs: []*Node{n}, Order: order}
}

// Top keeps the first rows of an order.
func (n *Node) Top(limit int64, order ...Order) *Node {
	return &Node{Op: Sort, Inputs: []*Node{n}, Order: order, Limit: &limit}
}

// Slice skips offset rows of an order and keeps the first rows after them, up to limit. A nil
// limit keeps all.
func (n *Node) Slice(offset int64, limit *int64, order ...Order) *Node {
	return &Node{Op: Sort, Inputs: []*Node{n}, Order: order, Offset: offset, Limit: limit}
}

// AtPercentile keeps the rows whose column is at or over its quantile. The quantile is found by
// linear interpolation between the closest ranks.
func (n *Node) AtPercentile(column string, quantile float64) *Node {
	return &Node{Op: Percentile, Inputs: []*Node{n}, Column: column, Quantile: quantile}
}

// Window adds the columns of calls to the rows. Partitions have equal keys and are in an order.
func (n *Node) Window(keys []string, order []Order, calls ...Call) *Node {
	return &Node{Op: Window, Inputs: []*Node{n}, Keys: keys, Order: order, Calls: calls}
}

// UnionAll concatenates the rows of plans with equal columns.
func UnionAll(inputs ...*Node) *Node { return &Node{Op: Union, Inputs: inputs} }
