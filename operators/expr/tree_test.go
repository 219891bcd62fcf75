package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
)

func TestString(t *testing.T) {
	a, b, c := Col("a"), Col("b"), Col("c")
	for _, x := range []struct {
		expr *Expr
		want string
	}{
		{And(Or(a, b), Not(c)), "(a or b) and not c"},
		{Or(And(a, b), c), "a and b or c"},
		{Not(And(a, b)), "not (a and b)"},
		{Not(Eq(a, b)), "not a = b"},
		{Eq(Not(a), b), "(not a) = b"},
		{Sub(Sub(a, b), c), "a - b - c"},
		{Sub(a, Sub(b, c)), "a - (b - c)"},
		{Mul(Add(a, b), c), "(a + b) * c"},
		{Add(Mul(a, b), IntDiv(c, Int(10))), "a * b + c // 10"},
		{IsNull(Add(a, b)), "a + b is null"},
		{Not(IsNull(a)), "not a is null"},
		{Gt(Div(a, b), Float(0.5)), "a / b > 5e-01"},
		{between(Year(a), Int(2000), Int(2009)), "year(a) >= 2000 and year(a) <= 2009"},
		{ListContainsAll(Col("countries"), Texts("Argentina", "Côte d'Ivoire")), "list_contains_all(countries, ['Argentina', 'Côte d''Ivoire'])"},
		{Eq(Element(Col("Average playtime"), Int(1)), Col("top genre")), `"Average playtime"[1] = "top genre"`},
		{Ge(a, Dec(-1_500_000)), "a >= -1.5"},
		{Ge(a, Dec(2_000_000)), "a >= 2.0"},
		{Ge(a, Dec(1)), "a >= 0.000001"},
		{And(Col("and"), Col(`say "x"`), Col("")), `"and" and "say ""x""" and ""`},
		{Eq(Null(columnar.Text), Str("")), "null::text = ''"},
		{Or(Bool(true), Bool(false)), "true or false"},
		{Call(OpContains, Lower(Col("title")), Col("word")), "contains(lower(title), word)"},
		{Ge(Sentiment(a, Str("lexicon")), Polarity(b, Str("lexicon"))), "sentiment(a, 'lexicon') >= polarity(b, 'lexicon')"},
		{&Expr{Op: OpEq, Args: []*Expr{nil}}, "=(?)"},
	} {
		if got := x.expr.String(); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
}

func TestColumns(t *testing.T) {
	e := And(Eq(Col("b"), Str("y")), Lt(Col("a"), Add(Col("b"), Int(2))), Col("c"))
	if got := e.Columns(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("columns %v", got)
	}
	var none *Expr
	if got := none.Columns(); got != nil {
		t.Errorf("columns of nothing: %v", got)
	}
}

func TestRename(t *testing.T) {
	e := And(Eq(Col("b"), Str("y")), Lt(Col("a"), Int(1)))
	printed := e.String()
	other := func(name string) *Expr {
		if name == "b" {
			return Add(Col("x"), Int(1))
		}
		return nil
	}
	renamed := e.Rename(other)
	if renamed.String() != "x + 1 = 'y' and a < 1" || e.String() != printed {
		t.Errorf("%s from %s", renamed, e)
	}
	if renamed.Args[1] != e.Args[1] {
		t.Error("what has none of the columns was copied")
	}
	if again := renamed.Rename(other); again != renamed {
		t.Error("an expression without these columns was copied")
	}
	if none := (*Expr)(nil).Rename(other); none != nil {
		t.Errorf("nothing is renamed to %s", none)
	}
}

func TestConjuncts(t *testing.T) {
	a, b, c := Col("a"), Or(Col("b"), Col("d")), Col("c")
	got := Conjuncts(And(And(a, b), And(c)))
	if !slices.Equal(got, []*Expr{a, b, c}) {
		t.Errorf("conjuncts %v", got)
	}
	if Conjuncts(nil) != nil || Conjoin(nil) != nil || Conjoin([]*Expr{a}) != a {
		t.Error("none or one")
	}
	if got := Conjoin(got).String(); got != "a and (b or d) and c" {
		t.Error(got)
	}
}

func TestFold(t *testing.T) {
	a := Col("a")
	for _, c := range []struct {
		expr *Expr
		want string
	}{
		{Or(Eq(Str("any"), Str("any")), a), "true"},
		{Or(Eq(Str("en"), Str("any")), a), "a"},
		{And(a, Bool(true), And(Col("b"), Bool(true))), "a and b"},
		{And(a, Lt(Int(2), Dec(1_500_000))), "false"},
		{And(), "and()"},
		{And(Bool(true)), "true"},
		{And(a, Null(columnar.Bool), Null(columnar.Bool)), "a and null::bool"},
		{Or(Null(columnar.Bool), Bool(false)), "null::bool"},
		{Not(Not(a)), "a"},
		{Not(Bool(true)), "false"},
		{Add(Int(1), Mul(Int(2), Int(3))), "7"},
		{Div(Int(1), Int(0)), "null::float"},
		{Add(Int(9223372036854775807), Int(1)), "9223372036854775807 + 1"},
		{Eq(a, Null(columnar.Int)), "null::bool"},
		{IsNull(Null(columnar.Int)), "true"},
		{Year(Str("May 2020")), "2020"},
		{Lower(Str("ÀB")), "'àb'"},
		{Element(Texts("x", "y"), Int(2)), "'y'"},
		{ListContains(Texts("x", "y"), Str("y")), "true"},
		{Len(Texts("x", "y")), "2"},
		{Language(Str("x")), "language('x')"},
		{Add(a, Sub(Int(3), Int(2))), "a + 1"},
		{Add(Str("x"), Int(1)), "'x' + 1"},
	} {
		if got := c.expr.Fold().String(); got != c.want {
			t.Errorf("%s folds to %s, want %s", c.expr, got, c.want)
		}
	}
}

// TestCostOrdersConditions checks the order in which conditions are worth
// evaluating.
func TestCostOrdersConditions(t *testing.T) {
	text := Col("text")
	order := []*Expr{
		Col("a"),
		Gt(Col("a"), Int(1)),
		Eq(text, Str("x")),
		ListContains(Col("l"), Str("x")),
		Call(OpContains, Lower(text), Str("x")),
		Eq(Language(text), Str("en")),
		And(Eq(Language(text), Str("en")), Gt(Polarity(text, Str("m")), Int(0))),
	}
	for i := 1; i < len(order); i++ {
		if order[i-1].Cost() >= order[i].Cost() {
			t.Errorf("%s costs %d, %s only %d", order[i-1], order[i-1].Cost(), order[i], order[i].Cost())
		}
	}
	for _, e := range order {
		models := strings.Contains(e.String(), "language")
		if (e.Cost() >= Expensive) != models {
			t.Errorf("%s costs %d, which is wrong beside Expensive", e, e.Cost())
		}
	}
}

func TestCompileErrors(t *testing.T) {
	s := columnar.Schema{
		{Name: "id", Type: columnar.Int},
		{Name: "title", Type: columnar.Text},
		{Name: "genres", Type: columnar.TextList},
		{Name: "total", Type: columnar.Wide},
		{Name: "ratio", Type: columnar.FloatSum},
		{Name: "long", Type: columnar.DecimalOf(38, 34)},
	}
	id, title, genres := Col("id"), Col("title"), Col("genres")
	deep := id
	for range MostDepth {
		deep = Add(deep, Int(1))
	}
	broad := make([]*Expr, MostParts)
	for i := range broad {
		broad[i] = Bool(true)
	}
	for _, c := range []struct {
		expr *Expr
		want string
	}{
		{Gt(Col("budget"), Int(1)), `there is no column "budget"; the columns are id, title, genres, total, ratio, long`},
		{Year(id), "year takes a text or a date, but in year(id) it is given int"},
		{And(Year(title), Eq(title, Int(1))), "= takes two numbers, a date and a timestamp, or two values of one type, but in title = 1 it is given text, int"},
		{Add(title, id), "+ takes two numbers, but in title + id it is given text, int"},
		{And(id), "and takes bools, but in and(id) it is given int"},
		{ListContains(genres, id), "list_contains takes a list and a value like its items, but in list_contains(genres, id)"},
		{Mul(Col("total"), Col("long")), "* takes two numbers with at most 38 decimal places together, but in total * long it is given wide, wide(38,34)"},
		{IntDiv(Dec(1), id), "// takes two whole numbers"},
		{ToDecimal(Float(1)), "to_decimal takes a number but a float"},
		{ToFloat(Col("ratio")), "to_float takes a number"},
		{Len(title), "len takes a list"},
		{Element(genres, title), "element takes a list and an int"},
		{Lt(genres, title), "< takes two numbers, a date and a timestamp, or two values of one type"},
		{Sentiment(title, title), "the model must be named by a literal, not by title"},
		{Sentiment(title, Str("x")), `unknown model "x"`},
		{Polarity(title, Null(columnar.Text)), "the model must be named by a literal, not by null::text"},
		{And(), "and takes one argument or more, not 0 arguments"},
		{Not(nil), "argument 1 of not is missing"},
		{nil, "an expression is missing"},
		{&Expr{Op: "drop"}, `there is no operation "drop"`},
		{&Expr{Op: OpYear}, "year takes one argument, not 0 arguments"},
		{&Expr{Op: OpEq, Args: []*Expr{id}}, "= takes 2 arguments, not 1 arguments"},
		{&Expr{Op: OpColumn}, "a column has no name"},
		{&Expr{Op: OpColumn, Name: "id", Args: []*Expr{id}}, "column takes no arguments"},
		{&Expr{Op: OpColumn, Name: "\xff"}, "is not UTF-8"},
		{&Expr{Op: OpNot, Name: "x", Args: []*Expr{id}}, `not has a name, "x"`},
		{&Expr{Op: OpLiteral}, "a literal, and nothing else, has a value"},
		{&Expr{Op: OpColumn, Name: "id", Value: &Value{}}, "a literal, and nothing else, has a value"},
		{lit(Value{Type: columnar.IntList}), "there is no literal of type intlist but null"},
		{lit(Value{Type: columnar.IntList, Null: true, Texts: []string{"a"}}), "a literal of type intlist holds another value as well"},
		{lit(Value{Type: columnar.Int, Text: "x"}), "a literal of type int holds another value as well"},
		{lit(Value{Type: columnar.Int, Null: true, Int: 1}), "a literal of type int holds another value as well"},
		{Float(inf()), "the float literal +Inf is not finite"},
		{Str("\xff"), "is not UTF-8"},
		{Texts("a", "\xff"), "is not UTF-8"},
		{deep, fmt.Sprintf("nested deeper than %d", MostDepth)},
		{And(broad...), fmt.Sprintf("more than %d parts", MostParts)},
		{Str(strings.Repeat("x", MostBytes+1)), fmt.Sprintf("more than %d bytes", MostBytes)},
	} {
		_, err := Compile(c.expr, s, testEnv())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func inf() float64 { var zero float64; return 1 / zero }

func TestErrorsStayShort(t *testing.T) {
	_, err := Year(Texts(strings.Repeat("é", 10_000))).TypeOf(nil)
	if err == nil || len(err.Error()) > 2*maxMessage || strings.Contains(err.Error(), "\uFFFD") {
		t.Errorf("error of %d bytes: %v", len(err.Error()), err)
	}
}

func TestCompileWithoutModels(t *testing.T) {
	s := columnar.Schema{{Name: "t", Type: columnar.Text}}
	if _, err := Compile(Language(Col("t")), s, nil); err == nil {
		t.Error("compiled without an environment")
	}
	broken := errors.New("no tables")
	env := newEnv(func() (LanguageDetector, error) { return nil, broken }, nil)
	if _, err := Compile(Language(Col("t")), s, env); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestParseValue(t *testing.T) {
	for _, c := range []struct {
		typ        columnar.Type
		text, want string
	}{
		{columnar.Int, " 2000 ", "2000"},
		{columnar.Int, "-9223372036854775808", "-9223372036854775808"},
		{columnar.Decimal, "0.9", "0.9"},
		{columnar.Decimal, "-.5", "-0.5"},
		{columnar.Decimal, "+3.", "3.0"},
		{columnar.Decimal, "1.2300000000", "1.23"},
		{columnar.Decimal, "-9223372036854.775808", "-9223372036854.775808"},
		{columnar.Float, "1e3", "1e+03"},
		{columnar.Bool, "TRUE", "true"},
		{columnar.Bool, "0", "false"},
		{columnar.Bool, "n", "false"},
		{columnar.Bool, "Ja", "true"},
		{columnar.Text, " Côte d'Ivoire ", "' Côte d''Ivoire '"},
		{columnar.Text, "", "''"},
		{columnar.TextList, "Argentina, Spain", "['Argentina', 'Spain']"},
		{columnar.TextList, `"Korea, South",x`, "['Korea, South', 'x']"},
		{columnar.TextList, " ", "[]"},
		{columnar.Wide, "-0.5", "'-0.5'::DECIMAL(38,6)"},
	} {
		e, err := ParseValue(c.typ, c.text)
		if err != nil || e.String() != c.want || e.Value.Type != c.typ || e.Validate() != nil {
			t.Errorf("%s %q is %s (%v), want %s", c.typ, c.text, e, err, c.want)
		}
	}
}

func TestParseValueErrors(t *testing.T) {
	for _, c := range []struct {
		typ        columnar.Type
		text, want string
	}{
		{columnar.Int, "2000.5", "is not a whole number"},
		{columnar.Int, "", "is not a whole number"},
		{columnar.Int, "9223372036854775808", "is out of range"},
		{columnar.Decimal, "", "is not a decimal number"},
		{columnar.Decimal, ".", "is not a decimal number"},
		{columnar.Decimal, "--1", "is not a decimal number"},
		{columnar.Decimal, "1e3", "is not a decimal number"},
		{columnar.Decimal, "0.1234567", "at most 6"},
		{columnar.Decimal, "9223372036854.775808", "is out of range"},
		{columnar.Float, "NaN", "is not a finite number"},
		{columnar.Float, "1e999", "is not a finite number"},
		{columnar.Bool, "maybe", "expected true or false"},
		{columnar.Text, "\xff", "is not valid UTF-8"},
		{columnar.TextList, "a,,b", "item 2 of the list"},
		{columnar.TextList, `"a`, "is not a list of texts"},
		{columnar.TextList, "a\nb", "line break"},
		{columnar.Wide, "1e3", "is not a decimal number"},
		{columnar.IntList, "1", "cannot be written"},
	} {
		if e, err := ParseValue(c.typ, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q is %s, error %v, want %q", c.typ, c.text, e, err, c.want)
		}
	}
}

// FuzzDecode decodes bytes as an expression; what passes Validate must not make
// anything panic, and must come back from JSON as it went.
func FuzzDecode(f *testing.F) {
	for _, e := range []*Expr{
		And(between(Year(Col("s")), Int(2000), Int(2009)), ListContains(Col("l"), Str("x"))),
		Or(Eq(Col("p"), Str("any")), Eq(Language(Col("s")), Str("en"))),
		Gt(Div(Col("d"), Col("w")), Add(Dec(1), Float(-0.5))),
		Not(IsNull(Element(Texts("a", "b"), Sub(Col("i"), Null(columnar.Int))))),
		Ge(Polarity(Lower(Col("t u")), Str("m")), ToDecimal(Len(Col("n")))),
	} {
		data, err := json.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"op":"literal","value":{"type":"int","int":1,"text":"x"}}`))
	f.Add([]byte(`{"op":"and","args":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e *Expr
		if json.Unmarshal(data, &e) != nil || e.Validate() != nil {
			return
		}
		again, err := json.Marshal(e)
		if err != nil {
			t.Fatalf("%s does not encode: %v", e, err)
		}
		var back *Expr
		if err := json.Unmarshal(again, &back); err != nil || back.String() != e.String() {
			t.Fatalf("%s comes back as %s (%v)", e, back, err)
		}
		e.Columns()
		e.Cost()
		e.Fold()
		Conjoin(Conjuncts(e))
		ev, err := Compile(e, testSchema(), testEnv())
		if err != nil {
			return
		}
		cols := make([]*columnar.Vector, len(testSchema()))
		for i, field := range testSchema() {
			cols[i] = vectorOf(field.Type, []datum{nil, nil, nil}, false)
		}
		if v, err := ev.Eval(cols, 3); err == nil && v.Len != 3 {
			t.Fatalf("%s gives %d values for 3 rows", e, v.Len)
		}
	})
}

// between is what statements write so.
func between(a, lo, hi *Expr) *Expr { return And(Ge(a, lo), Le(a, hi)) }
