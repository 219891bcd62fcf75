package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// param returns the value of a parameter: a number or a bool if it is written as one, and
// otherwise a text, which becomes a date where a date is needed.
func (b *binder) param(e *sql.Expr) scalar.Value {
	text, ok := b.params[e.Text]
	if !ok {
		panic(sql.Wrong(e.At, "Next: give --param "+e.Text+"=VALUE.", "the parameter $%s has no value", e.Text))
	}
	if t, declared := b.catalog.Types[e.Text]; declared {
		if t == columnar.Text {
			return scalar.Value{Expr: expr.Str(text), Type: t, Written: true}
		}
		value, err := scalar.ParseValue(text, t)
		if err != nil {
			panic(sql.Wrong(e.At, "Next: correct --param "+e.Text+"=VALUE.", "parameter %s=%s: %v", e.Text, text, err))
		}
		return scalar.Value{Expr: value, Type: t}
	}
	switch text {
	case "true", "false":
		return scalar.Truth(expr.Bool(text == "true"))
	case "":
		return scalar.Value{Expr: expr.Str(""), Type: columnar.Text, Written: true}
	}
	digits := strings.TrimPrefix(text, "-")
	if digits != "" && (digits[0] >= '1' && digits[0] <= '9' || digits == "0" || strings.HasPrefix(digits, "0.")) {
		if _, ok := number.ParseFloat([]byte(digits)); ok && strings.TrimSpace(digits) == digits {
			sign := text[:len(text)-len(digits)]
			return scalar.LiteralNumber(&sql.Expr{Kind: sql.Number, Text: digits, At: e.At}, sign)
		}
	}
	return scalar.Value{Expr: expr.Str(text), Type: columnar.Text, Written: true}
}
