package expr

import (
	"slices"

	"analyzer/columnar"
)

func call(op Op, args ...*Expr) *Expr { return &Expr{Op: op, Args: args} }

func lit(v Value) *Expr { return &Expr{Op: OpLiteral, Value: &v} }

// Col is the value of a column.
func Col(name string) *Expr { return &Expr{Op: OpColumn, Name: name} }

// Param is the value of a plan's parameter.
func Param(name string) *Expr { return &Expr{Op: OpParam, Name: name} }

// Int is an Int literal.
func Int(n int64) *Expr { return lit(Value{Type: columnar.Int, Int: n}) }

// Dec is a Decimal literal, given in millionths.
func Dec(scaled int64) *Expr { return lit(Value{Type: columnar.Decimal, Int: scaled}) }

// Float is a Float literal. It must be finite.
func Float(f float64) *Expr { return lit(Value{Type: columnar.Float, Float: f}) }

// Bool is a Bool literal.
func Bool(b bool) *Expr { return lit(Value{Type: columnar.Bool, Bool: b}) }

// Str is a Text literal, in UTF-8.
func Str(s string) *Expr { return lit(Value{Type: columnar.Text, Text: s}) }

// Texts is a TextList literal.
func Texts(items ...string) *Expr {
	v := Value{Type: columnar.TextList}
	if len(items) > 0 {
		v.Texts = slices.Clone(items)
	}
	return lit(v)
}

// Null is the null of a type that has literals: Bool, Int, Decimal, Float, Text
// or TextList.
func Null(t columnar.Type) *Expr { return lit(Value{Type: t, Null: true}) }

// And is true where every argument is, and false where any is false.
func And(args ...*Expr) *Expr { return call(OpAnd, args...) }

// Or is true where any argument is, and false where every one is false.
func Or(args ...*Expr) *Expr { return call(OpOr, args...) }

// Not is true where a is false.
func Not(a *Expr) *Expr { return call(OpNot, a) }

// Eq compares by value: two numbers, two texts or two bools.
func Eq(a, b *Expr) *Expr { return call(OpEq, a, b) }

// Ne is Not(Eq(a, b)).
func Ne(a, b *Expr) *Expr { return call(OpNe, a, b) }

// Lt compares two numbers, two texts (by their bytes) or two bools (false is
// less than true), like Le, Gt and Ge.
func Lt(a, b *Expr) *Expr { return call(OpLt, a, b) }

// Le is a <= b.
func Le(a, b *Expr) *Expr { return call(OpLe, a, b) }

// Gt is a > b.
func Gt(a, b *Expr) *Expr { return call(OpGt, a, b) }

// Ge is a >= b.
func Ge(a, b *Expr) *Expr { return call(OpGe, a, b) }

// Between is lo <= a and a <= hi. It stands for these two comparisons; a is
// evaluated once.
func Between(a, lo, hi *Expr) *Expr { return And(Ge(a, lo), Le(a, hi)) }

// IsNull is true where a is null and false elsewhere.
func IsNull(a *Expr) *Expr { return call(OpIsNull, a) }

// Add gives Int for two Ints, and the wider of the two types in the order Int,
// Decimal, Wide, Float otherwise.
func Add(a, b *Expr) *Expr { return call(OpAdd, a, b) }

// Sub has the types of Add.
func Sub(a, b *Expr) *Expr { return call(OpSub, a, b) }

// Mul has the types of Add, without Wide. The product of two Decimals is rounded
// to millionths, half away from zero.
func Mul(a, b *Expr) *Expr { return call(OpMul, a, b) }

// Div is the Float nearest to a/b, and null where b is zero.
func Div(a, b *Expr) *Expr { return call(OpDiv, a, b) }

// IntDiv divides Ints and drops the fraction, so that it rounds toward zero, as
// DuckDB's // does; it is null where b is zero.
func IntDiv(a, b *Expr) *Expr { return call(OpIntDiv, a, b) }

// ToDecimal converts an Int, Decimal or Wide exactly.
func ToDecimal(a *Expr) *Expr { return call(OpToDecimal, a) }

// ToFloat gives the Float nearest to a number.
func ToFloat(a *Expr) *Expr { return call(OpToFloat, a) }

// Year is the first run of exactly four digits in a text, as an Int, and null
// where there is none.
func Year(text *Expr) *Expr { return call(OpYear, text) }

// Lower maps each code point of a text to lower case.
func Lower(text *Expr) *Expr { return call(OpLower, text) }

// Contains is true where part is a substring of text.
func Contains(text, part *Expr) *Expr { return call(OpContains, text, part) }

// ListContains is true where an item of the list equals item: a Text in a
// TextList or an Int in an IntList. Null items of the list equal nothing.
func ListContains(list, item *Expr) *Expr { return call(OpListContains, list, item) }

// ListContainsAll is true where every item of the TextList items is in the
// TextList list. Null items are not looked for.
func ListContainsAll(list, items *Expr) *Expr { return call(OpListContainsAll, list, items) }

// Len is the number of items in a list, as an Int.
func Len(list *Expr) *Expr { return call(OpLen, list) }

// Element is item i of a list, counted from 1, and null where there is none.
func Element(list, i *Expr) *Expr { return call(OpElement, list, i) }

// Sentiment is 'positive' where the polarity of a text is not negative, else
// 'negative'. The model's name must be a Text literal once parameters are bound.
func Sentiment(text, model *Expr) *Expr { return call(OpSentiment, text, model) }

// Polarity is how positive a text is, as a Decimal that is a multiple of 0.0001.
// The model's name must be a Text literal once parameters are bound.
func Polarity(text, model *Expr) *Expr { return call(OpPolarity, text, model) }

// Language is the ISO 639-1 code of the language a text is most likely written
// in, and empty where nothing in it speaks for any.
func Language(text *Expr) *Expr { return call(OpLanguage, text) }
