package physical

import (
	"analyzer/columnar"
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
