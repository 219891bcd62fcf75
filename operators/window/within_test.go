package window_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
	"analyzer/operators/window"
)

// placedSchema is rows in an order, n, each with its place in another one, and the places of the first and the last row
// that have the same key there.
var placedSchema = columnar.Schema{
	{Name: "p", Type: columnar.Int},
	{Name: "n", Type: columnar.Int},
	{Name: "v", Type: columnar.Text},
	{Name: "far", Type: columnar.Int},
	{Name: "other", Type: columnar.Text},
	{Name: "place", Type: columnar.Int},
	{Name: "first", Type: columnar.Int},
	{Name: "last", Type: columnar.Int},
}

// placedRow is a row of a partition of some of them.
type placedRow struct {
	key, far          int64
	place, first, end int64
	v                 string // "" stands for none
}

// placedRows makes the rows of a partition.
func placedRows(rng *rand.Rand, n, long int) []placedRow {
	rows, order := make([]placedRow, n), make([]int, n)
	for i := range rows {
		rows[i] = placedRow{key: rng.Int64N(int64(n/3 + 1)), far: rng.Int64N(5), v: fmt.Sprintf("%0*d", long, i)}
		if rng.IntN(5) == 0 {
			rows[i].v = ""
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(rows[i].key - rows[j].key) })
	for place, i := range order {
		rows[i].place = int64(place + 1)
		for j := range rows {
			if rows[j].key < rows[i].key {
				rows[i].first++
			}
			if rows[j].key <= rows[i].key {
				rows[i].end++
			}
		}
		rows[i].first++
	}
	return rows
}

// valueIn computes a call for a row from the rows of its frame, which are those from begin to end.
func valueIn(c window.Call, all []placedRow, row, begin, end int, out *columnar.Vector) {
	in := slices.Clone(all[begin:max(begin, end)])
	slices.SortFunc(in, func(a, b placedRow) int { return int(a.place - b.place) })
	size := float64(len(in))
	if c.Present {
		in = slices.DeleteFunc(in, func(r placedRow) bool { return r.v == "" })
	}
	own, before, less, upTo := all[row], 0, 0, 0
	for _, r := range in {
		if r.place < own.place {
			before++
		}
		if r.key < own.key {
			less++
		}
		if r.key <= own.key {
			upTo++
		}
	}
	n := int(c.N)
	if c.Far != "" {
		n = int(own.far)
	}
	pick := func(at int) {
		switch {
		case at >= 0 && at < len(in) && in[at].v != "":
			out.AppendBytes([]byte(in[at].v))
		case c.Default != "" && (at < 0 || at >= len(in)):
			out.AppendBytes([]byte("other"))
		default:
			out.AppendNull()
		}
	}
	switch c.Func {
	case "row_number_within":
		out.AppendInt(int64(before + 1))
	case "rank_within":
		out.AppendInt(int64(less + 1))
	case "percent_rank_within":
		if size--; size <= 0 {
			less, size = 0, 1
		}
		out.AppendFloat(float64(less) / size)
	case "cume_dist_within":
		out.AppendFloat(float64(upTo) / max(size, 1))
	case "ntile_within":
		tile := 0
		for at, left := 0, max(len(in), before+1); at <= before; tile++ {
			part := (left + n - tile - 1) / (n - tile)
			at, left = at+part, left-part
		}
		out.AppendInt(int64(tile))
	case "lag_within", "lead_within":
		if c.Func == "lag_within" {
			n = -n
		}
		if c.Present && own.v == "" {
			if n == 0 {
				before = -1
			}
			if n > 0 {
				n--
			}
		}
		pick(before + n)
	case "first_value_within":
		pick(0)
	case "last_value_within":
		pick(len(in) - 1)
	case "nth_value_within":
		pick(n - 1)
	}
}

// TestWithin compares functions of rows in an order of their own with what sorting each frame says.
func TestWithin(t *testing.T) {
	calls := []window.Call{
		{Func: "row_number_within", Args: []string{"place", "place"}},
		{Func: "rank_within", Args: []string{"place", "first"}},
		{Func: "percent_rank_within", Args: []string{"place", "first"}},
		{Func: "cume_dist_within", Args: []string{"place", "last"}},
		{Func: "ntile_within", Args: []string{"place", "place"}, N: 3},
		{Func: "lag_within", Args: []string{"v", "place", "place"}, N: 1, Default: "other"},
		{Func: "lag_within", Args: []string{"v", "place", "place"}, N: -2, Present: true},
		{Func: "lead_within", Args: []string{"v", "place", "place"}, N: 2},
		{Func: "lead_within", Args: []string{"v", "place", "place"}, Far: "far"},
		{Func: "lead_within", Args: []string{"v", "place", "place"}, N: 1, Present: true},
		{Func: "lead_within", Args: []string{"v", "place", "place"}, Present: true},
		{Func: "first_value_within", Args: []string{"v", "place", "place"}},
		{Func: "last_value_within", Args: []string{"v", "place", "place"}, Present: true},
		{Func: "nth_value_within", Args: []string{"v", "place", "place"}, N: 3},
	}
	frames := []struct {
		frame      window.Frame
		begin, end func(row, rows int) int
	}{
		{wholeFrame, func(_, _ int) int { return 0 }, func(_, rows int) int { return rows }},
		{running, func(_, _ int) int { return 0 }, func(row, _ int) int { return row + 1 }},
		{rowsFrom(-4, 2), func(row, _ int) int { return max(0, row-4) }, func(row, rows int) int { return min(rows, row+3) }},
		{rowsFrom(-40, -30), func(row, _ int) int { return max(0, row-40) }, func(row, _ int) int { return max(0, row-29) }},
		{remaining, func(row, _ int) int { return row }, func(_, rows int) int { return rows }},
	}
	for _, long := range []int{1, 3000} {
		for _, f := range frames {
			out := slices.Clone(placedSchema)
			for i := range calls {
				calls[i].Frame, calls[i].Name = f.frame, fmt.Sprintf("c%d", i)
				typ, err := calls[i].Type(placedSchema, []columnar.Type{columnar.Int})
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, columnar.Field{Name: calls[i].Name, Type: typ})
			}
			rng, want := rand.New(rand.NewPCG(9, 2)), columnar.NewRows(out)
			for p, rows := range []int{90, 1, 130} {
				part := placedRows(rng, rows, long)
				for i, r := range part {
					for c, x := range map[int]int64{0: int64(p), 1: int64(i), 3: r.far, 5: r.place, 6: r.first, 7: r.end} {
						want.Cols[c].AppendInt(x)
					}
					if want.Cols[4].AppendBytes([]byte("other")); r.v == "" {
						want.Cols[2].AppendNull()
					} else {
						want.Cols[2].AppendBytes([]byte(r.v))
					}
					for j, c := range calls {
						valueIn(c, part, i, f.begin(i, rows), f.end(i, rows), want.Cols[len(placedSchema)+j])
					}
					want.Len++
				}
			}
			positions := make([]int, len(placedSchema))
			for i := range positions {
				positions[i] = i
			}
			cfg := window.Config{Keys: []string{"p"}, Order: []order.Key{{Column: "n"}}, Calls: slices.Clone(calls)}
			optest.Case{
				New:    func(rt *operators.Runtime) (operators.Operator, error) { return window.New(rt, placedSchema, cfg) },
				Inputs: []optest.Input{{Schema: placedSchema, Rows: want.Project(positions)}},
				Output: out,
				Want:   rowtest.Lines(want),
			}.Check(t, []int64{0, 1}, []int{77})
		}
	}
}
