package physical

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// passInOrder finds the stages that only put rows in the order of their files, which is the
// order in which they are read anyway. Their sorts become unions, and the exchanges in front of
// them pass the rows of each file on in order.
func (p *Plan) passInOrder(tables plan.Tables) {
	for _, s := range p.Stages {
		sort := p.sortsByFile(s, tables)
		if sort == nil {
			continue
		}
		sort.Sort, sort.Union = nil, true
		for _, id := range s.Nodes {
			for _, in := range p.Nodes[id].Inputs {
				if in.Exchange != nil {
					in.Exchange.Kind = InOrder
				}
			}
		}
	}
}

// sortsByFile returns the sort of a stage that does nothing but filter, project and unite rows
// and put them in the order of their files; nil for any other stage.
func (p *Plan) sortsByFile(s *Stage, tables plan.Tables) (sort *Node) {
	if s.Table != "" || !s.Single {
		return nil
	}
	for i, id := range s.Nodes {
		n := p.Nodes[id]
		switch {
		case i > 0 && !p.follows(s, i):
			return nil
		case n.Sort != nil && sort == nil:
			sort = n
		case n.Project == nil && n.Filter == nil && !n.Union:
			return nil
		}
	}
	if sort == nil || sort.Sort.Limit >= 0 || sort.Sort.Offset > 0 || !p.byFile(sort, tables) {
		return nil
	}
	return sort
}

// byFile reports whether a sort's order is the one in which the files below it are read: by
// position if there is one file, or by a file number and then by position.
func (p *Plan) byFile(sort *Node, tables plan.Tables) bool {
	keys := sort.Sort.Order
	if len(keys) < 1 || len(keys) > 2 || slices.ContainsFunc(keys, func(k plan.Order) bool { return k.Desc }) {
		return false
	}
	if p.inPlaces(sort.Inputs[0].Node, keys, tables) != nil {
		return true
	}
	var read []*Stage
	positions := p.origins(sort.Inputs[0].Node, keys[len(keys)-1].Column)
	for _, o := range positions {
		if o.scan == nil || !hasFormat(tables[o.scan.Scan.Table], o.column, columnar.FormatPosition) {
			return false
		}
		read = append(read, p.Stages[o.scan.Stage])
	}
	if len(keys) == 1 {
		return false
	}
	files, last := p.origins(sort.Inputs[0].Node, keys[0].Column), int64(-1)
	if len(files) != len(read) {
		return false
	}
	for i, o := range files {
		if o.value == nil || o.value.Type != columnar.Int || o.value.Null || o.value.Int <= last {
			return false
		}
		if last = o.value.Int; i > 0 && InReadingOrder(read[i-1], read[i]) >= 0 {
			return false
		}
	}
	return true
}

// inPlaces returns the scan whose rows come in an order of columns of a node: by position in its
// only file, or by the file and then by position. It returns nil if there is none.
func (p *Plan) inPlaces(node int, keys []plan.Order, tables plan.Tables) *Node {
	if slices.ContainsFunc(keys, func(k plan.Order) bool { return k.Desc }) {
		return nil
	}
	last := len(keys) - 1
	scan := p.ofScan(node, keys[last].Column, tables, columnar.FormatPosition)
	if scan == nil || last > 1 {
		return nil
	}
	if last == 1 {
		if p.ofScan(node, keys[0].Column, tables, columnar.FormatFile) != scan {
			return nil
		}
		return scan
	}
	if slices.ContainsFunc(tables[scan.Scan.Table].Columns, func(c columnar.TableColumn) bool { return c.Format == columnar.FormatFile }) {
		return nil
	}
	return scan
}

// ofScan returns the scan of which a column of a node is the column of that format; nil if
// there is none.
func (p *Plan) ofScan(node int, column string, tables plan.Tables, format columnar.Format) *Node {
	from := p.origins(node, column)
	if len(from) != 1 || from[0].scan == nil || !hasFormat(tables[from[0].scan.Scan.Table], from[0].column, format) {
		return nil
	}
	return from[0].scan
}

func hasFormat(t *columnar.Table, column string, format columnar.Format) bool {
	return t != nil && slices.ContainsFunc(t.Columns, func(c columnar.TableColumn) bool { return c.Name == column && c.Format == format })
}

// origin is what a column comes from: a column of a scan, or a value. It is neither if the
// column is computed, or if its rows do not come in reading order.
type origin struct {
	scan   *Node
	column string
	value  *expr.Value
}

// origins returns the origins of a column of a node, one for each input of a union below it.
func (p *Plan) origins(id int, column string) []origin {
	n := p.Nodes[id]
	if n.Scan != nil {
		return []origin{{scan: n, column: column}}
	}
	if n.Project != nil {
		at := slices.IndexFunc(n.Project, func(c plan.Named) bool { return c.Name == column })
		if at < 0 {
			return []origin{{}}
		}
		if column = n.Project[at].Expr.Name; n.Project[at].Expr.Op != expr.OpColumn {
			return []origin{{value: n.Project[at].Expr.Literal()}}
		}
	} else if n.Filter == nil && !n.Union {
		return []origin{{}}
	}
	var out []origin
	for _, in := range n.Inputs {
		out = append(out, p.origins(in.Node, column)...)
	}
	return out
}
