package expr

import "analyzer/columnar"

// Op says what a node of an expression does.
type Op string

// The operations, with the arguments they take. Every comparison takes two
// numbers, two texts or two bools and gives Bool.
const (
	OpColumn          Op = "column"            // a column, by Name
	OpParam           Op = "param"             // a parameter, by Name; Bind replaces it
	OpLiteral         Op = "literal"           // Value
	OpAnd             Op = "and"               // one or more Bool
	OpOr              Op = "or"                // one or more Bool
	OpNot             Op = "not"               // Bool
	OpEq              Op = "="                 // comparison
	OpNe              Op = "<>"                // comparison
	OpLt              Op = "<"                 // comparison
	OpLe              Op = "<="                // comparison
	OpGt              Op = ">"                 // comparison
	OpGe              Op = ">="                // comparison
	OpIsNull          Op = "is_null"           // anything
	OpAdd             Op = "+"                 // two numbers
	OpSub             Op = "-"                 // two numbers
	OpMul             Op = "*"                 // two numbers, neither of them Wide
	OpDiv             Op = "/"                 // two numbers, gives Float
	OpIntDiv          Op = "//"                // two Int
	OpToDecimal       Op = "to_decimal"        // Int, Decimal or Wide
	OpToFloat         Op = "to_float"          // a number
	OpYear            Op = "year"              // Text, gives Int
	OpLower           Op = "lower"             // Text
	OpContains        Op = "contains"          // Text and the Text looked for in it
	OpListContains    Op = "list_contains"     // a list and an item
	OpListContainsAll Op = "list_contains_all" // TextList and the TextList of which all must be in it
	OpLen             Op = "len"               // a list, gives Int
	OpElement         Op = "element"           // a list and a position from 1, Int
	OpSentiment       Op = "sentiment"         // Text and the name of a model, a Text literal
	OpPolarity        Op = "polarity"          // Text and the name of a model, a Text literal; gives Decimal
	OpLanguage        Op = "language"          // Text
)

// Expr is a node of an expression tree. It is plain data whose JSON form reads
// back as the same tree. Trees may share nodes, so a node is never changed once
// it is part of one.
type Expr struct {
	Op    Op      `json:"op"`
	Name  string  `json:"name,omitempty"`  // of a column or parameter
	Value *Value  `json:"value,omitempty"` // of a literal
	Args  []*Expr `json:"args,omitempty"`
}

// Value is a literal. Its type says which field holds it: Bool, Int (for Int,
// and for Decimal in millionths), Float, Text, or Texts (for TextList).
type Value struct {
	Type  columnar.Type `json:"type"`
	Null  bool          `json:"null,omitempty"` // no value of that type
	Bool  bool          `json:"bool,omitempty"`
	Int   int64         `json:"int,omitempty"`
	Float float64       `json:"float,omitzero"`
	Text  string        `json:"text,omitempty"`
	Texts []string      `json:"texts,omitempty"`
}

// decimalOne is 1 as a Decimal.
const decimalOne = 1_000_000

func (e *Expr) isLiteral() bool { return e.Op == OpLiteral && e.Value != nil }

// literal returns the value of a literal that is not null, or nil.
func (e *Expr) literal() *Value {
	if !e.isLiteral() || e.Value.Null {
		return nil
	}
	return e.Value
}

func (e *Expr) isBool(b bool) bool {
	v := e.literal()
	return v != nil && v.Type == columnar.Bool && v.Bool == b
}

// with returns a copy of e with other arguments.
func (e *Expr) with(args []*Expr) *Expr {
	c := *e
	c.Args = args
	return &c
}
