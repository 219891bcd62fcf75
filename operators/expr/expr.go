package expr

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Op says what a node of an expression does: one of the constants below, or the name
// of a function.
type Op string

// The operations that are not functions.
const (
	OpColumn  Op = "column"  // a column, by Name
	OpLiteral Op = "literal" // Value
)

// Expr is a node of an expression tree. It is plain data whose JSON form reads
// back as the same tree. Trees may share nodes, so a node must not be changed once
// it is part of a tree.
type Expr struct {
	Op    Op      `json:"op"`
	Name  string  `json:"name,omitempty"`  // of a column or parameter
	Value *Value  `json:"value,omitempty"` // of a literal
	Args  []*Expr `json:"args,omitempty"`
}

// Value is a literal. Its type says which field holds it: Bool, Int (for Int, for
// Decimal in millionths, for Date in days and for Timestamp in microseconds
// since 1970-01-01), Int and High (for numbers of 128 bits: Int + High·2^64, in units of the last place), Float, Text
// (for Text, and for Bytes as they print), or Texts (for TextList). A literal of another list type a struct or a map can only be null.
type Value struct {
	Type  columnar.Type `json:"type"`
	Null  bool          `json:"null,omitempty"` // the null of that type
	Bool  bool          `json:"bool,omitempty"`
	Int   int64         `json:"int,omitempty"`
	High  int64         `json:"high,omitempty"`
	Float float64       `json:"float"`
	Text  string        `json:"text,omitempty"`
	Texts []string      `json:"texts,omitempty"`
}

// MarshalJSON leaves out zero values, but keeps the Float -0, which differs from 0.
func (v Value) MarshalJSON() ([]byte, error) {
	type fields Value
	out := struct {
		fields
		Float *float64 `json:"float,omitempty"`
	}{fields: fields(v)}
	if math.Float64bits(v.Float) != 0 {
		out.Float = &v.Float
	}
	return json.Marshal(out)
}

// decimalOne is 1 as a Decimal.
const decimalOne = 1_000_000

// Call is a function applied to arguments.
func Call(op Op, args ...*Expr) *Expr { return &Expr{Op: op, Args: args} }

// Col is the value of a column.
func Col(name string) *Expr { return &Expr{Op: OpColumn, Name: name} }

func lit(v Value) *Expr { return &Expr{Op: OpLiteral, Value: &v} }

// Int is an Int literal.
func Int(n int64) *Expr { return lit(Value{Type: columnar.Int, Int: n}) }

// Dec is a Decimal literal, given in millionths.
func Dec(scaled int64) *Expr { return lit(Value{Type: columnar.Decimal, Int: scaled}) }

// Huge is a Huge literal.
func Huge(n number.Int128) *Expr { return lit(wideValue(columnar.Huge, n)) }

// Wide is a literal of a wide decimal, given in units of its last place.
func Wide(t columnar.Type, n number.Int128) *Expr { return lit(wideValue(t, n)) }

// wideValue is a value of a type of 128 bits.
func wideValue(t columnar.Type, n number.Int128) Value {
	low := int64(n.LowBits())
	return Value{Type: t, Int: low, High: n.HighBits() - low>>63}
}

// wide is the value of a type of 128 bits.
func (v *Value) wide() number.Int128 {
	return decimal128.New(v.High+v.Int>>63, uint64(v.Int))
}

// Date is a Date literal, given in days since 1970-01-01.
func Date(days int64) *Expr { return lit(Value{Type: columnar.Date, Int: days}) }

// Timestamp is a Timestamp literal, given in microseconds since 1970-01-01.
func Timestamp(micros int64) *Expr { return lit(Value{Type: columnar.Timestamp, Int: micros}) }

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

// Zero is the literal of a type, not of a list, all of whose bits are zero, such as the empty text.
func Zero(t columnar.Type) *Expr { return lit(Value{Type: t}) }

// Null is the null literal of a type.
func Null(t columnar.Type) *Expr { return lit(Value{Type: t, Null: true}) }

func (e *Expr) isLiteral() bool { return e.Op == OpLiteral && e.Value != nil }

// Literal returns the value of a literal that is not null, or nil; e may be nil.
func (e *Expr) Literal() *Value {
	if e == nil || !e.isLiteral() || e.Value.Null {
		return nil
	}
	return e.Value
}

// IsBool reports whether e is the literal b.
func (e *Expr) IsBool(b bool) bool {
	v := e.Literal()
	return v != nil && v.Type == columnar.Bool && v.Bool == b
}

// with returns a copy of e with other arguments.
func (e *Expr) with(args []*Expr) *Expr {
	c := *e
	c.Args = args
	return &c
}
