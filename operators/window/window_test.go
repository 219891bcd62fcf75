package window_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/number"
	"analyzer/columnar/rowtest"
	"analyzer/operators"
	"analyzer/operators/optest"
	"analyzer/operators/order"
	"analyzer/operators/window"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The columns of the rows of these tests: a partition, two keys, values, and a column that
// makes rows distinct.
var schema = columnar.Schema{
	{Name: "p", Type: columnar.Text},
	{Name: "k", Type: columnar.Int},
	{Name: "d", Type: columnar.Decimal},
	{Name: "v", Type: columnar.Int},
	{Name: "f", Type: columnar.Float},
	{Name: "s", Type: columnar.Text},
	{Name: "id", Type: columnar.Int},
	{Name: "day", Type: columnar.Date},
	{Name: "time", Type: columnar.Timestamp},
	{Name: "far", Type: columnar.Int},
	{Name: "near", Type: columnar.Int},
}

const (
	colP = iota
	colK
	colD
	colV
	colF
	colS
	colID
	colDay
	colTime
	colFar  // how far bounds are that differ by row
	colNear // a key at most that much less than k
)

// someRows makes rows in the given number of partitions, with keys below distinct, and texts of
// a minimum size.
func someRows(seed uint64, n, partitions, distinct, long int) columnar.Rows {
	r := rand.New(rand.NewPCG(seed, 7))
	rows := columnar.NewRows(schema)
	null := func(c int, add func(v *columnar.Vector)) {
		if r.IntN(12) == 0 {
			rows.Cols[c].AppendNull()
			return
		}
		add(rows.Cols[c])
	}
	for i := range n {
		null(colP, func(v *columnar.Vector) { v.AppendBytes(fmt.Appendf(nil, "p%d", r.IntN(partitions))) })
		null(colK, func(v *columnar.Vector) { v.AppendInt(r.Int64N(int64(distinct))) })
		null(colD, func(v *columnar.Vector) { v.AppendInt(r.Int64N(int64(distinct)) * number.One / 2) })
		null(colV, func(v *columnar.Vector) { v.AppendInt(r.Int64N(1000) - 300) })
		null(colF, func(v *columnar.Vector) {
			v.AppendFloat([]float64{0.1, 1e300, -1e300, 1e-300, 3, 0, math.Copysign(0, -1)}[r.IntN(7)])
		})
		null(colS, func(v *columnar.Vector) { v.AppendBytes(fmt.Appendf(nil, "text %0*d", long, r.IntN(50))) })
		rows.Cols[colID].AppendInt(int64(i))
		null(colDay, func(v *columnar.Vector) { v.AppendInt(18_000 + 17*r.Int64N(int64(distinct))) })
		null(colTime, func(v *columnar.Vector) { v.AppendInt(-r.Int64N(int64(24*distinct)) * number.Hour) })
		null(colFar, func(v *columnar.Vector) { v.AppendInt(r.Int64N(6)) })
		if k := rows.Cols[colK]; k.IsNull(i) || r.IntN(12) == 0 {
			rows.Cols[colNear].AppendNull()
		} else {
			rows.Cols[colNear].AppendInt(k.Ints[i] - r.Int64N(4))
		}
	}
	rows.Len = n
	return rows
}

func rowsFrom(n, m int64) window.Frame {
	return window.Frame{From: window.Bound{Unit: window.Rows, Offset: n}, To: window.Bound{Unit: window.Rows, Offset: m}}
}

var (
	wholeFrame = window.Frame{From: window.Bound{Unit: window.Whole}, To: window.Bound{Unit: window.Whole}}
	running    = window.Frame{To: window.Bound{Unit: window.Rows}}
	remaining  = window.Frame{From: window.Bound{Unit: window.Rows}, To: window.Bound{Unit: window.Whole}}
	ofPeers    = window.Frame{From: window.Bound{Unit: window.Peers}, To: window.Bound{Unit: window.Peers}}
	ahead      = window.Frame{From: window.Bound{Unit: window.Rows, Offset: 3}, To: window.Bound{Unit: window.Rows, Offset: 900}}
	ranged     = window.Frame{From: window.Bound{Unit: window.Range, Offset: -2}, To: window.Bound{Unit: window.Range, Offset: 1}}
	behind     = window.Frame{To: window.Bound{Unit: window.Rows, Offset: -5}}
)

// calls covers every function, with frames of every kind. Ranges are over integers.
func calls() []window.Call {
	all := []window.Call{
		{Func: window.RowNumber},
		{Func: window.Rank},
		{Func: window.DenseRank},
		{Func: window.PercentRank},
		{Func: window.CumeDist},
		{Func: window.NTile, N: 3},
		{Func: window.NTile, N: 1000},
		{Func: window.Lag, Args: []string{"s"}, N: 1},
		{Func: window.Lag, Args: []string{"v"}, N: 40, Default: "k"},
		{Func: window.Lead, Args: []string{"f"}, N: 2},
		{Func: window.Lead, Args: []string{"s"}, N: -3},
		{Func: window.Lag, Args: []string{"id"}},
		{Func: window.Lag, Args: []string{"s"}, N: 1, Present: true},
		{Func: window.Lag, Args: []string{"v"}, N: 3, Default: "k", Present: true},
		{Func: window.Lag, Args: []string{"v"}, Present: true},
		{Func: window.Lead, Args: []string{"s"}, N: 2, Present: true},
		{Func: window.Lead, Args: []string{"f"}, N: -2, Present: true},
	}
	for _, f := range []window.Frame{{}, wholeFrame, running, remaining, ofPeers, ahead, ranged, behind, rowsFrom(-3, 0), rowsFrom(-60, -50), rowsFrom(-1, 1), rowsFrom(5, 3)} {
		all = append(
			all,
			window.Call{Func: "sum", Args: []string{"v"}, Frame: f}, window.Call{Func: "sum", Args: []string{"f"}, Frame: f}, window.Call{Func: "avg", Args: []string{"d"}, Frame: f},
			window.Call{Func: "count", Frame: f}, window.Call{Func: "count", Args: []string{"s"}, Frame: f}, window.Call{Func: "stddev_samp", Args: []string{"v"}, Frame: f},
			window.Call{Func: window.FirstValue, Args: []string{"s"}, Frame: f}, window.Call{Func: window.LastValue, Args: []string{"v"}, Frame: f},
			window.Call{Func: window.NthValue, Args: []string{"id"}, N: 4, Frame: f},
			window.Call{Func: window.FirstValue, Args: []string{"s"}, Frame: f, Present: true}, window.Call{Func: window.LastValue, Args: []string{"v"}, Frame: f, Present: true},
			window.Call{Func: window.NthValue, Args: []string{"f"}, N: 3, Frame: f, Present: true},
		)
		all = append(
			all,
			window.Call{Func: "min", Args: []string{"s"}, Frame: f}, window.Call{Func: "max", Args: []string{"v"}, Frame: f},
			window.Call{Func: "quantile_disc", Args: []string{"v"}, Frame: f}, window.Call{Func: "string_agg", Args: []string{"s"}, Param: "-", Frame: f},
			window.Call{Func: "sum", Args: []string{"far"}, Distinct: true, Frame: f}, window.Call{Func: "string_agg", Args: []string{"s"}, Param: "-", Distinct: true, Frame: f},
		)
	}
	return named(all)
}

func named(all []window.Call) []window.Call {
	for i := range all {
		all[i].Name = fmt.Sprintf("c%d", i)
	}
	return all
}

// windowed is a window over rows, what it computes, and the case that checks that.
type windowed struct {
	optest.Case
	cfg  window.Config
	want columnar.Rows
}

// emits is the window that emits some columns of its input and those of its calls.
func (w windowed) emits(columns ...int) optest.Case {
	cfg := w.cfg
	cfg.Columns = []string{}
	for _, c := range columns {
		cfg.Columns = append(cfg.Columns, schema[c].Name)
	}
	for i := range cfg.Calls {
		columns = append(columns, len(schema)+i)
	}
	w.New = func(rt *operators.Runtime) (operators.Operator, error) { return window.New(rt, schema, cfg) }
	w.Output, w.Want = w.Output.Project(columns), rowtest.Lines(w.want.Project(columns))
	return w.Case
}

func caseOf(rows columnar.Rows, partition []string, keys []order.Key, ties []order.Key, calls []window.Call) windowed {
	cfg := window.Config{Keys: partition, Order: keys, Ties: ties, Calls: calls}
	out := schema[:len(schema):len(schema)]
	var types []columnar.Type
	for _, k := range keys {
		types = append(types, schema[schema.Index(k.Column)].Type)
	}
	for _, c := range calls {
		t, err := c.Type(schema, types)
		if err != nil {
			panic(err)
		}
		out = append(out, columnar.Field{Name: c.Name, Type: t})
	}
	want := naive(rows, cfg, out)
	return windowed{cfg: cfg, want: want, Case: optest.Case{
		New:    func(rt *operators.Runtime) (operators.Operator, error) { return window.New(rt, schema, cfg) },
		Inputs: []optest.Input{{Schema: schema, Rows: rows}},
		Output: out,
		Want:   rowtest.Lines(want),
	}}
}

func TestEveryFunction(t *testing.T) {
	for name, rows := range map[string]columnar.Rows{
		"few partitions": someRows(1, 90, 1, 9, 0), "one row each": someRows(2, 60, 50, 3, 0), "nothing": someRows(1, 0, 1, 1, 0), "one": someRows(3, 1, 1, 1, 0),
	} {
		t.Run(name, func(t *testing.T) {
			for _, k := range []order.Key{{Column: schema[colK].Name}, {Column: schema[colK].Name, Desc: true}, {Column: schema[colK].Name, Desc: true, NullsFirst: true}} {
				partition, ties := []string{schema[colP].Name}, []order.Key{{Column: schema[colID].Name, Desc: true}}
				caseOf(rows, partition, []order.Key{k}, ties, calls()).Check(t, []int64{0}, []int{77})
				if k.Desc {
					continue
				}
				for i, call := range calls() {
					columns := []int{colID}[:i%2]
					caseOf(rows, partition[i%2:], []order.Key{k}, ties, []window.Call{call}).emits(columns...).Check(t, []int64{0}, []int{77})
				}
			}
		})
	}
}

// framesOfEveryKind returns frames with bounds of every unit on both sides, constant and by column,
// that exclude rows of every kind. by says whether a range may have a column: the key has to be k,
// ascending.
func framesOfEveryKind(by bool) (frames []window.Frame) {
	far := func(unit window.Unit, side int64, column string) window.Bound {
		return window.Bound{Unit: unit, Offset: side, Column: column}
	}
	from := []window.Bound{
		{Unit: window.Whole},
		{Unit: window.Peers},
		{Unit: window.Rows, Offset: -2},
		{Unit: window.Groups, Offset: -1},
		{Unit: window.Groups, Offset: 1},
		{Unit: window.Range, Offset: -2},
		far(window.Rows, -1, "far"), far(window.Groups, -1, "far"), far(window.Groups, 1, "far"),
	}
	if by {
		from = append(from, far(window.Range, -1, "near"))
	}
	to := []window.Bound{
		{Unit: window.Whole}, {Unit: window.Peers}, {Unit: window.Rows, Offset: 3}, {Unit: window.Groups, Offset: 2}, {Unit: window.Groups, Offset: -1}, far(window.Rows, 1, "far"), far(window.Groups, 1, "far"),
	}
	for _, f := range from {
		for _, t := range to {
			for _, exclude := range []window.Exclusion{"", window.ExcludeRow, window.ExcludePeers, window.ExcludeTies} {
				frames = append(frames, window.Frame{From: f, To: t, Exclude: exclude})
			}
		}
	}
	return frames
}

// TestFrames compares frames of every kind, over which aggregates slide, or are merged of states,
// or are computed anew.
func TestFrames(t *testing.T) {
	for _, k := range []order.Key{{Column: schema[colK].Name}, {Column: schema[colK].Name, Desc: true, NullsFirst: true}} {
		var all []window.Call
		for i, f := range framesOfEveryKind(!k.Desc) {
			some := []window.Call{
				{Func: "sum", Args: []string{"v"}, Frame: f},
				{Func: "min", Args: []string{"s"}, Frame: f},
				{Func: "mode", Args: []string{"far"}, Frame: f},
				{Func: "count", Frame: f},
				{Func: "string_agg", Args: []string{"s"}, Distinct: true, Frame: f},
				{Func: "avg", Args: []string{"far"}, Distinct: true, Frame: f},
				{Func: window.FirstValue, Args: []string{"id"}, Frame: f},
				{Func: window.LastValue, Args: []string{"id"}, Frame: f},
				{Func: window.NthValue, Args: []string{"id"}, N: 2, Frame: f},
				{Func: window.FirstValue, Args: []string{"v"}, Present: true, Frame: f},
				{Func: window.LastValue, Args: []string{"v"}, Present: true, Frame: f},
				{Func: window.NthValue, Args: []string{"id"}, Far: "far", Frame: f},
			}
			for j := range 4 {
				all = append(all, some[(5*i+3*j)%len(some)])
			}
		}
		all = append(all, window.Call{Func: window.Lag, Args: []string{"id"}, Far: "far"}, window.Call{Func: window.Lead, Args: []string{"id"}, Far: "far", Default: "k"})
		caseOf(someRows(8, 45, 2, 7, 0), []string{schema[colP].Name}, []order.Key{k}, []order.Key{{Column: schema[colID].Name}}, named(all)).Check(t, []int64{0}, []int{77})
	}
}

// TestFramesBeyondMemory does so with a partition that lies on disk.
func TestFramesBeyondMemory(t *testing.T) {
	var all []window.Call
	for i, f := range framesOfEveryKind(true) {
		all = append(all, []window.Call{
			{Func: "min", Args: []string{"s"}, Frame: f},
			{Func: "quantile_cont", Args: []string{"v"}, Frame: f},
			{Func: "sum", Args: []string{"far"}, Distinct: true, Frame: f},
			{Func: window.LastValue, Args: []string{"v"}, Present: true, Frame: f},
			{Func: window.NthValue, Args: []string{"s"}, N: 2, Frame: f},
		}[i%5])
	}
	for i := range 5 {
		var some []window.Call
		for j := i; j < len(all); j += 90 {
			some = append(some, all[j])
		}
		bulky(named(some)).Check(t, []int64{1}, []int{500})
	}
}

// TestRangesOfMonths covers ranges across months of different lengths. With timestamps a frame
// sometimes moves back: a month before March the 30th in the evening is later than a month
// before the 31st at noon.
func TestRangesOfMonths(t *testing.T) {
	months := func(months, offset int64) window.Bound {
		return window.Bound{Unit: window.Range, Months: months, Offset: offset}
	}
	rows := someRows(4, 300, 1, 120, 3000)
	for _, f := range []window.Frame{
		{From: months(-1, 0)},
		{From: months(-12, -3), To: months(-1, -1)},
		{To: months(-1, 0)},
		{From: months(1, 0), To: months(3, number.Day)},
		{From: months(-number.MostMonths, 0), To: months(number.MostMonths, 0)},
	} {
		calls := []window.Call{{Func: "sum", Args: []string{"v"}, Frame: f, Name: "sum"}}
		calls = append(calls, window.Call{Func: "max", Args: []string{"v"}, Frame: f, Name: "max"})
		for _, column := range []int{colDay, colTime} {
			for _, k := range []order.Key{{Column: schema[column].Name}, {Column: schema[column].Name, Desc: true, NullsFirst: true}} {
				caseOf(rows, []string{schema[colP].Name}, []order.Key{k}, []order.Key{{Column: schema[colID].Name}}, calls).Check(t, []int64{0, 1}, []int{77})
			}
		}
	}
}

// TestZeros checks that both zeros of a float are one key, as they are in groups.
func TestZeros(t *testing.T) {
	few := []window.Call{{Func: window.RowNumber, Name: "number"}, {Func: window.Rank, Name: "rank"}, {Func: "sum", Args: []string{"v"}, Name: "sum"}}
	for _, partition := range [][]string{{schema[colF].Name}, {schema[colP].Name}} {
		caseOf(someRows(9, 120, 2, 5, 0), partition, []order.Key{{Column: schema[colF].Name, Desc: true}}, []order.Key{{Column: schema[colID].Name}}, few).Check(t, []int64{0}, []int{7})
	}
}

// bulky is a partition much larger than the memory that a window takes whatever the budget
// says.
func bulky(calls []window.Call) optest.Case {
	return caseOf(someRows(5, 250, 1, 40, 3000), nil, []order.Key{{Column: schema[colK].Name}}, []order.Key{{Column: schema[colID].Name}}, calls).Case
}

// TestPartitionBeyondMemory checks that only frames that reach far make a window spill.
func TestPartitionBeyondMemory(t *testing.T) {
	whole := []window.Call{
		{Func: window.NTile, N: 7, Name: "tile"},
		{Func: window.CumeDist, Name: "share"},
		{Func: "sum", Args: []string{"v"}, Frame: wholeFrame, Name: "sum"},
		{Func: window.LastValue, Args: []string{"s"}, Frame: wholeFrame, Name: "last"},
		{Func: window.Lag, Args: []string{"s"}, N: 110, Name: "before"},
		{Func: window.NthValue, Args: []string{"s"}, N: 120, Frame: running, Name: "nth"},
		{Func: "count", Frame: ranged, Name: "near"},
	}
	streams := []window.Call{
		{Func: window.RowNumber, Name: "number"},
		{Func: window.DenseRank, Name: "rank"},
		{Func: "sum", Args: []string{"f"}, Frame: running, Name: "sum"},
		{Func: "max", Args: []string{"v"}, Name: "max"},
		{Func: window.Lag, Args: []string{"s"}, N: 1, Name: "before"},
		{Func: window.FirstValue, Args: []string{"s"}, Name: "first"},
		{Func: "avg", Args: []string{"d"}, Frame: rowsFrom(-4, 2), Name: "mean"},
	}
	bulky(whole).Check(t, []int64{0, 1, 300 << 10}, []int{500})
	bulky(streams).Check(t, []int64{0, 1}, []int{500})
	files := func(c optest.Case) int64 {
		w := optest.NewWorld(1, nil)
		op, err := c.New(w.Runtime)
		if err == nil {
			_, err = c.Run(op, 500)
		}
		if err != nil {
			t.Fatal(err)
		}
		return int64(w.Scratch.Stats().Files)
	}
	sorted, held := files(bulky(streams)), files(bulky(whole))
	if held <= sorted {
		t.Errorf("%d files with far frames, %d without", held, sorted)
	}
	sort := optest.Case{
		New: func(rt *operators.Runtime) (operators.Operator, error) {
			return order.NewSort(rt, schema, order.SortConfig{Order: []order.Key{{Column: schema[colK].Name}}, Limit: -1})
		},
		Inputs: bulky(nil).Inputs, Output: schema,
	}
	if alone := files(sort); sorted != alone {
		t.Errorf("%d files with frames that end at their row, %d of a sort", sorted, alone)
	}
}

// TestFarValues takes values from rows that left memory long before.
func TestFarValues(t *testing.T) {
	rows := someRows(6, 250, 1, 40, 3000)
	rare := columnar.NewVector(columnar.Int)
	for i := range rows.Len {
		if i%70 == 3 {
			rare.AppendInt(int64(i))
		} else {
			rare.AppendNull()
		}
	}
	rows.Cols[colV] = rare
	calls := []window.Call{
		{Func: window.LastValue, Args: []string{"v"}, Frame: running, Present: true, Name: "last"},
		{Func: window.FirstValue, Args: []string{"v"}, Frame: running, Present: true, Name: "first"},
		{Func: window.Lag, Args: []string{"v"}, N: 2, Present: true, Name: "before"},
		{Func: window.NthValue, Args: []string{"v"}, N: 2, Frame: rowsFrom(-100, 0), Present: true, Name: "second"},
	}
	for i, c := range calls {
		caseOf(rows, nil, []order.Key{{Column: schema[colK].Name}}, []order.Key{{Column: schema[colID].Name}}, calls[i:i+1]).Check(t, []int64{0, 1}, []int{50})
		c.Func, c.N, c.Frame = window.Lead, 1, window.Frame{}
		caseOf(rows, nil, []order.Key{{Column: schema[colK].Name}}, []order.Key{{Column: schema[colID].Name}}, []window.Call{c}).Check(t, []int64{1}, []int{50})
	}
}

// TestLargeValues checks that few rows are emitted at a time if each has a text of its whole
// partition.
func TestLargeValues(t *testing.T) {
	const rows = 3000
	call := window.Call{Func: "string_agg", Args: []string{"s"}, Param: ",", Frame: wholeFrame, Name: "all"}
	op, err := window.New(&operators.Runtime{Budget: budget.New(0)}, schema, window.Config{Order: []order.Key{{Column: schema[colID].Name}}, Calls: []window.Call{call}})
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Push(t.Context(), 0, someRows(3, rows, 1, 10, 1000), nil); err != nil {
		t.Fatal(err)
	}
	pages, enough := 0, errors.New("that is enough")
	err = op.Finish(t.Context(), 0, func(page columnar.Rows) error {
		text, size := page.Cols[len(schema)].Bytes(page.Len-1), page.ValueBytes()
		if len(text) < rows*900 || size > 64<<20 {
			t.Errorf("a page of %d bytes, with a text of %d", size, len(text))
		}
		if pages++; pages == 5 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Error(err)
	}
}

func TestFaults(t *testing.T) {
	c := bulky([]window.Call{{Func: "sum", Args: []string{"v"}, Frame: wholeFrame, Name: "sum"}, {Func: window.Lead, Args: []string{"s"}, N: 100, Name: "next"}})
	c.Faults(t, 1, 500)
	c.Close(t, 1, 500)
	c.Cancel(t, 1, 500)
}

// naive computes the calls row by row.
func naive(rows columnar.Rows, cfg window.Config, out columnar.Schema) columnar.Rows {
	by := slices.Clone(cfg.Ties)
	by = append(slices.Clone(cfg.Order), by...)
	index := make([]int, rows.Len)
	for i := range index {
		index[i] = i
	}
	peer := func(i, j int, keys []order.Key) int {
		for _, k := range keys {
			if d := compare(rows.Cols[schema.Index(k.Column)], i, j, k); d != 0 {
				return d
			}
		}
		return 0
	}
	slices.SortStableFunc(index, func(i, j int) int { return peer(i, j, by) })
	var partitions [][]int
	found := make(map[string]int)
	for _, i := range index {
		key := ""
		for _, c := range cfg.Keys {
			switch v := rows.Cols[schema.Index(c)]; {
			case v.IsNull(i):
				key += "null|"
			case v.Type == columnar.Float:
				key += fmt.Sprint(v.Floats[i]+0) + "|"
			default:
				key += string(v.Bytes(i)) + "|"
			}
		}
		at, ok := found[key]
		if !ok {
			at = len(partitions)
			partitions, found[key] = append(partitions, nil), at
		}
		partitions[at] = append(partitions[at], i)
	}
	made := columnar.NewRows(out)
	for _, part := range partitions {
		for at, row := range part {
			for c, v := range rows.Cols {
				made.Cols[c].AppendRange(v, row, row+1)
			}
			n := naiveRow{rows: rows, part: part, at: at, keys: cfg.Order, peer: peer}
			for i, c := range cfg.Calls {
				n.append(c, made.Cols[len(rows.Cols)+i])
			}
			made.Len++
		}
	}
	return made
}

func compare(v *columnar.Vector, i, j int, k order.Key) int {
	if v.IsNull(i) || v.IsNull(j) {
		switch {
		case v.IsNull(i) == v.IsNull(j):
			return 0
		case v.IsNull(i) == k.NullsFirst:
			return -1
		}
		return 1
	}
	d := 0
	switch v.Type {
	case columnar.Text:
		d = cmp.Compare(string(v.Bytes(i)), string(v.Bytes(j)))
	case columnar.Float:
		d = cmp.Compare(v.Floats[i], v.Floats[j])
	default:
		d = cmp.Compare(v.Ints[i], v.Ints[j])
	}
	if k.Desc {
		return -d
	}
	return d
}

// naiveRow is a row of a partition.
type naiveRow struct {
	rows columnar.Rows
	part []int
	at   int
	keys []order.Key
	peer func(i, j int, keys []order.Key) int
}

// frame returns which rows of the partition are in a frame.
func (n naiveRow) frame(f window.Frame) (in []int) {
	for j := range n.part {
		if n.after(j, f.From, true) && n.after(j, f.To, false) && !n.excludes(f.Exclude, j) {
			in = append(in, n.part[j])
		}
	}
	return in
}

// excludes reports whether row j is not in a frame for its nearness to the row.
func (n naiveRow) excludes(e window.Exclusion, j int) bool {
	peers := n.peer(n.part[j], n.part[n.at], n.keys) == 0
	switch e {
	case window.ExcludeRow:
		return j == n.at
	case window.ExcludePeers:
		return peers
	case window.ExcludeTies:
		return peers && j != n.at
	}
	return false
}

// groupsUntil returns how many groups row j is after the row, or before it if negative.
func (n naiveRow) groupsUntil(j int) (groups int64) {
	for i := min(j, n.at) + 1; i <= max(j, n.at); i++ {
		if n.peer(n.part[i-1], n.part[i], n.keys) != 0 {
			groups++
		}
	}
	if j < n.at {
		return -groups
	}
	return groups
}

// after reports whether row j is within a bound.
func (n naiveRow) after(j int, b window.Bound, from bool) bool {
	peers := n.peer(n.part[j], n.part[n.at], n.keys)
	if !from {
		peers = -peers
	}
	offset := b.Offset
	if b.Column != "" {
		v := n.rows.Cols[schema.Index(b.Column)]
		switch at := n.part[n.at]; {
		case v.IsNull(at) && b.Unit != window.Rows:
			return peers >= 0
		case v.IsNull(at):
			offset = 0
		case b.Unit == window.Range:
			k := n.rows.Cols[colK]
			if k.IsNull(at) {
				return peers >= 0
			}
			offset = v.Ints[at] - k.Ints[at]
		default:
			offset *= v.Ints[at]
		}
	}
	switch b.Unit {
	case window.Default:
		return from || peers >= 0
	case window.Peers:
		return peers >= 0
	case window.Groups:
		if from {
			return n.groupsUntil(j) >= offset
		}
		return n.groupsUntil(j) <= offset
	case window.Rows:
		if from {
			return int64(j) >= int64(n.at)+offset
		}
		return int64(j) <= int64(n.at)+offset
	case window.Range:
		k := n.keys[0]
		v := n.rows.Cols[schema.Index(k.Column)]
		x, y := n.part[j], n.part[n.at]
		if v.IsNull(x) || v.IsNull(y) {
			return peers >= 0
		}
		months := b.Months
		if k.Desc {
			offset, months = -offset, -months
		}
		d := v.Ints[x] - monthsLater(v.Type, v.Ints[y], months) - offset
		if from != k.Desc {
			return d >= 0
		}
		return d <= 0
	}
	return true
}

// monthsLater moves a date or timestamp by the calendar of package time.
func monthsLater(typ columnar.Type, at, months int64) int64 {
	if months == 0 {
		return at
	}
	unit := int64(1)
	if typ == columnar.Timestamp {
		unit = number.Day
	}
	days := at / unit
	if at%unit < 0 {
		days--
	}
	day := time.Unix(days*24*60*60, 0).UTC()
	first := time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	moved := first.AddDate(0, 0, min(day.Day(), last.Day())-1).Unix() / (24 * 60 * 60)
	return moved*unit + at - days*unit
}

// present appends the rows with a value among those that a call covers.
func (n naiveRow) present(c window.Call, out *columnar.Vector) {
	v := n.rows.Cols[schema.Index(c.Args[0])]
	in, at := n.frame(c.Frame), int(c.N)-1
	switch neighbour := c.Func == window.Lag || c.Func == window.Lead; {
	case neighbour && (c.Func == window.Lead) == (c.N > 0):
		in, at = n.part[n.at+1:], int(max(c.N, -c.N))-1
	case neighbour:
		in, at = slices.Clone(n.part[:n.at]), int(max(c.N, -c.N))-1
		slices.Reverse(in)
	case c.Func == window.LastValue:
		slices.Reverse(in)
		at = 0
	case c.Func == window.FirstValue:
		at = 0
	}
	in = slices.DeleteFunc(slices.Clone(in), func(row int) bool { return v.IsNull(row) })
	switch {
	case at < len(in):
		n.take(c.Args[0], in[at], out)
	case c.Default != "":
		n.take(c.Default, n.part[n.at], out)
	default:
		out.AppendNull()
	}
}

func (n naiveRow) append(c window.Call, out *columnar.Vector) {
	size, before, peers, keys := len(n.part), 0, 0, 0
	for j, row := range n.part {
		switch d := n.peer(row, n.part[n.at], n.keys); {
		case d < 0:
			before++
			if j == 0 || n.peer(n.part[j-1], row, n.keys) != 0 {
				keys++
			}
		case d == 0:
			peers++
		}
	}
	if c.Present && (c.N != 0 || c.Func == window.FirstValue || c.Func == window.LastValue) {
		n.present(c, out)
		return
	}
	switch c.Func {
	case window.RowNumber:
		out.AppendInt(int64(n.at + 1))
	case window.Rank:
		out.AppendInt(int64(before + 1))
	case window.DenseRank:
		out.AppendInt(int64(keys + 1))
	case window.PercentRank:
		out.AppendFloat(float64(before) / float64(max(1, size-1)))
	case window.CumeDist:
		out.AppendFloat(float64(before+peers) / float64(size))
	case window.NTile:
		tile := 0
		for at, left := 0, size; at <= n.at; tile++ {
			part := (left + int(c.N) - tile - 1) / (int(c.N) - tile)
			at, left = at+part, left-part
		}
		out.AppendInt(int64(tile))
	case window.Lag, window.Lead:
		number := c.N
		if c.Far != "" {
			v := n.rows.Cols[schema.Index(c.Far)]
			if v.IsNull(n.part[n.at]) {
				out.AppendNull()
				return
			}
			number = v.Ints[n.part[n.at]]
		}
		at := int64(n.at) + number
		if c.Func == window.Lag {
			at = int64(n.at) - number
		}
		switch {
		case at >= 0 && at < int64(size):
			n.take(c.Args[0], n.part[at], out)
		case c.Default != "":
			n.take(c.Default, n.part[n.at], out)
		default:
			out.AppendNull()
		}
	case window.FirstValue:
		n.nth(c, 0, out)
	case window.LastValue:
		n.nth(c, len(n.frame(c.Frame))-1, out)
	case window.NthValue:
		number := c.N
		if far := n.rows.Cols[colFar]; c.Far != "" && far.IsNull(n.part[n.at]) {
			number = 0
		} else if c.Far != "" {
			number = far.Ints[n.part[n.at]]
		}
		n.nth(c, int(number-1), out)
	default:
		n.aggregate(c, out)
	}
}

func (n naiveRow) take(column string, row int, out *columnar.Vector) {
	out.AppendRange(n.rows.Cols[schema.Index(column)], row, row+1)
}

func (n naiveRow) nth(c window.Call, at int, out *columnar.Vector) {
	if frame := n.frame(c.Frame); at >= 0 && at < len(frame) {
		n.take(c.Args[0], frame[at], out)
	} else {
		out.AppendNull()
	}
}

// aggregate has an aggregation compute the value of the rows of a frame.
func (n naiveRow) aggregate(c window.Call, out *columnar.Vector) {
	var sel []int32
	for _, row := range n.frame(c.Frame) {
		sel = append(sel, int32(row))
	}
	columns := []int{0}
	if len(c.Args) > 0 {
		columns[0] = schema.Index(c.Args[0])
	}
	in := columnar.NewRows(schema.Project(columns))
	in.AppendGather(n.rows.Project(columns), sel)
	if c.Distinct {
		all := in
		in = columnar.NewRows(schema.Project(columns))
		for i := range all.Len {
			if !holds(in.Cols[0], all.Cols[0], i) {
				in.AppendRange(all, i, i+1)
			}
		}
	}
	v, err := aggregated(c, in)
	if err != nil {
		panic(err)
	}
	out.AppendRange(v, 0, 1)
}

// holds reports whether a column has the value of row i of another one.
func holds(v, of *columnar.Vector, i int) bool {
	for j := range v.Len {
		if columnar.Same(v, j, of, i) {
			return true
		}
	}
	return false
}
