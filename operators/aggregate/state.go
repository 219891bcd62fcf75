package aggregate

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/plan"
)

// state computes one aggregate. Its words lie in each record and start out as
// zeros; what does not fit there it keeps in memory of its own, which it claims.
// Its columns are those it has in a batch of states.
type state interface {
	// words is how many words of a record the state takes.
	words() int
	// update takes the argument of each row into its group; nil counts rows.
	update(r records, arg *columnar.Vector) error
	// merge takes the state in each row into its group.
	merge(r records, cols []*columnar.Vector) error
	// appendStates appends the states of groups.
	appendStates(r records, out []*columnar.Vector) error
	// appendValues appends the values of groups.
	appendValues(r records, out *columnar.Vector) error
	// single sets out to the states of rows as if each were a group. They are
	// valid until the next call, or borrow from arg.
	single(arg *columnar.Vector, rows int, out []*columnar.Vector) error
	// size returns how many bytes of list items a group has.
	size(words []uint64) int
	// reset forgets what the state keeps outside records and keeps the memory;
	// free forgets that too.
	reset()
	free()
}

// inRecord is for states that keep all they know in their words.
type inRecord struct{}

func (inRecord) size([]uint64) int { return 0 }
func (inRecord) reset()            {}
func (inRecord) free()             {}

func newState(a plan.Agg, arg columnar.Type, mem *memory) (state, error) {
	switch a.Func {
	case plan.Count:
		return &countState{}, nil
	case plan.CountIf:
		return &countState{onlyTrue: true}, nil
	case plan.Sum, plan.Avg:
		if arg == columnar.Float {
			return &floatSumState{name: a.Name, avg: a.Func == plan.Avg, mem: mem}, nil
		}
		if a.Func == plan.Avg {
			return &avgState{scale: scaleOf(arg)}, nil
		}
		return &sumState{name: a.Name, narrow: arg == columnar.Int}, nil
	case plan.Min:
		return &extremeState{of: arg}, nil
	case plan.Max:
		return &extremeState{of: arg, greatest: true}, nil
	case plan.List:
		return &listState{name: a.Name, mem: mem}, nil
	}
	return nil, fmt.Errorf("aggregate: there is no function %q", a.Func)
}

// runEnd returns where the run of equal references that begins at i ends. Rows of
// one group often come together, and then a state is best read and written once.
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

// grow lengthens a slice by n elements of any value.
func grow[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s[:len(s)+n]
	}
	out := make([]T, len(s)+n, max(len(s)+n, 2*cap(s)))
	copy(out, s)
	return out
}

// appended counts n values that were appended to a vector's slice, none of them
// null.
func appended(v *columnar.Vector, n int) {
	v.Len += n
	if v.Valid != nil {
		for range n {
			v.Valid = append(v.Valid, true)
		}
	}
}
