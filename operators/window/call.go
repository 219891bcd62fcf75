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

// Call is one function of a window: its arguments, its frame, and the name of the column it
// computes.
type Call struct {
	Func     Func        `json:"func"`
	Args     []string    `json:"args,omitempty"`     // columns
	Order    []order.Key `json:"order,omitempty"`    // of an aggregate
	Where    string      `json:"where,omitempty"`    // condition of an aggregate, or, with Present, the one by which rows count
	Param    string      `json:"param,omitempty"`    // parameter of an aggregate
	N        int64       `json:"n,omitempty"`        // the distance of lag and lead, the parts of ntile, the row of nth_value
	Far      string      `json:"far,omitempty"`      // the column that holds N, of lag, lead and nth_value, where it differs by row
	Default  string      `json:"default,omitempty"`  // the column whose value lag and lead take if there is no such row
	Distinct bool        `json:"distinct,omitempty"` // an aggregate of the different values
	Present  bool        `json:"present,omitempty"`  // lag, lead and the functions that take a value from the frame skip rows without a value
	Frame    Frame       `json:"frame,omitzero"`     // of aggregates and of functions that take a value from the frame; others have their own
	Name     string      `json:"name"`
}

// Same reports whether two calls are equal.
func (c Call) Same(other Call) bool {
	return c.agg().Same(other.agg()) && c.N == other.N && c.Far == other.Far && c.Default == other.Default && c.Distinct == other.Distinct &&
		c.Present == other.Present && c.Frame == other.Frame && c.Name == other.Name
}

// Reads returns the columns that a call reads, except Default: those of an aggregate, then Far and
// those of its frame. A name may occur several times.
func (c Call) Reads() []string {
	reads := c.agg().Reads()
	for _, name := range []string{c.Far, c.Frame.From.Column, c.Frame.To.Column} {
		if name != "" {
			reads = append(reads, name)
		}
	}
	return reads
}

// Renamed returns a call that reads these columns by other names.
func (c Call) Renamed(name func(string) string) Call {
	a := c.agg().Renamed(name)
	c.Args, c.Order, c.Where = a.Args, a.Order, a.Where
	for _, column := range []*string{&c.Far, &c.Frame.From.Column, &c.Frame.To.Column} {
		if *column != "" {
			*column = name(*column)
		}
	}
	return c
}

// agg returns the aggregate of a call.
func (c Call) agg() aggregate.Agg {
	return aggregate.Agg{Func: aggregate.Func(c.Func), Args: c.Args, Order: c.Order, Where: c.Where, Param: c.Param, Name: c.Name}
}

// frame returns the frame of a call, with defaults filled in.
func (c Call) frame() Frame {
	frame := c.Frame
	if f := functionOf(c.Func); f != nil && f.frame != nil {
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
	if err := c.frame().check(keys, in); err != nil {
		return columnar.Invalid, fmt.Errorf("%s: %w", c.Func, err)
	}
	f := functionOf(c.Func)
	if f == nil {
		return c.aggregateType(in)
	}
	if err := f.check(c, in, keys); err != nil {
		return columnar.Invalid, fmt.Errorf("%s %w", c.Func, err)
	}
	switch {
	case f.Takes:
		return in[in.Index(c.Args[0])].Type, nil
	case f.float:
		return columnar.Float, nil
	}
	return columnar.Int, nil
}

func (c Call) aggregateType(in columnar.Schema) (columnar.Type, error) {
	t, err := c.agg().Type(in)
	if err != nil {
		return t, fmt.Errorf("no function of windows (%s): %w", strings.Join(functions.Names(), ", "), err)
	}
	if c.N != 0 || c.Far != "" || c.Default != "" || c.Present {
		return t, fmt.Errorf("%s takes less than it is given", c.Func)
	}
	return t, nil
}

// String describes a call as EXPLAIN shows it.
func (c Call) String() string {
	args := slices.Clone(c.Args)
	f := functionOf(c.Func)
	switch {
	case c.Far != "":
		args = append(args, c.Far)
	case f != nil && f.Number != nil:
		args = append(args, strconv.FormatInt(c.N, 10))
	}
	if c.Default != "" {
		args = append(args, c.Default)
	}
	if c.Present {
		args = append(args, "present")
	}
	if f != nil && c.Where != "" {
		args = append(args, "where "+c.Where)
	}
	out := fmt.Sprintf("%s(%s)", c.Func, strings.Join(args, ", "))
	if f == nil {
		out = c.agg().String()
	}
	if c.Distinct {
		out += " of different values"
	}
	if c.Frame != (Frame{}) {
		f := c.frame()
		out += fmt.Sprintf(" from %s to %s", f.From.describe("first"), f.To.describe("last"))
		if f.Exclude != "" {
			out += " without " + map[Exclusion]string{ExcludeRow: "the row", ExcludePeers: "its peers", ExcludeTies: "its other peers"}[f.Exclude]
		}
	}
	return out
}

// Frame says which rows a call covers. The zero frame is SQL's default: from the first row of
// the partition to the last peer of the row.
type Frame struct {
	From    Bound     `json:"from,omitzero"`
	To      Bound     `json:"to,omitzero"`
	Exclude Exclusion `json:"exclude,omitempty"`
}

// Exclusion says which rows near its row a frame does not have.
type Exclusion string

// The exclusions.
const (
	ExcludeRow   Exclusion = "row"   // the row itself
	ExcludePeers Exclusion = "peers" // the row and its peers
	ExcludeTies  Exclusion = "ties"  // its peers, but not the row itself
)

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
	// Column, where how far the bound is differs by row, holds the number of rows or groups, or, for
	// a range, the key that it reaches to. Then Offset only says on which side the bound is: 1 after
	// the row, -1 before it.
	Column string `json:"column,omitempty"`
}

// Unit is what the offset of a bound counts.
type Unit string

// The units.
const (
	Default Unit = ""       // Whole as a beginning, Peers as an end
	Whole   Unit = "whole"  // to the first or last row of the partition
	Rows    Unit = "rows"   // rows
	Peers   Unit = "peers"  // to the first or last peer of the row
	Groups  Unit = "groups" // rows with equal keys
	Range   Unit = "range"  // distance between values of the key
)

// check returns an error if a frame does not fit an order with keys of the given types, or the
// columns.
func (f Frame) check(keys []columnar.Type, in columnar.Schema) error {
	if !slices.Contains([]Exclusion{"", ExcludeRow, ExcludePeers, ExcludeTies}, f.Exclude) {
		return fmt.Errorf("there is no exclusion %q", f.Exclude)
	}
	for _, b := range []Bound{f.From, f.To} {
		err := b.checkColumn(keys, in)
		if err == nil {
			err = b.checkOffset()
		}
		if err == nil && b.Unit == Range {
			err = b.checkRange(keys)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkOffset returns an error if a bound is of no unit, or is not so many of it.
func (b Bound) checkOffset() error {
	most := int64(MostOffset)
	if b.Unit == Range {
		most = mostReach
	}
	switch {
	case !slices.Contains([]Unit{Whole, Rows, Peers, Groups, Range}, b.Unit):
		return fmt.Errorf("there is no bound of a frame %q", b.Unit)
	case b.Offset < -most || b.Offset > most || b.Offset != 0 && (b.Unit == Whole || b.Unit == Peers):
		return fmt.Errorf("the bound of a frame cannot be %d", b.Offset)
	case b.Months != 0 && b.Unit != Range:
		return errNoMonths
	case b.Months < -number.MostMonths || b.Months > number.MostMonths || b.Months > 0 && b.Offset < 0 || b.Months < 0 && b.Offset > 0:
		return fmt.Errorf("the bound of a frame cannot be %d months and %d", b.Months, b.Offset)
	}
	return nil
}

var errNoMonths = errors.New("only a range of dates or timestamps has months")

// checkRange returns an error if values of the keys have no distance as that of the bound.
func (b Bound) checkRange(keys []columnar.Type) error {
	switch {
	case len(keys) != 1:
		return errors.New("a range of values needs one key of the order")
	case !slices.Contains(valueTypes, keys[0]):
		return fmt.Errorf("there are no ranges of %s", keys[0])
	case b.Months != 0 && keys[0] != columnar.Date && keys[0] != columnar.Timestamp:
		return errNoMonths
	}
	return nil
}

// checkColumn returns an error if a bound does not fit its column.
func (b Bound) checkColumn(keys []columnar.Type, in columnar.Schema) error {
	if b.Column == "" {
		return nil
	}
	want := columnar.Int
	if b.Unit == Range && len(keys) == 1 {
		want = keys[0]
	}
	at := in.Index(b.Column)
	switch {
	case at < 0 || in[at].Type != want:
		return fmt.Errorf("the bound of a frame needs a column %q, of type %s", b.Column, want)
	case b.Unit == Whole || b.Unit == Peers || b.Months != 0 || b.Offset != 1 && b.Offset != -1:
		return fmt.Errorf("the bound of a frame by the column %q has to be on one side", b.Column)
	}
	return nil
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
	unit, side := map[Unit]string{Rows: "rows ", Groups: "groups "}[b.Unit], "behind"
	offset, months := b.Offset, b.Months
	if offset < 0 || months < 0 {
		offset, months, side = -offset, -months, "before"
	}
	switch {
	case b.Column != "" && b.Unit == Range:
		return b.Column
	case b.Column != "":
		return fmt.Sprintf("%s %s%s", b.Column, unit, side)
	case months == 0:
		return fmt.Sprintf("%d %s%s", offset, unit, side)
	case offset == 0:
		return fmt.Sprintf("%d months %s", months, side)
	}
	return fmt.Sprintf("%d months and %d %s", months, offset, side)
}

// MostOffset is the most rows that functions and frames may reach. Sums of such offsets do not
// overflow.
const MostOffset = 1 << 40

// mostReach is the same for a range, which may be in microseconds.
const mostReach = 1 << 60

// MostPresent limits the rows with a value that a call may count.
const MostPresent = 1000
