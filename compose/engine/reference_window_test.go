package engine_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/window"
)

// windowed computes window functions a row at a time.
func windowed(n *plan.Node, in relation) (out [][]any) {
	order := slices.Concat(n.Order, n.Ties)
	partitions := make(map[string][][]any)
	for _, row := range sorted(in, order) {
		var key []any
		for _, k := range n.Keys {
			key = append(key, row[in.schema.Index(k)])
		}
		name := fmt.Sprintf("%q", rendered(key))
		partitions[name] = append(partitions[name], row)
	}
	for _, rows := range partitions {
		for i, row := range rows {
			row = slices.Clone(row)
			for _, c := range n.Calls {
				row = append(row, called(c, n.Order, relation{in.schema, rows}, i))
			}
			out = append(out, row)
		}
	}
	return out
}

// called computes a call for row i of a partition.
func called(c plan.Call, order []plan.Order, part relation, i int) any {
	first, behind := peersOf(order, part, i)
	begin, end := 0, behind // the default frame
	if c.Frame.From.Unit == window.Rows {
		begin = max(0, i+int(c.Frame.From.Offset))
	}
	switch c.Frame.To.Unit {
	case window.Whole:
		end = len(part.rows)
	case window.Rows:
		end = min(len(part.rows), i+int(c.Frame.To.Offset)+1)
	}
	at := -1 // the row whose value is taken
	switch c.Func {
	case window.RowNumber:
		return int64(i + 1)
	case window.Rank:
		return int64(first + 1)
	case window.CumeDist:
		return float64(behind) / float64(len(part.rows))
	case window.Lag:
		at = i - int(c.N)
	case window.FirstValue:
		if begin < end {
			at = begin
		}
	default:
		var rows [][]any
		if begin < end {
			rows = part.rows[begin:end]
		}
		return fold(plan.Agg{Func: aggregate.Func(c.Func), Args: c.Args}, part.schema, rows)
	}
	if at < 0 {
		return nil
	}
	return part.rows[at][part.schema.Index(c.Args[0])]
}

// peersOf returns the index of the first peer of row i, and the index after the last.
func peersOf(order []plan.Order, part relation, i int) (first, behind int) {
	peers := func(j int) bool {
		return !slices.ContainsFunc(order, func(o plan.Order) bool {
			x, y := part.rows[i][part.schema.Index(o.Column)], part.rows[j][part.schema.Index(o.Column)]
			return (x == nil) != (y == nil) || x != nil && compare(x, y) != 0
		})
	}
	for first = i; first > 0 && peers(first-1); first-- {
	}
	for behind = i + 1; behind < len(part.rows) && peers(behind); behind++ {
	}
	return first, behind
}

func (g *grower) window(p grown) *plan.Node {
	var keys []string
	for range rapid.IntRange(0, 2).Draw(g.t, "keys") {
		k, _ := g.column(p.rows.schema, append(columnar.Scalars(), columnar.TextList)...)
		if k.Name != "" && !slices.Contains(keys, k.Name) {
			keys = append(keys, k.Name)
		}
	}
	n := p.node.Window(keys, g.order(p), nil...)
	n.Ties = g.order(p)
	taken := p.rows.schema.Names()
	if rapid.IntRange(0, 3).Draw(g.t, "first rows") == 0 {
		place := g.name(taken)
		n.Calls = []plan.Call{{Func: rapid.SampledFrom([]window.Func{window.RowNumber, window.Rank}).Draw(g.t, "place"), Name: place}}
		return n.Filter(expr.Le(expr.Col(place), expr.Int(rapid.Int64Range(1, 3).Draw(g.t, "first"))))
	}
	for range rapid.IntRange(1, 2).Draw(g.t, "calls") {
		c := g.call(p.rows.schema)
		c.Name = g.name(taken)
		n.Calls, taken = append(n.Calls, c), append(taken, c.Name)
	}
	return n
}

func (g *grower) call(s columnar.Schema) plan.Call {
	frames := []plan.Frame{
		{},
		{From: plan.Bound{Unit: window.Whole}, To: plan.Bound{Unit: window.Whole}},
		{To: plan.Bound{Unit: window.Rows}},
		{From: plan.Bound{Unit: window.Rows, Offset: -1}, To: plan.Bound{Unit: window.Rows, Offset: 2}},
		{From: plan.Bound{Unit: window.Rows, Offset: 1}, To: plan.Bound{Unit: window.Whole}},
	}
	frame := rapid.SampledFrom(frames).Draw(g.t, "frame")
	switch f := rapid.SampledFrom([]window.Func{window.RowNumber, window.Rank, window.CumeDist, window.Lag, window.FirstValue, "aggregate"}).Draw(g.t, "function"); f {
	case window.RowNumber, window.Rank, window.CumeDist:
		return plan.Call{Func: f}
	case window.Lag, window.FirstValue:
		c := plan.Call{Func: f, Args: []string{s[rapid.IntRange(0, len(s)-1).Draw(g.t, "value")].Name}}
		if f == window.Lag {
			c.N = rapid.Int64Range(0, 3).Draw(g.t, "rows")
		} else {
			c.Frame = frame
		}
		return c
	}
	a := g.agg(s)
	if a.Func == plan.List || (a.Func == plan.Min || a.Func == plan.Max) && frame.From.Unit == window.Rows {
		frame = frames[1]
	}
	return plan.Call{Func: window.Func(a.Func), Args: a.Args, Frame: frame}
}
