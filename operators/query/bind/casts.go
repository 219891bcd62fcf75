package bind

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

func asNumber(v typed) typed {
	switch {
	case v.null:
		return intOf(expr.Null(columnar.Int))
	case isNumber(v.t):
		return v
	case v.written:
		for _, t := range []columnar.Type{columnar.Int, columnar.Huge} {
			if n, err := parseValue(v.e.Value.Text, t); err == nil {
				return typed{e: n, t: t}
			}
		}
		return typed{e: v.read(columnar.Float), t: columnar.Float}
	case v.t == columnar.Interval:
		panic(sql.Wrong(v.at, "Next: epoch(…) is how many seconds it is long.", "a number is needed, and this is INTERVAL"))
	}
	panic(sql.Wrong(v.at, "Next: write CAST(… AS DOUBLE) or CAST(… AS BIGINT).", "a number is needed, and this is %s", TypeName(v.t)))
}

// asText converts a value to the text that answers show for it.
func asText(v typed) *expr.Expr {
	switch {
	case v.null:
		return expr.Null(columnar.Text)
	case v.t == columnar.Text:
		return v.e
	}
	return expr.Call(expr.OpToText, v.e)
}

func (s *scope) cast(e *sql.Expr) typed {
	if unit := roundedTimes[e.Text]; unit != "" {
		clock := *e
		clock.Text = "TIMESTAMP"
		return toUnit[unit].value(s.b, e.At, []typed{s.cast(&clock)})
	}
	if item, size, list := listNamed(e.Text); list && size >= 0 {
		any := *e
		any.Text = item + "[]"
		v := s.cast(&any)
		return typed{e: expr.Call(expr.OpSized, v.e, expr.Int(size), expr.Bool(e.Try)), t: v.t}
	}
	t, ok := TypeNamed(e.Text)
	v := s.expr(e.Args[0])
	if e.Text == "JSON" {
		return castJSON(e, v)
	}
	if fields := sql.StructFields(e.Text); fields != nil && !v.null {
		return castStruct(s, e, fields, v)
	}
	if key, value, ok := sql.MapTypes(e.Text); ok && !v.null {
		return castMap(s, e, key, value, v)
	}
	if item, _, list := listNamed(e.Text); list && !v.null && !v.empty {
		if v.t == columnar.Text {
			v = typed{e: expr.Call(expr.OpListOfText, v.e, expr.Bool(e.Try)), t: columnar.TextList}
		}
		if v.t.Item() != columnar.Invalid {
			return castItems(s, e, item, v)
		}
	}
	digits, places, decimal := decimalOf(e.Text)
	rounds := digits != wholeDigits || places != number.Scale
	if !ok && !decimal {
		panic(sql.Unsupported(e.At, "There are BIGINT, DECIMAL of up to six places, DOUBLE, BOOLEAN, VARCHAR, DATE, TIMESTAMP and TIME, and lists of these.", "casts to "+e.Text))
	}
	if decimal && !v.null && (v.t == columnar.Float || rounds && (isNumber(v.t) || v.t == columnar.Text || v.t == columnar.Bool)) {
		return toDigits(e, v, digits, places)
	} else if decimal {
		t = columnar.Decimal
	}
	out := typed{e: widened(v.e, v.t, t), t: t}
	switch {
	case e.Try && isNumber(t) && t != columnar.Float && v.t != t && (isNumber(v.t) || v.t == columnar.Bool) && !v.null:
		out.e = expr.TryCast(v.e, t)
	case v.null:
		out.e = expr.Null(t)
	case v.t == t, v.empty:
		out.e = v.as(t)
	case out.e != nil:
	case v.t == columnar.Text && t.Item() == columnar.Invalid:
		out.e = expr.CastText(v.e, t, e.Try)
	case t == columnar.Text:
		v.at = e.At
		out.e = asText(v)
	case t == columnar.Int && (isNumber(v.t) || v.t == columnar.Bool):
		out.e = expr.Call(expr.OpToInt, v.e)
	case t == columnar.Huge && (isNumber(v.t) || v.t == columnar.Bool):
		out.e = expr.ToHuge(v.e)
	case t == columnar.Bool && isNumber(v.t):
		out.e = expr.Ne(v.e, expr.Int(0))
	case t == columnar.Decimal && isNumber(v.t) && v.t.Kind() == columnar.KindInt128:
		out.e = expr.ToDecimal(v.e)
	case narrowings[v.t][t] != "":
		out.e = expr.Call(narrowings[v.t][t], v.e)
	default:
		panic(sql.Unsupported(e.At, "", fmt.Sprintf("casts of %s to %s", TypeName(v.t), TypeName(t))))
	}
	if r := rangeNamed(e.Text); r != nil && !v.null {
		out.e = expr.InRange(out.e, r, e.Try)
	}
	return out
}

// narrowings are the operations of casts that keep a part of a value, by the types from and to which.
var narrowings = map[columnar.Type]map[columnar.Type]expr.Op{
	columnar.Timestamp: {columnar.Date: expr.OpToDate, columnar.Time: expr.OpToTime},
	columnar.Instant:   {columnar.Date: expr.OpToDate, columnar.Timestamp: expr.OpToTimestamp},
}

// roundedTimes are the units of timestamps that have fewer places than TIMESTAMP.
var roundedTimes = map[string]string{"TIMESTAMP_S": "second", "TIMESTAMP_MS": "millisecond"}

var toUnit = map[string]aFormula{
	"second":      formula("t", "date_trunc('second', t + INTERVAL 500 MILLISECONDS)"),
	"millisecond": formula("t", "date_trunc('millisecond', t + INTERVAL 500 MICROSECONDS)"),
}

// castItems casts each item of a list to a type.
func castItems(s *scope, e *sql.Expr, to string, list typed) typed {
	item := s.b.variable(list.t.Item())
	cast := castValue(s, e, to, item)
	t := columnar.ListOf(cast.t)
	if t == columnar.Invalid {
		panic(noListOf(cast.t, e.At))
	}
	if t == list.t && cast.e == item.e {
		return list
	}
	return typed{e: expr.Call(expr.OpListTransform, list.e, item.e, s.b.variable(columnar.Int).e, cast.e), t: t}
}

// toDigits casts a number or a text to a DECIMAL of so many digits and places: it is rounded
// to the places, and must not have more digits.
func toDigits(e *sql.Expr, v typed, digits, places int64) typed {
	op, t := expr.OpToDigits, columnar.Decimal
	if digits-places > wholeDigits-number.Scale || v.t.Kind() == columnar.KindInt128 || v.t == columnar.Bool {
		op, t = expr.OpToWideDigits, columnar.Wide
	}
	return typed{e: expr.Call(op, v.e, expr.Int(digits), expr.Int(places), expr.Bool(e.Try)), t: t}
}

// wholeDigits is how many digits a DECIMAL has if its type does not say it.
const wholeDigits = 18

// decimalOf returns the digits of a decimal type, and how many of them follow the decimal
// point. If none are given, it has all digits and places of a DECIMAL of a file, so that a cast
// to DECIMAL loses nothing.
func decimalOf(name string) (digits, places int64, ok bool) {
	name, inside, given := strings.Cut(name, "(")
	if name != "DECIMAL" && name != "NUMERIC" {
		return 0, 0, false
	}
	digits, places = wholeDigits, number.Scale
	if given {
		places = 0
		n, err := fmt.Sscanf(inside, "%d, %d)", &digits, &places)
		if ok = n == 2 && err == nil || n == 1 && inside == fmt.Sprintf("%d)", digits); !ok {
			return 0, 0, false
		}
	}
	return digits, places, places <= number.Scale && digits >= max(places, 1) && digits <= expr.MaxDigits
}
