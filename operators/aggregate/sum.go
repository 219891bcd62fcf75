package aggregate

import (
	"fmt"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// An exact sum of integers is 128 bits in two words, the lower first. The upper
// is kept with its sign bit flipped, which addition does not mind, so that two
// zero words stand for the sum of no values and not for the sum zero. It cannot
// overflow: 2^63 values of 2^63 stay below 2^126.
const (
	sumWords = 2
	signBit  = 1 << 63
)

func addInt(rec *[sumWords]uint64, n int64) {
	rec[0], rec[1] = added(rec[0], begun(rec[1]), uint64(n), uint64(n>>63))
}

func addWide(rec *[sumWords]uint64, n decimal128.Num) {
	rec[0], rec[1] = added(rec[0], begun(rec[1]), n.LowBits(), uint64(n.HighBits()))
}

// begun returns the upper word of a sum that will have a value.
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

func updateSums(r records, arg *columnar.Vector) {
	if arg.Valid != nil {
		for i, ref := range r.refs {
			if arg.Valid[i] {
				addInt(r.pages.pair(ref, r.at), arg.Ints[i])
			}
		}
		return
	}
	for i := 0; i < len(r.refs); {
		end := runEnd(r.refs, i)
		sum := r.pages.pair(r.refs[i], r.at)
		lo, hi := sum[0], begun(sum[1])
		for _, n := range arg.Ints[i:end] {
			lo, hi = added(lo, hi, uint64(n), uint64(n>>63))
		}
		sum[0], sum[1] = lo, hi
		i = end
	}
}

func mergeSums(r records, sums *columnar.Vector) {
	for i, ref := range r.refs {
		if !sums.IsNull(i) {
			addWide(r.pages.pair(ref, r.at), sums.Wides[i])
		}
	}
}

func appendSums(r records, out *columnar.Vector) {
	n := len(out.Wides)
	out.Wides = grow(out.Wides, len(r.refs))
	for i, ref := range r.refs {
		sum, any := sumOf(r.pages.pair(ref, r.at))
		if !any {
			out.Wides = out.Wides[:n+i]
			appended(out, i)
			out.AppendNull()
			appendSums(records{r.pages, r.refs[i+1:], r.at}, out)
			return
		}
		out.Wides[n+i] = sum
	}
	appended(out, len(r.refs))
}

// widened returns integers as Wide in into's memory.
func widened(into, arg *columnar.Vector, rows int) *columnar.Vector {
	into.Type, into.Len, into.Valid = columnar.Wide, rows, arg.Valid
	into.Wides = grow(into.Wides[:0], rows)
	for i, n := range arg.Ints[:rows] {
		into.Wides[i] = decimal128.FromI64(n)
	}
	return into
}

// sumState sums integers or decimals.
type sumState struct {
	inRecord
	name   string
	narrow bool // the sum is to be an Int
	wide   columnar.Vector
}

func (*sumState) words() int { return sumWords }

func (*sumState) update(r records, arg *columnar.Vector) error {
	updateSums(r, arg)
	return nil
}

func (*sumState) merge(r records, cols []*columnar.Vector) error {
	mergeSums(r, cols[0])
	return nil
}

func (*sumState) appendStates(r records, out []*columnar.Vector) error {
	appendSums(r, out[0])
	return nil
}

func (s *sumState) appendValues(r records, out *columnar.Vector) error {
	if !s.narrow {
		appendSums(r, out)
		return nil
	}
	for _, ref := range r.refs {
		sum, any := sumOf(r.pages.pair(ref, r.at))
		n, fits := number.Narrow(sum)
		switch {
		case !any:
			out.AppendNull()
		case !fits:
			return fmt.Errorf("the sum %q does not fit 64 bits; sum a decimal instead", s.name)
		default:
			out.AppendInt(n)
		}
	}
	return nil
}

func (s *sumState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) error {
	out[0] = widened(&s.wide, arg, rows)
	return nil
}

// avgState is an exact sum and the count of its values; the mean is one division.
type avgState struct {
	inRecord
	scale int64 // of the argument: 1, or a million for decimals
	count countState
	wide  columnar.Vector
}

func scaleOf(t columnar.Type) int64 {
	if t == columnar.Decimal {
		return number.One
	}
	return 1
}

func (*avgState) words() int { return sumWords + 1 }

// counts returns the words of the count.
func (*avgState) counts(r records) records {
	r.at += sumWords
	return r
}

func (a *avgState) update(r records, arg *columnar.Vector) error {
	updateSums(r, arg)
	return a.count.update(a.counts(r), arg)
}

func (a *avgState) merge(r records, cols []*columnar.Vector) error {
	mergeSums(r, cols[0])
	return a.count.merge(a.counts(r), cols[1:])
}

func (a *avgState) appendStates(r records, out []*columnar.Vector) error {
	appendSums(r, out[0])
	return a.count.appendStates(a.counts(r), out[1:])
}

func (a *avgState) appendValues(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if sum, any := sumOf(r.pages.pair(ref, r.at)); any {
			out.AppendFloat(number.Mean(sum, int64(*r.pages.word(ref, r.at+sumWords)), a.scale))
		} else {
			out.AppendNull()
		}
	}
	return nil
}

func (a *avgState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) error {
	out[0] = widened(&a.wide, arg, rows)
	return a.count.single(arg, rows, out[1:])
}
