package aggregate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/order"
	"analyzer/operators/registry"
)

// Agg is one aggregate of a plan: a function of the columns Args. Its result is the column Name.
// Count without an argument counts rows.
type Agg struct {
	Func  Func        `json:"func"`
	Args  []string    `json:"args,omitempty"`
	Order []order.Key `json:"order,omitempty"` // the order of the rows, for functions that depend on it
	Where string      `json:"where,omitempty"` // a condition: other rows than those where it is true do not count
	Param string      `json:"param,omitempty"` // a parameter of the function: a quantile, a separator
	Name  string      `json:"name"`
}

// Same reports whether two aggregates compute the same, by whatever names.
func (a Agg) Same(other Agg) bool {
	return a.Func == other.Func && slices.Equal(a.Args, other.Args) && slices.Equal(a.Order, other.Order) &&
		a.Where == other.Where && a.Param == other.Param
}

// sharesState reports whether the state of two aggregates is the same: it does not depend on the
// parameter.
func (a Agg) sharesState(other Agg) bool {
	a.Param = other.Param
	return a.Same(other)
}

// Renamed returns an aggregate that reads its columns by other names.
func (a Agg) Renamed(name func(string) string) Agg {
	a.Args, a.Order = slices.Clone(a.Args), slices.Clone(a.Order)
	for i, arg := range a.Args {
		a.Args[i] = name(arg)
	}
	for i, k := range a.Order {
		a.Order[i].Column = name(k.Column)
	}
	if a.Where != "" {
		a.Where = name(a.Where)
	}
	return a
}

// Reads returns the columns that an aggregate reads: its arguments, then those of its order, then
// its condition. A name may occur several times.
func (a Agg) Reads() []string {
	reads := slices.Clone(a.Args)
	for _, k := range a.Order {
		reads = append(reads, k.Column)
	}
	if a.Where != "" {
		reads = append(reads, a.Where)
	}
	return reads
}

// String describes an aggregate, without its name.
func (a Agg) String() string {
	args := slices.Clone(a.Args)
	if a.Param != "" {
		args = append(args, a.Param)
	}
	out := strings.Join(args, ", ")
	if len(a.Order) > 0 {
		out += " in order of " + order.Describe(a.Order)
	}
	if out = fmt.Sprintf("%s(%s)", a.Func, out); a.Where != "" {
		out += " where " + a.Where
	}
	return out
}

// Func is the name of an aggregate function.
type Func string

// function is an aggregate function. Its type, the columns of its state, and its handling
// before and after an exchange or a spill all follow from its forms. To add a function is to
// write one of these.
type function struct {
	name  Func
	forms []form
	param func(string) error // checks Agg.Param; nil for functions that have none
	// ordered says that the result depends on the order of the rows, as Agg.Order has it.
	ordered bool
	// gathers says that the value has those of all rows.
	gathers bool
	// doc is how statements call it, if they do so by name and with any arguments that it takes.
	doc registry.Doc
}

// form is a function of arguments of certain types, which may be the variables of signatures.
type form struct {
	takes []columnar.Type
	gives columnar.Type
	// givesOf is set where the type of the result follows from that of the argument.
	givesOf func(columnar.Type) columnar.Type
	state   []column
	// join makes one vector, which the columns of the state take in, of several arguments; nil
	// means that they take the single argument.
	join func(s *state, args []*columnar.Vector)
	// rows says which rows are encoded, if the state is made of encoded rows. orderTypes are the
	// types of the columns of Agg.Order.
	rows       *orderedRows
	orderTypes []columnar.Type
	// value appends the results of groups; nil means that the results are the single column of
	// the state.
	value func(s *state, r records, out *columnar.Vector) error
	// pick makes the picker of a function of ordered values, and pickRows that of encoded rows; nil for other
	// functions.
	pick     func(Agg) picker
	pickRows func(*state) rowPicker
}

// column is a column of a state: its name after the aggregate's, its type, and
// what computes it.
type column struct {
	name string
	typ  columnar.Type
	make func(*memory) accumulator
}

// functions are all functions. Each file adds its own.
var functions = registry.New(func(f *function) []string { return []string{string(f.name)} })

// Called is an aggregate that statements call by name.
type Called struct {
	registry.Doc
	Func Func
	// Takes are the lists of argument types that it takes, all of one length.
	Takes [][]columnar.Type
}

// AllCalled returns the aggregates that statements call by name.
func AllCalled() []Called {
	var all []Called
	for _, f := range functions.All() {
		if !f.doc.Called() {
			continue
		}
		c := Called{Doc: f.doc, Func: f.name}
		for _, form := range f.forms {
			c.Takes = append(c.Takes, form.takes)
		}
		all = append(all, c)
	}
	return all
}

// find returns the form of an aggregate that reads columns of some types.
func (a Agg) find(reads []columnar.Type) (form, error) {
	function := functions.Find(string(a.Func))
	if function == nil {
		return form{}, fmt.Errorf("there is no aggregate %q; there are %s", a.Func, strings.Join(functions.Names(), ", "))
	}
	switch check := function.param; {
	case check != nil:
		if err := check(a.Param); err != nil {
			return form{}, fmt.Errorf("%s: %w", a.Func, err)
		}
	case a.Param != "":
		return form{}, fmt.Errorf("%s takes no parameter", a.Func)
	}
	if len(reads) != len(a.Reads()) {
		return form{}, fmt.Errorf("%s reads %d columns, and there are types of %d", a.Func, len(a.Reads()), len(reads))
	}
	args, others := reads[:len(a.Args)], reads[len(a.Args):]
	if err := a.checkOthers(function, others); err != nil {
		return form{}, fmt.Errorf("%s: %w", a.Func, err)
	}
	for _, f := range function.forms {
		s := registry.Signature{Gives: f.gives, Takes: f.takes}.Of(args)
		if f.takes, f.gives = s.Takes, s.Gives; slices.Equal(f.takes, args) {
			f.orderTypes = others[:len(a.Order)]
			if f.givesOf != nil {
				f.gives = f.givesOf(args[0])
			}
			return f, nil
		}
	}
	given := make([]string, len(args))
	for i, t := range args {
		given[i] = fmt.Sprintf("column %q, which is %s", a.Args[i], t)
	}
	if len(args) == 0 {
		given = []string{"rows without a column"}
	}
	return form{}, fmt.Errorf("%s does not take %s", a.Func, strings.Join(given, ", and "))
}

// checkOthers returns an error if a function cannot be called with an order or a condition of the
// given types.
func (a Agg) checkOthers(f *function, types []columnar.Type) error {
	if len(a.Order) > 0 && !f.ordered {
		return errors.New("does not depend on the order of rows")
	}
	for i, k := range a.Order {
		if !types[i].Writable() {
			return fmt.Errorf("there is no order by column %q, which is %s", k.Column, types[i])
		}
	}
	if a.Where != "" && types[len(a.Order)] != columnar.Bool {
		return fmt.Errorf("the condition %q is %s, not bool", a.Where, types[len(a.Order)])
	}
	return nil
}

// over returns the form of an aggregate over the given columns, and the positions of those that
// it reads.
func (a Agg) over(in columnar.Schema) (f form, at []int, err error) {
	var types []columnar.Type
	for _, arg := range a.Reads() {
		i := in.Index(arg)
		if i < 0 {
			return f, nil, fmt.Errorf("%s: there is no column %q; there are %s", a.Func, arg, strings.Join(in.Names(), ", "))
		}
		at, types = append(at, i), append(types, in[i].Type)
	}
	f, err = a.find(types)
	return f, at, err
}

// Type returns the type of an aggregate's result over the given columns.
func (a Agg) Type(in columnar.Schema) (columnar.Type, error) {
	f, _, err := a.over(in)
	return f.gives, err
}

// fields returns the columns of an aggregate's state. Their names start with the aggregate's
// name, so they are as distinct as the names of the aggregates.
func (f form) fields(a Agg) []columnar.Field {
	return columnar.Each(f.state, func(c column) columnar.Field { return columnar.Field{Name: a.Name + "." + c.name, Type: c.typ} })
}
