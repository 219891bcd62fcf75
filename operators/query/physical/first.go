package physical

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/order"
	"analyzer/operators/query/plan"
)

// findFirst finds the stages that need only the first rows of their table.
func (p *Plan) findFirst(tables plan.Tables) {
	for _, s := range p.Stages {
		if s.Table != "" {
			s.First = p.firstRows(s, tables)
		}
	}
}

// firstRows returns how many rows that pass its conditions a stage needs, from the beginning of
// its table; nil: all. It is not nil if the stage keeps the first rows by their positions.
func (p *Plan) firstRows(s *Stage, tables plan.Tables) *int64 {
	last := len(s.Nodes) - 1
	sort := p.Nodes[s.Nodes[last]].Sort
	if sort == nil || sort.Limit < 0 || len(sort.Order) == 0 {
		return nil
	}
	for i := last; i > 0; i-- {
		if !p.follows(s, i) || i < last && p.Nodes[s.Nodes[i]].Project == nil {
			return nil
		}
	}
	from, keys := p.Nodes[s.Nodes[last]].Inputs[0].Node, sort.Order[:1]
	if p.ofScan(from, keys[0].Column, tables, columnar.FormatFile) != nil {
		keys = sort.Order[:min(2, len(sort.Order))]
	}
	if scan := p.inPlaces(from, keys, tables); scan == nil || scan != p.Nodes[s.Nodes[0]] {
		return nil
	}
	return &sort.Limit
}

// OfFirstRows returns how many rows a query yields at most, and whether they are made of the first rows that pass of one
// table, in their order: more rows behind them change nothing.
func (p *Plan) OfFirstRows(tables plan.Tables) (most int64, ok bool) {
	n := p.Nodes[p.Answers[0].Node]
	var last *order.SortConfig
	var keys []plan.Order
	for ; n.Scan == nil; n = p.Nodes[n.Inputs[0].Node] {
		switch {
		case n.Sort != nil && last == nil:
			last, keys = n.Sort, slices.Clone(n.Sort.Order)
		case n.Sort != nil && slices.Equal(n.Sort.Order, keys), n.Filter != nil:
		case n.Project != nil:
			for i, k := range keys {
				if keys[i].Column = columnAs(n.Project, k.Column); keys[i].Column == "" {
					return 0, false
				}
			}
		case n.Unnest == nil:
			return 0, false
		default: // what comes of a row has its place, and those of the items
			keys = slices.DeleteFunc(keys, func(k plan.Order) bool {
				return slices.ContainsFunc(n.Unnest.Lists, func(l plan.Unnested) bool { return l.Place && l.As == k.Column })
			})
		}
	}
	if last == nil || last.Limit < 0 || len(keys) == 0 || p.inPlaces(n.ID, keys, tables) == nil {
		return 0, false
	}
	return last.Limit - last.Offset, true
}

// columnAs returns the column that a projection makes another one of; "" if it computes that.
func columnAs(columns []plan.Named, name string) string {
	at := slices.IndexFunc(columns, func(c plan.Named) bool { return c.Name == name })
	if at < 0 || columns[at].Expr.Op != expr.OpColumn {
		return ""
	}
	return columns[at].Expr.Name
}
