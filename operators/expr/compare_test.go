package expr

import (
	"math"
	"math/big"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// TestCompareFloats holds comparisons to the order of ORDER BY, keys of joins and groups: what is
// not a number equals itself and is greater than all that are, and both zeros are one.
func TestCompareFloats(t *testing.T) {
	floats := []float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 1, math.Inf(1), math.NaN()}
	x, y := columnar.NewVector(columnar.Float), columnar.NewVector(columnar.Float)
	for _, a := range floats {
		for _, b := range floats {
			x.AppendFloat(a)
			y.AppendFloat(b)
		}
	}
	schema := columnar.Schema{{Name: "x", Type: columnar.Float}, {Name: "y", Type: columnar.Float}}
	eval := func(e *Expr) *columnar.Vector {
		v, err := mustCompile(t, e, schema).Eval([]*columnar.Vector{x, y}, x.Len)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	order := number.CompareFloats
	for _, op := range []Op{OpEq, OpNe, OpLt, OpLe, OpGt, OpGe} {
		columns, literal := eval(Call(op, Col("x"), Col("y"))), eval(Call(op, Float(1), Col("y")))
		for i := range x.Len {
			a, b := x.Floats[i], y.Floats[i]
			if got, want := columns.Bools[i], holds(op, order(a, b)); got != want {
				t.Errorf("%g %s %g is %v", a, op, b, got)
			}
			if got, want := literal.Bools[i], holds(op, order(1, b)); got != want {
				t.Errorf("the literal 1 %s %g is %v", op, b, got)
			}
		}
	}
	greatest, least := eval(Call(OpGreatest, Col("x"), Col("y"))), eval(Call(OpLeast, Col("x"), Col("y")))
	for i := range x.Len {
		a, b := x.Floats[i], y.Floats[i]
		if order(greatest.Floats[i], a) < 0 || order(greatest.Floats[i], b) < 0 || order(least.Floats[i], a) > 0 || order(least.Floats[i], b) > 0 {
			t.Errorf("of %g and %g the greatest is %g and the least %g", a, b, greatest.Floats[i], least.Floats[i])
		}
	}
}

// TestInfinities holds arithmetic to pass on what is not finite already.
func TestInfinities(t *testing.T) {
	x := columnar.NewVector(columnar.Float)
	for _, f := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		x.AppendFloat(f)
	}
	for _, e := range []*Expr{
		Add(Col("x"), Float(1)), Sub(Float(1), Col("x")), Mul(Col("x"), Float(-1)), Div(Col("x"), Float(2)), Sub(Col("x"), Col("x")),
	} {
		v, err := mustCompile(t, e, columnar.Schema{{Name: "x", Type: columnar.Float}}).Eval([]*columnar.Vector{x}, x.Len)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range v.Floats {
			if isFinite(f) {
				t.Errorf("%s is %g for %g", e, f, x.Floats[i])
			}
		}
	}
}

// TestWideLiterals compares numbers with literals of other places against the same in fractions.
func TestWideLiterals(t *testing.T) {
	precise := columnar.DecimalOf(38, 12)
	edge, _ := new(big.Int).SetString("99999999999999999999999999999999999999", 10)
	values := []datum{num(0), num(1), num(-1), num(1_000_000), num(-1_500_000), num(1_000_000_000_000), edge, new(big.Int).Neg(edge)}
	for _, types := range [][2]columnar.Type{
		{columnar.Int, columnar.Wide},
		{columnar.Decimal, precise},
		{columnar.Decimal, columnar.Huge},
		{columnar.Wide, precise},
		{precise, columnar.Wide},
		{precise, columnar.Int},
		{columnar.Huge, precise},
		{precise, columnar.Decimal},
	} {
		for _, x := range values {
			for _, y := range values {
				if n, small := x.(*big.Int), types[0].Kind() == columnar.KindInt64; small && !n.IsInt64() {
					continue
				}
				if n, small := y.(*big.Int), types[1].Kind() == columnar.KindInt64; small && !n.IsInt64() {
					continue
				}
				literal := Wide(types[1], int128Of(y.(*big.Int)))
				if types[1].Kind() == columnar.KindInt64 {
					literal = lit(Value{Type: types[1], Int: y.(*big.Int).Int64()})
				}
				for _, op := range []Op{OpEq, OpNe, OpLt, OpLe, OpGt, OpGe} {
					s, cols := columnsOf(types[:1], [][]datum{{x}})
					got, err := mustCompile(t, Call(op, Col("a"), literal), s).Eval(cols, 1)
					if want := holds(op, exactly(types[0], x).Cmp(exactly(types[1], y))); err != nil || got.Bools[0] != want {
						t.Errorf("%s %s %s of %s and %s: %v, %v", show(x), op, show(y), types[0], types[1], got, err)
					}
				}
			}
		}
	}
}
