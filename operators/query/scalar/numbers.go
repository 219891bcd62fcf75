package scalar

import (
	"math"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(numberFunctions) }

func numberFunctions() []Function {
	numbers := in(registry.Numbers)
	return []Function{
		numbers("floor", "(number)", "the next lower whole number",
			"floor(-2.5)", "-3", ofNumber(expr.OpFloor)),
		numbers("ceil ceiling", "(number)", "the next higher whole number",
			"ceil(2.1)", "3", ofNumber(expr.OpCeil)),
		numbers("round", "(number[, places])", "a number rounded to places after the decimal point; halves go away from zero",
			"round(2.345, 2)", "2.35", toPlaces(expr.OpRound)),
		numbers("trunc", "(number[, places])", "a number cut to places after the decimal point",
			"trunc(2.345, 2)", "2.34", toPlaces(expr.OpTrunc)),
		numbers("sign", "(number)", "-1, 0 or 1, as the number is below, at or above zero",
			"sign(-7)", "-1", ofOp(expr.OpSign)),
		numbers("mod", "(number, divisor)", "the remainder of a division, with the sign of the number",
			"mod(-7, 3)", "-1", rewritten(func(c rowCall) Value { return arithmetic("%", c.at, c.args[0], c.args[1]) })),
		numbers("radians", "(degrees)", "degrees as radians",
			"radians(180)", "3.141592653589793", times(math.Pi/180)),
		numbers("degrees", "(radians)", "radians as degrees",
			"degrees(pi())", "180", times(180/math.Pi)),
		numbers("pi", "()", "the number pi",
			"pi()", "3.141592653589793", rewritten(func(rowCall) Value { return FloatOf(expr.Float(math.Pi)) })),
	}
}

// ofNumber binds a function of a number that keeps its type and leaves integers as they are.
func ofNumber(op expr.Op) Binding {
	return onNumber(func(n Value) Value {
		if n.Type.Scale() == 0 && n.Type != columnar.Float {
			return n
		}
		return Value{Expr: expr.Call(op, n.Expr), Type: expr.Rounded(n.Type, 0)}
	})
}

// times binds a function that multiplies a number by a factor.
func times(factor float64) Binding {
	return onNumber(func(n Value) Value {
		return FloatOf(expr.Mul(expr.ToFloat(n.Expr), expr.Float(factor)))
	})
}

// toPlaces binds a function that rounds a number to so many decimal places, which may differ from row to row
// unless they decide the type. An integer changes only if the places are negative.
func toPlaces(op expr.Op) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		v, places := AsNumber(s.Expr(e.Args[0])), expr.Int(0)
		if len(e.Args) > 1 {
			places = s.ValueOf(e.Args[1], columnar.Int).Fold()
		}
		n := places.Literal()
		switch {
		case n == nil && v.Type.IsWide():
			panic(sql.UnsupportedTypes(e.Args[1].At, "Next: write a number of places, or CAST the value AS DOUBLE.", "places of "+TypeName(v.Type)+" that are not constant"))
		case n == nil:
			return Value{Expr: expr.Call(op, v.Expr, places), Type: v.Type}
		case n.Int >= 0 && v.Type != columnar.Float && v.Type.Scale() == 0:
			return v
		}
		return Value{Expr: expr.Call(op, v.Expr, places), Type: expr.Rounded(v.Type, n.Int)}
	}
}
