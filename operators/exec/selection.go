package exec

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// ScanColumns returns the columns that the scans of a stage read, in the order
// of the table.
func ScanColumns(t *columnar.Table, scans []*planner.Scan) []string {
	var out []string
	for _, c := range t.Columns {
		if slices.ContainsFunc(scans, func(s *planner.Scan) bool { return reads(s, c.Name) }) {
			out = append(out, c.Name)
		}
	}
	return out
}

func reads(s *planner.Scan, column string) bool {
	if slices.Contains(s.Columns, column) {
		return true
	}
	for _, w := range s.Where {
		if slices.Contains(w.Columns(), column) {
			return true
		}
	}
	return slices.ContainsFunc(s.Filters, func(f planner.KeyFilter) bool { return slices.Contains(f.Columns, column) })
}

// Selection is one scan node's way through a chunk: tests, each on the rows that
// passed those before it, and then the columns to yield. Only what the next test
// needs is taken out of the file's bytes.
type Selection struct {
	tests   []test
	columns []int // to yield, in the scan's schema
	schema  columnar.Schema
	hits    []int32
	rows    []int32
	passed  []int32 // the rows that Each hands out; nil: all
}

// test keeps some of the rows of a batch.
type test struct {
	columns []int // it reads, in the scan's schema
	schema  columnar.Schema
	keep    func(rows columnar.Rows, dst []int32) ([]int32, error)
}

// Conditions that cost less than this are tested before keys are looked up.
const cheaperThanKeys = 5

// NewSelection compiles a scan. sets holds the keys of each of its filters, nil
// where they are not known.
func NewSelection(rt *operators.Runtime, s *planner.Scan, all columnar.Schema, sets []*keyset.Set) (*Selection, error) {
	sel := &Selection{}
	var err error
	if sel.columns, err = all.Positions(s.Columns); err != nil {
		return nil, err
	}
	for _, c := range sel.columns {
		sel.schema = append(sel.schema, all[c])
	}
	cheap := slices.IndexFunc(s.Where, func(e *expr.Expr) bool { return e.Cost() >= cheaperThanKeys })
	if cheap < 0 {
		cheap = len(s.Where)
	}
	if cheap > 0 {
		if err := sel.addCondition(rt, expr.Conjoin(s.Where[:cheap]), all); err != nil {
			return nil, err
		}
	}
	for i, f := range s.Filters {
		if sets[i] != nil {
			if err := sel.addKeys(f, sets[i], all); err != nil {
				return nil, err
			}
		}
	}
	for _, w := range s.Where[cheap:] {
		if err := sel.addCondition(rt, w, all); err != nil {
			return nil, err
		}
	}
	return sel, nil
}

func (s *Selection) addCondition(rt *operators.Runtime, e *expr.Expr, all columnar.Schema) error {
	t, err := newTest(e.Columns(), all)
	if err != nil {
		return err
	}
	ev, err := expr.Compile(e, t.schema, rt.Env)
	if err != nil {
		return err
	}
	t.keep = func(rows columnar.Rows, dst []int32) ([]int32, error) { return ev.Select(rows.Cols, rows.Len, dst) }
	s.tests = append(s.tests, t)
	return nil
}

func (s *Selection) addKeys(f planner.KeyFilter, set *keyset.Set, all columnar.Schema) error {
	t, err := newTest(f.Columns, all)
	if err != nil {
		return err
	}
	var hashes []uint64
	t.keep = func(rows columnar.Rows, dst []int32) ([]int32, error) {
		hashes = columnar.HashRows(hashes, rows.Cols, rows.Len)
		return set.Select(hashes, dst), nil
	}
	s.tests = append(s.tests, t)
	return nil
}

func newTest(columns []string, all columnar.Schema) (test, error) {
	at, err := all.Positions(columns)
	if err != nil {
		return test{}, err
	}
	t := test{columns: at}
	for _, c := range at {
		t.schema = append(t.schema, all[c])
	}
	return t, nil
}

// Each hands the chunk's rows that pass all tests to f, which borrows them.
func (s *Selection) Each(c *scan.Chunk, f func(columnar.Rows) error) error {
	var rows []int32 // nil: all
	for _, t := range s.tests {
		kept, err := s.test(c, t, rows)
		if err != nil || len(kept) == 0 {
			return err
		}
		rows = kept
	}
	if c.Rows() == 0 {
		return nil
	}
	s.passed = rows
	read, err := c.Materialise(s.columns, rows)
	if err != nil {
		return err
	}
	return f(read)
}

// Row returns which row of the chunk is row i of those that Each hands out.
func (s *Selection) Row(i int) int {
	if s.passed == nil {
		return i
	}
	return int(s.passed[i])
}

// test returns those of the rows that pass.
func (s *Selection) test(c *scan.Chunk, t test, rows []int32) ([]int32, error) {
	read, err := c.Materialise(t.columns, rows)
	if err != nil {
		return nil, err
	}
	s.hits, err = t.keep(read, s.hits[:0])
	if err != nil {
		return nil, err
	}
	return s.keepHits(rows), nil
}

// keepHits returns which of the rows, of all if rows is nil, were hit.
func (s *Selection) keepHits(rows []int32) []int32 {
	if rows == nil {
		s.rows = append(s.rows[:0], s.hits...)
		return s.rows
	}
	for i, hit := range s.hits {
		rows[i] = rows[hit]
	}
	return rows[:len(s.hits)]
}
