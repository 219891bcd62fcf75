package exec

import (
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/scan"
)

// judged is what a test of one column keeps of the values that the column may have.
type judged struct {
	values *columnar.Vector // nil: none was seen
	rows   int              // how many rows with these values were tested
	keeps  []uint8          // by value: 1 if the test keeps it, or 0; nil: it is not known
	any    bool             // it keeps some
	failed bool             // the test fails for a value, which no row need have
	hits   []int32          // scratch
}

// eachCoded is each for a chunk that may store columns as the values that they may have and which row
// has which. A test of such a column is made once for each value, and not for each row.
func (s *Selection) eachCoded(c scan.Chunk, from scan.Coded, f func(columnar.Rows) error) error {
	if c.Rows() == 0 {
		return nil
	}
	s.passed = nil
	for i := range s.tests {
		parts := s.tests[i : i+1]
		if s.tests[i].parts != nil {
			parts = s.tests[i].parts
		}
		for k := range parts {
			if any, err := s.applyCoded(&parts[k], c, from); err != nil || !any {
				return err
			}
		}
	}
	if any, err := s.applyFirst(c.Materialise); err != nil || !any {
		return err
	}
	return s.yieldCoded(c, from, f)
}

// yieldCoded is yield that leaves columns coded which may be.
func (s *Selection) yieldCoded(c scan.Chunk, from scan.Coded, f func(columnar.Rows) error) error {
	if !slices.Contains(s.takesCoded, true) {
		return s.yield(c.Materialise, f)
	}
	out := columnar.Rows{Len: s.left(c), Cols: make([]*columnar.Vector, len(s.columns))}
	s.plain = s.plain[:0]
	for i, column := range s.columns {
		var err error
		if s.takesCoded[i] {
			out.Cols[i], err = s.codedColumn(i, from)
		}
		if err != nil {
			return err
		}
		if out.Cols[i] == nil {
			s.plain = append(s.plain, column)
		}
	}
	rest, err := c.Materialise(s.plain, s.passed)
	if err != nil {
		return err
	}
	for i, v := range out.Cols {
		if v == nil {
			out.Cols[i], rest.Cols = rest.Cols[0], rest.Cols[1:]
		}
	}
	return f(out)
}

// codedColumn returns a column of the rows that passed, or nil if it is not stored coded.
func (s *Selection) codedColumn(i int, from scan.Coded) (*columnar.Vector, error) {
	values, places, err := from.Coded(s.columns[i])
	if err != nil || values == nil {
		return nil, err
	}
	if s.passed != nil {
		s.places[i] = columnar.Gathered(s.places[i][:0], places, s.passed)
		places = s.places[i]
	}
	return &columnar.Vector{Type: values.Type, Len: len(places), Dictionary: values, Places: places}, nil
}

func (s *Selection) applyCoded(t *test, c scan.Chunk, from scan.Coded) (any bool, err error) {
	if len(t.columns) != 1 {
		return s.apply(t, c.Materialise)
	}
	column := t.columns[0]
	may, err := from.Values(column)
	if err != nil {
		return false, err
	}
	known := may != nil && t.judge(may, s.left(c))
	if known && !t.judged.any {
		return false, nil // which row has which of the values need not be read
	}
	values, places, err := from.Coded(column)
	if err != nil {
		return false, err
	}
	if may == nil && values != nil {
		known = t.judge(values, s.left(c))
	}
	if values == nil || !known {
		return s.apply(t, c.Materialise)
	}
	keeps := t.judged.keeps
	// Each row is written, and the next one over it if it is not kept: no processor can predict
	// which are.
	n := 0
	if s.passed != nil {
		for _, row := range s.passed {
			s.passed[n] = row
			n += int(keeps[places[row]])
		}
		s.passed = s.passed[:n]
		return n > 0, nil
	}
	s.rows = slices.Grow(s.rows[:0], len(places))[:len(places)]
	for row, place := range places {
		s.rows[n] = int32(row)
		n += int(keeps[place])
	}
	s.rows = s.rows[:n]
	s.passed = s.rows
	return n > 0, nil
}

// left returns how many rows have passed so far.
func (s *Selection) left(c scan.Chunk) int {
	if s.passed == nil {
		return c.Rows()
	}
	return len(s.passed)
}

// judge reports whether it is known which values the test keeps. It finds that out as soon as as many
// rows were to be tested as there are values.
func (t *test) judge(values *columnar.Vector, rows int) bool {
	j := &t.judged
	if j.values != values {
		*j = judged{values: values, hits: j.hits}
	}
	if j.rows += rows; j.keeps != nil || j.failed || j.rows < values.Len {
		return j.keeps != nil
	}
	var err error
	if j.hits, err = t.keep(columnar.Rows{Len: values.Len, Cols: []*columnar.Vector{values}}, j.hits[:0]); err != nil {
		j.failed = true
		return false
	}
	j.keeps, j.any = make([]uint8, values.Len), len(j.hits) > 0
	for _, place := range j.hits {
		j.keeps[place] = 1
	}
	return true
}
