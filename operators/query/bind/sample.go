package bind

import (
	"math"
	"strconv"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// sampled keeps a sample of some rows. Which it has follows from a hash of each row, so that it is
// the same each time and for any number of replicas.
func (b *binder) sampled(rel *relation, s *sql.Sample) *relation {
	seed := int64(0)
	if s.Seed != nil {
		seed = b.constant("TABLESAMPLE").LiteralInt(s.Seed, math.MinInt64, "a seed")
	}
	hash := b.rowHash(rel, seed)
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
	rows, _ := literalCount(rowCount(&scope{b: b, clause: "TABLESAMPLE"}, s.Size, "limit", false))
	by := b.Unique("sample")
	b.Types[by] = columnar.Int
	rel.node = rel.node.Project(append(rel.all(), plan.As(by, hash))...).Slice(0, rows, append([]plan.Order{plan.Asc(by)}, rel.order...)...)
	return rel
}

// rowHash returns a hash of a row of a relation: of where it lies in its files, or else of its values
// and of its number among equal rows.
func (b *binder) rowHash(rel *relation, seed int64) *expr.Expr {
	hash := expr.Int(seed)
	add := func(e *expr.Expr) { hash = expr.Call(expr.OpHash, e, hash) }
	for _, o := range rel.order {
		if b.ofFile[o.Column] {
			add(expr.Col(o.Column))
		}
	}
	if hash.Op == expr.OpHash {
		return hash
	}
	var keys []string
	for _, f := range rel.fields {
		both := neverNull(scalar.Value{Expr: expr.Col(f.column), Type: f.typ})
		keys = append(keys, f.column)
		add(both[0])
		add(both[1])
	}
	number := b.Unique("number")
	rel.node = numbered(rel.node, keys, number)
	add(expr.Col(number))
	return hash
}
