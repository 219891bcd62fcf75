package aggregate

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Agg is one aggregate of a plan: a function of the column Arg. Its result is the column Name.
// Count without an argument counts rows.
type Agg struct {
	Func  Func   `json:"func"`
	Arg   string `json:"arg,omitempty"`
	Param string `json:"param,omitempty"` // a parameter of the function: a quantile, a separator
	Name  string `json:"name"`
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
	// example is its result over 1, null, 2 and 4, or over true, null and false, or over b,
	// null, a and b, or over the pairs of 1 and 2, and of 2 and 4.
	example string
}

// form is a function of arguments of one type.
type form struct {
	takes columnar.Type // Invalid for no argument
	gives columnar.Type
	state []column
	// unpack converts a batch of arguments into what the columns of the state take in; nil
	// means that they take the argument itself.
	unpack func(dst, arg *columnar.Vector)
	// value appends the results of groups; nil means that the results are the single column of
	// the state.
	value func(s *state, r records, out *columnar.Vector) error
	// pick makes the picker of a function of ordered values; nil for other functions.
	pick func(Agg) picker
}

// column is a column of a state: its name after the aggregate's, its type, and
// what computes it.
type column struct {
	name string
	typ  columnar.Type
	make func(*memory) accumulator
}

// functions is read-only.
var functions = slices.Concat(countFunctions, sumFunctions, momentFunctions, pairFunctions, wordFunctions, listFunctions, quantileFunctions, textFunctions, collectedFunctions)

// find returns the form of an aggregate for arguments of a type.
func (a Agg) find(arg columnar.Type) (form, error) {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == a.Func })
	if i < 0 {
		names := make([]string, len(functions))
		for i, f := range functions {
			names[i] = string(f.name)
		}
		return form{}, fmt.Errorf("there is no aggregate %q; there are %s", a.Func, strings.Join(names, ", "))
	}
	switch check := functions[i].param; {
	case check != nil:
		if err := check(a.Param); err != nil {
			return form{}, fmt.Errorf("%s: %w", a.Func, err)
		}
	case a.Param != "":
		return form{}, fmt.Errorf("%s takes no parameter", a.Func)
	}
	for _, f := range functions[i].forms {
		if f.takes == arg {
			return f, nil
		}
	}
	return form{}, fmt.Errorf("%s does not take column %q, which is %s", a.Func, a.Arg, arg)
}

// over returns the form of an aggregate over the given columns, and the position of its
// argument among them, or -1 if it has none.
func (a Agg) over(in columnar.Schema) (f form, at int, err error) {
	if a.Arg == "" && a.Func == Count {
		f, err = a.find(columnar.Invalid)
		return f, -1, err
	}
	if at = in.Index(a.Arg); at < 0 {
		return f, at, fmt.Errorf("%s: there is no column %q; there are %s", a.Func, a.Arg, strings.Join(in.Names(), ", "))
	}
	f, err = a.find(in[at].Type)
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
	fields := make([]columnar.Field, len(f.state))
	for i, c := range f.state {
		fields[i] = columnar.Field{Name: a.Name + "." + c.name, Type: c.typ}
	}
	return fields
}

// state is an aggregate with all columns of its state. It knows where their words lie in a
// record, counted from the end of the key.
type state struct {
	agg  Agg
	form form
	acc  []accumulator
	at   []int

	unpacked columnar.Vector // the batch's argument
}

// newState makes the state of an aggregate whose words begin at position at, and returns where
// they end.
func newState(a Agg, f form, mem *memory, at int) (s *state, end int) {
	s = &state{agg: a, form: f}
	for _, c := range f.state {
		acc := c.make(mem)
		s.acc = append(s.acc, acc)
		s.at = append(s.at, at)
		at += acc.words()
	}
	return s, at
}

// taken returns what the columns take in for an argument; nil means that rows are counted. The
// result is valid until the next call.
func (s *state) taken(arg *columnar.Vector) *columnar.Vector {
	if s.form.unpack == nil {
		return arg
	}
	s.form.unpack(&s.unpacked, arg)
	return &s.unpacked
}

// column returns the words of column i in the groups of r. r must start right after the key.
func (s *state) column(i int, r records) records {
	r.at += s.at[i]
	return r
}

// update adds the argument of each row to its group.
func (s *state) update(behind records, arg *columnar.Vector) {
	arg = s.taken(arg)
	for i, acc := range s.acc {
		acc.update(s.column(i, behind), arg)
	}
}

// singles puts the states of rows in out, with each row as a group of its own.
func (s *state) singles(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	arg = s.taken(arg)
	for i, acc := range s.acc {
		out[i] = acc.single(arg, rows)
	}
}

// appendValues appends the results of groups.
func (s *state) appendValues(r records, out *columnar.Vector) error {
	err := error(nil)
	if s.form.value != nil {
		err = s.form.value(s, r, out)
	} else {
		err = s.acc[0].appendTo(s.column(0, r), out)
	}
	return s.named(err)
}

// named adds to an error which aggregate it is about.
func (s *state) named(err error) error {
	if err != nil {
		return fmt.Errorf("the %s %q %w", s.agg.Func, s.agg.Name, err)
	}
	return nil
}

// perGroup computes the results of groups one by one; ok is false for null.
func perGroup(value func(g group) (x float64, ok bool, err error)) func(*state, records, *columnar.Vector) error {
	return func(s *state, r records, out *columnar.Vector) error {
		for _, ref := range r.refs {
			x, ok, err := value(group{s, r, ref})
			switch {
			case err != nil:
				return err
			case ok:
				out.AppendFloat(x)
			default:
				out.AppendNull()
			}
		}
		return nil
	}
}

// group is the state of one group whose column i is a sum or a count.
type group struct {
	state *state
	r     records
	ref   uint32
}

func (g group) at(i int) int { return g.r.at + g.state.at[i] }

func (g group) count(i int) int64 { return int64(*g.r.pages.word(g.ref, g.at(i))) }

func (g group) sum(i int) (sum number.Int128, any bool) { return sumOf(g.r.pages.pair(g.ref, g.at(i))) }

// accumulator computes one column of a state. Its words lie in each record and start as zeros.
// Anything that does not fit there it keeps in memory of its own, which it claims.
type accumulator interface {
	// words is how many words of a record it needs.
	words() int
	// update adds the argument of each row to its group; a nil argument counts rows.
	update(r records, arg *columnar.Vector)
	// merge merges the state in each row into its group.
	merge(r records, states *columnar.Vector) error
	// appendTo appends the states of groups.
	appendTo(r records, out *columnar.Vector) error
	// single returns the states of rows, with each row as a group of its own. They are valid
	// until the next call, or borrow from arg.
	single(arg *columnar.Vector, rows int) *columnar.Vector
	// size returns how many bytes of list items a group has.
	size(words []uint64) int
	// reset forgets everything outside records and keeps the memory; free gives the memory up
	// too.
	reset()
	free()
}

// inRecord is for accumulators that keep their whole state in their words.
type inRecord struct{}

func (inRecord) size([]uint64) int { return 0 }
func (inRecord) reset()            {}
func (inRecord) free()             {}

// runEnd returns where the run of equal references that begins at i ends. Rows of one group
// often come together; then it is faster to read and write the state once.
func runEnd(refs []uint32, i int) int {
	ref := refs[i]
	for i++; i < len(refs) && refs[i] == ref; i++ {
	}
	return i
}

// appendInts appends one word of each group to a vector of integers.
func appendInts(v *columnar.Vector, r records) {
	n := len(v.Ints)
	v.Ints = grow(v.Ints, len(r.refs))
	out := v.Ints[n:]
	for i, ref := range r.refs {
		out[i] = int64(*r.pages.word(ref, r.at))
	}
	appended(v, len(r.refs))
}

// grow lengthens a slice by n elements with arbitrary values.
func grow[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s[:len(s)+n]
	}
	out := make([]T, len(s)+n, max(len(s)+n, 2*cap(s)))
	copy(out, s)
	return out
}

// appended adjusts the length and the nulls of a vector after n non-null values were appended
// to its slice.
func appended(v *columnar.Vector, n int) {
	v.Len += n
	if v.Valid != nil {
		for range n {
			v.Valid = append(v.Valid, true)
		}
	}
}
