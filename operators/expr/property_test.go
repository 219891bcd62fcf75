package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
)

// testSchema has two columns of most types, so that they can meet.
// precise is the type of the product of a Wide with another or with a Decimal, and drawn are all types of numbers that
// random expressions have.
var (
	precise = columnar.DecimalOf(38, 12)
	drawn   = append([]columnar.Type{precise}, numbers...)
)

func testSchema() columnar.Schema {
	return columnar.Schema{
		{Name: "i", Type: columnar.Int},
		{Name: "j", Type: columnar.Int},
		{Name: "d", Type: columnar.Decimal},
		{Name: "e", Type: columnar.Decimal},
		{Name: "f", Type: columnar.Float},
		{Name: "g", Type: columnar.Float},
		{Name: "w", Type: columnar.Wide},
		{Name: "v", Type: columnar.Wide},
		{Name: "p", Type: precise},
		{Name: "h", Type: columnar.Huge},
		{Name: "k", Type: columnar.Huge},
		{Name: "b", Type: columnar.Bool},
		{Name: "c", Type: columnar.Bool},
		{Name: "s", Type: columnar.Text},
		{Name: "t u", Type: columnar.Text},
		{Name: "l", Type: columnar.TextList},
		{Name: "m", Type: columnar.TextList},
		{Name: "n", Type: columnar.IntList},
	}
}

var (
	someInts   = []int64{0, 1, -1, 2, 3, 7, 10, 1999, 2004, -5, 1 << 53, 1<<53 + 1, 9223372036854, 9223372036855, -9223372036855, math.MaxInt64, math.MinInt64}
	someDecs   = []int64{0, 1, -1, 500_000, 1_000_000, -1_000_000, 1_500_000, -1_500_000, 2_000_000, 7_000_000, 333_333, 1<<53 + 1, 1_000_000_000_000_000, math.MaxInt64, math.MinInt64}
	someFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 1.0 / 3, -2.5, 7, 1e300, -1e300, 1e-300, 1 << 53, 9.3e18}
	someTexts  = []string{"", "a", "b", "ab", "Ab", "aab", "abab", "AB C", "2004", "1980*", "197?", "12345 1999", "in 2004-05", "ÀÉ", "àé", "Ⱥb", "İ", "日本語", "en", "es", "positive"}
	someHuges  = []string{"0", "1", "-3", "9223372036854775807", "-9223372036854775809", "18446744073709551616", "99999999999999999999999999999999", "100000000000000000000000000000000", "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728"}
	someWides  = []string{"0", "1000000", "-1500000", "9007199254740993", "120153886644000000", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"}
)

func drawDatum(t *rapid.T, typ columnar.Type, nulls bool) datum {
	if nulls && rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return nil
	}
	switch typ {
	case columnar.Bool:
		return rapid.Bool().Draw(t, "bool")
	case columnar.Int:
		return big.NewInt(rapid.SampledFrom(someInts).Draw(t, "int"))
	case columnar.Decimal:
		return big.NewInt(rapid.SampledFrom(someDecs).Draw(t, "dec"))
	case columnar.Float:
		return rapid.SampledFrom(someFloats).Draw(t, "float")
	case columnar.Wide, precise:
		n, _ := new(big.Int).SetString(rapid.SampledFrom(someWides).Draw(t, "wide"), 10)
		return n
	case columnar.Huge:
		n, _ := new(big.Int).SetString(rapid.SampledFrom(someHuges).Draw(t, "huge"), 10)
		return n
	case columnar.Text:
		return rapid.SampledFrom(someTexts).Draw(t, "text")
	}
	list := []datum{}
	for range rapid.IntRange(0, 3).Draw(t, "len") {
		list = append(list, drawDatum(t, columnar.NewVector(typ).Child.Type, nulls))
	}
	return list
}

func drawLiteral(t *rapid.T, typ columnar.Type) *Expr {
	if typ == columnar.IntList || rapid.IntRange(0, 9).Draw(t, "null literal") == 0 {
		return Null(typ)
	}
	switch d := drawDatum(t, typ, false).(type) {
	case bool:
		return Bool(d)
	case *big.Int:
		if typ.Kind() == columnar.KindInt128 {
			return lit(wideValue(typ, int128Of(d)))
		}
		return lit(Value{Type: typ, Int: d.Int64()})
	case float64:
		return Float(d)
	case string:
		return Str(d)
	case []datum:
		var texts []string
		for _, item := range d {
			texts = append(texts, item.(string))
		}
		return Texts(texts...)
	}
	panic(typ.String())
}

// drawExpr draws an expression of a type over testSchema.
func drawExpr(t *rapid.T, typ columnar.Type, depth int) *Expr {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		if rapid.IntRange(0, 2).Draw(t, "literal") == 0 {
			return drawLiteral(t, typ)
		}
		var names []string
		for _, f := range testSchema() {
			if f.Type == typ {
				names = append(names, f.Name)
			}
		}
		return Col(rapid.SampledFrom(names).Draw(t, "column"))
	}
	arg := func(typ columnar.Type) *Expr { return drawExpr(t, typ, depth-1) }
	if zero := Zero(typ); typ.Kind() != columnar.KindList && rapid.IntRange(0, 9).Draw(t, "filled") == 0 {
		if typ == columnar.Float && rapid.Bool().Draw(t, "below zero") {
			zero = Float(math.Copysign(0, -1))
		}
		return Coalesce(arg(typ), zero)
	}
	number := func() *Expr { return arg(rapid.SampledFrom(drawn).Draw(t, "number")) }
	switch typ {
	case columnar.Bool:
		return drawBool(t, depth, arg, number)
	case columnar.Int:
		switch rapid.IntRange(0, 4).Draw(t, "int op") {
		case 0:
			return Year(arg(columnar.Text))
		case 1:
			return Len(arg(rapid.SampledFrom([]columnar.Type{columnar.TextList, columnar.IntList}).Draw(t, "list")))
		case 2:
			return Element(arg(columnar.IntList), arg(columnar.Int))
		}
		op := rapid.SampledFrom([]Op{OpAdd, OpSub, OpMul, OpIntDiv}).Draw(t, "op")
		return Call(op, arg(columnar.Int), arg(columnar.Int))
	case columnar.Decimal:
		return drawDecimal(t, arg)
	case columnar.Float:
		switch rapid.IntRange(0, 2).Draw(t, "float op") {
		case 0:
			return Div(number(), number())
		case 1:
			return ToFloat(number())
		}
		op := rapid.SampledFrom([]Op{OpAdd, OpSub, OpMul}).Draw(t, "op")
		other := rapid.SampledFrom([]columnar.Type{columnar.Int, columnar.Decimal, columnar.Float}).Draw(t, "other")
		return Call(op, arg(columnar.Float), arg(other))
	case columnar.Huge:
		if rapid.IntRange(0, 2).Draw(t, "to huge") == 0 {
			return ToHuge(number())
		}
		op := rapid.SampledFrom([]Op{OpAdd, OpSub, OpMul, OpIntDiv}).Draw(t, "op")
		other := rapid.SampledFrom([]columnar.Type{columnar.Int, columnar.Huge}).Draw(t, "other")
		return Call(op, arg(columnar.Huge), arg(other))
	case columnar.Wide, precise:
		exact := drawn[:len(drawn)-1]
		switch rapid.IntRange(0, 3).Draw(t, "wide op") {
		case 0:
			return ToWide(arg(rapid.SampledFrom(exact).Draw(t, "from")), typ, rapid.Bool().Draw(t, "try"))
		case 1:
			other := columnar.Int
			if typ == precise {
				other = rapid.SampledFrom([]columnar.Type{columnar.Decimal, columnar.Wide}).Draw(t, "factor")
			}
			if typ == precise && rapid.Bool().Draw(t, "narrow") {
				return Mul(arg(columnar.Decimal), arg(columnar.Decimal))
			}
			return Mul(arg(columnar.Wide), arg(other))
		}
		if typ == columnar.Wide {
			exact = exact[1:]
		}
		op := rapid.SampledFrom([]Op{OpAdd, OpSub}).Draw(t, "op")
		other := rapid.SampledFrom(exact).Draw(t, "other")
		return Call(op, arg(typ), arg(other))
	case columnar.Text:
		switch rapid.IntRange(0, 3).Draw(t, "text op") {
		case 0:
			return Lower(arg(columnar.Text))
		case 1:
			return Element(arg(columnar.TextList), Int(rapid.Int64Range(-1, 3).Draw(t, "index")))
		case 2:
			return Sentiment(arg(columnar.Text), Str("m"))
		}
		return Language(arg(columnar.Text))
	}
	return drawExpr(t, typ, 0)
}

func drawDecimal(t *rapid.T, arg func(columnar.Type) *Expr) *Expr {
	switch rapid.IntRange(0, 2).Draw(t, "decimal op") {
	case 0:
		return ToDecimal(arg(rapid.SampledFrom(numbers[:len(numbers)-1]).Draw(t, "from")))
	case 1:
		return Polarity(arg(columnar.Text), Str("m"))
	}
	op := rapid.SampledFrom([]Op{OpAdd, OpSub, OpMul}).Draw(t, "op")
	other := columnar.Int
	if op != OpMul {
		other = rapid.SampledFrom([]columnar.Type{columnar.Int, columnar.Decimal}).Draw(t, "other")
	}
	if rapid.Bool().Draw(t, "swap") {
		return Call(op, arg(other), arg(columnar.Decimal))
	}
	return Call(op, arg(columnar.Decimal), arg(other))
}

func drawBool(t *rapid.T, depth int, arg func(columnar.Type) *Expr, number func() *Expr) *Expr {
	compareOp := func() Op { return rapid.SampledFrom([]Op{OpEq, OpNe, OpLt, OpLe, OpGt, OpGe}).Draw(t, "op") }
	switch rapid.IntRange(0, 9).Draw(t, "bool op") {
	case 0, 1, 2:
		args := make([]*Expr, rapid.IntRange(1, 4).Draw(t, "args"))
		for i := range args {
			args[i] = arg(columnar.Bool)
		}
		return Call(rapid.SampledFrom([]Op{OpAnd, OpOr}).Draw(t, "op"), args...)
	case 3:
		return Not(arg(columnar.Bool))
	case 4:
		typ := rapid.SampledFrom([]columnar.Type{columnar.Text, columnar.Bool}).Draw(t, "type")
		return Call(compareOp(), arg(typ), arg(typ))
	case 5:
		return Call(OpContains, arg(columnar.Text), arg(columnar.Text))
	case 6:
		if rapid.Bool().Draw(t, "ints") {
			return ListContains(arg(columnar.IntList), arg(columnar.Int))
		}
		return ListContains(arg(columnar.TextList), arg(columnar.Text))
	case 7:
		return ListContainsAll(arg(columnar.TextList), arg(columnar.TextList))
	case 8:
		return IsNull(arg(rapid.SampledFrom(testSchema()).Draw(t, "of").Type))
	}
	if rapid.Bool().Draw(t, "between") {
		n := number()
		return between(n, number(), number())
	}
	return Call(compareOp(), number(), number())
}

// drawRows draws a batch as rows and as vectors.
func drawRows(t *rapid.T) ([][]datum, []*columnar.Vector) {
	s := testSchema()
	rows := make([][]datum, rapid.IntRange(0, 12).Draw(t, "rows"))
	for i := range rows {
		rows[i] = make([]datum, len(s))
	}
	cols := make([]*columnar.Vector, len(s))
	for c, f := range s {
		values := make([]datum, len(rows))
		nulls := rapid.Bool().Draw(t, "nulls")
		for i := range rows {
			values[i] = drawDatum(t, f.Type, nulls)
			rows[i][c] = values[i]
		}
		cols[c] = vectorOf(f.Type, values, rapid.Bool().Draw(t, "shifted"))
	}
	return rows, cols
}

func drawAny(t *rapid.T) *Expr {
	types := append([]columnar.Type{columnar.Bool, columnar.Bool, columnar.Text}, drawn...)
	return drawExpr(t, rapid.SampledFrom(types).Draw(t, "type"), rapid.IntRange(0, 5).Draw(t, "depth"))
}

// checkMany checks a property ten times as often as rapid does by itself. A
// failure prints the seed that repeats it.
func checkMany(t *testing.T, property func(*rapid.T)) {
	for i := range 10 {
		t.Run(fmt.Sprint(i), func(t *testing.T) { rapid.Check(t, property) })
	}
}

// TestEvalMatchesReference evaluates random expressions over several batches
// with one evaluator and compares them with the slow evaluator.
func TestEvalMatchesReference(t *testing.T) {
	s := testSchema()
	checkMany(t, func(t *rapid.T) {
		e := drawAny(t)
		ev, err := Compile(e, s, testEnv())
		if err != nil {
			t.Fatalf("compile %s: %v", e, err)
		}
		for range 3 {
			rows, cols := drawRows(t)
			before := fmt.Sprintf("%#v", snapshot(cols))
			got, gotErr := ev.Eval(cols, len(rows))
			want, wantErr := referenceRows(e.Fold(), s, rows)
			if (wantErr != nil) != (gotErr != nil) || (gotErr != nil && !errors.Is(gotErr, ErrOverflow) && !errors.Is(gotErr, ErrCast)) {
				t.Fatalf("%s: error %v, want %v", e, gotErr, wantErr)
			}
			if fmt.Sprintf("%#v", snapshot(cols)) != before {
				t.Fatalf("%s changed its input", e)
			}
			if gotErr == nil {
				checkVector(t, e, got, want)
				checkSelect(t, ev, cols, want)
			}
		}
	})
}

func snapshot(cols []*columnar.Vector) (all []columnar.Vector) {
	for _, v := range cols {
		all = append(all, *v)
		if v.Child != nil {
			all = append(all, *v.Child)
		}
	}
	for i := range all {
		all[i].Child = nil
	}
	return all
}

func referenceRows(e *Expr, s columnar.Schema, rows [][]datum) ([]datum, error) {
	out := make([]datum, len(rows))
	for i, row := range rows {
		var err error
		if out[i], err = reference(e, s, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func checkVector(t *rapid.T, e *Expr, got *columnar.Vector, want []datum) {
	typ, err := e.TypeOf(testSchema())
	if err != nil {
		t.Fatal(err)
	}
	if got.Type != typ || got.Len != len(want) {
		t.Fatalf("%s: %d values of type %s, want %d of %s", e, got.Len, got.Type, len(want), typ)
	}
	for i, w := range want {
		if show(datumAt(got, i)) != show(w) {
			t.Fatalf("%s: row %d is %s, want %s", e, i, show(datumAt(got, i)), show(w))
		}
		if w == nil && !slotIsZero(got, i) {
			t.Fatalf("%s: the slot of the null in row %d is not zero", e, i)
		}
	}
}

func slotIsZero(v *columnar.Vector, i int) bool {
	c := *v
	c.Valid = nil
	switch d := datumAt(&c, i).(type) {
	case *big.Int:
		return d.Sign() == 0
	case []datum:
		return len(d) == 0
	default:
		return reflect.ValueOf(d).IsZero()
	}
}

func checkSelect(t *rapid.T, ev *Evaluator, cols []*columnar.Vector, want []datum) {
	if ev.Type() != columnar.Bool {
		return
	}
	positions := []int32{-1}
	for i, w := range want {
		if w == true {
			positions = append(positions, int32(i))
		}
	}
	got, err := ev.Select(cols, len(want), []int32{-1})
	if err != nil || !slices.Equal(got, positions) {
		t.Fatalf("%s selects %v (%v), want %v", ev.root, got, err, positions)
	}
}

// TestFoldKeepsMeaning compares an expression with its folded form; folding may
// remove errors, but not add any.
func TestFoldKeepsMeaning(t *testing.T) {
	s := testSchema()
	checkMany(t, func(t *rapid.T) {
		e := drawAny(t)
		printed := e.String()
		folded := e.Fold()
		if e.String() != printed {
			t.Fatalf("folding changed %s to %s", printed, e)
		}
		if again := folded.Fold(); again.String() != folded.String() {
			t.Fatalf("%s folds to %s and that to %s", e, folded, again)
		}
		typ, _ := e.TypeOf(s)
		if got, err := folded.TypeOf(s); err != nil || got != typ {
			t.Fatalf("%s of type %s folds to %s of type %s (%v)", e, typ, folded, got, err)
		}
		rows, _ := drawRows(t)
		for _, row := range rows {
			want, err := reference(e, s, row)
			if err != nil {
				continue
			}
			got, err := reference(folded, s, row)
			if err != nil || show(got) != show(want) {
				t.Fatalf("%s folds to %s, which gives %s (%v), not %s", e, folded, show(got), err, show(want))
			}
		}
	})
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawAny(t)
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back *Expr
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(e, back) || e.String() != back.String() { // as numbers 0 and -0 are equal
			t.Fatalf("%s comes back as %s from %s", e, back, data)
		}
		if err := back.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestEqualStringsMeanTheSame checks that the printed form tells expressions
// apart, since it identifies literals and columns when equal parts are shared.
func TestEqualStringsMeanTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawAny(t), drawAny(t)
		if a.String() == b.String() && !reflect.DeepEqual(a, b) {
			t.Fatalf("two expressions print as %s", a)
		}
	})
}
