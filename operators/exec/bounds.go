package exec

import (
	"strconv"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/expr"
)

// boundsTest tells from bounds of columns whether a condition may be true of any row.
type boundsTest struct {
	ends []end
	may  *expr.Evaluator // over the ends
	cols []*columnar.Vector
}

// end is the least or the greatest value of a column of the scan's schema.
type end struct {
	column   int
	greatest bool
}

// boundsTests compiles the tests of the conditions about which bounds can tell something.
func boundsTests(rt *operators.Runtime, where []*expr.Expr, schema columnar.Schema) (all []boundsTest, err error) {
	var ends []end
	var over columnar.Schema // the ends, named by their places
	of := func(greatest bool) func(*expr.Expr) *expr.Expr {
		return func(c *expr.Expr) *expr.Expr {
			at := schema.Index(c.Name)
			ends = append(ends, end{at, greatest})
			over = append(over, columnar.Field{Name: strconv.Itoa(len(over)), Type: schema[at].Type})
			return expr.Col(over[len(over)-1].Name)
		}
	}
	for _, w := range where {
		for _, may := range expr.Conjuncts(w.Bounded(of(false), of(true))) {
			reads, err := over.Positions(may.Columns())
			if err != nil {
				return nil, err
			}
			t := boundsTest{cols: make([]*columnar.Vector, len(reads))}
			for _, at := range reads {
				t.ends = append(t.ends, ends[at])
			}
			if t.may, err = expr.Compile(may, over.Project(reads), rt.Env); err != nil {
				return nil, err
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// mayHold reports whether a row of a chunk may pass all conditions, as far as its bounds tell.
func (s *Selection) mayHold(c scan.Bounded) bool {
	for _, t := range s.bounds {
		if !t.mayHold(c) {
			return false
		}
	}
	return true
}

func (t *boundsTest) mayHold(c scan.Bounded) bool {
	for i, e := range t.ends {
		least, greatest := c.Bounds(e.column)
		if t.cols[i] = least; e.greatest {
			t.cols[i] = greatest
		}
		if t.cols[i] == nil {
			return true
		}
	}
	hits, err := t.may.Select(t.cols, 1, nil)
	return err != nil || len(hits) > 0
}
