package bind

import (
	"math"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { functions.Add(numberFunctions) }

func numberFunctions() []function {
	return []function{
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"floor"}, Usage: "floor(number)",
				Help:    "the next lower whole number",
				Example: "floor(-2.5)", Value: "-3",
			},
			least: 1, most: 1, bind: ofNumber(expr.OpFloor),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"ceil", "ceiling"}, Usage: "ceil(number)",
				Help:    "the next higher whole number",
				Example: "ceil(2.1)", Value: "3",
			},
			least: 1, most: 1, bind: ofNumber(expr.OpCeil),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"round"}, Usage: "round(number[, places])",
				Help:    "a number rounded to places after the decimal point; halves go away from zero",
				Example: "round(2.345, 2)", Value: "2.35",
			},
			least: 1, most: 2, bind: toPlaces(expr.OpRound),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"trunc"}, Usage: "trunc(number[, places])",
				Help:    "a number cut to places after the decimal point",
				Example: "trunc(2.345, 2)", Value: "2.34",
			},
			least: 1, most: 2, bind: toPlaces(expr.OpTrunc),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"sign"}, Usage: "sign(number)",
				Help:    "-1, 0 or 1, as the number is below, at or above zero",
				Example: "sign(-7)", Value: "-1",
			},
			least: 1, most: 1, bind: ofOp(expr.OpSign),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"mod"}, Usage: "mod(number, divisor)",
				Help:    "the remainder of a division, with the sign of the number",
				Example: "mod(-7, 3)", Value: "-1",
			},
			least: 2, most: 2, bind: rewritten(func(c rowCall) typed { return arithmetic("%", c.at, c.args[0], c.args[1]) }),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"radians"}, Usage: "radians(degrees)",
				Help:    "degrees as radians",
				Example: "radians(180)", Value: "3.141592653589793",
			},
			least: 1, most: 1, bind: times(math.Pi / 180),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"degrees"}, Usage: "degrees(radians)",
				Help:    "radians as degrees",
				Example: "degrees(pi())", Value: "180",
			},
			least: 1, most: 1, bind: times(180 / math.Pi),
		},
		{
			Doc: registry.Doc{
				Group: registry.Numbers, Names: []string{"pi"}, Usage: "pi()",
				Help:    "the number pi",
				Example: "pi()", Value: "3.141592653589793",
			},
			least: 0, most: 0, bind: rewritten(func(rowCall) typed { return typed{e: expr.Float(math.Pi), t: columnar.Float} }),
		},
	}
}

// ofNumber binds a function of a number that keeps its type and leaves integers as they are.
func ofNumber(op expr.Op) binding {
	return onNumber(func(n typed) typed {
		if n.t.Scale() == 0 && n.t != columnar.Float {
			return n
		}
		return typed{e: expr.Call(op, n.e), t: n.t}
	})
}

// times binds a function that multiplies a number by a factor.
func times(factor float64) binding {
	return onNumber(func(n typed) typed {
		return typed{e: expr.Mul(expr.ToFloat(n.e), expr.Float(factor)), t: columnar.Float}
	})
}

// toPlaces binds a function that rounds a number to so many decimal places. An integer changes
// only if the places are negative.
func toPlaces(op expr.Op) binding {
	return func(s *scope, e *sql.Expr) typed {
		v := s.number(e.Args[0])
		places := int64(0)
		if len(e.Args) > 1 {
			places = s.literalInt(e.Args[1], -20, "the number of places")
		}
		if v.t != columnar.Float && v.t.Scale() == 0 && places >= 0 {
			return v
		}
		return typed{e: expr.Call(op, v.e, expr.Int(places)), t: v.t}
	}
}
