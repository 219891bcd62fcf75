package scalar

import (
	"slices"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

func bindUnary(s *Scope, e *sql.Expr) Value {
	arg := e.Args[0]
	switch {
	case e.Text == "NOT":
		return Truth(expr.Not(s.condition(arg)))
	case e.Text == "-" && arg.Kind == sql.Number:
		return s.Roomed(LiteralNumber(arg, "-"))
	}
	if e.Text == "~" {
		return ofOp(expr.OpBitNot)(s, e)
	}
	v := s.Expr(arg)
	if v.Type == columnar.Interval && e.Text == "-" {
		return TimesInterval(v, IntOf(expr.Int(-1)), expr.OpIntervalTimes)
	}
	if v = AsNumber(v); e.Text == "+" {
		return v
	}
	if v.Type == columnar.Float {
		return Value{Expr: expr.Mul(expr.Float(-1), v.Expr), Type: v.Type}
	}
	return Value{Expr: expr.Sub(expr.Int(0), v.Expr), Type: v.Type}
}

// checkAdded refuses a text to which something would be added, as other dialects join texts.
func checkAdded(x, to Value) {
	if x.Type == columnar.Text && !x.Written && !x.Null && (to.Type == columnar.Text || IsNumber(to.Type)) {
		panic(sql.Wrong(x.At, "Next: write a || b to join texts, and CAST(… AS DOUBLE) of a text that is a number.", "a number is needed, and this is VARCHAR"))
	}
}

func bindBinary(s *Scope, e *sql.Expr) Value {
	switch e.Text {
	case "AND", "OR":
		x := s.condition(e.Args[0])
		y := s.condition(e.Args[1])
		if e.Text == "AND" {
			return Truth(expr.And(x, y))
		}
		return Truth(expr.Or(x, y))
	case "^":
		return ofOp(expr.OpPow)(s, e)
	case "~", "!~":
		return Truth(Not(matchesWhole(s, e.Args[0], plainRegexp(s, e.Args[1])), e.Text == "!~"))
	case "&", "|", "<<", ">>":
		return ofOp(expr.Op(e.Text))(s, e)
	}
	if e.Args[0].Kind == sql.Tuple && (e.Text == "=" || e.Text == "<>") {
		return bindRows(s, e)
	}
	switch e.Text {
	case "=", "<>", "<", "<=", ">", ">=":
		sides := collated(e.Args)
		return Truth(Compare(expr.Op(e.Text), s.Roomed(s.Expr(sides[0])), s.Roomed(s.Expr(sides[1]))))
	}
	x := s.Roomed(s.Expr(e.Args[0]))
	y := s.Roomed(s.Expr(e.Args[1]))
	switch e.Text {
	case "->", "->>":
		return jsonArrow(e.Text, x, y)
	case "||":
		if x.Type.Item() != columnar.Invalid || y.Type.Item() != columnar.Invalid {
			return joined([]Value{x, y}, false)
		}
		if x.isBytes() && y.Type == columnar.Bytes || y.isBytes() && x.Type == columnar.Bytes {
			both, t := Common([]Value{x, y})
			return Value{Expr: expr.Call(expr.OpConcat, both...), Type: t}
		}
		return concat([]Value{x, y})
	}
	if e.Text == "+" {
		checkAdded(x, y)
		checkAdded(y, x)
	}
	return arithmetic(e.Text, e.At, x, y)
}

// arithmetic computes with two numbers, or with dates, or puts two lists together.
func arithmetic(op string, at sql.Span, x, y Value) Value {
	if x.Type == columnar.Interval || y.Type == columnar.Interval {
		return intervals(op, at, x, y)
	}
	if slices.Contains(columnar.Times(), x.Type) || slices.Contains(columnar.Times(), y.Type) {
		return dates(op, at, x, y)
	}
	if op == "+" && (x.Type.Item() != columnar.Invalid || y.Type.Item() != columnar.Invalid) {
		return joined([]Value{x, y}, true)
	}
	x = AsNumber(x)
	y = AsNumber(y)
	if x.Type.IsWide() || y.Type.IsWide() {
		x, y = x.asWritten(), y.asWritten()
	}
	switch op {
	case "/":
		return FloatOf(expr.Div(x.Expr, y.Expr))
	case "//":
		t := Widest(x.Type, y.Type)
		if t != columnar.Int && t != columnar.Huge {
			return FloatOf(expr.Div(x.Expr, y.Expr)) // as DuckDB has it
		}
		return Value{Expr: expr.IntDiv(x.Expr, y.Expr), Type: t}
	case "%":
		both, t := Common([]Value{x, y})
		return Value{Expr: expr.Call(expr.Op(op), both...), Type: t}
	case "*":
		return product(x, y)
	}
	return Value{Expr: expr.Call(expr.Op(op), x.Expr, y.Expr), Type: expr.Sum(x.Type, y.Type)}
}

// concat concatenates values as texts, in halves: many values do not make an expression too deep.
func concat(values []Value) Value {
	if len(values) == 1 {
		return TextOf(AsText(values[0]))
	}
	half := len(values) / 2
	return TextOf(expr.Call(expr.OpConcat, concat(values[:half]).Expr, concat(values[half:]).Expr))
}

// isBytes reports whether a value is of bytes, or becomes so beside bytes.
func (v Value) isBytes() bool { return v.Type == columnar.Bytes || v.Null || v.Written }
