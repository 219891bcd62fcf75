package engine

import (
	"sync"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators/expr"
	"analyzer/operators/query/physical"
)

// prune decides which files of a table need not be opened, since conditions on what their names say, or
// on nothing, such as false, exclude all of their rows. Safe for concurrent use.
type prune struct {
	values  func(file int) columnar.Rows
	mu      sync.Mutex
	where   []*expr.Evaluator // by scan: its conditions on columns of files alone
	columns [][]int           // by scan: their places among the values
}

// newPrune returns the prune of the scans of a table; nil if a scan may read every file.
func newPrune(t *columnar.Table, scans []*physical.Node, files scan.Files) (*prune, error) {
	var schema columnar.Schema
	for _, c := range t.Columns {
		if c.OfFile {
			schema = append(schema, columnar.Field{Name: c.Name, Type: c.Type()})
		}
	}
	p := &prune{values: files.Values}
	if len(schema) == 0 || p.values == nil {
		schema, p.values = nil, func(int) columnar.Rows { return columnar.Rows{Len: 1} }
	}
	for _, n := range scans {
		own := columnar.Only(n.Scan.Where, func(w *expr.Expr) bool {
			_, err := schema.Positions(w.Columns())
			return err == nil
		})
		if len(own) == 0 {
			return nil, nil
		}
		where := expr.Conjoin(own)
		columns, err := schema.Positions(where.Columns())
		if err != nil {
			return nil, err
		}
		ev, err := expr.Compile(where, schema.Project(columns), expr.NewEnv())
		if err != nil {
			return nil, err
		}
		p.where, p.columns = append(p.where, ev), append(p.columns, columns)
	}
	return p, nil
}

// skips reports whether no scan wants a row of a file.
func (p *prune) skips(file int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	values := p.values(file)
	for i, ev := range p.where {
		hits, err := ev.Select(values.Project(p.columns[i]).Cols, 1, nil)
		if err != nil || len(hits) > 0 {
			return false // an error is about rows, of which there may be none
		}
	}
	return true
}
