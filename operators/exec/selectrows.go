package exec

import "analyzer/columnar"

// EachOf hands those of the rows that pass all tests to f, which borrows them.
// The rows have the columns that the selection was compiled for. It is Each for
// rows that are in memory already.
func (s *Selection) EachOf(rows columnar.Rows, f func(columnar.Rows) error) error {
	var kept []int32 // nil: all
	for _, t := range s.tests {
		var err error
		if kept, err = s.testRows(rows, t, kept); err != nil || len(kept) == 0 {
			return err
		}
	}
	if rows.Len == 0 {
		return nil
	}
	return f(take(rows, s.columns, s.schema, kept))
}

// testRows returns those of the rows that pass.
func (s *Selection) testRows(all columnar.Rows, t test, rows []int32) ([]int32, error) {
	var err error
	s.hits, err = t.keep(take(all, t.columns, t.schema, rows), s.hits[:0])
	if err != nil {
		return nil, err
	}
	return s.keepHits(rows), nil
}

// take returns some columns of some rows, of all if rows is nil.
func take(all columnar.Rows, columns []int, schema columnar.Schema, rows []int32) columnar.Rows {
	part := all.Project(columns)
	if rows == nil || len(rows) == all.Len {
		return part
	}
	out := columnar.NewRows(schema)
	out.AppendGather(part, rows)
	return out
}
