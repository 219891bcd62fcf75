package engine

import (
	"context"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/exec"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// inFileOrder finds the stages that only put rows in the order of their files, which is the
// order in which they are read anyway. It returns a plan in which the sorts of these stages
// pass rows through, and the IDs of the stages, which must get the blocks of each file in order.
func inFileOrder(p *physical.Plan, tables plan.Tables) (*physical.Plan, map[int]bool) {
	out, stages := *p, make(map[int]bool)
	for _, s := range p.Stages {
		sort := sortsByFile(p, s, tables)
		if sort == nil {
			continue
		}
		if len(stages) == 0 {
			out.Nodes = slices.Clone(p.Nodes)
		}
		passes := *sort
		passes.Sort, passes.Union = nil, true
		out.Nodes[sort.ID] = &passes
		stages[s.ID] = true
	}
	return &out, stages
}

// sortsByFile returns the sort of a stage that does nothing but filter, project and unite rows
// and put them in the order of their files; nil for any other stage.
func sortsByFile(p *physical.Plan, s *physical.Stage, tables plan.Tables) (sort *physical.Node) {
	if s.Table != "" || !s.Single {
		return nil
	}
	for i, id := range s.Nodes {
		n := p.Nodes[id]
		switch {
		case i > 0 && !follows(p, s, i):
			return nil
		case n.Sort != nil && sort == nil:
			sort = n
		case n.Project == nil && n.Filter == nil && !n.Union:
			return nil
		}
	}
	if sort == nil || sort.Sort.Limit >= 0 || sort.Sort.Offset > 0 || !byFile(p, sort, tables) {
		return nil
	}
	return sort
}

// byFile reports whether a sort's order is the one in which the files below it are read: by
// position if there is one file, or by a file number and then by position.
func byFile(p *physical.Plan, sort *physical.Node, tables plan.Tables) bool {
	keys := sort.Sort.Order
	if len(keys) < 1 || len(keys) > 2 || slices.ContainsFunc(keys, func(k plan.Order) bool { return k.Desc }) {
		return false
	}
	var read []*physical.Stage
	positions := origins(p, sort.Inputs[0].Node, keys[len(keys)-1].Column)
	for _, o := range positions {
		if o.scan == nil || !isPosition(tables[o.scan.Scan.Table], o.column) {
			return false
		}
		read = append(read, p.Stages[o.scan.Stage])
	}
	if len(keys) == 1 {
		return len(positions) == 1
	}
	files, last := origins(p, sort.Inputs[0].Node, keys[0].Column), int64(-1)
	if len(files) != len(read) {
		return false
	}
	for i, o := range files {
		if o.value == nil || o.value.Type != columnar.Int || o.value.Null || o.value.Int <= last {
			return false
		}
		if last = o.value.Int; i > 0 && inReadingOrder(read[i-1], read[i]) >= 0 {
			return false
		}
	}
	return true
}

func isPosition(t *columnar.Table, column string) bool {
	return t != nil && slices.ContainsFunc(t.Columns, func(c columnar.TableColumn) bool {
		return c.Name == column && c.Format == columnar.FormatPosition
	})
}

// origin is what a column comes from: a column of a scan, or a value. It is neither if the
// column is computed, or if its rows do not come in reading order.
type origin struct {
	scan   *physical.Node
	column string
	value  *expr.Value
}

// origins returns the origins of a column of a node, one for each input of a union below it.
func origins(p *physical.Plan, id int, column string) []origin {
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
		out = append(out, origins(p, in.Node, column)...)
	}
	return out
}

// feed passes the rows of a file in order to an input of a stage.
type feed struct {
	pipeline *exec.Pipeline
	port     exec.Port
	turns    *scan.Turns // of the blocks of the file
}

// Push passes rows on, without a copy.
func (f *feed) Push(ctx context.Context, rows columnar.Rows) error {
	for lo := 0; lo < rows.Len; lo += operators.PageRows {
		if err := f.pipeline.Push(ctx, f.port, rows.Slice(lo, min(lo+operators.PageRows, rows.Len))); err != nil {
			return err
		}
	}
	return nil
}

// Finish says that there are no more rows of the file.
func (f *feed) Finish(ctx context.Context) error { return f.pipeline.Finish(ctx, f.port) }

// inTurn passes on the rows of one worker's blocks when it is their turn in the file.
type inTurn struct {
	to    exec.Outlet
	turns *scan.Turns
	block int64
	begun bool
}

// Push waits until it is the block's turn and passes rows of the block on.
func (t *inTurn) Push(ctx context.Context, rows columnar.Rows) error {
	if err := t.await(ctx); err != nil {
		return err
	}
	return t.to.Push(ctx, rows)
}

func (t *inTurn) await(ctx context.Context) error {
	if t.begun {
		return nil
	}
	t.begun = true
	return t.turns.Await(ctx, t.block)
}

// end says that there are no more rows of the block.
func (t *inTurn) end(ctx context.Context) error {
	if err := t.await(ctx); err != nil {
		return err
	}
	t.turns.Finish(t.block)
	t.begun = false
	return nil
}

// Finish does nothing: one worker may be done before the others have read the file to its end.
func (*inTurn) Finish(context.Context) error { return nil }

// openFeeds makes the pipelines of the stages that have feeds.
func (e *embedded) openFeeds() error {
	for port, f := range e.feeds {
		s := e.plan.Stages[e.plan.Nodes[port.Node].Stage]
		if e.fed[s.ID] == nil {
			l, err := e.newPipeline(s, e.outlets)
			if err != nil {
				return err
			}
			e.fed[s.ID] = l
		}
		f.pipeline = e.fed[s.ID]
	}
	return nil
}

// endFeeds ends the inputs that a pass has fed.
func (e *embedded) endFeeds(ctx context.Context, p *Pass) error {
	for port, f := range e.feeds {
		from := e.plan.Nodes[port.Node].Inputs[port.Input].Node
		if e.plan.Nodes[from].Stage != p.Stage.ID {
			continue
		}
		if err := f.Finish(ctx); err != nil {
			return err
		}
	}
	return nil
}
