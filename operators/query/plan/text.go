package plan

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/order"
)

// Text prints a plan as a tree, for people: each node above its inputs, with what it does. A node
// that is read in several places is printed once, with a number by which the other places name it.
func Text(root *Node) string {
	t := &text{times: make(map[*Node]int), number: make(map[*Node]int)}
	t.count(root)
	t.node(root, 0)
	return t.out.String()
}

type text struct {
	out    strings.Builder
	times  map[*Node]int // how often each node is read
	number map[*Node]int // of nodes that are read several times, and are printed
}

func (t *text) count(n *Node) {
	if t.times[n]++; t.times[n] > 1 {
		return
	}
	for _, in := range n.Inputs {
		t.count(in)
	}
}

func (t *text) node(n *Node, depth int) {
	t.out.WriteString(strings.Repeat("  ", depth))
	if at := t.number[n]; at > 0 {
		fmt.Fprintf(&t.out, "#%d again\n", at)
		return
	}
	if t.times[n] > 1 {
		t.number[n] = len(t.number) + 1
		fmt.Fprintf(&t.out, "#%d ", t.number[n])
	}
	fmt.Fprintln(&t.out, n.Describe())
	for _, in := range n.Inputs {
		t.node(in, depth+1)
	}
}

// Describe says in a few words what a node does.
func (n *Node) Describe() string {
	switch n.Op {
	case Scan:
		return strings.TrimSuffix("scan "+n.Table+" with names "+describeAll(n.Exprs, Named.String), " with names ")
	case Filter:
		return "filter " + n.Where.String()
	case Project:
		return strings.TrimSpace("project " + describeAll(n.Exprs, Named.String))
	case Unnest:
		return "unnest " + describeAll(n.Lists, func(l Unnested) string { return as(l.As, l.Column) })
	case Join:
		return DescribeJoin(n.Kind, n.On)
	case Aggregate:
		return DescribeAggregate("", n.Keys, n.Aggs)
	case Sort:
		limit := int64(-1)
		if n.Limit != nil {
			limit = *n.Limit
		}
		return DescribeSort(n.Order, limit, n.Offset)
	case Percentile:
		return DescribePercentile(n.Column, n.Quantile)
	case Window:
		return DescribeWindow(n.Keys, append(slices.Clone(n.Order), n.Ties...), n.Calls)
	case Apply:
		return "apply for each " + strings.Join(n.Domain.Keys, ", ") + " with " + strings.Join(n.Domain.Columns, ", ")
	}
	return string(n.Op)
}

// String is the expression, with the name of its column if that differs.
func (e Named) String() string { return as(e.Name, e.Expr.String()) }

func as(name, what string) string {
	if name == what {
		return what
	}
	return what + " as " + name
}

// describeAll joins the descriptions of several things by commas.
func describeAll[T any](all []T, describe func(T) string) string {
	return strings.Join(columnar.Each(all, describe), ", ")
}

// DescribeJoin says which rows a join pairs.
func DescribeJoin(kind JoinKind, on []Pair) string {
	if len(on) == 0 {
		return strings.TrimSpace(string(kind) + " join of all with all")
	}
	pairs := columnar.Each(on, func(pair Pair) string { return pair.Build + " = " + pair.Probe })
	return strings.TrimSpace(string(kind) + " join on " + strings.Join(pairs, " and "))
}

// DescribeAggregate says what is computed of each group. phase says of what it is made, "" if of
// rows.
func DescribeAggregate(phase string, keys []string, aggs []Agg) string {
	out := "aggregate"
	if len(aggs) == 0 {
		out = "distinct"
	}
	out = strings.TrimSpace(phase + " " + out)
	if len(keys) > 0 {
		out += " by " + strings.Join(keys, ", ")
	}
	if len(aggs) > 0 {
		out += ": " + describeAll(aggs, func(a Agg) string {
			return as(a.Name, a.String())
		})
	}
	return out
}

// DescribeSort says which rows a sort keeps, and in which order. A limit below 0 is none.
func DescribeSort(by []Order, limit, offset int64) string {
	out := "sort by "
	if limit >= 0 {
		out = fmt.Sprintf("first %d by ", limit)
	}
	if offset > 0 {
		out = fmt.Sprintf("after the first %d: %s", offset, out)
	}
	return strings.TrimSuffix(out+order.Describe(by), " by ")
}

// DescribePercentile says which rows a percentile keeps.
func DescribePercentile(column string, quantile float64) string {
	return fmt.Sprintf("keep %s at or over quantile %v", column, quantile)
}

// DescribeWindow says what is computed over which windows.
func DescribeWindow(keys []string, by []Order, calls []Call) string {
	out := "window"
	if len(keys) > 0 {
		out += " by " + strings.Join(keys, ", ")
	}
	if len(by) > 0 {
		out += " in order of " + order.Describe(by)
	}
	if len(calls) > 0 {
		out += ": " + describeAll(calls, func(c Call) string { return as(c.Name, c.String()) })
	}
	return out
}
