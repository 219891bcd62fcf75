// Package scalar binds expressions of a row: it determines their types, converts values implicitly where
// that loses nothing, and turns functions into operations of package expr. What depends on the query in
// which an expression stands (columns, aggregates, window functions, queries) it asks that for, as a
// Query. Mistakes are panics with a *sql.Error, as in package bind, which catches them.
package scalar

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// Value is an expression of a plan with its type. It is immutable, and belongs to one statement.
type Value struct {
	Expr *expr.Expr
	Type columnar.Type
	// Null means a NULL that has no type yet; Written means a text literal or a text
	// parameter, which can still become a value of another type.
	Null, Written bool
	Untyped       *Untyped // which parts of it can become parts of another type
	Spelled       bool     // it is a column of numbers as people write them, which can also become a text
	JSON          bool     // it is a text that is JSON, or a list of such, which IsJSON knows of operations too
	At            sql.Span // the position of its source
}

// NullAt is the NULL that stands at a place.
func NullAt(at sql.Span) Value {
	return Value{Expr: expr.Null(columnar.Int), Type: columnar.Int, Null: true, At: at}
}

// AsCondition converts a value implicitly to a condition.
func (v Value) AsCondition() *expr.Expr {
	if IsNumber(v.Type) && !v.Null {
		return expr.Ne(v.Expr, expr.Int(0))
	}
	if v.Type != columnar.Bool && !v.Null && !v.Written {
		panic(sql.Wrong(v.At, "Next: compare it with a value, as in x = 'True', or CAST(… AS BOOLEAN).", "a condition is needed, and this is %s", TypeName(v.Type)))
	}
	return v.As(columnar.Bool)
}

// Not negates a condition, if negated is set.
func Not(v *expr.Expr, negated bool) *expr.Expr {
	if negated {
		return expr.Not(v)
	}
	return v
}

// Truth is the value of a condition.
func Truth(e *expr.Expr) Value { return Value{Expr: e, Type: columnar.Bool} }

// IntOf is the value of an expression of BIGINTs.
func IntOf(e *expr.Expr) Value { return Value{Expr: e, Type: columnar.Int} }

// FloatOf is the value of an expression of DOUBLEs.
func FloatOf(e *expr.Expr) Value { return Value{Expr: e, Type: columnar.Float} }

// TextOf is the value of an expression of texts.
func TextOf(e *expr.Expr) Value { return Value{Expr: e, Type: columnar.Text} }

// IsNumber reports whether a type is that of numbers.
func IsNumber(t columnar.Type) bool { return expr.IsNumber(t) }

// As converts a value implicitly to another type: a text literal or NULL to any type, a number
// to a wider one, and a date to a timestamp. Numbers as people write them become texts, so that
// replace(amount, ',', '.')::DECIMAL is right whether they were read as numbers or as texts. Other
// conversions are mistakes.
func (v Value) As(t columnar.Type) *expr.Expr {
	switch {
	case v.Type == t && !v.Null:
		return v.Expr
	case v.Written:
		return v.read(t)
	case v.Spelled && t == columnar.Text:
		return AsText(v)
	}
	if e := widened(v.Expr, v.open(), t); e != nil {
		return e
	}
	panic(mismatch(v.At, v.Type, t))
}

// EmptyList is the list of a type that has no items.
func EmptyList(t columnar.Type) *expr.Expr {
	one := expr.Call(expr.OpListOf, expr.Null(t.Item()))
	return expr.Call(expr.OpSlice, one, expr.Int(1), expr.Int(0))
}

// widened converts what has no type to any, a number to a wider type, a truth value to 1 or 0, a date to a timestamp, or a
// list of them; it returns nil if the type is not wider.
func widened(e *expr.Expr, of open, to columnar.Type) *expr.Expr {
	from := of.Type
	switch {
	case of.untyped.isAll():
		return expr.Null(to)
	case from == to:
		return e
	case from == columnar.Bool && IsNumber(to):
		return widened(expr.Call(expr.OpToInt, e), open{Type: columnar.Int}, to)
	case from.IsStruct() && to.IsStruct():
		return widenedStruct(e, of, to)
	case from.IsMap() && to.IsMap():
		return widenedMap(e, of, to)
	case from.Item() != columnar.Invalid && to.Item() != columnar.Invalid:
		if literal := e.Literal(); literal != nil && !literal.Null && len(literal.Texts) == 0 && of.item().untyped.isAll() {
			return EmptyList(to)
		}
		item := expr.Variable("item of "+from.String(), from.Item())
		if wide := widened(item, of.item(), to.Item()); wide != nil {
			return expr.Call(expr.OpListTransform, e, item, expr.Variable("position in "+from.String(), columnar.Int), wide)
		}
	case to == columnar.Float && IsNumber(from):
		return expr.ToFloat(e)
	case to == columnar.Decimal && from == columnar.Int:
		return expr.ToDecimal(e)
	case to == columnar.Huge && from == columnar.Int:
		return expr.ToHuge(e)
	case to.IsWide() && IsNumber(from) && from != columnar.Float:
		return expr.ToWide(e, to, false)
	case to == columnar.Timestamp && from == columnar.Date:
		return expr.Call(expr.OpToTimestamp, e)
	case to == columnar.Instant && IsTime(from):
		return expr.Call(expr.OpToInstant, TimestampOf(Value{Expr: e, Type: from}).Expr)
	}
	return nil
}

// read parses a written value as a type.
func (v Value) read(t columnar.Type) *expr.Expr {
	e, err := ParseValue(v.Expr.Value.Text, t)
	if err != nil {
		panic(sql.Wrong(v.At, howWritten(t), "%v", err))
	}
	return e
}

// howWritten says how texts in quotes become values of a type.
func howWritten(t columnar.Type) string {
	switch {
	case t == columnar.Date:
		return "Next: write a date as '2020-12-31'; year(x) = 2020 and the like ask for parts of one, and strptime(…, '%d.%m.%Y') reads other forms."
	case IsTime(t):
		return "Next: write a time as '2020-12-31 10:20:30'; strptime(…, '%d.%m.%Y %H:%M') reads other forms."
	case IsNumber(t):
		return "Next: write a number, or CAST(… AS VARCHAR) of what stands beside the text."
	case t == columnar.Bool:
		return "Next: write true or false, or CAST(… AS VARCHAR) of what stands beside the text."
	}
	return ""
}

// ParseValue parses a text as a value of a type.
func ParseValue(text string, t columnar.Type) (*expr.Expr, error) {
	e, err := expr.ParseValue(t, text)
	if _, ok := number.ParseAnyFloat([]byte(text)); ok && err != nil && t == columnar.Float { // no literal is infinite
		return expr.CastText(expr.Str(text), t, false), nil
	}
	if err != nil {
		err = fmt.Errorf("%s is no %s", sql.QuoteText(text), TypeName(t))
	}
	return e, err
}

func mismatch(at sql.Span, have, want columnar.Type) error {
	hint := fmt.Sprintf("Next: write CAST(… AS %s), or TRY_CAST, which is NULL where that is impossible.", TypeName(want))
	if (have == columnar.Interval || want == columnar.Interval) && have != columnar.Text && want != columnar.Text {
		hint = intervalHint
	}
	if have == columnar.Text && IsTime(want) {
		hint += " strptime(…, '%m/%d/%Y') reads dates of other forms, and CAST(… AS TIME) times of day."
	}
	return sql.Wrong(at, hint, "%s stands where %s is needed", TypeName(have), TypeName(want))
}

// Common converts values to one common type, and returns them with the type.
func Common(values []Value) ([]*expr.Expr, columnar.Type) {
	es, like := CommonLike(values)
	return es, like.Type
}

// CommonLike is Common that returns a value without an expression, as each of them is now.
func CommonLike(values []Value) ([]*expr.Expr, Value) {
	values = besideJSON(values)
	t, from := open{Type: columnar.Invalid}, 0
	for i, v := range values {
		if v.Null || v.Written {
			continue
		}
		if t.Type == columnar.Invalid {
			t, from = v.open(), i
			continue
		}
		wide := widest(t, v.open())
		if wide.Type == columnar.Invalid {
			hint := fmt.Sprintf("Next: write CAST(… AS %s) here, or there CAST(… AS %s).", TypeName(t.Type), TypeName(v.Type))
			switch {
			case t.Type == columnar.Interval || v.Type == columnar.Interval:
				hint = intervalHint
			case IsTime(t.Type) && IsNumber(v.Type) || IsNumber(t.Type) && IsTime(v.Type):
				hint = "Next: write a date in quotes, '2020-12-31', or year(x) = 2020 and the like; strptime(x::VARCHAR, '%Y%m%d') is the date of 20201231."
			}
			panic(sql.Wrong(v.At, hint,
				"%s meets %s", TypeName(values[from].Type), TypeName(v.Type)))
		}
		t = wide
	}
	like := Value{Type: t.Type, Untyped: t.untyped, Null: allNull(values), JSON: allJSON(values)}
	if like.Type == columnar.Invalid {
		like.Type = columnar.Text
		for _, v := range values {
			if !v.Null && v.Type != columnar.Text {
				like.Type = v.Type
			}
		}
		if like.Null {
			like.Type = columnar.Int
		}
	}
	return columnar.Each(values, func(v Value) *expr.Expr { return v.As(like.Type) }), like
}

// intervalHint says how intervals and numbers become one another.
const intervalHint = "Next: write INTERVAL 3 DAY or to_days(…) for an interval; epoch(…) is how many seconds it is long."

// IsJSON reports whether a value is a text that is JSON, or a list of such.
func (v Value) IsJSON() bool { return v.JSON || v.Expr.Op.GivesJSON() }

// allJSON reports whether values are JSON, beside which texts in quotes and NULL become such.
func allJSON(values []Value) bool {
	return slices.ContainsFunc(values, Value.IsJSON) && !slices.ContainsFunc(values, func(v Value) bool { return !v.Null && !v.Written && !v.IsJSON() })
}

// besideJSON returns values of which lists, structs and maps become JSON if one of them is.
func besideJSON(values []Value) []Value {
	if !slices.ContainsFunc(values, func(v Value) bool { return v.Type == columnar.Text && v.IsJSON() }) {
		return values
	}
	return columnar.Each(values, func(v Value) Value {
		if !v.Type.IsNested() && v.Type.Item() == columnar.Invalid || v.Null {
			return v
		}
		return Value{Expr: asJSON(v), Type: columnar.Text, JSON: true, At: v.At}
	})
}

// allNull reports whether all values are NULLs without a type.
func allNull(values []Value) bool {
	return !slices.ContainsFunc(values, func(v Value) bool { return !v.Null })
}

// IsTime reports whether a type is that of dates or of timestamps, with time zone or without, which compare with each
// other.
func IsTime(t columnar.Type) bool {
	return t == columnar.Date || t == columnar.Timestamp || t == columnar.Instant
}

// Widest is the type that holds the values of two numeric types, of dates and timestamps, or of
// lists of them; Invalid if the types do not meet.
func Widest(a, b columnar.Type) columnar.Type { return widest(open{Type: a}, open{Type: b}).Type }

// widest is Widest of types with parts that become those of the other one.
func widest(a, b open) open {
	switch {
	case b.untyped.isAll(), a == b:
		return a
	case a.untyped.isAll():
		return b
	case a.IsStruct() && b.IsStruct():
		return widestStruct(a, b)
	case a.IsMap() && b.IsMap():
		entry := widest(a.entries().item(), b.entries().item())
		if fields := entry.Fields(); len(fields) == 2 {
			return open{columnar.MapOf(fields[0].Type, fields[1].Type), untypedOf(entry.untyped)}
		}
		return open{}
	case a.Item() != columnar.Invalid && b.Item() != columnar.Invalid:
		return listOf(widest(a.item(), b.item()))
	}
	return open{Type: widestScalar(a.Type, b.Type)}
}

func widestScalar(a, b columnar.Type) columnar.Type {
	switch {
	case a == b:
		return a
	case IsTime(a) && IsTime(b) && (a == columnar.Instant || b == columnar.Instant):
		return columnar.Instant
	case IsTime(a) && IsTime(b):
		return columnar.Timestamp
	case a == columnar.Bool && IsNumber(b):
		return b
	case b == columnar.Bool && IsNumber(a):
		return a
	case !IsNumber(a) || !IsNumber(b):
		return columnar.Invalid
	}
	return expr.Wider(a, b)
}

// OfOneType converts two comparable values to the wider of their types.
func OfOneType(x, y Value) [2]*expr.Expr {
	t := Widest(x.Type, y.Type)
	return [2]*expr.Expr{x.As(t), y.As(t)}
}

// Compare compares two values.
func Compare(op expr.Op, x, y Value) *expr.Expr {
	both := Comparable(x, y)
	return expr.Call(op, both[0].Expr, both[1].Expr)
}

// Comparable converts two values to types that can be compared.
func Comparable(x, y Value) (both [2]Value) {
	if x.Null && y.Null {
		x.Null, y.Null = false, false
	}
	if x.Type != y.Type && IsTime(x.Type) && IsTime(y.Type) { // times of clocks in UTC compare as moments do
		x, y = x.asClock(), y.asClock()
	}
	if !x.Null && !y.Null && (IsNumber(x.Type) && IsNumber(y.Type) || IsTime(x.Type) && IsTime(y.Type)) {
		return [2]Value{x, y}
	}
	es, t := Common([]Value{x, y})
	if t == columnar.Interval { // joins too look for equal lengths
		t = columnar.Huge
		es = columnar.Each(es, func(e *expr.Expr) *expr.Expr { return expr.Call(expr.OpIntervalMicros, e) })
	}
	return [2]Value{{Expr: es[0], Type: t}, {Expr: es[1], Type: t}}
}

// FloatOfWide converts a number of 128 bits to a DOUBLE.
func (v Value) FloatOfWide() Value {
	if IsNumber(v.Type) && v.Type.Kind() == columnar.KindInt128 {
		return Value{Expr: expr.ToFloat(v.Expr), Type: columnar.Float, At: v.At}
	}
	return v
}
