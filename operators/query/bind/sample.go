package bind

import (
	"math"
	"strconv"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/sql"
)

// sampled keeps a sample of a table. Which rows it has follows from a hash of where they lie in
// their files, so that it is the same each time and for any number of replicas.
func (b *binder) sampled(rel *relation, s *sql.Sample) *relation {
	seed := int64(0)
	if s.Seed != nil {
		seed = b.literalInt(s.Seed, &scope{clause: "TABLESAMPLE"}, math.MinInt64, "a seed")
	}
	places := 0
	hash := expr.Int(seed)
	for _, o := range rel.order {
		if b.ofFile[o.Column] {
			hash, places = expr.Call(expr.OpHash, expr.Col(o.Column), hash), places+1
		}
	}
	if places == 0 {
		panic(sql.Unsupported(s.At, "Next: take the sample of the files in it.", "samples of anything but files"))
	}
	if s.Percent {
		share, err := strconv.ParseFloat(s.Size.Text, 64)
		if err != nil || share > 100 {
			panic(sql.Wrong(s.Size.At, "", "a sample has 0 to 100 percent of the rows"))
		}
		if share < 100 {
			rel.filter([]*expr.Expr{expr.Lt(hash, expr.Int(int64(share/100*math.MaxInt64)))})
		}
		return rel
	}
	rows, by := b.rowCount(s.Size, "limit"), b.unique("sample")
	b.types[by] = columnar.Int
	rel.node = rel.node.Project(append(rel.all(), plan.As(by, hash))...).Slice(0, rows, append([]plan.Order{plan.Asc(by)}, rel.order...)...)
	return rel
}
