package exec

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/operators/keyset"
	"analyzer/operators/query/physical"
)

// ScanColumns returns the columns that the scans of a stage read, in the order
// of the table.
func ScanColumns(t *columnar.Table, scans []*physical.Scan) []string {
	var read, out []string
	for _, s := range scans {
		read = append(read, s.Columns...)
		for _, w := range s.Where {
			read = append(read, w.Columns()...)
		}
		for _, f := range s.Filters {
			read = append(read, f.Columns...)
		}
	}
	set := columnar.SetOf(read)
	for _, c := range t.Columns {
		if set.Has(c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// Selection filters a chunk for one scan node. It runs tests, each on the rows that passed the
// tests before, and then yields the columns of the scan. It decodes from the file's bytes only
// what the next test needs.
type Selection struct {
	schema  columnar.Schema // of the scan
	tests   []test
	columns []int // columns to yield, in the scan's schema
	bounds  []boundsTest
	leftOut int64 // rows of chunks that bounds exclude, or of which they tell all; rows that are not among the first
	hits    []int32
	rows    []int32
	passed  []int32 // the rows that Each hands out; nil means all

	first      firstTest
	takeKnown  func(rows int, of func(column int) input.Bounds) (bool, error)
	takesCoded []bool    // which of columns may be handed out coded
	places     [][]int32 // scratch, for each of these
	plain      []int     // scratch
}

// test keeps some of the rows of a batch.
type test struct {
	columns []int // columns that it reads, in the scan's schema
	keep    func(rows columnar.Rows, dst []int32) ([]int32, error)
	// parts are tests that keep the same rows one after the other. Chunks that are coded take these,
	// since a part may need only one column.
	parts  []test
	judged judged
}

// cheaperThanKeys is the cost below which conditions are tested before keys are looked up.
const cheaperThanKeys = 5

// NewSelection compiles a scan. sets holds the key set of each of its filters, or nil if it is
// not known.
func NewSelection(rt *operators.Runtime, s *physical.Scan, all columnar.Schema, sets []*keyset.Set) (*Selection, error) {
	sel := &Selection{schema: all}
	var err error
	if sel.columns, err = all.Positions(s.Columns); err != nil {
		return nil, err
	}
	cheap := slices.IndexFunc(s.Where, func(e *expr.Expr) bool { return e.Cost() >= cheaperThanKeys })
	if cheap < 0 {
		cheap = len(s.Where)
	}
	if cheap > 0 {
		if err := sel.addConditions(rt, s.Where[:cheap]); err != nil {
			return nil, err
		}
	}
	for i, f := range s.Filters {
		if sets[i] != nil {
			if err := sel.addKeys(f, sets[i]); err != nil {
				return nil, err
			}
		}
	}
	for _, w := range s.Where[cheap:] {
		if err := sel.addConditions(rt, []*expr.Expr{w}); err != nil {
			return nil, err
		}
	}
	sel.bounds, err = boundsTests(rt, s.Where, all)
	return sel, err
}

// TakeCoded says which of the scan's columns Each may hand out coded.
func (s *Selection) TakeCoded(columns []bool) {
	s.takesCoded, s.places = columns, make([][]int32, len(columns))
}

// TakeKnown sets a function that may take what is known of the scan's columns in place of all rows of a chunk. It
// reports whether it did.
func (s *Selection) TakeKnown(take func(rows int, of func(column int) input.Bounds) (bool, error)) {
	s.takeKnown = take
}

// addConditions adds a test of conditions that must all be true.
func (s *Selection) addConditions(rt *operators.Runtime, all []*expr.Expr) error {
	t, err := s.condition(rt, expr.Conjoin(all))
	for _, e := range all {
		if err != nil || len(all) == 1 {
			break
		}
		var part test
		part, err = s.condition(rt, e)
		t.parts = append(t.parts, part)
	}
	s.tests = append(s.tests, t)
	return err
}

func (s *Selection) condition(rt *operators.Runtime, e *expr.Expr) (test, error) {
	columns, err := s.schema.Positions(e.Columns())
	if err != nil {
		return test{}, err
	}
	ev, err := expr.Compile(e, s.schema.Project(columns), rt.Env)
	if err != nil {
		return test{}, err
	}
	return test{columns: columns, keep: func(rows columnar.Rows, dst []int32) ([]int32, error) {
		return ev.Select(rows.Cols, rows.Len, dst)
	}}, nil
}

func (s *Selection) addKeys(f physical.KeyFilter, set *keyset.Set) error {
	columns, err := s.schema.Positions(f.Columns)
	if err != nil {
		return err
	}
	keys := keyset.NewSelector(set)
	s.tests = append(s.tests, test{columns: columns, keep: func(rows columnar.Rows, dst []int32) ([]int32, error) {
		return keys.Select(rows.Cols, rows.Len, dst), nil
	}})
	return nil
}

// Each calls f with the rows of the chunk that pass all tests. f borrows them.
func (s *Selection) Each(c scan.Chunk, f func(columnar.Rows) error) error {
	if from, ok := c.(scan.Bounded); ok && !(s.mayHold(from) && s.mayBeFirst(from)) {
		s.leftOut += int64(c.Rows())
		return nil
	}
	if taken, err := s.known(c); taken || err != nil {
		return err
	}
	if from, ok := c.(scan.Coded); ok {
		return s.eachCoded(c, from, f)
	}
	return s.each(c.Rows(), c.Materialise, f)
}

// known reports whether all rows of a chunk were taken by what is known of them.
func (s *Selection) known(c scan.Chunk) (bool, error) {
	from, ok := c.(scan.Bounded)
	if !ok || s.takeKnown == nil || len(s.tests) > 0 || c.Rows() == 0 {
		return false, nil
	}
	taken, err := s.takeKnown(c.Rows(), func(column int) input.Bounds { return from.Bounds(s.columns[column], false) })
	if taken {
		s.leftOut += int64(c.Rows())
	}
	return taken, err
}

// LeftOut returns how many rows were not read so far, since bounds of their values exclude them or tell all that is
// wanted, or no further than the first key of a sort, since they are not among its first.
func (s *Selection) LeftOut() int64 { return s.leftOut }

// EachOf is Each for rows in memory. They must have the columns that the selection was compiled
// for.
func (s *Selection) EachOf(rows columnar.Rows, f func(columnar.Rows) error) error {
	return s.each(rows.Len, func(columns []int, sel []int32) (columnar.Rows, error) {
		part := rows.Project(columns)
		if sel == nil || len(sel) == rows.Len {
			return part, nil
		}
		out := columnar.NewRows(s.schema.Project(columns))
		out.AppendGather(part, sel)
		return out, nil
	}, f)
}

// each tests n rows and passes those that pass all tests to f. read returns columns of the rows
// at some positions; nil means all positions.
func (s *Selection) each(n int, read func(columns []int, sel []int32) (columnar.Rows, error), f func(columnar.Rows) error) error {
	if n == 0 {
		return nil
	}
	s.passed = nil
	for i := range s.tests {
		if any, err := s.apply(&s.tests[i], read); err != nil || !any {
			return err
		}
	}
	if any, err := s.applyFirst(read); err != nil || !any {
		return err
	}
	return s.yield(read, f)
}

// apply narrows the passed rows to those that a test keeps, and reports whether there are any.
func (s *Selection) apply(t *test, read func(columns []int, sel []int32) (columnar.Rows, error)) (bool, error) {
	rows, err := read(t.columns, s.passed)
	if err != nil {
		return false, err
	}
	if s.hits, err = t.keep(rows, s.hits[:0]); err != nil || len(s.hits) == 0 {
		return false, err
	}
	s.keepHits()
	return true, nil
}

// yield passes the columns of the rows that passed all tests to f.
func (s *Selection) yield(read func(columns []int, sel []int32) (columnar.Rows, error), f func(columnar.Rows) error) error {
	rows, err := read(s.columns, s.passed)
	if err != nil {
		return err
	}
	return f(rows)
}

// Row returns the position in the chunk of row i of those that Each hands out.
func (s *Selection) Row(i int) int {
	if s.passed == nil {
		return i
	}
	return int(s.passed[i])
}

// keepHits narrows the passed rows to those that the last test hit.
func (s *Selection) keepHits() {
	if s.passed == nil {
		s.rows = append(s.rows[:0], s.hits...)
		s.passed = s.rows
		return
	}
	for i, hit := range s.hits {
		s.passed[i] = s.passed[hit]
	}
	s.passed = s.passed[:len(s.hits)]
}
