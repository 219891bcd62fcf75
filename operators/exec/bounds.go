package exec

import (
	"strconv"

	"analyzer/columnar"
	"analyzer/columnar/input"
	"analyzer/columnar/scan"
	"analyzer/operators"
	"analyzer/operators/expr"
)

// boundsTest tells from bounds of columns whether a condition may be true of any row.
type boundsTest struct {
	ends    []end
	unknown []*columnar.Vector // a null for each of these
	may     *expr.Evaluator    // over the ends; of those that are not known, it is true unless it is false anyway
	cols    []*columnar.Vector
}

// end is something that is known of a column of the scan's schema, as a vector of one value; nil: it is not known.
type end struct {
	column int
	of     func(input.Bounds) *columnar.Vector
}

func least(b input.Bounds) *columnar.Vector    { return b.Least }
func greatest(b input.Bounds) *columnar.Vector { return b.Greatest }
func nulls(b input.Bounds) *columnar.Vector    { return truth(!b.NoNulls) }
func values(b input.Bounds) *columnar.Vector   { return truth(!b.AllNull) }

func truth(is bool) *columnar.Vector {
	return &columnar.Vector{Type: columnar.Bool, Len: 1, Bools: []bool{is}}
}

// boundsTests compiles the tests of the conditions about which bounds can tell something.
func boundsTests(rt *operators.Runtime, where []*expr.Expr, schema columnar.Schema) (all []boundsTest, err error) {
	var ends []end
	var over columnar.Schema // the ends, named by their places
	column := func(c *expr.Expr, is columnar.Type, of func(input.Bounds) *columnar.Vector) *expr.Expr {
		ends = append(ends, end{schema.Index(c.Name), of})
		over = append(over, columnar.Field{Name: strconv.Itoa(len(over)), Type: is})
		return expr.Col(over[len(over)-1].Name)
	}
	value := func(of func(input.Bounds) *columnar.Vector) func(*expr.Expr) *expr.Expr {
		return func(c *expr.Expr) *expr.Expr { return column(c, schema[schema.Index(c.Name)].Type, of) }
	}
	whether := func(of func(input.Bounds) *columnar.Vector) func(*expr.Expr) *expr.Expr {
		return func(c *expr.Expr) *expr.Expr { return column(c, columnar.Bool, of) }
	}
	known := expr.Known{Least: value(least), Greatest: value(greatest), Nulls: whether(nulls), Values: whether(values)}
	for _, w := range where {
		for _, may := range expr.Conjuncts(w.Bounded(known)) {
			if may = expr.Or(may, expr.IsNull(may)); may.Validate() != nil {
				continue // it has several parts for each one of the condition, which may be as large as can be
			}
			reads, err := over.Positions(may.Columns())
			if err != nil {
				return nil, err
			}
			t := boundsTest{cols: make([]*columnar.Vector, len(reads))}
			for _, at := range reads {
				unknown := columnar.NewVector(over[at].Type)
				unknown.AppendNull()
				t.ends, t.unknown = append(t.ends, ends[at]), append(t.unknown, unknown)
			}
			if t.may, err = expr.Compile(may, over.Project(reads), rt.Env); err != nil {
				return nil, err
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// mayHold reports whether a row of a chunk may pass all conditions, as far as its bounds tell, closer ones last.
func (s *Selection) mayHold(c scan.Bounded) bool {
	for _, closer := range []bool{false, true} {
		for _, t := range s.bounds {
			if !t.mayHold(c, closer) {
				return false
			}
		}
	}
	return true
}

func (t *boundsTest) mayHold(c scan.Bounded, closer bool) bool {
	for i, e := range t.ends {
		if t.cols[i] = e.of(c.Bounds(e.column, closer)); t.cols[i] == nil {
			t.cols[i] = t.unknown[i]
		}
	}
	hits, err := t.may.Select(t.cols, 1, nil)
	return err != nil || len(hits) > 0
}
