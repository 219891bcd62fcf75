package window_test

import (
	"testing"

	"analyzer/columnar"
	"analyzer/operators/optest"
	"analyzer/operators/order"
	"analyzer/operators/window"
)

// TestEachFunctionWaitsForItsPartition computes functions alone over a partition of several pages: a row is not
// computed before all is known that its function needs, even if no other function waits for it.
func TestEachFunctionWaitsForItsPartition(t *testing.T) {
	const n, ties = 15_000, 4
	schema := columnar.Schema{{Name: "n", Type: columnar.Int}}
	rows := columnar.NewRows(schema)
	for i := range n {
		rows.Cols[0].AppendInt(int64(i / ties))
		rows.Len++
	}
	for name, want := range map[window.Func]func(i int) float64{
		window.CumeDist:    func(i int) float64 { return float64(i/ties*ties+ties) / n },
		window.PercentRank: func(i int) float64 { return float64(i/ties*ties) / (n - 1) },
		window.RowNumber:   func(i int) float64 { return float64(i + 1) },
		window.Rank:        func(i int) float64 { return float64(i/ties*ties + 1) },
		window.DenseRank:   func(i int) float64 { return float64(i/ties + 1) },
		window.NTile:       func(i int) float64 { return float64(i/(n/3) + 1) },
	} {
		call := window.Call{Func: name, Name: "made"}
		if name == window.NTile {
			call.N = 3
		}
		w := optest.NewWorld(0, nil)
		op, err := window.New(w.Runtime, schema, window.Config{Order: []order.Key{{Column: "n"}}, Calls: []window.Call{call}})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		emit := func(out columnar.Rows) error {
			made := out.Cols[len(out.Cols)-1]
			for k := range out.Len {
				got := 0.0
				if made.Type == columnar.Float {
					got = made.Floats[k]
				} else {
					got = float64(made.Ints[k])
				}
				if got != want(i) {
					t.Fatalf("%s: row %d has %v, want %v", name, i, got, want(i))
				}
				i++
			}
			return nil
		}
		if err := op.Push(t.Context(), 0, rows, emit); err != nil {
			t.Fatal(err)
		}
		if err := op.Finish(t.Context(), 0, emit); err != nil || i != n {
			t.Fatalf("%s: %d rows, %v", name, i, err)
		}
	}
}
