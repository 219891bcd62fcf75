package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

func keyedTable(t *testing.T, key ...string) *columnar.Table {
	t.Helper()
	table := &columnar.Table{Name: "t", Columns: []columnar.TableColumn{
		{Name: "a", Header: "a", Format: columnar.FormatInt},
		{Name: "b", Header: "b", Format: columnar.FormatOptional},
		{Name: "x", Header: "x", Format: columnar.FormatDecimal, Strict: true},
	}}
	table, err := table.WithKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// everyRow asks for all rows of t and for a sum over some of them, which takes two phases.
func everyRow(t *testing.T, table *columnar.Table, open func(string) (vfs.File, error)) job {
	t.Helper()
	sums := plan.From("t").Filter(expr.Gt(expr.Col("x"), expr.Int(3))).
		Aggregate([]string{"b"}, plan.Agg{Func: plan.Sum, Args: []string{"x"}, Name: "s"})
	return job{
		tables: plan.Tables{"t": table}, open: open,
		queries: []*plan.Query{
			{Name: "rows", Root: plan.From("t").Select("a", "b", "x").Sort(plan.Asc("a"))},
			{Name: "sums", Root: sums.Join(plan.From("t").Select("a", "b"), plan.On("b", "b")).Sort(plan.Asc("a"))},
		},
	}
}

// TestKeys checks that, of valid rows with equal keys, later ones are rejected: the same rows
// for any number of replicas, block size and memory. The file without them has the same
// answers.
func TestKeys(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 3))
		rows := 300 + 3000*int(seed)
		var text, without strings.Builder
		text.WriteString("a,b,x\n")
		without.WriteString("a,b,x\n")
		seen := make(map[string]bool)
		var rejected []string
		for i := range rows {
			a, b := rng.IntN(rows/2), rng.IntN(3)
			line := fmt.Sprintf(`%d,%c,%d`, a, 'x'+b, i%7)
			if i%5 == 0 {
				line = fmt.Sprintf(`"%d","%c",%d.0`, a, 'x'+b, i%7) // an equal key that is written otherwise
			}
			key := fmt.Sprint(a, " ", b)
			switch {
			case i%50 == 7: // an invalid row, which cannot be the first with its key
				line = fmt.Sprintf("%d,%c,none", a, 'x'+b)
				rejected = append(rejected, fmt.Sprintf("%d not-a-decimal x none", i+2))
			case seen[key]:
				rejected = append(rejected, fmt.Sprintf("%d duplicate-key a,b %d,%c", i+2, a, 'x'+b))
			default:
				seen[key] = true
				without.WriteString(line + "\n")
			}
			text.WriteString(line + "\n")
		}
		plain := everyRow(t, keyedTable(t), inMemory(t, map[string]string{"t": without.String()})).answer(t, engine.Options{})
		for _, file := range []string{text.String(), string(gzipped(t, []byte(text.String())))} {
			j := everyRow(t, keyedTable(t, "a", "b"), inMemory(t, map[string]string{"t": file}))
			for _, o := range []engine.Options{
				{Replicas: 1}, {Replicas: 3, BlockSize: 1000}, {Replicas: 2, BlockSize: 77, Memory: 16 << 20},
			} {
				var told []string
				o.Reject = func(r scan.Reject) error {
					told = append(told, fmt.Sprint(r.Line, " ", r.Reason, " ", r.Column, " ", r.Cell))
					return nil
				}
				got := j.same(t, plain.json, o)
				if !slices.Equal(told, rejected) {
					t.Fatalf("seed %d, %s: %d rows were rejected, not %d", seed, describe(o), len(told), len(rejected))
				}
				if n := got.report.Tables[0].Stats.RejectedRows(); n != int64(len(rejected)) {
					t.Errorf("seed %d, %s: %d rows are counted, not %d", seed, describe(o), n, len(rejected))
				}
			}
		}
	}
}

// TestKeysOfParquet checks that a Parquet file of the same rows gives the same answers as CSV,
// and rejects the same number of rows, in order.
func TestKeysOfParquet(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,x\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "%d,%c,%d\n", i*i%700, 'x'+i%2, i)
	}
	csv := inMemory(t, map[string]string{"t": text.String()})
	copied := job{tables: plan.Tables{"t": keyedTable(t)}, open: csv, queries: []*plan.Query{
		{Name: "t", Root: plan.From("t").Select("a", "b", "x").Sort(plan.Asc("x"))},
	}}
	var file bytes.Buffer
	out, err := answers.NewStream(&file, answers.Options{Format: answers.Parquet, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := copied.runInto(t, t.Context(), engine.Options{}, out); err != nil {
		t.Fatal(err)
	}
	if err := out.Finish(); err != nil {
		t.Fatal(err)
	}
	want := everyRow(t, keyedTable(t, "a", "b"), csv).answer(t, engine.Options{})
	parquet := everyRow(t, keyedTable(t, "a", "b"), inMemory(t, map[string]string{"t": file.String()}))
	for _, size := range []int{0, 4 << 10} {
		var lines []int64
		got := parquet.same(t, want.json, engine.Options{Replicas: 3, BlockSize: size, Reject: func(r scan.Reject) error {
			lines = append(lines, r.Line)
			return nil
		}})
		n := want.report.Tables[0].Stats.RejectedRows()
		if got.report.Tables[0].Stats.RejectedRows() != n || int64(len(lines)) != n || !slices.IsSorted(lines) || n == 0 {
			t.Errorf("%d rows are rejected, %d told of, not %d", got.report.Tables[0].Stats.RejectedRows(), len(lines), n)
		}
	}
}

// TestKeysOfAChangedFile checks that a run notices if rows have moved since their keys were
// compared.
func TestKeysOfAChangedFile(t *testing.T) {
	files := inMemory(t, map[string]string{"before": "a,b,x\n1,x,1\n1,x,2\n", "after": "a,b,x\n10,x,1\n1,x,2\n"})
	opened := 0
	got := everyRow(t, keyedTable(t, "a"), func(string) (vfs.File, error) {
		if opened++; opened > engine.DuplicateReadings {
			return files("after")
		}
		return files("before")
	}).run(t, t.Context(), engine.Options{Replicas: 1})
	if got.err == nil || !strings.Contains(got.err.Error(), "the file changed while it was read") {
		t.Errorf("the error is %v", got.err)
	}
}
