package exec

import (
	"analyzer/columnar"
	"analyzer/columnar/scan"
)

// judged is what a test of one column keeps of the values that the column may have.
type judged struct {
	values *columnar.Vector // nil: none was seen
	rows   int              // how many rows with these values were tested
	keeps  []bool           // by value; nil: it is not known
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
	return s.yield(c.Materialise, f)
}

func (s *Selection) applyCoded(t *test, c scan.Chunk, from scan.Coded) (any bool, err error) {
	if len(t.columns) != 1 {
		return s.apply(t, c.Materialise)
	}
	values, places, err := from.Coded(t.columns[0])
	if err != nil {
		return false, err
	}
	if values == nil || !t.judge(values, s.left(c)) {
		return s.apply(t, c.Materialise)
	}
	keeps := t.judged.keeps
	if s.passed != nil {
		s.passed = kept(s.passed[:0], s.passed, places, keeps)
		return len(s.passed) > 0, nil
	}
	s.rows = s.rows[:0]
	for row, place := range places {
		if keeps[place] {
			s.rows = append(s.rows, int32(row))
		}
	}
	s.passed = s.rows
	return len(s.passed) > 0, nil
}

// kept appends those of some rows whose values are kept.
func kept(dst, rows, places []int32, keeps []bool) []int32 {
	for _, row := range rows {
		if keeps[places[row]] {
			dst = append(dst, row)
		}
	}
	return dst
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
	j.keeps = make([]bool, values.Len)
	for _, place := range j.hits {
		j.keeps[place] = true
	}
	return true
}
