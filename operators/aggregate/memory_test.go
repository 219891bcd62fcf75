package aggregate_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/aggregate"
	"analyzer/operators/optest"
)

// aggNamed returns the aggregates of everyAgg with the given names.
// fewColumns returns those columns of rowSchema that tests of memory use. To make values of all types takes longer
// than to aggregate them.
func fewColumns() columnar.Schema {
	var s columnar.Schema
	for _, name := range []string{"int", "text", "bool", "n", "score", "ratio"} {
		s = append(s, rowSchema[rowSchema.Index(name)])
	}
	return s
}

func aggNamed(names ...string) []aggregate.Agg {
	var out []aggregate.Agg
	for _, name := range names {
		out = append(out, everyAgg[slices.IndexFunc(everyAgg, func(a aggregate.Agg) bool { return a.Name == name })])
	}
	return out
}

// heap returns the bytes of live objects.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The reservation equals the memory held, within a few per cent and the memory of a batch.
func TestReservedIsWhatIsHeld(t *testing.T) {
	for name, cfg := range map[string]aggregate.Config{
		"words":  {Keys: []string{"int", "n"}, Aggs: aggNamed("scores")},
		"bytes":  {Keys: []string{"text", "n"}, Aggs: aggNamed("scores")},
		"floats": {Keys: []string{"int"}, Aggs: aggNamed("ratios")},
		"list":   {Keys: []string{"int"}, Aggs: aggNamed("list")},
	} {
		w := optest.NewWorld(0, nil)
		cfg.Input = fewColumns()
		op, err := aggregate.New(w.Runtime, cfg)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		batch := func() columnar.Rows { return randomOf(rng, fewColumns(), 20_000, optest.Shape{Distinct: 50_000}) }
		if err := op.Push(context.Background(), 0, batch(), nil); err != nil { // for buffers
			t.Fatal(err)
		}
		held, reserved := -heap(), -w.Budget.Used()
		for range 6 {
			if err := op.Push(context.Background(), 0, batch(), nil); err != nil {
				t.Fatal(err)
			}
		}
		held, reserved = held+heap(), reserved+w.Budget.Used()
		if reserved < 1<<20 || held > reserved+reserved/10 || held < reserved-reserved/4 {
			t.Errorf("%s: %d KiB are reserved, %d KiB held", name, reserved>>10, held>>10)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
		runtime.KeepAlive(op)
		w.CheckEmpty(t)
	}
}

// The budget is overdrawn only slightly, however many groups there are.
func TestStaysWithinTheBudget(t *testing.T) {
	const limit = 4 << 20
	for _, keys := range [][]string{{"int", "n"}, {"text", "n"}} {
		w := optest.NewWorld(limit, nil)
		op, err := aggregate.New(w.Runtime, aggregate.Config{Input: fewColumns(), Keys: keys, Aggs: aggNamed("rows", "score_mean")})
		if err != nil {
			t.Fatal(err)
		}
		rng, groups := rand.New(rand.NewPCG(1, 1)), 0
		var emit operators.Emit = func(rows columnar.Rows) error {
			groups += rows.Len
			return nil
		}
		for range 6 {
			rows := randomOf(rng, fewColumns(), 30_000, optest.Shape{Distinct: 50_000})
			for range 2 { // every group comes twice
				if err := op.Push(context.Background(), 0, rows, emit); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := op.Finish(context.Background(), 0, emit); err != nil {
			t.Fatal(err)
		}
		if groups < 174_000 {
			t.Errorf("%s: only %d groups", strings.Join(keys, "+"), groups)
		}
		if peak := w.Budget.Peak(); peak > limit+limit/8 {
			t.Errorf("%s: %d KiB were reserved at once, of %d", strings.Join(keys, "+"), peak>>10, limit>>10)
		}
		w.CheckEmpty(t)
	}
}

// Rows of groups that do not repeat are stored ungrouped, and are grouped once groups repeat.
func TestGroupsRepeatLateInMemory(t *testing.T) {
	const groups, rounds = 200_000, 5
	w := optest.NewWorld(0, nil)
	schema := columnar.Schema{{Name: "name", Type: columnar.Text}}
	op, err := aggregate.New(w.Runtime, aggregate.Config{Input: schema, Keys: schema.Names(), Aggs: []aggregate.Agg{{Func: aggregate.Count, Name: "rows"}}})
	if err != nil {
		t.Fatal(err)
	}
	rows := columnar.NewRows(schema)
	for i := range groups {
		rows.Cols[0].AppendBytes(fmt.Appendf(nil, "the name of user %07d", i))
	}
	rows.Len = groups
	for range rounds {
		if err := op.Push(context.Background(), 0, rows, nil); err != nil {
			t.Fatal(err)
		}
	}
	if used := w.Budget.Used(); used > 24<<20 {
		t.Errorf("%d groups take %d MiB", groups, used>>20)
	}
	seen := make(map[string]bool)
	if err := op.Finish(context.Background(), 0, func(page columnar.Rows) error {
		for i := range page.Len {
			name := string(page.Cols[0].Bytes(i))
			if seen[name] || page.Cols[1].Ints[i] != rounds {
				return fmt.Errorf("%s has %d rows", name, page.Cols[1].Ints[i])
			}
			seen[name] = true
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(seen) != groups {
		t.Errorf("%d groups of %d", len(seen), groups)
	}
	w.CheckEmpty(t)
}

// A streaming aggregation keeps only a part of the budget, however often it was full.
func TestStreamingKeepsLittle(t *testing.T) {
	const limit = 16 << 20
	w := optest.NewWorld(limit, nil)
	op, err := aggregate.New(w.Runtime, aggregate.Config{Input: fewColumns(), Keys: []string{"bool"}, Aggs: aggNamed("list"), ToStates: true, Streaming: true})
	if err != nil {
		t.Fatal(err)
	}
	rng, states := rand.New(rand.NewPCG(1, 1)), 0
	var emit operators.Emit = func(rows columnar.Rows) error {
		states += rows.Len
		return nil
	}
	rows := randomOf(rng, fewColumns(), 20_000, optest.Shape{Distinct: 2})
	for range 200 {
		if err := op.Push(context.Background(), 0, rows, emit); err != nil {
			t.Fatal(err)
		}
	}
	if peak := w.Budget.Peak(); peak > limit/6 || states < 20 {
		t.Errorf("with a limit of %d KiB, %d KiB were held; %d states came before the end", limit>>10, peak>>10, states)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
	w.CheckEmpty(t)
}

// TestLongRowsBypassTheTable aggregates rows of 3 MB each: those that leave the table at once, or find no room there, are
// not copied into it.
func TestLongRowsBypassTheTable(t *testing.T) {
	const limit, long, n = 8 << 20, 3 << 20, 12
	input := columnar.Schema{{Name: "key", Type: columnar.Int}, {Name: "text", Type: columnar.Text}}
	cfg := aggregate.Config{Keys: []string{"key"}, Aggs: []aggregate.Agg{{Func: aggregate.Max, Args: []string{"text"}, Name: "most"}}, Input: input}
	for _, streaming := range []bool{true, false} {
		w := optest.NewWorld(limit, nil)
		cfg.Streaming, cfg.ToStates = streaming, streaming
		op, err := aggregate.New(w.Runtime, cfg)
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[int64]string)
		emit := func(rows columnar.Rows) error {
			for i := range rows.Len {
				key := rows.Cols[0].Ints[i]
				got[key] = max(got[key], string(rows.Cols[1].Bytes(i)))
			}
			return nil
		}
		for i := range n {
			rows := columnar.NewRows(input)
			rows.Cols[0].AppendInt(int64(i % (n / 2)))
			rows.Cols[1].AppendBytes(bytes.Repeat([]byte{'a' + byte(i)}, long))
			rows.Len = 1
			if err := op.Push(t.Context(), 0, rows, emit); err != nil {
				t.Fatal(err)
			}
		}
		if err := op.Finish(t.Context(), 0, emit); err != nil {
			t.Fatal(err)
		}
		for i := n / 2; i < n; i++ {
			if text := got[int64(i%(n/2))]; len(text) != long || text[0] != 'a'+byte(i) || text[long-1] != text[0] {
				t.Errorf("streaming %v: group %d has a text of %d bytes", streaming, i%(n/2), len(text))
			}
		}
		if peak := w.Budget.Peak(); peak > limit || streaming && peak > aggregate.LeastBytes {
			t.Errorf("streaming %v: %d bytes at once", streaming, peak)
		}
		w.CheckEmpty(t)
	}
}
