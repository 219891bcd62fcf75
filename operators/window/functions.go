package window

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/aggregate"
	"analyzer/operators/order"
)

// Func is the name of a function: one of this package, or of an aggregate.
type Func string

// The functions that are not aggregates.
const (
	RowNumber   Func = "row_number"
	Rank        Func = "rank"
	DenseRank   Func = "dense_rank"
	PercentRank Func = "percent_rank"
	CumeDist    Func = "cume_dist"
	NTile       Func = "ntile"
	Lag         Func = "lag"
	Lead        Func = "lead"
	FirstValue  Func = "first_value"
	LastValue   Func = "last_value"
	NthValue    Func = "nth_value"
)

// Call is one function of a window: its arguments, its frame, and the name of the column it
// computes.
type Call struct {
	Func    Func        `json:"func"`
	Args    []string    `json:"args,omitempty"`    // columns
	Order   []order.Key `json:"order,omitempty"`   // of an aggregate
	Where   string      `json:"where,omitempty"`   // condition of an aggregate
	Param   string      `json:"param,omitempty"`   // parameter of an aggregate
	N       int64       `json:"n,omitempty"`       // the distance of lag and lead, the parts of ntile, the row of nth_value
	Default string      `json:"default,omitempty"` // the column whose value lag and lead take if there is no such row
	Present bool        `json:"present,omitempty"` // lag, lead and the functions that take a value from the frame skip rows without a value
	Frame   Frame       `json:"frame,omitzero"`    // of aggregates and of functions that take a value from the frame; others have their own
	Name    string      `json:"name"`
}

// Same reports whether two calls are equal.
func (c Call) Same(other Call) bool {
	return c.agg().Same(other.agg()) && c.N == other.N && c.Default == other.Default && c.Present == other.Present &&
		c.Frame == other.Frame && c.Name == other.Name
}

// Reads returns the columns that a call reads, except Default.
func (c Call) Reads() []string { return c.agg().Reads() }

// Renamed returns a call that reads these columns by other names.
func (c Call) Renamed(name func(string) string) Call {
	a := c.agg().Renamed(name)
	c.Args, c.Order, c.Where = a.Args, a.Order, a.Where
	return c
}

// Frame says which rows a call covers. The zero frame is SQL's default: from the first row of
// the partition to the last peer of the row.
type Frame struct {
	From Bound `json:"from,omitzero"`
	To   Bound `json:"to,omitzero"`
}

// Bound is the beginning or the end of a frame. The zero bound is the first row of the
// partition as a beginning, and the last peer of the row as an end.
type Bound struct {
	Unit Unit `json:"unit,omitempty"`
	// Offset is how far the bound is after the row, or before it if negative: in rows, or, for
	// a range, in units of the single key. Units are days for dates, microseconds for
	// timestamps, and millionths for numbers that are not integers.
	Offset int64 `json:"offset,omitempty"`
	// Months is how many months the key of a date or timestamp is moved before Offset is added.
	// It has the sign of Offset.
	Months int64 `json:"months,omitempty"`
}

// Unit is what the offset of a bound counts.
type Unit string

// The units.
const (
	Default Unit = ""      // Whole as a beginning, Peers as an end
	Whole   Unit = "whole" // to the first or last row of the partition
	Rows    Unit = "rows"  // rows
	Peers   Unit = "peers" // to the first or last peer of the row
	Range   Unit = "range" // distance between values of the key
)

// MostOffset is the most rows that functions and frames may reach. Sums of such offsets do not
// overflow.
const MostOffset = 1 << 40

// mostReach is the same for a range, which may be in microseconds.
const mostReach = 1 << 60

// MostComputed limits the rows of a frame that is recomputed for each row, and the rows with a
// value that a call may count.
const MostComputed = 1000

// function is a function of this package.
type function struct {
	name  Func
	takes bool // it takes a column, and its result has that column's type
	float bool // its result is a Float, otherwise an Int
	n     int64
	// frame is the function's own frame, whatever the call says; nil means that of the call.
	frame func(Call) Frame
	make  func(*Operator, *call) evaluator
}

// anyN says that the function does not use N.
const anyN = -1

// functions returns all functions that are not aggregates.
func functions() []function {
	whole, peers := Bound{Unit: Whole}, Bound{Unit: Peers}
	here := func(n int64) Frame {
		return Frame{From: Bound{Unit: Rows, Offset: n}, To: Bound{Unit: Rows, Offset: n}}
	}
	// If rows without a value do not count, lag and lead look at all rows on one side.
	neighbour := func(c Call, n int64) Frame {
		switch {
		case !c.Present || n == 0:
			return here(n)
		case n < 0:
			return Frame{From: whole, To: Bound{Unit: Rows, Offset: -1}}
		}
		return Frame{From: Bound{Unit: Rows, Offset: 1}, To: whole}
	}
	always := func(f Frame) func(Call) Frame { return func(Call) Frame { return f } }
	return []function{
		{
			name: RowNumber, n: anyN, frame: always(Frame{whole, Bound{Unit: Rows, Offset: 0}}), make: ranks(rowNumber),
		},
		{
			name: Rank, n: anyN, frame: always(Frame{peers, Bound{Unit: Rows, Offset: 0}}), make: ranks(rank),
		},
		{
			name: DenseRank, n: anyN, frame: always(Frame{peers, Bound{Unit: Rows, Offset: 0}}), make: newDenseRank,
		},
		{
			name: PercentRank, float: true, n: anyN, frame: always(Frame{peers, whole}), make: shares(percentRank),
		},
		{
			name: CumeDist, float: true, n: anyN, frame: always(Frame{whole, peers}), make: shares(cumeDist),
		},
		{
			name: NTile, n: 1, frame: always(Frame{whole, whole}), make: ranks(tile),
		},
		{
			name: Lag, takes: true, n: -MostOffset, frame: func(c Call) Frame { return neighbour(c, -c.N) }, make: newValues,
		},
		{
			name: Lead, takes: true, n: -MostOffset, frame: func(c Call) Frame { return neighbour(c, c.N) }, make: newValues,
		},
		{
			name: FirstValue, takes: true, n: anyN, make: newValues,
		},
		{
			name: LastValue, takes: true, n: anyN, make: newValues,
		},
		{
			name: NthValue, takes: true, n: 1, make: newValues,
		},
	}
}

func functionOf(name Func) (function, bool) {
	for _, f := range functions() {
		if f.name == name {
			return f, true
		}
	}
	return function{}, false
}

// agg returns the aggregate of a call.
func (c Call) agg() aggregate.Agg {
	return aggregate.Agg{Func: aggregate.Func(c.Func), Args: c.Args, Order: c.Order, Where: c.Where, Param: c.Param, Name: c.Name}
}

// frame returns the frame of a call, with defaults filled in.
func (c Call) frame() Frame {
	frame := c.Frame
	if f, ok := functionOf(c.Func); ok && f.frame != nil {
		frame = f.frame(c)
	}
	if frame.From.Unit == Default {
		frame.From = Bound{Unit: Whole}
	}
	if frame.To.Unit == Default {
		frame.To = Bound{Unit: Peers}
	}
	return frame
}

// Type returns the type of a call's result over the given columns, or an error if the call is
// invalid. keys are the types of the order's keys.
func (c Call) Type(in columnar.Schema, keys []columnar.Type) (columnar.Type, error) {
	if err := c.frame().check(keys); err != nil {
		return columnar.Invalid, fmt.Errorf("%s: %w", c.Func, err)
	}
	f, ok := functionOf(c.Func)
	if !ok {
		return c.aggregateType(in)
	}
	given := c
	given.Func, given.Args, given.Name, given.Frame = "", nil, "", Frame{}
	if f.n != anyN {
		given.N = 0
	}
	if f.takes {
		given.Present = false
	}
	arg := columnar.Invalid
	if f.takes {
		at, err := in.Positions(c.Args)
		if err != nil || len(at) != 1 {
			return arg, fmt.Errorf("%s takes one column: %w", c.Func, err)
		}
		arg = in[at[0]].Type
	}
	if c.Default != "" && (c.Func == Lag || c.Func == Lead) {
		given.Default = ""
		if at := in.Index(c.Default); at < 0 || in[at].Type != arg {
			return arg, fmt.Errorf("%s: the column %q, taken where there is no row, is not of type %s", c.Func, c.Default, arg)
		}
	}
	switch {
	case !given.Same(Call{}) || !f.takes && len(c.Args) > 0:
		return arg, fmt.Errorf("%s takes less than it is given", c.Func)
	case f.n != anyN && (c.N < f.n || c.N > MostOffset), c.Present && max(c.N, -c.N) > MostComputed:
		return arg, fmt.Errorf("%s cannot be of %d", c.Func, c.N)
	case f.takes:
		return arg, nil
	case f.float:
		return columnar.Float, nil
	}
	return columnar.Int, nil
}

// ErrMoves says that an aggregate over a moving frame would have to be recomputed for each row.
var ErrMoves = errors.New("is too much to compute anew for each row")

func (c Call) aggregateType(in columnar.Schema) (columnar.Type, error) {
	t, err := c.agg().Type(in)
	if err != nil {
		var names []string
		for _, f := range functions() {
			names = append(names, string(f.name))
		}
		return t, fmt.Errorf("no function of windows (%s): %w", strings.Join(names, ", "), err)
	}
	if c.N != 0 || c.Default != "" || c.Present {
		return t, fmt.Errorf("%s takes less than it is given", c.Func)
	}
	f := c.frame()
	few := f.From.Unit == Rows && f.To.Unit == Rows && f.To.Offset-f.From.Offset < MostComputed
	whole := f.From.Unit == Whole && f.To.Unit == Whole
	grows := f.From.Unit == Whole && !c.agg().Collects(in)
	if !few && !whole && !grows && !c.agg().Removable(in) {
		return t, fmt.Errorf("%s over a frame that moves %w: it can have %d rows", c.Func, ErrMoves, MostComputed)
	}
	return t, nil
}

// check returns an error if a frame does not fit an order with keys of the given types.
func (f Frame) check(keys []columnar.Type) error {
	for _, b := range []Bound{f.From, f.To} {
		most := int64(MostOffset)
		if b.Unit == Range {
			most = mostReach
		}
		switch {
		case !slices.Contains([]Unit{Whole, Rows, Peers, Range}, b.Unit):
			return fmt.Errorf("there is no bound of a frame %q", b.Unit)
		case b.Offset < -most || b.Offset > most || b.Offset != 0 && (b.Unit == Whole || b.Unit == Peers):
			return fmt.Errorf("the bound of a frame cannot be %d", b.Offset)
		case b.Months < -number.MostMonths || b.Months > number.MostMonths || b.Months > 0 && b.Offset < 0 || b.Months < 0 && b.Offset > 0:
			return fmt.Errorf("the bound of a frame cannot be %d months and %d", b.Months, b.Offset)
		case b.Months != 0 && (b.Unit != Range || len(keys) != 1 || keys[0] != columnar.Date && keys[0] != columnar.Timestamp):
			return errors.New("only a range of dates or timestamps has months")
		case b.Unit == Range && len(keys) != 1:
			return errors.New("a range of values needs one key of the order")
		case b.Unit == Range && !slices.Contains([]columnar.Type{columnar.Int, columnar.Decimal, columnar.Float, columnar.Date, columnar.Timestamp}, keys[0]):
			return fmt.Errorf("there are no ranges of %s", keys[0])
		}
	}
	return nil
}

// String describes a call as EXPLAIN shows it.
func (c Call) String() string {
	args := slices.Clone(c.Args)
	f, own := functionOf(c.Func)
	if own && f.n != anyN {
		args = append(args, strconv.FormatInt(c.N, 10))
	}
	if c.Default != "" {
		args = append(args, c.Default)
	}
	if c.Present {
		args = append(args, "present")
	}
	out := fmt.Sprintf("%s(%s)", c.Func, strings.Join(args, ", "))
	if !own {
		out = c.agg().String()
	}
	if c.Frame != (Frame{}) {
		f := c.frame()
		out += fmt.Sprintf(" from %s to %s", f.From.describe("first"), f.To.describe("last"))
	}
	return out
}

func (b Bound) describe(end string) string {
	switch {
	case b.Unit == Whole:
		return "the " + end
	case b.Unit == Peers:
		return "the " + end + " peer"
	case b.Unit == Rows && b.Offset == 0:
		return "the row"
	}
	unit, side := map[Unit]string{Rows: "rows ", Range: ""}[b.Unit], "behind"
	offset, months := b.Offset, b.Months
	if offset < 0 || months < 0 {
		offset, months, side = -offset, -months, "before"
	}
	switch {
	case months == 0:
		return fmt.Sprintf("%d %s%s", offset, unit, side)
	case offset == 0:
		return fmt.Sprintf("%d months %s", months, side)
	}
	return fmt.Sprintf("%d months and %d %s", months, offset, side)
}
