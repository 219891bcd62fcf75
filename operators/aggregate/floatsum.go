package aggregate

import (
	"fmt"
	"math"
	"math/big"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

var floatSumColumn = column{"sum", columnar.FloatSum, newFloatSum(func(arg *columnar.Vector) (a, b []float64) { return arg.Floats, nil })}

// floatSum sums floats, or products of them, exactly. Its words are a number.ShortSum, or, if
// that cannot hold the sum, longMark and a reference to a number.FloatSum.
type floatSum struct {
	arena[number.FloatSum]
	// factors returns the terms of an argument: a·b, or just a if b is nil.
	factors func(arg *columnar.Vector) (a, b []float64)

	whole []int64   // terms of a batch that are whole numbers
	run   []float64 // values of a batch that are not null
	text  []byte
	sums  columnar.Vector // states of single rows
}

// longMark in the upper word of a ShortSum, where no sum has it, says that the lowest word is a
// reference.
const longMark = 1

func newFloatSum(factors func(arg *columnar.Vector) (a, b []float64)) func(*memory) accumulator {
	return func(mem *memory) accumulator {
		return &floatSum{arena: arena[number.FloatSum]{mem: mem}, factors: factors}
	}
}

func (*floatSum) words() int { return len(number.ShortSum{}) }

// short returns the words of a sum as a ShortSum.
func (p pages) short(ref uint32, at int) *number.ShortSum {
	return (*number.ShortSum)(p.rest(ref, at))
}

// long returns a sum as a FloatSum, which can hold any sum. It converts a short one first.
func (f *floatSum) long(sum *number.ShortSum) *number.FloatSum {
	if sum[2] != longMark {
		ref, sums := f.alloc(1)
		sums[0] = number.FloatSum{}
		sum.AddTo(&sums[0])
		*sum = number.ShortSum{0: ref, 2: longMark}
	}
	return &f.from(sum[0])[0]
}

// product returns x·y as two terms: the nearest float64 and the remainder. Together they are
// exact, except for bits below the least float64. If the product is not finite, the remainder
// is 0.
func product(x, y float64) (nearest, left float64) {
	nearest = x * y
	if left = math.FMA(x, y, -nearest); left-left != 0 {
		left = 0
	}
	return nearest, left
}

// wholes returns the terms of all values as whole numbers, which can be added faster. ok is
// false if one is not whole, or so large that it might not be exact.
func (f *floatSum) wholes(a, b []float64) (terms []int64, ok bool) {
	most := int64(1 << 53)
	if b != nil {
		most = 1 << 26
	}
	f.whole = grow(f.whole[:0], len(a))
	for i, x := range a {
		n, ok := wholeOf(x, most)
		if !ok {
			return nil, false
		}
		f.whole[i] = n
	}
	for i, y := range b {
		n, ok := wholeOf(y, most)
		if !ok {
			return nil, false
		}
		f.whole[i] *= n
	}
	return f.whole, true
}

func wholeOf(x float64, most int64) (n int64, ok bool) {
	if n = int64(x); float64(n) != x || n > most || n < -most {
		return 0, false
	}
	return n, true
}

func (f *floatSum) add(sum *number.ShortSum, x float64) {
	if !sum.Add(x) {
		f.long(sum).Add(x)
	}
}

// addProduct adds x·y. It is exact, except for bits below the least float64.
func (f *floatSum) addProduct(sum *number.ShortSum, x, y float64) {
	if sum.AddProduct(x, y) {
		return
	}
	nearest, left := product(x, y)
	f.add(sum, nearest)
	f.add(sum, left)
}

func (f *floatSum) update(r records, arg *columnar.Vector) {
	a, b := f.factors(arg)
	if b == nil && r.oneGroup() {
		f.addRun(r.pages.short(r.refs[0], r.at), a[:len(r.refs)], arg.Valid)
		return
	}
	if terms, ok := f.wholes(a, b); ok {
		f.addWholes(r, arg, terms)
		return
	}
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		if sum := r.pages.short(ref, r.at); b != nil {
			f.addProduct(sum, a[i], b[i])
		} else {
			f.add(sum, a[i])
		}
	}
}

// addRun adds all values that are not null to one sum.
func (f *floatSum) addRun(sum *number.ShortSum, values []float64, valid []bool) {
	if valid != nil {
		f.run = f.run[:0]
		for i, x := range values {
			if valid[i] {
				f.run = append(f.run, x)
			}
		}
		values = f.run
	}
	for len(values) > 0 {
		run := values[:min(len(values), number.MostInRun)]
		values = values[len(run):]
		if high, low, ok := number.SumRun(run); ok {
			f.add(sum, high)
			f.add(sum, low)
			continue
		}
		for _, x := range run {
			f.add(sum, x)
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

// remove reports false for values that are not finite: these cannot be taken out of a sum.
func (f *floatSum) remove(r records, arg *columnar.Vector) bool {
	a, b := f.factors(arg)
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		x, y := a[i], 1.
		if b != nil {
			y = b[i]
		}
		if p := float64(x * y); p-p != 0 {
			return false
		}
		f.addProduct(r.pages.short(ref, r.at), -x, y)
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
	a, b := f.factors(arg)
	for i := range rows {
		switch {
		case arg.IsNull(i):
			f.sums.AppendNull()
			continue
		case b == nil:
			f.text = number.AppendSum(f.text[:0], a[i])
		default:
			f.text = appendProduct(f.text[:0], a[i], b[i])
		}
		f.sums.AppendBytes(f.text)
	}
	return &f.sums
}

// appendProduct appends the encoding of the sum of a product.
func appendProduct(dst []byte, x, y float64) []byte {
	var short number.ShortSum
	if short.AddProduct(x, y) {
		return short.AppendBinary(dst)
	}
	var long number.FloatSum
	nearest, left := product(x, y)
	long.Add(nearest)
	long.Add(left)
	dst, _ = long.AppendBinary(dst) // never returns an error
	return dst
}

func (*floatSum) size([]uint64) int { return 0 }

// sumOfFloats returns the Float nearest to a sum.
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

// exactSum returns sum i of a group that has values, in units of the least float64. ok is false
// for infinities and NaN.
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
