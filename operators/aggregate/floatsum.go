package aggregate

import (
	"fmt"
	"math"
	"math/big"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

var floatSumColumn = column{"sum", columnar.FloatSum, newFloatSum(func(arg *columnar.Vector) (a, b []float64) { return arg.Floats, nil })}

// floatSum sums floats, or products of them, exactly. Its words are a number.ShortSum,
// or where that does not hold the sum, a reference to a number.FloatSum with longMark.
type floatSum struct {
	arena[number.FloatSum]
	// factors returns what is summed of an argument, a·b, or a alone if there is no b.
	factors func(arg *columnar.Vector) (a, b []float64)

	nearest, left []float64 // the products of a batch
	whole         []int64   // the terms of a batch that are such
	text          []byte
	sums          columnar.Vector // states of single rows
}

// longMark in the upper word of a ShortSum, which is no sum then, says that the lowest is
// a reference.
const longMark = 1

func newFloatSum(factors func(arg *columnar.Vector) (a, b []float64)) func(*memory) accumulator {
	return func(mem *memory) accumulator {
		return &floatSum{arena: arena[number.FloatSum]{mem: mem}, factors: factors}
	}
}

func (*floatSum) words() int { return len(number.ShortSum{}) }

// short returns the words of a sum.
func (p pages) short(ref uint32, at int) *number.ShortSum {
	return (*number.ShortSum)(p.rest(ref, at))
}

// long returns a sum as one that holds whatever is added, and makes it one if need be.
func (f *floatSum) long(sum *number.ShortSum) *number.FloatSum {
	if sum[2] != longMark {
		ref, sums := f.alloc(1)
		sums[0] = number.FloatSum{}
		sum.AddTo(&sums[0])
		*sum = number.ShortSum{0: ref, 2: longMark}
	}
	return &f.from(sum[0])[0]
}

// product returns the terms of x·y: the float64 nearest to it and what this leaves, so that
// none is rounded but those with bits below the least float64. Of what is not finite nothing
// is left.
func product(x, y float64) (nearest, left float64) {
	nearest = x * y
	if left = math.FMA(x, y, -nearest); left-left != 0 {
		left = 0
	}
	return nearest, left
}

// terms returns what is added for each value: floats, and if left is not nil, what is left of
// the exact products that they are the nearest ones to.
func (f *floatSum) terms(arg *columnar.Vector) (nearest, left []float64) {
	a, b := f.factors(arg)
	if b == nil {
		return a, nil
	}
	f.nearest, f.left = grow(f.nearest[:0], arg.Len), grow(f.left[:0], arg.Len)
	for i, x := range a[:arg.Len] {
		f.nearest[i], f.left[i] = product(x, b[i])
	}
	return f.nearest, f.left
}

// wholes returns what is added for each value as whole numbers, as which most are added
// faster; ok is false if one is none, or could be too large to be exact.
func (f *floatSum) wholes(arg *columnar.Vector) (terms []int64, ok bool) {
	a, b := f.factors(arg)
	most := int64(1 << 53)
	if b != nil {
		most = 1 << 26
	}
	f.whole = grow(f.whole[:0], arg.Len)
	for i, x := range a[:arg.Len] {
		n := int64(x)
		if float64(n) != x || n > most || n < -most {
			return nil, false
		}
		f.whole[i] = n
	}
	if b == nil {
		return f.whole, true
	}
	for i, y := range b[:arg.Len] {
		n := int64(y)
		if float64(n) != y || n > most || n < -most {
			return nil, false
		}
		f.whole[i] *= n
	}
	return f.whole, true
}

func (f *floatSum) add(sum *number.ShortSum, x float64) {
	if !sum.Add(x) {
		f.long(sum).Add(x)
	}
}

func (f *floatSum) update(r records, arg *columnar.Vector) {
	if terms, ok := f.wholes(arg); ok {
		f.addWholes(r, arg, terms)
		return
	}
	nearest, left := f.terms(arg)
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		sum := r.pages.short(ref, r.at)
		f.add(sum, nearest[i])
		if left != nil && left[i] != 0 {
			f.add(sum, left[i])
		}
	}
}

func (f *floatSum) addWholes(r records, arg *columnar.Vector, terms []int64) {
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		if sum := r.pages.short(ref, r.at); !sum.AddWhole(terms[i]) {
			f.long(sum).Add(float64(terms[i]))
		}
	}
}

// remove cannot take out what is no finite number: it leaves a trace.
func (f *floatSum) remove(r records, arg *columnar.Vector) bool {
	nearest, left := f.terms(arg)
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		x := nearest[i]
		if x-x != 0 {
			return false
		}
		sum := r.pages.short(ref, r.at)
		f.add(sum, -x)
		if left != nil {
			f.add(sum, -left[i])
		}
	}
	return true
}

func (f *floatSum) merge(r records, states *columnar.Vector) error {
	for i, ref := range r.refs {
		if states.IsNull(i) {
			continue
		}
		sum, state := r.pages.short(ref, r.at), states.Bytes(i)
		var short number.ShortSum
		if short.UnmarshalBinary(state) && sum.AddShort(&short) {
			continue
		}
		var long number.FloatSum
		if err := long.UnmarshalBinary(state); err != nil {
			return fmt.Errorf("comes in a state that cannot be read: %w", err)
		}
		f.long(sum).AddSum(&long)
	}
	return nil
}

func (f *floatSum) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		sum := r.pages.short(ref, r.at)
		switch {
		case sum.Empty():
			out.AppendNull()
			continue
		case sum[2] == longMark:
			f.text, _ = f.long(sum).AppendBinary(f.text[:0])
		default:
			f.text = sum.AppendBinary(f.text[:0])
		}
		out.AppendBytes(f.text)
	}
	return nil
}

func (f *floatSum) single(arg *columnar.Vector, rows int) *columnar.Vector {
	if f.sums.Type == columnar.Invalid {
		f.sums = *columnar.NewVector(columnar.FloatSum)
	}
	f.sums.Reset()
	nearest, left := f.terms(arg)
	for i := range rows {
		if arg.IsNull(i) {
			f.sums.AppendNull()
			continue
		}
		if left == nil || left[i] == 0 {
			f.text = number.AppendSum(f.text[:0], nearest[i])
		} else {
			f.text = appendSumOf(f.text[:0], nearest[i], left[i])
		}
		f.sums.AppendBytes(f.text)
	}
	return &f.sums
}

// appendSumOf appends the encoding of the sum of two floats.
func appendSumOf(dst []byte, x, y float64) []byte {
	var short number.ShortSum
	if short.Add(x) && short.Add(y) {
		return short.AppendBinary(dst)
	}
	var long number.FloatSum
	long.Add(x)
	long.Add(y)
	dst, _ = long.AppendBinary(dst) // which returns no error
	return dst
}

func (*floatSum) size([]uint64) int { return 0 }

// sumOfFloats is the Float nearest to a sum.
func sumOfFloats(g group) (sum float64, any bool, err error) {
	short, sums := g.floatSum(0)
	switch {
	case short.Empty():
		return 0, false, nil
	case short[2] == longMark:
		return sums.long(short).Float64(), true, nil
	}
	return short.Float64(), true, nil
}

// exactSum is sum i of a group, of values that there are, in units of the least float64;
// ok is false for infinities and NaN.
func (g group) exactSum(i int) (n *big.Int, ok bool) {
	short, sums := g.floatSum(i)
	if short[2] == longMark {
		return sums.long(short).Exact()
	}
	var long number.FloatSum
	short.AddTo(&long)
	return long.Exact()
}

func (g group) floatSum(i int) (*number.ShortSum, *floatSum) {
	return g.r.pages.short(g.ref, g.at(i)), g.state.acc[i].(*floatSum)
}
