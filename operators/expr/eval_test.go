package expr

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/sentiment"
)

// evalCase is an expression over columns a, b and c, whose values stand in rows.
// want has one value a row, as show prints it.
type evalCase struct {
	name  string
	expr  *Expr
	types []columnar.Type
	rows  [][]datum
	want  []string
}

func num(n int64) datum { return big.NewInt(n) }

func list(items ...datum) datum { return append([]datum{}, items...) }

func evalCases() []evalCase {
	var (
		boolT, intT, decT, floatT = columnar.Bool, columnar.Int, columnar.Decimal, columnar.Float
		textT, listT, wideT       = columnar.Text, columnar.TextList, columnar.Wide
	)
	a, b := Col("a"), Col("b")
	logicRows := [][]datum{
		{true, true},
		{true, false},
		{true, nil},
		{false, true},
		{false, false},
		{false, nil},
		{nil, true},
		{nil, false},
		{nil, nil},
	}
	texts := func(values ...datum) (rows [][]datum) {
		for _, v := range values {
			rows = append(rows, []datum{v})
		}
		return rows
	}
	types := func(t ...columnar.Type) []columnar.Type { return t }
	return []evalCase{
		{
			"and", And(a, b), types(boolT, boolT), logicRows,
			[]string{"true", "false", "null", "false", "false", "false", "null", "false", "null"},
		},
		{
			"or", Or(a, b), types(boolT, boolT), logicRows,
			[]string{"true", "true", "true", "true", "false", "null", "true", "null", "null"},
		},
		{"not", Not(a), types(boolT), texts(true, false, nil), []string{"false", "true", "null"}},
		{"is null", IsNull(a), types(textT), texts("", nil, "x"), []string{"false", "true", "false"}},
		{"equal texts", Eq(a, Str("née")), types(textT), texts("née", "nee", "", nil), []string{"true", "false", "false", "null"}},
		{"other texts", Ne(a, b), types(textT, textT), [][]datum{{"x", "x"}, {"x", "y"}, {nil, "y"}}, []string{"false", "true", "null"}},
		{
			"texts in the order of code points", Lt(a, Str("z")), types(textT), texts("Z", "z", "zz", "é", "", nil),
			[]string{"true", "false", "false", "false", "true", "null"},
		},
		{"bools", Eq(a, Bool(true)), types(boolT), texts(true, false, nil), []string{"true", "false", "null"}},
		{"literal first", Lt(Int(5), a), types(intT), texts(num(5), num(6), nil), []string{"false", "true", "null"}},
		{
			"between", between(a, Int(2), Int(3)), types(intT), texts(num(1), num(2), num(3), num(4), nil),
			[]string{"false", "true", "true", "false", "null"},
		},
		{
			"int below a fraction", Lt(a, Dec(-1_500_000)), types(intT), texts(num(-3), num(-2), num(-1), num(0)),
			[]string{"true", "true", "false", "false"},
		},
		{"int equals no fraction", Eq(a, Dec(1_500_000)), types(intT), texts(num(1), num(2), nil), []string{"false", "false", "null"}},
		{
			"decimal below an int beyond all decimals", Lt(a, Int(math.MaxInt64)), types(decT),
			texts(num(math.MaxInt64), nil),
			[]string{"true", "null"},
		},
		{
			"decimal beside the largest whole decimal", Le(a, Int(9223372036854)), types(decT),
			texts(num(math.MaxInt64), num(9223372036854000000), num(-1)),
			[]string{"false", "true", "true"},
		},
		{"decimal beside the first int past it", Le(a, Int(9223372036855)), types(decT), texts(num(math.MaxInt64)), []string{"true"}},
		{"decimal beside the first int below all", Gt(a, Int(-9223372036855)), types(decT), texts(num(math.MinInt64)), []string{"true"}},
		{
			"an int no decimal reaches", Gt(a, b), types(intT, decT),
			[][]datum{{num(math.MaxInt64), num(math.MaxInt64)}, {num(9223372036854), num(9223372036854000000)}, {num(-1), nil}},
			[]string{"true", "false", "null"},
		},
		{"wide and decimal", Ge(a, Dec(1)), types(wideT), texts(num(0), num(1), nil), []string{"false", "true", "null"}},
		{"float and int", Gt(a, Int(1)), types(floatT), texts(1.0, 1.5, nil), []string{"false", "true", "null"}},
		{"add", Add(a, b), types(intT, decT), [][]datum{{num(2), num(500_000)}, {nil, num(1)}}, []string{"2500000", "null"}},
		{"sub", Sub(a, Int(1)), types(intT), texts(num(1), num(math.MinInt64+1), nil), []string{"0", "-9223372036854775808", "null"}},
		{
			"mul keeps all places", Mul(a, Dec(500_000)), types(decT), texts(num(1), num(-1), num(2), num(3), nil),
			[]string{"500000", "-500000", "1000000", "1500000", "null"},
		},
		{"mul of the least decimals", Mul(a, b), types(decT, decT), [][]datum{{num(math.MinInt64), num(math.MinInt64)}}, []string{"85070591730234615865843651857942052864"}},
		{
			"div", Div(a, b), types(decT, intT),
			[][]datum{{num(1_000_000), num(3)}, {num(1), num(0)}, {nil, num(1)}},
			[]string{show(1.0 / 3), "null", "null"},
		},
		{
			"div of large numbers rounds once", Div(a, b), types(intT, intT),
			[][]datum{{num(math.MaxInt64), num(math.MaxInt64 - 1)}, {num(1<<53 + 1), num(1)}},
			[]string{show(1.0), show(float64(1 << 53))},
		},
		{
			"int div rounds toward zero", IntDiv(a, b), types(intT, intT),
			[][]datum{{num(1999), num(10)}, {num(-7), num(2)}, {num(7), num(-2)}, {num(7), num(0)}, {nil, num(2)}},
			[]string{"199", "-3", "-3", "null", "null"},
		},
		{"to decimal", ToDecimal(a), types(intT), texts(num(3), nil), []string{"3000000", "null"}},
		{"to float", ToFloat(a), types(decT), texts(num(100_000), nil), []string{show(0.1), "null"}},
		{
			"year", Year(a), types(textT),
			texts("1980*", "2004-?", "197?", "2004-05-01", "Oct 21, 2008", "12345", "12345 1999", "1999", "", "٢٠٠٤", "x20045", nil),
			[]string{"1980", "2004", "null", "2004", "2008", "null", "1999", "1999", "null", "null", "null", "null"},
		},
		{
			"lower", Lower(a), types(textT), texts("ABCDEFGHIJKLMNOPQRSTUVWXYZ[@`{", "ÀÉÎ Straße Ω", "İ", "", nil, "日本 X"),
			[]string{`"abcdefghijklmnopqrstuvwxyz[@` + "`" + `{"`, `"àéî straße ω"`, `"i"`, `""`, "null", `"日本 x"`},
		},
		{
			"contains", Call(OpContains, a, Str("ab")), types(textT), texts("ab", "a", "b", "xxab", "aab", "", nil, "ba", "ab"),
			[]string{"true", "false", "false", "true", "true", "false", "null", "false", "true"},
		},
		{"contains nothing", Call(OpContains, a, Str("")), types(textT), texts("ab", "", nil), []string{"true", "true", "null"}},
		{
			"contains a column", Call(OpContains, a, b), types(textT, textT),
			[][]datum{{"abc", "bc"}, {"abc", "x"}, {"abc", nil}},
			[]string{"true", "false", "null"},
		},
		{
			"list contains", ListContains(a, Str("x")), types(listT), texts(list("y", "x"), list("xx", ""), list(), nil, list(nil)),
			[]string{"true", "false", "false", "null", "false"},
		},
		{"a null item is no empty text", ListContains(a, Str("")), types(listT), texts(list(nil), list("")), []string{"false", "true"}},
		{"in a literal list", ListContains(Texts("x", "y"), a), types(textT), texts("x", "z", nil), []string{"true", "false", "null"}},
		{
			"list contains all", ListContainsAll(a, Texts("x", "y")), types(listT), texts(list("y", "z", "x"), list("x"), nil),
			[]string{"true", "false", "null"},
		},
		{"list contains all of nothing", ListContainsAll(a, Texts()), types(listT), texts(list(), nil), []string{"true", "null"}},
		{"len", Len(a), types(listT), texts(list(), list("a", nil), nil), []string{"0", "2", "null"}},
		{"len of ints", Len(a), types(columnar.IntList), texts(list(num(4), num(5)), nil), []string{"2", "null"}},
		{
			"element", Element(a, Int(2)), types(listT), texts(list("a"), list("a", "b"), list("a", nil), nil),
			[]string{"null", `"b"`, "null", "null"},
		},
		{
			"element from the end", Element(a, b), types(listT, intT),
			[][]datum{{list("a"), num(0)}, {list("a", "b"), num(-1)}, {list("a", "b"), num(-2)}, {list("a"), num(-2)}, {list(), num(-1)}, {list("a"), num(math.MinInt64)}, {list("a"), num(1)}},
			[]string{"null", `"b"`, `"a"`, "null", "null", "null", `"a"`},
		},
		{
			"sentiment", Sentiment(a, Str("m")), types(textT), texts("fine", "BAD", "", nil),
			[]string{`"positive"`, `"negative"`, `"positive"`, "null"},
		},
		{"polarity", Polarity(a, Str("m")), types(textT), texts("ab", "A", nil), []string{"1400", "-30000", "null"}},
		{"language", Language(a), types(textT), texts("ab", "a", nil), []string{`"en"`, `"es"`, "null"}},
		{"literal", Str("x"), types(intT), texts(num(1), nil), []string{`"x"`, `"x"`}},
		{"literal list", Texts("x", "y"), types(intT), texts(num(1)), []string{`["x", "y"]`}},
		{"null literal", Null(decT), types(intT), texts(num(1)), []string{"null"}},
		{"column", a, types(intT), texts(num(1), nil), []string{"1", "null"}},
	}
}

func TestEval(t *testing.T) {
	for _, c := range evalCases() {
		t.Run(c.name, func(t *testing.T) {
			s, cols := columnsOf(c.types, c.rows)
			got, err := mustCompile(t, c.expr, s).Eval(cols, len(c.rows))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				if v := show(datumAt(got, i)); v != want {
					t.Errorf("row %d: %s is %s, want %s", i, c.expr, v, want)
				}
			}
			if got.Len != len(c.want) {
				t.Errorf("%d values, want %d", got.Len, len(c.want))
			}
		})
	}
}

// columnsOf makes columns a, b, … of rows.
func columnsOf(types []columnar.Type, rows [][]datum) (columnar.Schema, []*columnar.Vector) {
	s := make(columnar.Schema, len(types))
	cols := make([]*columnar.Vector, len(types))
	for i, typ := range types {
		s[i] = columnar.Field{Name: string(rune('a' + i)), Type: typ}
		values := make([]datum, len(rows))
		for r := range rows {
			values[r] = rows[r][i]
		}
		cols[i] = vectorOf(typ, values, false)
	}
	return s, cols
}

func TestOverflow(t *testing.T) {
	a, b := Col("a"), Col("b")
	wide, _ := new(big.Int).SetString(strings.Repeat("9", 38), 10)
	for _, c := range []struct {
		expr   *Expr
		typ    columnar.Type
		x, y   datum
		reason string
	}{
		{Add(a, b), columnar.Int, num(math.MaxInt64), num(1), "evaluate a + b: 9223372036854775807 + 1 does not fit int"},
		{Sub(a, b), columnar.Int, num(math.MinInt64), num(1), "evaluate a - b: -9223372036854775808 - 1 does not fit int"},
		{Mul(a, b), columnar.Int, num(math.MinInt64), num(-1), "evaluate a * b: -9223372036854775808 * -1 does not fit int"},
		{IntDiv(a, b), columnar.Int, num(math.MinInt64), num(-1), "evaluate a // b: -9223372036854775808 // -1 does not fit int"},
		{Add(a, b), columnar.Decimal, num(math.MaxInt64), num(1), "evaluate a + b: 9223372036854.775807 + 0.000001 does not fit decimal"},
		{Mul(a, b), columnar.Wide, wide, num(20), "does not fit DECIMAL(38,12)"},
		{ToDecimal(a), columnar.Int, num(math.MaxInt64), num(0), "evaluate to_decimal(a): 9223372036854775807 is too large for a decimal"},
		{ToDecimal(a), columnar.Wide, wide, num(0), "is too large for a decimal"},
		{Add(a, b), columnar.Wide, wide, num(1), "evaluate a + b: 99999999999999999999999999999999.999999 + 0.000001 does not fit DECIMAL(38,6)"},
		{Mul(a, b), columnar.Float, 1e200, 1e200, "evaluate a * b: 1e+200 * 1e+200 does not fit float"},
		{Div(a, b), columnar.Float, 1e200, 1e-200, "evaluate a / b: 1e+200 / 1e-200 does not fit float"},
	} {
		s, cols := columnsOf([]columnar.Type{c.typ, c.typ}, [][]datum{{c.x, c.y}})
		_, err := mustCompile(t, c.expr, s).Eval(cols, 1)
		if !errors.Is(err, ErrOverflow) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s of %s: error %v, want %q", c.expr, c.typ, err, c.reason)
		}
		s, cols = columnsOf([]columnar.Type{c.typ, c.typ}, [][]datum{{nil, c.y}})
		if _, err := mustCompile(t, c.expr, s).Eval(cols, 1); err != nil {
			t.Errorf("%s of null: %v", c.expr, err)
		}
	}
}

// countingModel counts the texts it scores.
type countingModel struct{ texts *int }

func (m countingModel) Polarity(text []byte) int32 { *m.texts++; return testModel{}.Polarity(text) }

func (m countingModel) Detect(text []byte) string { *m.texts++; return testDetector{}.Detect(text) }

func countingEnv(texts *int) *Env {
	m := countingModel{texts}
	return newEnv(
		func() (LanguageDetector, error) { return m, nil },
		func(string) (sentiment.Model, error) { return m, nil },
	)
}

// TestModelsRunWhereTheyCount checks that and and or spare the expensive models
// the rows that are decided, wherever in the tree they stand.
func TestModelsRunWhereTheyCount(t *testing.T) {
	rows := make([][]datum, 100)
	for i := range rows {
		rows[i] = []datum{num(int64(i)), strings.Repeat("x", i)} // every other one is English
	}
	first10 := Lt(Col("a"), Int(10))
	english := Eq(Language(Col("b")), Str("en"))
	score := Polarity(Col("b"), Str("m"))
	for _, c := range []struct {
		expr *Expr
		want int
	}{
		{english, 100},
		{And(first10, english), 10},
		{And(first10, Not(english)), 10},
		{Or(first10, english), 90},
		{And(Lt(Col("a"), Int(0)), english), 0},
		{And(Ge(Col("a"), Int(0)), english), 100},
		{And(first10, Gt(Col("a"), Int(4)), english), 5},
		{And(first10, Or(Lt(Col("a"), Int(8)), english)), 2},
		{And(first10, between(score, Dec(-1), Dec(1))), 10},
		{between(score, Dec(-decimalOne), Dec(decimalOne)), 100},
		{And(first10, english, Ge(score, Dec(0))), 15}, // ten and then the English five
		{And(Eq(Str("any"), Str("any")), english), 100},
		{Or(Eq(Str("any"), Str("any")), english), 0},
	} {
		texts := 0
		s, cols := columnsOf([]columnar.Type{columnar.Int, columnar.Text}, rows)
		ev, err := Compile(c.expr, s, countingEnv(&texts))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ev.Eval(cols, len(rows)); err != nil {
			t.Fatal(err)
		}
		if want := c.want; texts != want {
			t.Errorf("%s ran the model on %d texts, want %d", c.expr, texts, want)
		}
	}
}

// TestErrorsFollowFromRows checks that an argument that can fail is not computed
// for rows that are decided, whatever batch they come in.
func TestErrorsFollowFromRows(t *testing.T) {
	e := And(Lt(Col("a"), Int(10)), Gt(Mul(Col("a"), Col("a")), Int(4)))
	rows := [][]datum{{num(1)}, {num(3)}, {num(math.MaxInt64)}, {num(4)}}
	for size := 1; size <= len(rows); size++ {
		s, _ := columnsOf([]columnar.Type{columnar.Int}, nil)
		ev := mustCompile(t, e, s)
		selected := 0
		for lo := 0; lo < len(rows); lo += size {
			part := rows[lo:min(lo+size, len(rows))]
			_, cols := columnsOf([]columnar.Type{columnar.Int}, part)
			positions, err := ev.Select(cols, len(part), nil)
			if err != nil {
				t.Fatalf("batches of %d: %v", size, err)
			}
			selected += len(positions)
		}
		if selected != 2 {
			t.Errorf("batches of %d: %d rows, want 2", size, selected)
		}
	}
}

func TestEvalChecksColumns(t *testing.T) {
	s := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "unread", Type: columnar.Text}}
	ev := mustCompile(t, Gt(Col("a"), Int(1)), s)
	ints := vectorOf(columnar.Int, []datum{num(1), num(2)}, false)
	texts := vectorOf(columnar.Text, []datum{"x", "y"}, false)
	for _, c := range []struct {
		cols []*columnar.Vector
		want string
	}{
		{[]*columnar.Vector{ints, nil}, ""},
		{[]*columnar.Vector{ints}, "over 1 columns: it was compiled for 2"},
		{[]*columnar.Vector{nil, texts}, `column "a" is missing`},
		{[]*columnar.Vector{texts, texts}, `column "a" has type text, not int`},
		{[]*columnar.Vector{vectorOf(columnar.Int, nil, false), texts}, `column "a" has 0 rows, not 2`},
	} {
		_, err := ev.Eval(c.cols, 2)
		if (err == nil) != (c.want == "") || (err != nil && !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := mustCompile(t, Col("a"), s).Select([]*columnar.Vector{ints, nil}, 2, nil); err == nil {
		t.Error("selected by a number")
	}
}

// TestEvalAllocatesNothing checks that an evaluator works in the memory of the
// batches before.
func TestEvalAllocatesNothing(t *testing.T) {
	s, cols := benchBatch()
	for _, e := range benchExprs() {
		ev := mustCompile(t, e, s)
		var rows []int32
		run := func() {
			var err error
			if ev.Type() == columnar.Bool {
				rows, err = ev.Select(cols, benchRows, rows[:0])
			} else {
				_, err = ev.Eval(cols, benchRows)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		run() // which finds out that all rows can be computed at once
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%s makes %v allocations a batch", e, n)
		}
	}
}

// TestLowerASCII puts every byte at every place of a short text.
func TestLowerASCII(t *testing.T) {
	for place := range 20 {
		for c := range 256 {
			text := []byte("AbcdefghIjklmnopqrsT")
			text[place] = byte(c)
			got := make([]byte, len(text))
			ascii := letterCase{first: 'A'}.ascii(got, text)
			if ascii != (c < 128) || ascii && string(got) != strings.ToLower(string(text)) {
				t.Fatalf("%q in lower case is %q, ASCII %v", text, got, ascii)
			}
		}
	}
}

// TestLiteralsAreAsLongAsTheBatch evaluates literals for a batch that is shorter
// than the one before.
func TestLiteralsAreAsLongAsTheBatch(t *testing.T) {
	for _, e := range []*Expr{Int(7), Bool(true), Float(1), Str("x"), Texts("x", "y"), Null(columnar.Decimal)} {
		ev := mustCompile(t, e, nil)
		for _, rows := range []int{0, 5, 3} {
			v, err := ev.Eval(nil, rows)
			if err != nil {
				t.Fatal(err)
			}
			values := max(len(v.Ints), len(v.Bools), len(v.Floats), len(v.Offsets)-1)
			if v.Len != rows || values != rows || v.Valid != nil && len(v.Valid) != rows {
				t.Errorf("%s for %d rows: %d rows, %d values, %d validities", e, rows, v.Len, values, len(v.Valid))
			}
		}
	}
}

func TestLiteralTooLargeToRepeat(t *testing.T) {
	const rows = 1 << 12
	s := columnar.Schema{{Name: "a", Type: columnar.Int}}
	col := vectorOf(columnar.Int, make([]datum, rows), false)
	ev := mustCompile(t, Str(strings.Repeat("x", 1<<19)), s)
	if _, err := ev.Eval([]*columnar.Vector{col}, rows); err == nil || !strings.Contains(err.Error(), "too large to repeat") {
		t.Errorf("error %v", err)
	}
}
