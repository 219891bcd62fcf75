package aggregate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/aggregate"
)

// TestBlocks compares the aggregates of random runs of rows with those of all their rows, also
// where the states of blocks do not fit into memory.
func TestBlocks(t *testing.T) {
	const n = 30_000
	in := columnar.Schema{{Name: "s", Type: columnar.Text}, {Name: "v", Type: columnar.Int}}
	r := rand.New(rand.NewPCG(1, 2))
	rows := columnar.NewRows(in)
	for range n {
		rows.Cols[0].AppendBytes(fmt.Appendf(nil, "%0*d", 20+r.IntN(900), r.IntN(1000)))
		if r.IntN(10) == 0 {
			rows.Cols[1].AppendNull()
		} else {
			rows.Cols[1].AppendInt(r.Int64N(1_000_000))
		}
	}
	rows.Len = n
	asked := 0
	read := func(from, to int64) (columnar.Rows, int, int, error) {
		to = min(to, from+700)
		asked += int(to - from)
		return rows, int(from), int(to), nil
	}
	for _, a := range []aggregate.Agg{
		{Func: "min", Args: []string{"s"}, Name: "a"},
		{Func: "max", Args: []string{"v"}, Name: "a"},
		{Func: "sum", Args: []string{"v"}, Name: "a"},
		{Func: "count", Name: "a"},
		{Func: "avg", Args: []string{"v"}, Name: "a"},
		{Func: "arg_max", Args: []string{"s", "v"}, Name: "a"},
	} {
		for _, limit := range []int64{0, 1} {
			t.Run(fmt.Sprint(a.Func, limit), func(t *testing.T) {
				b := budget.New(limit)
				blocks, err := aggregate.NewBlocks(a, in, b.Reserve("run"), b.Reserve("states"), read)
				if err != nil {
					t.Fatal(err)
				}
				naive, err := aggregate.NewFrame(a, false, in, budget.New(0).Reserve("naive"))
				if err != nil {
					t.Fatal(err)
				}
				typ, _ := a.Type(in)
				got, want := columnar.NewVector(typ), columnar.NewVector(typ)
				asked = 0
				const runs = 300
				for range runs {
					blocks.Reset()
					naive.Reset()
					from := r.IntN(n)
					to := from + r.IntN(n-from+1)
					middle := from + r.IntN(to-from+1)
					for _, part := range [][2]int{{from, middle}, {middle, to}} {
						if err := blocks.Add(int64(part[0]), int64(part[1])); err != nil {
							t.Fatal(err)
						}
					}
					if err := naive.Add(rows, from, to); err != nil {
						t.Fatal(err)
					}
					got.Reset()
					want.Reset()
					if err := blocks.Append(got); err != nil {
						t.Fatal(err)
					}
					if err := naive.Append(want); err != nil {
						t.Fatal(err)
					}
					if !columnar.Same(got, 0, want, 0) {
						t.Fatalf("rows %d to %d: %s, want %s", from, to, got.AppendText(nil, 0), want.AppendText(nil, 0))
					}
				}
				if limit == 0 && asked > n+runs*8*64 {
					t.Errorf("%d rows were read", asked)
				}
				if b.Peak() > 2<<20 && limit > 0 {
					t.Errorf("%d bytes were held", b.Peak())
				}
				blocks.Close()
				if b.Used() != 0 {
					t.Errorf("%d bytes are still reserved", b.Used())
				}
			})
		}
	}
}

// TestSortedItems compares quantiles of a frame that moves in any direction with those of its rows,
// counted once or as often as they occur.
func TestSortedItems(t *testing.T) {
	const n = 20_000
	in := columnar.Schema{{Name: "v", Type: columnar.Int}}
	r := rand.New(rand.NewPCG(3, 4))
	rows := columnar.NewRows(in)
	for range n {
		rows.Cols[0].AppendInt(r.Int64N(9000) - 100)
	}
	rows.Len = n
	a := aggregate.Agg{Func: aggregate.QuantileCont, Param: "0.3", Args: []string{"v"}, Name: "a"}
	for _, distinct := range []bool{false, true} {
		b := budget.New(0)
		moved, err := aggregate.NewFrame(a, distinct, in, b.Reserve("frame"))
		if err != nil {
			t.Fatal(err)
		}
		from, to := 0, 0
		for range 400 {
			if r.IntN(2) == 0 {
				next := min(n, to+r.IntN(2000))
				if err := moved.Add(rows, to, next); err != nil {
					t.Fatal(err)
				}
				to = next
			} else {
				next := from + r.IntN(to-from+1)
				if !moved.Remove(rows, from, next) {
					t.Fatal("rows cannot be removed")
				}
				if from = next; from == n {
					break
				}
			}
			fresh, err := aggregate.NewFrame(a, distinct, in, budget.New(0).Reserve("frame"))
			if err != nil {
				t.Fatal(err)
			}
			if err := fresh.Add(rows, from, to); err != nil {
				t.Fatal(err)
			}
			got, want := columnar.NewVector(columnar.Float), columnar.NewVector(columnar.Float)
			if err := moved.Append(got); err != nil {
				t.Fatal(err)
			}
			if err := fresh.Append(want); err != nil {
				t.Fatal(err)
			}
			if !columnar.Same(got, 0, want, 0) {
				t.Fatalf("rows %d to %d: %s, want %s", from, to, got.AppendText(nil, 0), want.AppendText(nil, 0))
			}
		}
		moved.Close()
		if b.Used() != 0 {
			t.Errorf("%d bytes are still reserved", b.Used())
		}
	}
}
