package aggregate

import (
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/number"
)

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
	if err == nil {
		return nil
	}
	if exceeded := (*budget.ExceededError)(nil); errors.As(err, &exceeded) {
		return fmt.Errorf("%s: %w", s.agg.Name, err)
	}
	return fmt.Errorf("the %s %q %w", s.agg.Func, s.agg.Name, err)
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
