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
		if f.example == nil || f.example.Op != f.op || len(f.example.Columns()) > 0 {
			t.Errorf("the example of %s is %s", f.op, f.example)
		}
	}
}

// TestExamples computes the example of every operation.
func TestExamples(t *testing.T) {
	env := NewEnv()
	for _, f := range functions.All() {
		e := f.example
		if f.op == OpStruct || f.op == OpMap { // no struct and no map is a literal
			e = IsNull(e)
		}
		if _, err := e.compute(env); err != nil {
			t.Errorf("the example of %s: %v", f.op, err)
		}
	}
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
