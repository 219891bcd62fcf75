package expr

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
)

// TestFunctionsAreWhole holds every entry of the table to what is expected of
// it.
func TestFunctionsAreWhole(t *testing.T) {
	for _, f := range functions.All() {
		if f.takes == "" || len(f.types) == 0 || f.cost == 0 {
			t.Errorf("%s is not whole", f.op)
		}
		if own := f.op == OpAnd || f.op == OpOr || f.op == OpIf || f.op == OpTry; (f.build == nil && f.lambda == nil) != own {
			t.Errorf("%s has a kernel: %v", f.op, f.build != nil)
		}
		for _, s := range f.types {
			if f.typeOf != nil {
				continue
			}
			s = s.Of(nil)
			if len(s.Takes) != len(f.types[0].Takes) || !s.Gives.Known() {
				t.Errorf("%s has the signature %v", f.op, s)
			}
			if f.result(nil, s.Takes) != s.Gives {
				t.Errorf("%s of %v gives %s and %s", f.op, s.Takes, s.Gives, f.result(nil, s.Takes))
			}
		}
	}
}

// TestSamples computes every operation of all types that it takes.
func TestSamples(t *testing.T) {
	env := NewEnv()
	for _, f := range functions.All() {
		for _, s := range f.types {
			if slices.Contains(s.Takes, columnar.FloatSum) { // of which there are no literals
				continue
			}
			e := IsNull(f.sample(s.Of(nil).Takes)) // there are literals of few lists, and of no structs and maps
			if _, err := e.compute(env); err != nil {
				t.Errorf("%s: %v", e, err)
			}
		}
	}
}

// samples are arguments of operations that do not take all values of their types.
var samples = map[Op][]*Expr{
	"from_base64":                     {Str("YQ==")},
	OpUUIDOf:                          {Call(OpUUIDBytes, Zero(columnar.UUID))},
	"uuid_extract_timestamp":          {CastText(Str("019482e4-1441-7aad-8127-eec637573dc2"), columnar.UUID, false)},
	castOp(columnar.UUID, false):      {Str("019482e4-1441-7aad-8127-eec637573dc2")},
	castOp(columnar.Date, false):      {Str("2020-02-29")},
	castOp(columnar.Timestamp, false): {Str("2020-02-29")},
	castOp(columnar.Instant, false):   {Str("2020-02-29")},
	castOp(columnar.Time, false):      {Str("23:59")},
	OpDatePart:                        {Str("month")},
	OpDateTrunc:                       {Str("month")},
	OpToDigits:                        {nil, Int(4), Int(2)},
	OpToWide:                          {nil, Int(4), Int(2)},
	OpToBase:                          {Int(255), Int(16)},
	OpListTransform:                   {Texts("a"), Variable("x", columnar.Text), Variable("i", columnar.Int)},
	OpListFilter:                      {Texts("a"), Variable("x", columnar.Text), Variable("i", columnar.Int)},
	OpListReduce:                      {Texts("a"), Str(""), Variable("all", columnar.Text), Variable("x", columnar.Text), Variable("i", columnar.Int)},
	OpStruct:                          {Null(columnar.StructOf(columnar.Field{Name: "a", Type: columnar.Int})), Int(1)},
	"atanh":                           {Float(0)},
	OpSentiment:                       {Str("I love it"), Str("lexicon")},
	OpPolarity:                        {Str("I love it"), Str("lexicon")},
	OpListOfText:                      {Str("[a, b]")},
	OpPairsOfText:                     {Str("{a=1, b=2}")},
	OpFieldsOfText:                    {Str("{'a': 1, 'b': x}"), Texts("a", "b")},
	OpNumberForm:                      {Str("-1234.5"), Str("9,999.99")},
	OpPartName:                        {Str("days")},
	OpLike:                            {Str("abc"), Str("a%"), Str("")},
	OpInRange:                         {nil, Str("UTINYINT")},
	OpRegexpExtract:                   {Str("a1"), Str("([a-z])([0-9])")},
	OpRegexpAll:                       {Str("a1"), Str("([a-z])([0-9])")},
	OpZone:                            {Str("Europe/Berlin")},
}

// sample is a call of the operation with arguments of the types: those of samples, or ones.
func (f *function) sample(types []columnar.Type) *Expr {
	args := slices.Clone(samples[f.op])
	if f.op == OpDatePart && types[1] == columnar.Time {
		args = []*Expr{Str("hour")}
	}
	for i, t := range types {
		switch {
		case i == len(args):
			args = append(args, one(t))
		case args[i] == nil:
			args[i] = one(t)
		}
	}
	return Call(f.op, args...)
}

// one is a value of a type, 1 if it is a number.
func one(t columnar.Type) *Expr {
	switch {
	case t == columnar.Text:
		return Str("1")
	case t == columnar.TextList:
		return Texts("1")
	case t.Kind() == columnar.KindInt64:
		return lit(Value{Type: t, Int: 1})
	case t == columnar.Float:
		return Float(1)
	case t.Kind() == columnar.KindList, t.IsStruct(), t.IsMap():
		return Null(t)
	}
	return Zero(t)
}

// randomTree makes an expression of a type out of the whole table, with
// mistakes in it now and then.
type randomTree struct {
	rng    *rand.Rand
	schema columnar.Schema
}

func (r randomTree) of(t columnar.Type, depth int) *Expr {
	if r.rng.IntN(40) == 0 {
		t = pick(r.rng, columnar.Types())
	}
	var calls []*function
	for _, f := range functions.All() {
		if f.gives(t) {
			calls = append(calls, f)
		}
	}
	if depth <= 0 || len(calls) == 0 || r.rng.IntN(6) == 0 {
		return r.leaf(t)
	}
	return r.call(pick(r.rng, calls), t, depth-1)
}

func (r randomTree) call(f *function, t columnar.Type, depth int) *Expr {
	var all [][]columnar.Type
	for _, s := range f.types {
		if s, ok := s.Giving(t); ok {
			all = append(all, s.Takes)
		}
	}
	takes := pick(r.rng, all)
	if f.many {
		takes = slices.Repeat(takes, 1+r.rng.IntN(3))
	}
	args := make([]*Expr, len(takes))
	for i, t := range takes {
		args[i] = r.of(t, depth)
	}
	if f.cost >= Expensive && len(args) == 2 && r.rng.IntN(8) > 0 {
		args[1] = Str("m")
	}
	return Call(f.op, args...)
}

func (r randomTree) leaf(t columnar.Type) *Expr {
	var leaves []*Expr
	for _, f := range r.schema {
		if f.Type == t {
			leaves = append(leaves, Col(f.Name))
		}
	}
	v := Value{Type: t, Null: r.rng.IntN(8) == 0}
	if v.Null {
		return lit(v)
	}
	switch t.Kind() {
	case columnar.KindBool:
		v.Bool = r.rng.IntN(2) == 0
	case columnar.KindInt64:
		v.Int = pick(r.rng, someInts)
	case columnar.KindFloat64:
		v.Float = pick(r.rng, someFloats)
	case columnar.KindBytes:
		v.Text = pick(r.rng, someTexts)
	case columnar.KindList:
		v.Texts = []string{pick(r.rng, someTexts)}
	}
	return pick(r.rng, append(leaves, lit(v)))
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// FuzzOutsideExpr takes random trees of all functions the way of a plan from
// outside: as JSON through validation, typing, folding, compilation and
// evaluation. Whatever is not refused must not panic, and gives a vector of its
// type.
func FuzzOutsideExpr(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := randomTree{rng: rng, schema: testSchema()}
		data, err := json.Marshal(r.of(pick(rng, columnar.Types()), rng.IntN(6)))
		if err != nil {
			t.Fatal(err)
		}
		e := new(Expr)
		if err := json.Unmarshal(data, e); err != nil {
			t.Fatal(err)
		}
		folded, cost := e.Fold(), e.Cost()
		ev, err := Compile(e, r.schema, testEnv())
		if err != nil {
			return
		}
		if cost < 0 || folded.String() == "" {
			t.Fatalf("%s costs %d and folds to %s", e, cost, folded)
		}
		typ, err := e.TypeOf(r.schema)
		if err != nil || typ != ev.Type() {
			t.Fatalf("%s of type %s evaluates to %s (%v)", e, typ, ev.Type(), err)
		}
		for range 2 {
			rows := rng.IntN(5)
			v, err := ev.Eval(r.batch(rows), rows)
			if err == nil && (v.Type != typ || v.Len != rows) {
				t.Fatalf("%s gives %d values of %s for %d rows", e, v.Len, v.Type, rows)
			}
			if err == nil {
				for i := range rows {
					show(datumAt(v, i))
				}
			}
		}
	})
}

func (r randomTree) batch(rows int) []*columnar.Vector {
	cols := make([]*columnar.Vector, len(r.schema))
	for c, f := range r.schema {
		values := make([]datum, rows)
		for i := range values {
			if r.rng.IntN(4) > 0 {
				values[i] = r.datum(f.Type)
			}
		}
		cols[c] = vectorOf(f.Type, values, r.rng.IntN(2) == 0)
	}
	return cols
}

func (r randomTree) datum(t columnar.Type) datum {
	switch t {
	case columnar.Wide:
		return r.datum(columnar.Decimal)
	case columnar.TextList:
		return []datum{pick(r.rng, someTexts), nil}
	case columnar.IntList:
		return []datum{nil, num(pick(r.rng, someInts))}
	}
	d := literalDatum(&Value{
		Type: t, Bool: r.rng.IntN(2) == 0, Int: pick(r.rng, someInts),
		Float: pick(r.rng, someFloats), Text: pick(r.rng, someTexts),
	})
	return d
}

// TestUnknownFunctionsAreRefused checks that a name that is in no table is an
// error wherever an expression from outside first meets one.
func TestUnknownFunctionsAreRefused(t *testing.T) {
	e := Not(Eq(Call("uper", Col("s")), Str("X")))
	const want = `there is no operation "uper"`
	if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Validate: %v", err)
	}
	if _, err := e.TypeOf(testSchema()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("TypeOf: %v", err)
	}
	if _, err := Compile(e, testSchema(), testEnv()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Compile: %v", err)
	}
	if got := fmt.Sprint(e.Fold(), e.Cost() > 0); got != "not uper(s) = 'X' true" {
		t.Error(got)
	}
}
