package aggregate

import (
	"errors"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Sum is exact: an Int for ints, a Wide for decimals, the Float nearest to the
// sum for floats, and of numbers of 128 bits one of their type.
const Sum Func = "sum"

// ErrLargeSum means that a sum of Ints does not fit one. A sum of the same numbers as Huges does.
var ErrLargeSum = errors.New("does not fit 64 bits; sum HUGEINTs instead")

func init() { functions.Add(sumFunctions) }

func sumFunctions() []function {
	return []function{{
		name: Sum, forms: []form{
			{takes: []columnar.Type{columnar.Int}, gives: columnar.Int, state: []column{sumColumn}, value: narrowSums},
			{takes: []columnar.Type{columnar.Decimal}, gives: columnar.Wide, state: []column{sumColumn}},
			{takes: []columnar.Type{columnar.Float}, gives: columnar.Float, state: []column{floatSumColumn}, value: perGroup(sumOfFloats)},
			wideSums(columnar.Huge), wideSums(columnar.Wide),
		},
	}}
}

var sumColumn = column{"sum", columnar.Wide, func(*memory) accumulator { return &sum{} }}

// The exact sum of integers is 128 bits in two words, the lower first. The
// upper word is kept with its sign bit flipped, which does not affect addition.
// So two zero words stand for the sum of no values, and not for the sum zero.
// The sum cannot overflow: 2^63 values of 2^63 stay below 2^126.
const (
	sumWords = 2
	signBit  = 1 << 63
)

func addWide(rec *[sumWords]uint64, n decimal128.Num) {
	rec[0], rec[1] = added(rec[0], begun(rec[1]), n.LowBits(), uint64(n.HighBits()))
}

// begun prepares the upper word of a sum for its next value: before the first it flips the sign
// bit.
func begun(hi uint64) uint64 {
	if hi == 0 {
		return signBit
	}
	return hi
}

func added(lo, hi, nlo, nhi uint64) (uint64, uint64) {
	lo, carry := bits.Add64(lo, nlo, 0)
	return lo, hi + nhi + carry
}

func sumOf(words *[sumWords]uint64) (sum number.Int128, any bool) {
	return decimal128.New(int64(words[1]^signBit), words[0]), words[1] != 0
}

// sum sums integers or decimals.
type sum struct {
	inRecord
	wide columnar.Vector // states of single rows
}

func (*sum) words() int { return sumWords }

func (*sum) update(r records, arg *columnar.Vector) {
	if !r.inRuns() {
		addEach(r, arg)
		return
	}
	for i := 0; i < len(r.refs); {
		end := r.runEnd(i)
		addRun(r.pages.pair(r.refs[i], r.at), arg, i, end)
		i = end
	}
}

// addEach adds each row to the sum of its group.
func addEach(r records, arg *columnar.Vector) {
	numbers := arg.Ints[:len(r.refs)]
	if page := r.only(); page != nil && arg.Valid == nil {
		for i, n := range numbers {
			at := int(r.refs[i]) + r.at
			lo, hi := &page[at&pageMask], &page[(at+1)&pageMask]
			*lo, *hi = added(*lo, begun(*hi), uint64(n), uint64(n>>63))
		}
		return
	}
	if arg.Valid == nil {
		for i, n := range numbers {
			sum := r.pages.pair(r.refs[i], r.at)
			sum[0], sum[1] = added(sum[0], begun(sum[1]), uint64(n), uint64(n>>63))
		}
		return
	}
	for i, valid := range arg.Valid[:len(numbers)] {
		sum, n := r.pages.pair(r.refs[i], r.at), numbers[i]&-int64(one(valid)) // as in addRun
		if sum[1] == 0 && valid {
			sum[1] = signBit
		}
		sum[0], sum[1] = added(sum[0], sum[1], uint64(n), uint64(n>>63))
	}
}

// addRun adds rows to the sum of their group.
func addRun(sum *[sumWords]uint64, arg *columnar.Vector, i, end int) {
	lo, hi := sum[0], sum[1]
	if arg.Valid == nil {
		hi = begun(hi)
		for _, n := range arg.Ints[i:end] {
			lo, hi = added(lo, hi, uint64(n), uint64(n>>63))
		}
	} else {
		for j, n := range arg.Ints[i:end] { // nobody can predict nulls: zero is added for these
			if hi == 0 && arg.Valid[i+j] {
				hi = signBit
			}
			if !arg.Valid[i+j] {
				n = 0
			}
			lo, hi = added(lo, hi, uint64(n), uint64(n>>63))
		}
	}
	sum[0], sum[1] = lo, hi
}

// remove takes a batch out again.
func (*sum) remove(r records, arg *columnar.Vector) bool {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			rec, n := r.pages.pair(ref, r.at), arg.Ints[i]
			lo, borrow := bits.Sub64(rec[0], uint64(n), 0)
			rec[0], rec[1] = lo, rec[1]-uint64(n>>63)-borrow
		}
	}
	return true
}

func (*sum) merge(r records, states *columnar.Vector) error {
	for i, ref := range r.refs {
		if !states.IsNull(i) {
			addWide(r.pages.pair(ref, r.at), states.Wides[i])
		}
	}
	return nil
}

func (s *sum) appendTo(r records, out *columnar.Vector) error {
	n := len(out.Wides)
	out.Wides = grow(out.Wides, len(r.refs))
	for i, ref := range r.refs {
		sum, any := sumOf(r.pages.pair(ref, r.at))
		if !any {
			out.Wides = out.Wides[:n+i]
			appended(out, i)
			out.AppendNull()
			return s.appendTo(records{pages: r.pages, refs: r.refs[i+1:], at: r.at}, out)
		}
		out.Wides[n+i] = sum
	}
	appended(out, len(r.refs))
	return nil
}

func (s *sum) single(arg *columnar.Vector, rows int) *columnar.Vector {
	s.wide.Type, s.wide.Len, s.wide.Valid = columnar.Wide, rows, arg.Valid
	s.wide.Wides = grow(s.wide.Wides[:0], rows)
	for i, n := range arg.Ints[:rows] {
		s.wide.Wides[i] = decimal128.FromI64(n)
	}
	return &s.wide
}

// partSum is the exact sum of an integer that is made of each value, such as a part of it.
type partSum struct {
	sum
	part  func(parts []int64, arg *columnar.Vector)
	parts columnar.Vector
}

func sumOfParts(name string, part func(parts []int64, arg *columnar.Vector)) column {
	return column{name, columnar.Wide, func(*memory) accumulator { return &partSum{part: part} }}
}

func (p *partSum) update(r records, arg *columnar.Vector) { p.sum.update(r, p.of(arg)) }

func (p *partSum) remove(r records, arg *columnar.Vector) bool { return p.sum.remove(r, p.of(arg)) }

func (p *partSum) single(arg *columnar.Vector, rows int) *columnar.Vector {
	return p.sum.single(p.of(arg), rows)
}

func (p *partSum) of(arg *columnar.Vector) *columnar.Vector {
	p.parts.Type, p.parts.Len, p.parts.Valid = columnar.Int, arg.Len, arg.Valid
	p.parts.Ints = grow(p.parts.Ints[:0], arg.Len)
	p.part(p.parts.Ints, arg)
	return &p.parts
}

// narrowSums appends sums as Ints.
func narrowSums(s *state, r records, out *columnar.Vector) error {
	r = s.column(0, r)
	for _, ref := range r.refs {
		sum, any := sumOf(r.pages.pair(ref, r.at))
		n, fits := number.Narrow(sum)
		switch {
		case !any:
			out.AppendNull()
		case !fits:
			return ErrLargeSum
		default:
			out.AppendInt(n)
		}
	}
	return nil
}
