package aggregate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rowSchema has columns of all types, for keys and for arguments.
var rowSchema = append(optest.EveryType(), columnar.Schema{
	{Name: "score", Type: columnar.Decimal},
	{Name: "share", Type: columnar.Float},
	{Name: "ratio", Type: columnar.Float},
	{Name: "flag", Type: columnar.Bool},
	{Name: "n", Type: columnar.Int},
}...)

var everyAgg = []aggregate.Agg{
	{Func: aggregate.Count, Name: "rows"},
	{Func: aggregate.Count, Args: []string{"text"}, Name: "texts"},
	{Func: aggregate.CountIf, Args: []string{"flag"}, Name: "flags"},
	{Func: aggregate.Sum, Args: []string{"score"}, Name: "scores"},
	{Func: aggregate.Sum, Args: []string{"n"}, Name: "ns"},
	{Func: aggregate.Sum, Args: []string{"ratio"}, Name: "ratios"},
	{Func: aggregate.Avg, Args: []string{"score"}, Name: "score_mean"},
	{Func: aggregate.Avg, Args: []string{"n"}, Name: "n_mean"},
	{Func: aggregate.Avg, Args: []string{"ratio"}, Name: "ratio_mean"},
	{Func: aggregate.Min, Args: []string{"score"}, Name: "least_score"},
	{Func: aggregate.Max, Args: []string{"n"}, Name: "greatest_n"},
	{Func: aggregate.Min, Args: []string{"ratio"}, Name: "least_ratio"},
	{Func: aggregate.Max, Args: []string{"ratio"}, Name: "greatest_ratio"},
	{Func: "bit_and", Args: []string{"n"}, Name: "all_bits"},
	{Func: "bit_or", Args: []string{"n"}, Name: "some_bits"},
	{Func: "bit_xor", Args: []string{"n"}, Name: "odd_bits"},
	{Func: aggregate.List, Args: []string{"n"}, Name: "list"},
}

// orderedAggs keep all texts or all values of a group. Those that differ in the parameter share them.
var orderedAggs = []aggregate.Agg{
	{Func: aggregate.Min, Args: []string{"text"}, Name: "least_text"},
	{Func: aggregate.Max, Args: []string{"text"}, Name: "greatest_text"},
	{Func: aggregate.StringAgg, Args: []string{"text"}, Param: ", ", Name: "joined"},
	{Func: aggregate.QuantileCont, Args: []string{"n"}, Name: "median"},
	{Func: aggregate.QuantileCont, Args: []string{"ratio"}, Param: "0.3", Name: "ratio_quantile"},
	{Func: aggregate.QuantileDisc, Args: []string{"score"}, Param: "0.9", Name: "score_quantile"},
	{Func: aggregate.Mode, Args: []string{"n"}, Name: "n_mode"},
	{Func: aggregate.StringAgg, Args: []string{"text"}, Param: "|", Name: "joined_by_bars"},
	{Func: aggregate.QuantileCont, Args: []string{"ratio"}, Param: "0.9", Name: "ratio_decile"},
	{Func: aggregate.QuantileDisc, Args: []string{"score"}, Param: "0.2", Name: "score_quintile"},
}

// randomRows makes rows of rowSchema whose sums of integers fit into 64 bits.
func randomRows(rng *rand.Rand, n int, shape optest.Shape) columnar.Rows {
	return randomOf(rng, rowSchema, n, shape)
}

// randomOf makes such rows of some columns of rowSchema.
func randomOf(rng *rand.Rand, schema columnar.Schema, n int, shape optest.Shape) columnar.Rows {
	rows, keys := columnar.Rows{Len: n}, len(optest.EveryType())
	for i, f := range schema {
		if rowSchema.Index(f.Name) < keys {
			rows.Cols = append(rows.Cols, optest.Random(rng, schema[i:i+1], n, shape).Cols...)
			continue
		}
		v := columnar.NewVector(f.Type)
		for range n {
			switch {
			case rng.IntN(16) < shape.Nulls:
				v.AppendNull()
			case f.Type == columnar.Decimal:
				v.AppendInt(rng.Int64() - rng.Int64())
			case f.Type == columnar.Float:
				v.AppendFloat(rng.NormFloat64() * 1e10)
			case f.Type == columnar.Bool:
				v.AppendBool(rng.IntN(2) == 0)
			default:
				v.AppendInt(rng.Int64N(1e15) - 5e14)
			}
		}
		rows.Cols = append(rows.Cols, v)
	}
	return rows
}

// whole aggregates rows to results in one operator.
func whole(rows columnar.Rows, keys []string, aggs []aggregate.Agg) optest.Case {
	c := inOne(rows, keys, aggs)
	c.Want = naive(rowSchema, rows, keys, aggs)
	return c
}

// split aggregates rows to states, those to states again, and those to results.
func split(rows columnar.Rows, keys []string, aggs []aggregate.Agg) optest.Case {
	c := inThree(rows, keys, aggs)
	c.Want = naive(rowSchema, rows, keys, aggs)
	return c
}

func inOne(rows columnar.Rows, keys []string, aggs []aggregate.Agg) optest.Case {
	cfg := aggregate.Config{Input: rowSchema, Keys: keys, Aggs: aggs}
	return optest.Case{
		New:    func(rt *operators.Runtime) (operators.Operator, error) { return aggregate.New(rt, cfg) },
		Inputs: []optest.Input{{Schema: rowSchema, Rows: rows}},
		Output: outputOf(cfg),
	}
}

func outputOf(cfg aggregate.Config) columnar.Schema {
	op, err := aggregate.New(optest.NewWorld(0, nil).Runtime, cfg)
	if err != nil {
		panic(err)
	}
	return op.Schema()
}

// partialAndFinal are the aggregations from rows to states, and from these to
// results.
func partialAndFinal(keys []string, aggs []aggregate.Agg) (partial, final aggregate.Config) {
	types := make([][]columnar.Type, len(aggs))
	for i, a := range aggs {
		for _, arg := range a.Args {
			types[i] = append(types[i], rowSchema[rowSchema.Index(arg)].Type)
		}
	}
	states, err := aggregate.Config{Input: rowSchema, Keys: keys, Aggs: aggs, ToStates: true}.Schema()
	if err != nil {
		panic(err)
	}
	return aggregate.Config{Input: rowSchema, Keys: keys, Aggs: aggs, ToStates: true},
		aggregate.Config{Input: states, Keys: keys, Aggs: aggs, FromStates: true, ArgTypes: types}
}

func inThree(rows columnar.Rows, keys []string, aggs []aggregate.Agg) optest.Case {
	c := inOne(rows, keys, aggs)
	c.New = func(rt *operators.Runtime) (operators.Operator, error) {
		partial, final := partialAndFinal(keys, aggs)
		partial.Streaming = true
		merging := final
		merging.ToStates = true
		return newChain(rt, partial, merging, final)
	}
	return c
}

// chain is a chain of operators, each of which feeds the next.
type chain []operators.Operator

func newChain(rt *operators.Runtime, cfgs ...aggregate.Config) (chain, error) {
	var c chain
	for _, cfg := range cfgs {
		op, err := aggregate.New(rt, cfg)
		if err != nil {
			return nil, err
		}
		c = append(c, op)
	}
	return c, nil
}

func (c chain) Push(ctx context.Context, _ int, rows columnar.Rows, emit operators.Emit) error {
	if len(c) == 0 {
		return emit(rows)
	}
	return c[0].Push(ctx, 0, rows, func(rows columnar.Rows) error { return c[1:].Push(ctx, 0, rows, emit) })
}

func (c chain) TakesCoded(column int) bool { return c[0].(*aggregate.Operator).TakesCoded(column) }

func (c chain) Finish(ctx context.Context, _ int, emit operators.Emit) error {
	for i, op := range c {
		err := op.Finish(ctx, 0, func(rows columnar.Rows) error { return c[i+1:].Push(ctx, 0, rows, emit) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (c chain) Close() error {
	var errs []error
	for _, op := range c {
		errs = append(errs, op.Close())
	}
	return errors.Join(errs...)
}

var keysOfAllKinds = [][]string{
	{},
	{"int"},
	{"float"},
	{"bool"},
	{"text"},
	{"int", "decimal"},
	{"int", "bool", "float"},
	{"wide", "int"},
	{"textlist", "intlist", "text"},
}

// everyShape runs a test with each of the given keys over rows of few groups and of many, of
// which those of one have nulls: for half of the keys these, for half of them the others.
func everyShape(t *testing.T, all [][]string, test func(t *testing.T, rows columnar.Rows, keys []string)) {
	for i, keys := range all {
		for j, distinct := range []int{3, 4000} {
			nulls := (i + j) % 2 * 2
			t.Run(fmt.Sprintf("%s nulls=%d distinct=%d", strings.Join(keys, "+"), nulls, distinct), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(1, uint64(distinct)))
				test(t, randomRows(rng, 2500, optest.Shape{Distinct: distinct, Nulls: nulls}), keys)
			})
		}
	}
}

func TestSameAnswerHoweverItIsComputed(t *testing.T) {
	everyShape(t, keysOfAllKinds, func(t *testing.T, rows columnar.Rows, keys []string) {
		whole(rows, keys, everyAgg).Check(t, []int64{0, 1, 1 << 20}, []int{600, 2500})
		split(rows, keys, everyAgg).Check(t, []int64{0, 1}, []int{700})
	})
}

func TestValuesInOrder(t *testing.T) {
	for _, distinct := range []int{3, 4000} {
		rows := randomRows(rand.New(rand.NewPCG(9, uint64(distinct))), 900, optest.Shape{Distinct: distinct, Nulls: 1})
		for _, keys := range [][]string{{}, {"int"}, {"text", "bool"}} {
			whole(rows, keys, orderedAggs).Check(t, []int64{0, 1}, []int{400})
			split(rows, keys, orderedAggs).Check(t, []int64{1}, []int{400})
		}
	}
}

// Without aggregates, only the distinct keys remain.
func TestNoAggregates(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(8, 8)), 3000, optest.Shape{Distinct: 1000, Nulls: 1})
	for _, keys := range keysOfAllKinds {
		whole(rows, keys, nil).Check(t, []int64{0, 1}, []int{1000})
		split(rows, keys, nil).Check(t, []int64{0, 1}, []int{1000})
	}
}

func TestSmallBatches(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(2, 2)), 500, optest.Shape{Distinct: 300, Nulls: 1})
	for _, keys := range keysOfAllKinds {
		whole(rows, keys, everyAgg).Check(t, []int64{0, 1}, []int{1, 7})
		split(rows, keys, everyAgg).Check(t, []int64{1}, []int{1, 7})
	}
}

func TestNoRows(t *testing.T) {
	for _, keys := range keysOfAllKinds {
		none := columnar.NewRows(rowSchema)
		whole(none, keys, everyAgg).Check(t, []int64{0, 1}, []int{1})
		split(none, keys, everyAgg).Check(t, []int64{0, 1}, []int{1})
	}
}

// Nulls among the keys come after many batches without nulls.
func TestNullsComeLate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	rows := randomRows(rng, 2500, optest.Shape{Distinct: 2000})
	late := randomRows(rng, 1500, optest.Shape{Distinct: 2000, Nulls: 4})
	rows.AppendRange(late, 0, late.Len)
	for _, keys := range [][]string{{"int"}, {"int", "float"}, {"int", "bool", "decimal"}} {
		whole(rows, keys, everyAgg).Check(t, []int64{0, 1, 1 << 20}, []int{300, 4000})
		split(rows, keys, everyAgg).Check(t, []int64{0, 1}, []int{300})
	}
}

func TestLongKeys(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(4, 4)), 2000, optest.Shape{Distinct: 2000, Nulls: 1, Long: 30_000})
	whole(rows, []string{"text"}, everyAgg[:2]).Check(t, []int64{0, 1, 1 << 20}, []int{500})
	split(rows, []string{"text"}, everyAgg[:2]).Check(t, []int64{0, 1}, []int{500})
}

// One key has half of all rows, and its list does not fit the budget.
func TestHotKey(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	rows := randomRows(rng, 40_000, optest.Shape{Distinct: 10_000})
	for i := range rows.Len / 2 {
		rows.Cols[1].Ints[i] = 7
	}
	aggs := []aggregate.Agg{{Func: aggregate.Count, Name: "rows"}, {Func: aggregate.List, Args: []string{"n"}, Name: "list"}}
	whole(rows, []string{"int"}, aggs).Check(t, []int64{1, 300 << 10}, []int{5000})
	split(rows, []string{"int"}, aggs).Check(t, []int64{1, 300 << 10}, []int{5000})
}

// At first no rows repeat, so they bypass the table; later they do.
func TestRowsRepeatLate(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	rows := randomRows(rng, 20_000, optest.Shape{Distinct: 1 << 40})
	few := randomRows(rng, 5_000, optest.Shape{Distinct: 100})
	rows.AppendRange(few, 0, few.Len)
	aggs := []aggregate.Agg{{Func: aggregate.Count, Name: "rows"}, {Func: aggregate.Avg, Args: []string{"score"}, Name: "mean"}}
	whole(rows, []string{"int", "decimal"}, aggs).Check(t, []int64{1, 1 << 20}, []int{3000})
	split(rows, []string{"int", "decimal"}, aggs).Check(t, []int64{1, 1 << 20}, []int{3000})
}
