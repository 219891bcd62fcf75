package expr

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/sentiment"
)

// datum is one value of the slow evaluator; nil is null. Int is *big.Int,
// decimals are *big.Int in units of their last place, lists are []datum.
type datum any

// reference evaluates an expression for one row, straight from the definitions.
// Arguments of and and or are evaluated from the left until one decides.
func reference(e *Expr, s columnar.Schema, row []datum) (datum, error) {
	switch e.Op {
	case OpColumn:
		return row[s.Index(e.Name)], nil
	case OpLiteral:
		return literalDatum(e.Value), nil
	case OpAnd, OpOr:
		return referenceLogic(e, s, row)
	case OpIf:
		condition, err := reference(e.Args[0], s, row)
		if err != nil {
			return nil, err
		}
		if condition == true {
			return reference(e.Args[1], s, row)
		}
		return reference(e.Args[2], s, row)
	}
	args := make([]datum, len(e.Args))
	types := make([]columnar.Type, len(e.Args))
	for i, a := range e.Args {
		var err error
		if args[i], err = reference(a, s, row); err != nil {
			return nil, err
		}
		if types[i], err = a.TypeOf(s); err != nil {
			return nil, err
		}
	}
	if e.Op == OpIsNull {
		return args[0] == nil, nil
	}
	if IsNumber(types[0]) {
		return referenceNumber(e.Op, types, args)
	}
	for _, a := range args {
		if a == nil {
			return nil, nil
		}
	}
	return referenceCall(e.Op, args)
}

func literalDatum(v *Value) datum {
	if v.Null {
		return nil
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		return v.Bool
	case columnar.KindInt64:
		return big.NewInt(v.Int)
	case columnar.KindInt128:
		return number.BigInt(v.wide())
	case columnar.KindFloat64:
		return v.Float
	case columnar.KindBytes:
		return v.Text
	}
	list := []datum{}
	for _, t := range v.Texts {
		list = append(list, t)
	}
	return list
}

func referenceLogic(e *Expr, s columnar.Schema, row []datum) (datum, error) {
	decisive, null := e.Op == OpOr, false
	for _, a := range e.Args {
		v, err := reference(a, s, row)
		if err != nil {
			return nil, err
		}
		if v == decisive {
			return decisive, nil
		}
		null = null || v == nil
	}
	if null {
		return nil, nil
	}
	return !decisive, nil
}

func referenceCall(op Op, args []datum) (datum, error) {
	switch op {
	case OpNot:
		return !args[0].(bool), nil
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		if b, ok := args[0].(bool); ok {
			return holds(op, bit(b)-bit(args[1].(bool))), nil
		}
		return holds(op, strings.Compare(args[0].(string), args[1].(string))), nil
	case OpYear:
		return referenceYear(args[0].(string)), nil
	case OpLower:
		return strings.ToLower(args[0].(string)), nil
	case OpContains:
		return strings.Contains(args[0].(string), args[1].(string)), nil
	case OpListContains:
		return referenceHas(args[0].([]datum), args[1]), nil
	case OpListContainsAll:
		for _, item := range args[1].([]datum) {
			if item != nil && !referenceHas(args[0].([]datum), item) {
				return false, nil
			}
		}
		return true, nil
	case OpLen:
		return big.NewInt(int64(len(args[0].([]datum)))), nil
	case OpElement:
		list, i := args[0].([]datum), args[1].(*big.Int)
		if i.Sign() < 0 {
			i = new(big.Int).Add(i, big.NewInt(int64(len(list))+1))
		}
		if i.Sign() <= 0 || i.Cmp(big.NewInt(int64(len(list)))) > 0 {
			return nil, nil
		}
		return list[i.Int64()-1], nil
	case OpLanguage:
		return testDetector{}.Detect([]byte(args[0].(string))), nil
	case OpPolarity:
		return big.NewInt(100 * int64(testModel{}.Polarity([]byte(args[0].(string))))), nil
	case OpSentiment:
		if (testModel{}).Polarity([]byte(args[0].(string))) >= 0 {
			return "positive", nil
		}
		return "negative", nil
	}
	panic("no reference for " + op)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func referenceYear(text string) datum {
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(run) == 4 {
			n, _ := new(big.Int).SetString(run, 10)
			return n
		}
	}
	return nil
}

func referenceHas(list []datum, item datum) bool {
	for _, have := range list {
		if have != nil && show(have) == show(item) {
			return true
		}
	}
	return false
}

// referenceNumber computes with fractions of any size.
func referenceNumber(op Op, types []columnar.Type, args []datum) (datum, error) {
	arithmetic := op == OpAdd || op == OpSub || op == OpMul || op == OpIntDiv
	to := columnar.Float
	if op == OpToDecimal {
		to = columnar.Decimal
	} else if op == OpToWide {
		to = columnar.DecimalOf(int(args[1].(*big.Int).Int64()), int(args[2].(*big.Int).Int64()))
		if args[0] == nil {
			return nil, nil
		}
		if n, err := fit(to, exactly(types[0], args[0])); err == nil || !args[3].(bool) {
			return n, err
		}
		return nil, nil
	} else if op == OpToHuge {
		to = columnar.Huge
	} else if arithmetic {
		to = op.find().result(nil, types)
	}
	if (op == OpAdd || op == OpSub || op == OpToDecimal) && (to == columnar.Decimal || to.IsWide()) {
		for i, a := range args { // both sides become decimals first
			if a == nil {
				continue
			}
			if _, err := fit(to, exactly(types[i], a)); err != nil {
				return nil, err
			}
		}
	}
	for _, a := range args {
		if a == nil {
			return nil, nil
		}
	}
	x := exactly(types[0], args[0])
	if op == OpToHuge && types[0] == columnar.Float {
		x.SetFloat64(math.RoundToEven(args[0].(float64)))
	}
	if len(args) == 1 {
		return fit(to, x)
	}
	y := exactly(types[1], args[1])
	if types[0] == columnar.Float || types[1] == columnar.Float {
		return referenceFloat(op, nearest(x), nearest(y))
	}
	switch op {
	case OpAdd:
		return fit(to, x.Add(x, y))
	case OpSub:
		return fit(to, x.Sub(x, y))
	case OpMul:
		return fit(to, x.Mul(x, y))
	case OpDiv, OpIntDiv:
		if y.Sign() == 0 {
			return nil, nil
		}
		x.Quo(x, y)
		if op == OpIntDiv {
			x.SetInt(new(big.Int).Quo(x.Num(), x.Denom()))
		}
		return fit(to, x)
	}
	return holds(op, x.Cmp(y)), nil
}

func exactly(t columnar.Type, d datum) *big.Rat {
	if t == columnar.Float {
		return new(big.Rat).SetFloat64(d.(float64))
	}
	return new(big.Rat).SetFrac(d.(*big.Int), unitsIn(t))
}

// unitsIn is how many units of its last place are one in an exact type.
func unitsIn(t columnar.Type) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale())), nil)
}

func nearest(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

func referenceFloat(op Op, x, y float64) (datum, error) {
	switch op {
	case OpAdd:
		x += y
	case OpSub:
		x -= y
	case OpMul:
		x *= y
	case OpDiv:
		if y == 0 {
			return nil, nil
		}
		x /= y
	default:
		return holds(op, new(big.Rat).SetFloat64(x).Cmp(new(big.Rat).SetFloat64(y))), nil
	}
	if !isFinite(x) {
		return nil, ErrOverflow
	}
	return x, nil
}

// scaledInt is x in units, rounded half away from zero.
func scaledInt(x *big.Rat, unit *big.Int) *big.Int {
	n := new(big.Int).Mul(x.Num(), unit)
	n.Quo(n.Mul(n, big.NewInt(2)), x.Denom()) // twice the units
	if n.Sign() < 0 {
		n.Sub(n, big.NewInt(1))
	} else {
		n.Add(n, big.NewInt(1))
	}
	return n.Quo(n, big.NewInt(2))
}

func fit(t columnar.Type, x *big.Rat) (datum, error) {
	switch t {
	case columnar.Float:
		return nearest(x), nil
	case columnar.Int:
		if !x.Num().IsInt64() {
			return nil, ErrOverflow
		}
		return x.Num(), nil
	case columnar.Huge:
		n := scaledInt(x, big.NewInt(1))
		if limit := new(big.Int).Lsh(big.NewInt(1), 127); n.CmpAbs(limit) > 0 || n.Cmp(limit) == 0 {
			return nil, ErrOverflow
		}
		return n, nil
	}
	n := scaledInt(x, unitsIn(t))
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil)
	if (t == columnar.Decimal && !n.IsInt64()) || n.CmpAbs(limit) >= 0 {
		return nil, ErrOverflow
	}
	return n, nil
}

// show prints a datum so that different ones differ.
func show(d datum) string {
	switch d := d.(type) {
	case nil:
		return "null"
	case *big.Int:
		return d.String()
	case float64:
		return fmt.Sprintf("%b", d+0)
	case []datum:
		items := make([]string, len(d))
		for i, item := range d {
			items[i] = show(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprintf("%#v", d)
}

// datumAt reads a value out of a vector.
func datumAt(v *columnar.Vector, i int) datum {
	if v.IsNull(i) {
		return nil
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		return v.Bools[i]
	case columnar.KindInt64:
		return big.NewInt(v.Ints[i])
	case columnar.KindFloat64:
		return v.Floats[i]
	case columnar.KindInt128:
		n := new(big.Int).Lsh(big.NewInt(v.Wides[i].HighBits()), 64)
		return n.Add(n, new(big.Int).SetUint64(v.Wides[i].LowBits()))
	case columnar.KindBytes:
		return string(v.Bytes(i))
	}
	list := []datum{}
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		list = append(list, datumAt(v.Child, int(j)))
	}
	return list
}

// appendDatum appends a value to a vector.
func appendDatum(v *columnar.Vector, d datum) {
	if d == nil {
		v.AppendNull()
		return
	}
	switch v.Type.Kind() {
	case columnar.KindBool:
		if v.Valid != nil {
			v.Valid = append(v.Valid, true)
		}
		v.Bools, v.Len = append(v.Bools, d.(bool)), v.Len+1
	case columnar.KindInt64:
		v.AppendInt(d.(*big.Int).Int64())
	case columnar.KindFloat64:
		v.AppendFloat(d.(float64))
	case columnar.KindInt128:
		if v.Valid != nil {
			v.Valid = append(v.Valid, true)
		}
		v.Wides, v.Len = append(v.Wides, int128Of(d.(*big.Int))), v.Len+1
	case columnar.KindBytes:
		v.AppendBytes([]byte(d.(string)))
	default:
		for _, item := range d.([]datum) {
			appendDatum(v.Child, item)
		}
		v.EndList()
	}
}

// testDetector and testModel stand for text models: pure functions of the text.
type testDetector struct{}

func (testDetector) Detect(text []byte) string {
	if len(text)%2 == 0 {
		return "en"
	}
	return "es"
}

type testModel struct{}

func (testModel) Polarity(text []byte) int32 {
	sum := int32(0)
	for _, r := range string(text) {
		if unicode.IsUpper(r) {
			sum -= 300
		} else {
			sum += 7
		}
	}
	return max(-10000, min(10000, sum))
}

func testEnv() *Env {
	return newEnv(
		func() (LanguageDetector, error) { return testDetector{}, nil },
		func(name string) (sentiment.Model, error) {
			if name != "m" {
				return nil, fmt.Errorf("unknown model %q", name)
			}
			return testModel{}, nil
		},
	)
}

// vectorOf builds a vector of values, which stand in the middle of its memory if
// shifted, as those of a sliced batch do.
func vectorOf(t columnar.Type, values []datum, shifted bool) *columnar.Vector {
	v := columnar.NewVector(t)
	if !shifted || (t != columnar.Text && t != columnar.TextList && t != columnar.IntList) {
		for _, d := range values {
			appendDatum(v, d)
		}
		return v
	}
	around := map[columnar.Type]datum{
		columnar.Text: "2001 around", columnar.TextList: []datum{"a", "b"}, columnar.IntList: []datum{big.NewInt(1)},
	}[t]
	appendDatum(v, around)
	for _, d := range values {
		appendDatum(v, d)
	}
	appendDatum(v, around)
	v.Len, v.Offsets = len(values), v.Offsets[1:len(values)+2]
	if v.Valid != nil {
		v.Valid = v.Valid[1 : len(values)+1]
	}
	return v
}

func mustCompile(t testing.TB, e *Expr, s columnar.Schema) *Evaluator {
	t.Helper()
	ev, err := Compile(e, s, testEnv())
	if err != nil {
		t.Fatalf("compile %s: %v", e, err)
	}
	return ev
}

// int128Of is a whole number that fits 128 bits.
func int128Of(n *big.Int) number.Int128 {
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return decimal128.New(new(big.Int).Rsh(n, 64).Int64(), low.Uint64())
}
