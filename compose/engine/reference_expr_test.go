package engine_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
)

// evaluate computes an expression for one row.
func evaluate(e *expr.Expr, s columnar.Schema, row []any) any {
	switch e.Op {
	case expr.OpColumn:
		return row[s.Index(e.Name)]
	case expr.OpLiteral:
		return literal(e.Value)
	}
	var args []any
	null := false
	for _, a := range e.Args {
		v := evaluate(a, s, row)
		args = append(args, v)
		null = null || v == nil
	}
	switch e.Op {
	case expr.OpIsNull:
		return null
	case expr.OpAnd:
		return decided(args, null, false)
	case expr.OpOr:
		return decided(args, null, true)
	}
	if null {
		return nil
	}
	return call(e.Op, args)
}

// decided returns the value of AND or OR: the deciding value if it is among the
// arguments, else null if null is.
func decided(args []any, null, decisive bool) any {
	switch {
	case slices.Contains(args, any(decisive)):
		return decisive
	case null:
		return nil
	}
	return !decisive
}

func call(op expr.Op, args []any) any {
	switch op {
	case expr.OpNot:
		return !args[0].(bool)
	case expr.OpAdd:
		return args[0].(int64) + args[1].(int64)
	case expr.OpIntDiv:
		if args[1].(int64) == 0 {
			return nil
		}
		return args[0].(int64) / args[1].(int64)
	case expr.OpDiv:
		if args[1].(int64) == 0 {
			return nil
		}
		return float64(args[0].(int64)) / float64(args[1].(int64))
	case expr.OpContains:
		return strings.Contains(args[0].(string), args[1].(string))
	case expr.OpListContains:
		return slices.Contains(args[0].([]string), args[1].(string))
	case expr.OpLen:
		if ints, ok := args[0].([]int64); ok {
			return int64(len(ints))
		}
		return int64(len(args[0].([]string)))
	case expr.OpElement:
		list, i := args[0].([]string), args[1].(int64)
		if i < 0 {
			i += int64(len(list)) + 1
		}
		if i < 1 || i > int64(len(list)) {
			return nil
		}
		return list[i-1]
	}
	return holds(op, compare(args[0], args[1]))
}

func holds(op expr.Op, c int) bool {
	switch op {
	case expr.OpEq:
		return c == 0
	case expr.OpNe:
		return c != 0
	case expr.OpLt:
		return c < 0
	case expr.OpLe:
		return c <= 0
	case expr.OpGt:
		return c > 0
	case expr.OpGe:
		return c >= 0
	}
	panic("the reference has no " + string(op))
}

func literal(v *expr.Value) any {
	if v.Null {
		return nil
	}
	switch v.Type {
	case columnar.Bool:
		return v.Bool
	case columnar.Int:
		return v.Int
	case columnar.Decimal:
		return dec(v.Int)
	case columnar.Float:
		return v.Float
	case columnar.Text:
		return v.Text
	}
	if slices.Contains(columnar.Times(), v.Type) {
		return instant{v.Type, v.Int}
	}
	return v.Texts
}

// instant is a value of one of the types of times.
type instant struct {
	typ columnar.Type
	n   int64
}

func (m instant) String() string {
	v := expr.Value{Type: m.typ, Int: m.n}
	return string(v.Vector().AppendText(nil, 0))
}

// rendered writes the values of a row so that different ones differ.
func rendered(row []any) []string {
	out := make([]string, len(row))
	for i, v := range row {
		switch v := v.(type) {
		case nil:
			out[i] = "null"
		case dec:
			out[i] = fmt.Sprintf("%de-6", int64(v))
		case *big.Int:
			out[i] = v.String() + " units"
		case float64:
			out[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case string:
			out[i] = strconv.Quote(v)
		case []string:
			out[i] = fmt.Sprintf("%q", v)
		default:
			out[i] = fmt.Sprint(v)
		}
	}
	return out
}

// valueOf reads one value of a vector the way the reference has it.
func valueOf(v *columnar.Vector, i int) any {
	if v.IsNull(i) {
		return nil
	}
	switch v.Type {
	case columnar.Bool:
		return v.Bools[i]
	case columnar.Int:
		return v.Ints[i]
	case columnar.Decimal:
		return dec(v.Ints[i])
	case columnar.Float:
		return v.Floats[i]
	case columnar.Text:
		return string(v.Bytes(i))
	case columnar.TextList:
		list := []string{}
		for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
			list = append(list, string(v.Child.Bytes(int(j))))
		}
		return list
	}
	switch {
	case slices.Contains(columnar.Times(), v.Type):
		return instant{v.Type, v.Ints[i]}
	case v.Type.IsWide():
		return v.Wides[i].BigInt()
	}
	return append([]int64{}, v.Child.Ints[v.Offsets[i]:v.Offsets[i+1]]...)
}
