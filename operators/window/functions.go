package window

import (
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/operators/registry"
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

// Function is a function of this package, which is no aggregate. Its file adds it to functions.
type Function struct {
	Doc  registry.Doc
	Func Func
	// Takes says that it takes a column, which its result has the type of. Types are those that the
	// column may have; nil means any.
	Takes bool
	Types []columnar.Type
	float bool // its result is a Float, and otherwise an Int if it takes no column
	// Number is what Call.N means; nil means that it has no use for it.
	Number    *Number
	Far       bool // it takes Call.Far instead of Call.N
	otherwise bool // it takes Call.Default
	present   bool // it takes Call.Present
	byValue   bool // it computes with the order's key, which must be a single one
	// places says that two columns of integers follow: which place a row has in an order within the window,
	// and the one that the function counts with.
	places bool
	// Within is, of a function that has no places, the one that has them, as its name by an order within
	// the window; ByOrder is the function of a window in that order whose value is the place that it counts
	// with.
	Within, ByOrder Func
	// Reorders says that an order within the window takes the place of that of the window.
	Reorders bool
	// frame is the function's own frame, whatever the call says; nil means that of the call.
	frame func(Call) Frame
	peers bool // it needs the last peer of a row, though its frame does not end there
	make  func(*Operator, *call) evaluator
}

// Number is the number that a function is called with.
type Number struct {
	What           string
	Needed         bool // otherwise it is Default where a call has none
	Default, Least int64
}

// functions are the functions that are no aggregates.
var functions = registry.New(func(f *Function) []string { return []string{string(f.Func)} })

// AllCalled returns the functions that statements call, which are no aggregates.
func AllCalled() []*Function {
	return columnar.Only(functions.All(), func(f *Function) bool { return f.Doc.Called() })
}

func functionOf(name Func) *Function { return functions.Find(string(name)) }

// always returns a frame whatever the call says.
func always(f Frame) func(Call) Frame { return func(Call) Frame { return f } }

// check returns an error if a call does not fit the function.
func (f *Function) check(c Call, in columnar.Schema, keys []columnar.Type) error {
	if !f.taken(c).Same(c) {
		return errors.New("takes less than it is given")
	}
	if err := f.checkArgs(c, in); err != nil {
		return err
	}
	err := errors.Join(isOf(in, c.Where, columnar.Bool, "a condition"), isOf(in, c.Far, columnar.Int, "a number"))
	switch {
	case err != nil:
		return err
	case f.Number != nil && c.Far == "" && (c.N < f.Number.Least || c.N > MostOffset), c.Present && max(c.N, -c.N) > MostPresent:
		return fmt.Errorf("cannot be of %d", c.N)
	case f.byValue && (len(keys) != 1 || !slices.Contains(valueTypes, keys[0])):
		return errors.New("needs one key of the order, a number, a date or a timestamp")
	}
	return nil
}

// taken returns of a call what the function takes.
func (f *Function) taken(c Call) Call {
	of := Call{Func: c.Func, Frame: c.Frame, Name: c.Name}
	if f.Takes || f.places {
		of.Args = c.Args
	}
	if f.Takes && f.otherwise {
		of.Default = c.Default
	}
	if f.Number != nil {
		of.N = c.N
	}
	if f.present && c.Present {
		of.Present, of.Where = true, c.Where
	}
	if f.Far && !c.Present {
		of.Far = c.Far
	}
	return of
}

// checkArgs returns an error if there are not the columns that the function takes, of its types.
func (f *Function) checkArgs(c Call, in columnar.Schema) error {
	if f.Takes || f.places {
		if err := f.checkColumns(c.Args, in); err != nil {
			return err
		}
	}
	if !f.Takes {
		return nil
	}
	arg := in[in.Index(c.Args[0])].Type
	if f.Types != nil && !slices.Contains(f.Types, arg) {
		return fmt.Errorf("does not take column %q, which is %s", c.Args[0], arg)
	}
	return isOf(in, c.Default, arg, "the value where there is no row")
}

// isOf returns an error if a column that is taken as something, if there is one, is not of a type.
func isOf(in columnar.Schema, column string, want columnar.Type, as string) error {
	if at := in.Index(column); column != "" && (at < 0 || in[at].Type != want) {
		return fmt.Errorf("takes the column %q as %s, which is not of type %s", column, as, want)
	}
	return nil
}

// checkColumns returns an error if there are not the columns that the function takes.
func (f *Function) checkColumns(args []string, in columnar.Schema) error {
	values, places := 0, 0
	if f.Takes {
		values = 1
	}
	if f.places {
		places = 2
	}
	if at, err := in.Positions(args); err != nil || len(at) != values+places {
		return fmt.Errorf("takes %d columns: %w", values+places, err)
	}
	for _, name := range args[values:] {
		if err := isOf(in, name, columnar.Int, "a place"); err != nil {
			return err
		}
	}
	return nil
}

// valueTypes are the types that functions can compute with.
var valueTypes = columnar.Scalars(columnar.KindInt64, columnar.KindFloat64)
