package aggregate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/number"
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

// state is an aggregate with all columns of its state. It knows where their words lie in a
// record, counted from the end of the key.
type state struct {
	agg  Agg
	form form
	acc  []accumulator
	at   []int
	nth  int // of the aggregates that share the columns

	reads  int // how many columns it reads
	code   rowCode
	joined columnar.Vector // the batch's arguments, if there are several
	kept   columnar.Vector // the same or the only argument, null where the condition is not true
	valid  [2][]bool       // memory for Valid of both
}

// newState makes the state of an aggregate whose words begin at position at, and returns where
// they end.
func newState(a Agg, f form, mem *memory, at int) (s *state, end int) {
	s = &state{agg: a, form: f, reads: len(a.Reads())}
	if f.rows != nil {
		s.code = f.rows.code(a, f)
	}
	for _, c := range f.state {
		acc := c.make(mem)
		s.acc = append(s.acc, acc)
		s.at = append(s.at, at)
		at += acc.words()
	}
	return s, at
}

// sharing returns the state of another aggregate with the same columns, the nth, for its results.
func (s *state) sharing(a Agg, f form, nth int) *state {
	return &state{agg: a, form: f, acc: s.acc, at: s.at, nth: nth, code: s.code}
}

// taken returns what the columns take in for a batch of the columns that are read; nil means that
// rows are counted. The result is valid until the next call.
func (s *state) taken(reads []*columnar.Vector) (arg *columnar.Vector, err error) {
	switch {
	case s.form.rows != nil:
		if s.joined.Type == columnar.Invalid {
			s.joined = *columnar.NewVector(columnar.Bytes)
		}
		s.joined.Reset()
		arg, err = &s.joined, s.code.encode(&s.joined, reads)
	case s.form.join != nil:
		s.form.join(s, reads)
		arg = &s.joined
	case len(s.agg.Args) > 0:
		arg = reads[0]
	}
	if s.agg.Where != "" {
		return s.where(arg, reads[len(reads)-1]), err
	}
	return arg, err
}

// where makes values null in rows where a condition is not true; nil stands for rows.
func (s *state) where(arg, condition *columnar.Vector) *columnar.Vector {
	if s.kept = (columnar.Vector{Len: condition.Len}); arg != nil {
		s.kept = *arg
	}
	valid := s.valid[1][:0]
	for i, ok := range condition.Bools[:condition.Len] {
		valid = append(valid, ok && !condition.IsNull(i) && (arg == nil || !arg.IsNull(i)))
	}
	s.valid[1], s.kept.Valid = valid, valid
	return &s.kept
}

// together joins two columns: the first, which has the second as its Child. It is null where one
// of them is.
func together(s *state, args []*columnar.Vector) {
	s.joined = *args[0]
	if s.joined.Child = args[1]; args[1].Valid == nil {
		return
	}
	valid := s.valid[0][:0]
	for i, ok := range args[1].Valid[:args[1].Len] {
		valid = append(valid, ok && !args[0].IsNull(i))
	}
	s.valid[0], s.joined.Valid = valid, valid
}

// column returns the words of column i in the groups of r. r must start right after the key.
func (s *state) column(i int, r records) records {
	r.at += s.at[i]
	return r
}

// update adds each row to its group.
func (s *state) update(behind records, reads []*columnar.Vector) error {
	arg, err := s.taken(reads)
	if err == nil {
		s.add(behind, arg)
	}
	return err
}

// add adds what taken returns.
func (s *state) add(behind records, arg *columnar.Vector) {
	for i, acc := range s.acc {
		acc.update(s.column(i, behind), arg)
	}
}

// singles puts the states of rows in out, with each row as a group of its own.
func (s *state) singles(reads []*columnar.Vector, rows int, out []*columnar.Vector) error {
	arg, err := s.taken(reads)
	if err != nil {
		return err
	}
	for i, acc := range s.acc {
		out[i] = acc.single(arg, rows)
	}
	return nil
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
	if exceeded := (*budget.ExceededError)(nil); errors.As(err, &exceeded) {
		return fmt.Errorf("%s: %w", s.agg.Name, err)
	}
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
