package expr

import (
	"fmt"
	"strings"

	"analyzer/columnar"
)

// TypeOf returns the type of e's values over columns of schema s. Its errors
// name the part of e that is wrong, and for an unknown column the columns there
// are. Parameters must have been bound.
func (e *Expr) TypeOf(s columnar.Schema) (columnar.Type, error) {
	if err := e.checkShape(); err != nil {
		return columnar.Invalid, err
	}
	switch e.Op {
	case OpColumn:
		if i := s.Index(e.Name); i >= 0 {
			return s[i].Type, nil
		}
		return columnar.Invalid, fmt.Errorf("there is no column %q; the columns are %s", e.Name, strings.Join(s.Names(), ", "))
	case OpParam:
		return columnar.Invalid, fmt.Errorf("parameter %q has no value", e.Name)
	case OpLiteral:
		return e.Value.Type, nil
	}
	args := make([]columnar.Type, len(e.Args))
	for i, a := range e.Args {
		t, err := a.TypeOf(s)
		if err != nil {
			return columnar.Invalid, err
		}
		args[i] = t
	}
	t := resultType(e.Op, args)
	if t == columnar.Invalid {
		return t, fmt.Errorf("%s takes %s, but in %s it is given %s", e.Op, specs[e.Op].takes, e.brief(), typeList(args))
	}
	return t, nil
}

func typeList(types []columnar.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// spec is how many arguments an operation takes, and which, in words.
type spec struct {
	min, max int
	takes    string
}

const manyArgs = maxNodes

// specs is read only.
var specs = map[Op]spec{
	OpColumn: {}, OpParam: {}, OpLiteral: {},
	OpAnd:             {1, manyArgs, "bools"},
	OpOr:              {1, manyArgs, "bools"},
	OpNot:             {1, 1, "a bool"},
	OpEq:              {2, 2, "two numbers, two texts or two bools"},
	OpNe:              {2, 2, "two numbers, two texts or two bools"},
	OpLt:              {2, 2, "two numbers, two texts or two bools"},
	OpLe:              {2, 2, "two numbers, two texts or two bools"},
	OpGt:              {2, 2, "two numbers, two texts or two bools"},
	OpGe:              {2, 2, "two numbers, two texts or two bools"},
	OpIsNull:          {1, 1, "any value"},
	OpAdd:             {2, 2, "two numbers"},
	OpSub:             {2, 2, "two numbers"},
	OpMul:             {2, 2, "two numbers that are int, decimal or float"},
	OpDiv:             {2, 2, "two numbers"},
	OpIntDiv:          {2, 2, "two ints"},
	OpToDecimal:       {1, 1, "an int, decimal or wide"},
	OpToFloat:         {1, 1, "a number"},
	OpYear:            {1, 1, "a text"},
	OpLower:           {1, 1, "a text"},
	OpContains:        {2, 2, "two texts"},
	OpListContains:    {2, 2, "a textlist and a text, or an intlist and an int"},
	OpListContainsAll: {2, 2, "two textlists"},
	OpLen:             {1, 1, "a list"},
	OpElement:         {2, 2, "a list and an int"},
	OpSentiment:       {2, 2, "a text and the name of a model"},
	OpPolarity:        {2, 2, "a text and the name of a model"},
	OpLanguage:        {1, 1, "a text"},
}

// resultType returns the type an operation gives for as many arguments as it
// takes, or Invalid if it does not take their types.
func resultType(op Op, args []columnar.Type) columnar.Type {
	switch op {
	case OpAnd, OpOr, OpNot:
		for _, t := range args {
			if t != columnar.Bool {
				return columnar.Invalid
			}
		}
		return columnar.Bool
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		return when(canCompare(args[0], args[1]), columnar.Bool)
	case OpIsNull:
		return when(args[0] != columnar.Invalid, columnar.Bool)
	case OpAdd, OpSub, OpMul, OpDiv, OpIntDiv, OpToDecimal, OpToFloat:
		return numericResult(op, args)
	case OpYear:
		return when(args[0] == columnar.Text, columnar.Int)
	case OpLower, OpLanguage:
		return when(args[0] == columnar.Text, columnar.Text)
	case OpContains:
		return when(args[0] == columnar.Text && args[1] == columnar.Text, columnar.Bool)
	case OpSentiment:
		return when(args[0] == columnar.Text && args[1] == columnar.Text, columnar.Text)
	case OpPolarity:
		return when(args[0] == columnar.Text && args[1] == columnar.Text, columnar.Decimal)
	}
	return listResult(op, args)
}

func listResult(op Op, args []columnar.Type) columnar.Type {
	item := itemType(args[0])
	switch op {
	case OpListContains:
		return when(item == args[1], columnar.Bool)
	case OpListContainsAll:
		return when(args[0] == columnar.TextList && args[1] == columnar.TextList, columnar.Bool)
	case OpLen:
		return when(item != columnar.Invalid, columnar.Int)
	case OpElement:
		return when(args[1] == columnar.Int, item)
	}
	return columnar.Invalid
}

func numericResult(op Op, args []columnar.Type) columnar.Type {
	wider := columnar.Int
	for _, t := range args {
		if rank(t) == 0 {
			return columnar.Invalid
		}
		if rank(t) > rank(wider) {
			wider = t
		}
	}
	switch op {
	case OpAdd, OpSub:
		return wider
	case OpMul:
		return when(args[0] != columnar.Wide && args[1] != columnar.Wide, wider)
	case OpIntDiv:
		return when(wider == columnar.Int, columnar.Int)
	case OpToDecimal:
		return when(wider != columnar.Float, columnar.Decimal)
	}
	return columnar.Float // OpDiv, OpToFloat
}

// rank orders the numeric types by which converts to which; 0 is no number.
func rank(t columnar.Type) int {
	switch t {
	case columnar.Int:
		return 1
	case columnar.Decimal:
		return 2
	case columnar.Wide:
		return 3
	case columnar.Float:
		return 4
	}
	return 0
}

func canCompare(a, b columnar.Type) bool {
	if rank(a) > 0 {
		return rank(b) > 0
	}
	return a == b && (a == columnar.Text || a == columnar.Bool)
}

func itemType(list columnar.Type) columnar.Type {
	switch list {
	case columnar.TextList:
		return columnar.Text
	case columnar.IntList:
		return columnar.Int
	}
	return columnar.Invalid
}

func when(ok bool, t columnar.Type) columnar.Type {
	if ok {
		return t
	}
	return columnar.Invalid
}
