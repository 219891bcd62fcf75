package aggregate

import (
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

var floatSumColumn = column{"sum", columnar.FloatSum, func(mem *memory) accumulator { return newFloatSum(mem, false) }}

// floatSum sums floats, or their squares, exactly. The sums are too large for a
// record: its word is the reference to the sum plus one.
type floatSum struct {
	arena[number.FloatSum]
	squares bool

	text []byte
	sums columnar.Vector // states of single rows
}

func newFloatSum(mem *memory, squares bool) *floatSum {
	return &floatSum{arena: arena[number.FloatSum]{mem: mem}, squares: squares}
}

func (*floatSum) words() int { return 1 }

// begun returns the sum of a group, a new one if it has none.
func (f *floatSum) begun(word *uint64) *number.FloatSum {
	if *word == 0 {
		ref, sums := f.alloc(1)
		*word, sums[0] = ref+1, number.FloatSum{}
	}
	return f.sum(*word)
}

func (f *floatSum) sum(word uint64) *number.FloatSum { return &f.from(word - 1)[0] }

// add adds a value, or its square: as the float64 nearest to that and what this
// leaves, so that none is rounded but those with bits below the least float64.
func (f *floatSum) add(sum *number.FloatSum, x float64) {
	if !f.squares {
		sum.Add(x)
		return
	}
	square := x * x
	sum.Add(square)
	sum.Add(math.FMA(x, x, -square))
}

func (f *floatSum) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			f.add(f.begun(r.pages.word(ref, r.at)), arg.Floats[i])
		}
	}
}

// remove cannot take out what is no finite number: it leaves a trace.
func (f *floatSum) remove(r records, arg *columnar.Vector) bool {
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		x, sum := arg.Floats[i], f.begun(r.pages.word(ref, r.at))
		square := x * x
		switch {
		case x-x != 0 || f.squares && square-square != 0:
			return false
		case f.squares:
			sum.Add(-square)
			sum.Add(-math.FMA(x, x, -square))
		default:
			sum.Add(-x)
		}
	}
	return true
}

func (f *floatSum) merge(r records, states *columnar.Vector) error {
	var part number.FloatSum
	for i, ref := range r.refs {
		if states.IsNull(i) {
			continue
		}
		if err := part.UnmarshalBinary(states.Bytes(i)); err != nil {
			return fmt.Errorf("comes in a state that cannot be read: %w", err)
		}
		f.begun(r.pages.word(ref, r.at)).AddSum(&part)
	}
	return nil
}

func (f *floatSum) append(out *columnar.Vector, sum *number.FloatSum) {
	f.text, _ = sum.AppendBinary(f.text[:0]) // which returns no error
	out.AppendBytes(f.text)
}

func (f *floatSum) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if word := *r.pages.word(ref, r.at); word != 0 {
			f.append(out, f.sum(word))
		} else {
			out.AppendNull()
		}
	}
	return nil
}

func (f *floatSum) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if f.sums.Type == columnar.Invalid {
		f.sums = *columnar.NewVector(columnar.FloatSum)
	}
	f.sums.Reset()
	for i := range rows {
		if arg.IsNull(i) {
			f.sums.AppendNull()
			continue
		}
		var sum number.FloatSum
		f.add(&sum, arg.Floats[i])
		f.append(&f.sums, &sum)
	}
	return &f.sums
}

func (*floatSum) size([]uint64) int { return 0 }

// sumOfFloats is the Float nearest to a sum.
func sumOfFloats(g group) (float64, bool, error) {
	sum := g.floatSum(0)
	if sum == nil {
		return 0, false, nil
	}
	return sum.Float64(), true, nil
}
