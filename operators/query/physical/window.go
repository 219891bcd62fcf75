package physical

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/window"
)

// lowerWindow brings each partition to one replica. Rows with equal order keys are ordered by
// all columns, so all are needed, in the order of the logical plan, as for a sort. If only the
// first rows of each partition are wanted, other rows are dropped earlier; 0 means all rows.
func (p *planner) lowerWindow(n *plan.Node, first int, s scope) int {
	schema := p.schema(n.Inputs[0])
	// A filter may drop a whole partition that has no join partner, but not some of its rows.
	in := p.lower(n.Inputs[0], schema.Names(), p.below(s, n.Keys))
	in = p.withSchema(in, schema)
	if first > 0 && plainKeys(schema, n.Keys) {
		in = p.add(&Node{Schema: schema, Inputs: []Input{{Node: in}}, Top: &aggregate.TopConfig{Keys: n.Keys, Order: n.Order[0], Rows: first}}, p.placed[in])
	}
	from, at := p.together(in, n.Keys)
	w := &window.Config{Keys: n.Keys, Order: n.Order, Ties: n.Ties, Calls: n.Calls}
	return p.add(&Node{Schema: p.schema(n), Inputs: []Input{from}, Window: w}, at)
}

// mostTop is the largest number of rows per partition for which a Top is used: for each
// candidate row, it scans the words of that many rows.
const mostTop = 32

// firstOf returns how many of the first rows of each partition can meet conditions on the
// result of a window; 0 means all. Row numbers and ranks do not depend on later rows.
func firstOf(w *plan.Node, conditions []*expr.Expr) int {
	if len(w.Order) == 0 || slices.ContainsFunc(w.Calls, func(c plan.Call) bool { return !places(c) }) {
		return 0
	}
	for _, c := range conditions {
		if len(c.Args) != 2 || c.Args[0].Op != expr.OpColumn {
			continue
		}
		n := c.Args[1].Literal()
		if n == nil || n.Type != columnar.Int || n.Null || !slices.ContainsFunc(w.Calls, func(call plan.Call) bool { return call.Name == c.Args[0].Name }) {
			continue
		}
		last := n.Int
		switch c.Op {
		case expr.OpLe, expr.OpEq:
		case expr.OpLt:
			last--
		default:
			continue
		}
		if last >= 1 && last <= mostTop {
			return int(last)
		}
	}
	return 0
}

// places reports whether a call gives the position of a row in its partition.
func places(c plan.Call) bool { return c.Func == window.RowNumber || c.Func == window.Rank }

// plainKeys reports whether a window and an aggregation agree on which values of the keys are
// equal. They do not for floats, since there are several NaNs.
func plainKeys(schema columnar.Schema, keys []string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool {
		kind := schema[schema.Index(k)].Type.Kind()
		return kind == columnar.KindFloat64 || kind == columnar.KindList
	})
}
