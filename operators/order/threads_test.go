package order_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
)

// orders are keys that divide rows into many pieces, few, and one, of equal words and others.
func orders() map[string][]order.Key {
	return map[string][]order.Key{
		"numbers":    {{Column: "n", Desc: true}},
		"few":        {{Column: "few", NullsFirst: true}, {Column: "n"}},
		"prefixes":   {{Column: "text"}, {Column: "n"}},
		"one value":  {{Column: "one", Desc: true}, {Column: "text", Desc: true}},
		"all values": nil,
	}
}

// manyRows are rows enough for several pieces.
func manyRows(n int) (columnar.Schema, columnar.Rows) {
	schema := columnar.Schema{
		{Name: "one", Type: columnar.Text}, {Name: "few", Type: columnar.Text}, {Name: "text", Type: columnar.Text}, {Name: "n", Type: columnar.Int},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	few := []string{"Oslo", "Rio de Janeiro", "Rio de Janeiro do Sul", "", "Ürümqi"}
	rows := columnar.NewRows(schema)
	for range n {
		rows.Cols[0].AppendBytes([]byte("the same"))
		if at := rng.IntN(len(few) + 1); at == len(few) {
			rows.Cols[1].AppendNull()
		} else {
			rows.Cols[1].AppendBytes([]byte(few[at]))
		}
		id := rng.IntN(n)
		rows.Cols[2].AppendBytes([]byte("item no. " + string(rune('a'+id%3)) + string(rune(id))))
		rows.Cols[3].AppendInt(int64(id))
		rows.Len++
	}
	return schema, rows
}

// sortIn returns the lines of a sort in a number of goroutines.
func sortIn(t *testing.T, threads int, limit int64, c optest.Case) []string {
	t.Helper()
	w := optest.NewWorld(limit, nil)
	w.Threads = threads
	op, err := c.New(w.Runtime)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := c.Run(op, 5000)
	if err != nil {
		t.Fatal(err)
	}
	w.CheckEmpty(t)
	return lines
}

// However many goroutines sort, the order is that of one.
func TestGoroutines(t *testing.T) {
	schema, rows := manyRows(40_000)
	for name, keys := range orders() {
		t.Run(name, func(t *testing.T) {
			c := optest.Case{
				New: func(rt *operators.Runtime) (operators.Operator, error) {
					return order.NewSort(rt, schema, order.SortConfig{Order: keys, Limit: -1})
				},
				Inputs: []optest.Input{{Schema: schema, Rows: rows}}, Output: schema, Ordered: true,
			}
			want := sortIn(t, 1, 0, c)
			for _, limit := range []int64{0, 2 << 20} {
				got := sortIn(t, 3, limit, c)
				if len(got) != rows.Len || len(want) != rows.Len {
					t.Fatalf("%d and %d of %d rows", len(want), len(got), rows.Len)
				}
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("with a budget of %d, row %d is %s, want %s", limit, i, got[i], want[i])
					}
				}
			}
		})
	}
}

// Rows that come in order, or nearly, are in the order of those that come in none.
func TestRowsComeInOrder(t *testing.T) {
	schema, rows := manyRows(40_000)
	for name, keys := range orders() {
		t.Run(name, func(t *testing.T) {
			index := naiveSort(schema, rows, keys, -1)
			want := linesOf(rows, index)
			nearly := slices.Clone(index)
			nearly[0], nearly[20_000] = nearly[20_000], nearly[0]
			for _, given := range [][]int{index, nearly} {
				in := columnar.NewRows(schema)
				in.AppendGather(rows, columnar.Each(given, func(i int) int32 { return int32(i) }))
				c := optest.Case{
					New: func(rt *operators.Runtime) (operators.Operator, error) {
						return order.NewSort(rt, schema, order.SortConfig{Order: keys, Limit: -1})
					},
					Inputs: []optest.Input{{Schema: schema, Rows: in}}, Output: schema, Ordered: true,
				}
				for _, threads := range []int{1, 3} {
					if got := sortIn(t, threads, 0, c); !slices.Equal(got, want) {
						t.Errorf("%d rows in %d goroutines are in another order", len(got), threads)
					}
				}
			}
		})
	}
}

// A page that is not taken, the first or a later one, ends the goroutine that fills pages.
func TestPagesAreNotTaken(t *testing.T) {
	schema, rows := manyRows(50_000)
	full := errors.New("the disk is full")
	for _, limit := range []int64{0, 1 << 20} {
		for taken := range 3 {
			w := optest.NewWorld(limit, nil)
			w.Threads = 2
			op, err := order.NewSort(w.Runtime, schema, order.SortConfig{Order: []order.Key{{Column: "text"}}, Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			if err := op.Push(context.Background(), 0, rows, nil); err != nil {
				t.Fatal(err)
			}
			pages, last := 0, ""
			err = op.Finish(context.Background(), 0, func(rows columnar.Rows) error {
				if first := string(rows.Cols[2].Bytes(0)); first < last {
					t.Errorf("page %d begins with %q, after %q", pages, first, last)
				}
				if pages++; pages > taken {
					return full
				}
				last = string(rows.Cols[2].Bytes(rows.Len - 1))
				return nil
			})
			if !errors.Is(err, full) || pages != taken+1 {
				t.Errorf("%d pages were emitted of %d taken, error %v", pages, taken, err)
			}
			w.CheckEmpty(t)
		}
	}
}
