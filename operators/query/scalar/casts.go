package scalar

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// AsNumber converts a value implicitly to a number: texts that are written to the narrowest that holds them.
func AsNumber(v Value) Value {
	switch {
	case v.Null:
		return IntOf(expr.Null(columnar.Int))
	case IsNumber(v.Type):
		return v
	case v.Written:
		for _, t := range []columnar.Type{columnar.Int, columnar.Huge} {
			if n, err := ParseValue(v.Expr.Value.Text, t); err == nil {
				return Value{Expr: n, Type: t}
			}
		}
		return FloatOf(v.read(columnar.Float))
	case v.Type == columnar.Interval:
		panic(sql.Wrong(v.At, "Next: epoch(…) is how many seconds it is long.", "a number is needed, and this is INTERVAL"))
	}
	hint := "Next: write CAST(… AS DOUBLE) or CAST(… AS BIGINT)."
	if IsTime(v.Type) {
		hint = "Next: date_trunc('month', x) is the beginning of a month, year(x) and epoch(x) are numbers."
	}
	panic(sql.Wrong(v.At, hint, "a number is needed, and this is %s", TypeName(v.Type)))
}

// AsText converts a value to the text that answers show for it.
func AsText(v Value) *expr.Expr {
	switch {
	case v.Null:
		return expr.Null(columnar.Text)
	case v.Type == columnar.Text:
		return v.Expr
	}
	return expr.Call(expr.OpToText, v.Expr)
}

// absentTypes are the types of DuckDB that there are not, and what to write instead.
var absentTypes = map[string]string{
	"BIT":                 "Next: &, |, <<, >> and bit_count work on the bits of integers, and bin(…) shows them.",
	"BITSTRING":           "Next: &, |, <<, >> and bit_count work on the bits of integers, and bin(…) shows them.",
	"BIGNUM":              "Next: write HUGEINT, or DECIMAL(38, 0); what is greater is a DOUBLE or a VARCHAR.",
	"TIMETZ":              "Next: write TIME, or TIMESTAMP WITH TIME ZONE for a moment.",
	"TIME WITH TIME ZONE": "Next: write TIME, or TIMESTAMP WITH TIME ZONE for a moment.",
	"VARIANT":             "Next: to_json(…) holds any value, and json_extract reads it.",
	"NUMBER":              "Next: write DECIMAL(10, 2), BIGINT or DOUBLE.",
	"MONEY":               "Next: write DECIMAL(19, 4).",
	"VARCHAR2":            "Next: write VARCHAR.",
	"NVARCHAR":            "Next: write VARCHAR.",
	"DATETIME2":           "Next: write TIMESTAMP.",
}

// noType is the error for a cast to a type that there is not.
func noType(e *sql.Expr) error {
	if strings.HasPrefix(e.Text, "ENUM(") {
		return sql.Unsupported(e.At, "Next: write the text, and sort by list_position(['low', 'high'], text).", "casts to ENUM, texts with an order of their own,")
	}
	name, _, _ := strings.Cut(e.Text, "(")
	next := absentTypes[name]
	if next == "" {
		next = "There are BIGINT, DECIMAL of up to 38 digits, DOUBLE, BOOLEAN, VARCHAR, DATE, TIMESTAMP, TIME, UUID and BLOB, and lists of these."
	}
	return sql.Unsupported(e.At, next, "casts to "+e.Text)
}

func bindCast(s *Scope, e *sql.Expr) Value {
	if unit := roundedTimes[e.Text]; unit != "" {
		clock := *e
		clock.Text = "TIMESTAMP"
		return toUnit[unit].Value(s.Statement, e.At, []Value{bindCast(s, &clock)})
	}
	if item, size, list := listNamed(e.Text); list && size >= 0 {
		any := *e
		any.Text = item + "[]"
		v := bindCast(s, &any)
		return Value{Expr: expr.Call(expr.OpSized, v.Expr, expr.Int(size), expr.Bool(e.Try)), Type: v.Type}
	}
	v := s.Expr(e.Args[0])
	if out, nested := castNested(s, e, v); nested {
		return out
	}
	t, ok := TypeNamed(e.Text)
	digits, decimal := decimalNamed(e.Text)
	if !ok && !decimal {
		panic(noType(e))
	}
	if v.IsJSON() && v.Type == columnar.Text && t != columnar.Text { // a JSON text is cast without its quotes
		v.Expr = expr.Call(expr.OpJSONString, v.Expr, expr.Str("$"))
	}
	if decimal {
		if !v.Null && (v.counts() || v.Type == columnar.Text) {
			if out := digits.cast(v, e.Try); out.Expr != nil {
				return out
			}
		}
		t = digits.Type()
	}
	out := Value{Expr: castTo(e, v, t), Type: t}
	if r := rangeNamed(e.Text); r != nil && !v.Null {
		out.Expr = expr.InRange(out.Expr, r, e.Try)
	}
	return out
}

// castLike binds a cast to the type of a value, which has none if it is NULL.
func castLike(s *Scope, e *sql.Expr) Value {
	like := s.Expr(e.Args[1])
	if like.Null {
		return s.Expr(e.Args[0])
	}
	return s.Expr(e.At.Cast(e.Args[0], TypeName(like.Type)))
}

// counts reports whether a value is a number, or a truth value, which becomes one.
func (v Value) counts() bool { return IsNumber(v.Type) || v.Type == columnar.Bool }

// castNested casts a value to JSON, a struct, a map or a list; ok is false for other types.
func castNested(s *Scope, e *sql.Expr, v Value) (out Value, ok bool) {
	if e.Text == "JSON" || e.Text == "JSONB" {
		return castJSON(e, v), true
	}
	if v.Null {
		return out, false
	}
	if fields := sql.StructFields(e.Text); fields != nil {
		return castStruct(s, e, fields, v), true
	}
	if key, value, ok := sql.MapTypes(e.Text); ok {
		return castMap(s, e, key, value, v), true
	}
	item, _, list := listNamed(e.Text)
	if !list || v.bare() {
		return out, false
	}
	if v.Type == columnar.Text {
		v = Value{Expr: expr.Call(expr.OpListOfText, v.Expr, expr.Bool(e.Try)), Type: columnar.TextList}
	}
	if v.Type.Item() == columnar.Invalid {
		return out, false
	}
	return castItems(s, e, item, v), true
}

// castTo casts a value to a type, which is no list but of what has none yet.
func castTo(e *sql.Expr, v Value, t columnar.Type) *expr.Expr {
	wide := widened(v.Expr, v.open(), t)
	switch {
	case e.Try && IsNumber(t) && t != columnar.Float && v.Type != t && v.counts() && !v.Null:
		return expr.TryCast(v.Expr, t)
	case wide != nil:
		return wide
	case v.Type == columnar.Text && t.Item() == columnar.Invalid:
		return expr.CastText(v.Expr, t, e.Try)
	case t == columnar.Text:
		v.At = e.At
		return AsText(v)
	case t == columnar.Int && v.counts():
		return expr.Call(expr.OpToInt, v.Expr)
	case t == columnar.Huge && v.counts():
		return expr.ToHuge(v.Expr)
	case t == columnar.Bool && IsNumber(v.Type):
		return expr.Ne(v.Expr, expr.Int(0))
	case t == columnar.Decimal && IsNumber(v.Type) && v.Type.Kind() == columnar.KindInt128:
		return expr.ToDecimal(v.Expr)
	case narrowings[v.Type][t] != "" && e.Try:
		return expr.Call(expr.OpTry, expr.Call(narrowings[v.Type][t], v.Expr))
	case narrowings[v.Type][t] != "":
		return expr.Call(narrowings[v.Type][t], v.Expr)
	}
	panic(sql.UnsupportedTypes(e.At, "", fmt.Sprintf("casts of %s to %s", TypeName(v.Type), TypeName(t))))
}

// narrowings are the operations of casts that keep a part of a value, or its bytes, by the types from and to which.
var narrowings = map[columnar.Type]map[columnar.Type]expr.Op{
	columnar.Timestamp: {columnar.Date: expr.OpToDate, columnar.Time: expr.OpToTime},
	columnar.UUID:      {columnar.Bytes: expr.OpUUIDBytes},
	columnar.Bytes:     {columnar.UUID: expr.OpUUIDOf},
	columnar.Instant:   {columnar.Date: expr.OpToDate, columnar.Timestamp: expr.OpToTimestamp},
}

// roundedTimes are the units of timestamps that have fewer places than TIMESTAMP.
var roundedTimes = map[string]string{"TIMESTAMP_S": "second", "TIMESTAMP_MS": "millisecond"}

var toUnit = map[string]Formula{
	"second":      NewFormula("t", "date_trunc('second', t + INTERVAL 500 MILLISECONDS)"),
	"millisecond": NewFormula("t", "date_trunc('millisecond', t + INTERVAL 500 MICROSECONDS)"),
}

// castItems casts each item of a list to a type.
func castItems(s *Scope, e *sql.Expr, to string, list Value) Value {
	item := s.variable(list.Type.Item())
	item.Untyped = list.Untyped.part(0)
	item.Null = item.Untyped.isAll()
	cast := castValue(s, e, to, item)
	t := columnar.ListOf(cast.Type)
	if t == columnar.Invalid {
		panic(NoListOf(cast.Type, e.At))
	}
	if t == list.Type && cast.Expr == item.Expr {
		return list
	}
	return Value{Expr: expr.Call(expr.OpListTransform, list.Expr, item.Expr, s.variable(columnar.Int).Expr, cast.Expr), Type: t}
}
