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
	given := Call{Func: c.Func, Frame: c.Frame, Name: c.Name}
	if f.Takes || f.places {
		given.Args = c.Args
		if err := f.checkColumns(c.Args, in); err != nil {
			return err
		}
	}
	if f.Takes {
		arg := in[in.Index(c.Args[0])].Type
		if f.Types != nil && !slices.Contains(f.Types, arg) {
			return fmt.Errorf("does not take column %q, which is %s", c.Args[0], arg)
		}
		if c.Default != "" && f.otherwise {
			given.Default = c.Default
			if at := in.Index(c.Default); at < 0 || in[at].Type != arg {
				return fmt.Errorf("takes the column %q where there is no row, which is not of type %s", c.Default, arg)
			}
		}
	}
	if f.Number != nil {
		given.N = c.N
	}
	if given.Present = c.Present && f.present; c.Where != "" && given.Present {
		given.Where = c.Where
		if at := in.Index(c.Where); at < 0 || in[at].Type != columnar.Bool {
			return fmt.Errorf("takes the column %q as a condition, which is not one", c.Where)
		}
	}
	if c.Far != "" && f.Far && !c.Present {
		given.Far = c.Far
		if at := in.Index(c.Far); at < 0 || in[at].Type != columnar.Int {
			return fmt.Errorf("takes the column %q as a number, which is not an integer", c.Far)
		}
	}
	switch {
	case !given.Same(c):
		return errors.New("takes less than it is given")
	case f.Number != nil && c.Far == "" && (c.N < f.Number.Least || c.N > MostOffset), c.Present && max(c.N, -c.N) > MostPresent:
		return fmt.Errorf("cannot be of %d", c.N)
	case f.byValue && (len(keys) != 1 || !slices.Contains(valueTypes, keys[0])):
		return errors.New("needs one key of the order, a number, a date or a timestamp")
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
	at, err := in.Positions(args)
	if err != nil || len(at) != values+places {
		return fmt.Errorf("takes %d columns: %w", values+places, err)
	}
	for _, i := range at[values:] {
		if in[i].Type != columnar.Int {
			return fmt.Errorf("takes the column %q as a place, which is not an integer", in[i].Name)
		}
	}
	return nil
}

// valueTypes are the types that functions can compute with.
var valueTypes = columnar.Scalars(columnar.KindInt64, columnar.KindFloat64)
