package aggregate

import (
	"cmp"
	"fmt"
	"math"
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

func addInt(rec []uint64, n int64) {
	hi := rec[1]
	if hi == 0 {
		hi = signBit
	}
	lo, carry := bits.Add64(rec[0], uint64(n), 0)
	rec[0], rec[1] = lo, hi+uint64(n>>63)+carry
}

func addWide(rec []uint64, n decimal128.Num) {
	hi := rec[1]
	if hi == 0 {
		hi = signBit
	}
	lo, carry := bits.Add64(rec[0], n.LowBits(), 0)
	rec[0], rec[1] = lo, hi+uint64(n.HighBits())+carry
}

func sumOf(words []uint64) (sum number.Sum128, any bool) {
	return number.Sum128{Hi: int64(words[1] ^ signBit), Lo: words[0]}, words[1] != 0
}

func appendSum(words []uint64, out *columnar.Vector) {
	sum, any := sumOf(words)
	if !any {
		out.AppendNull()
		return
	}
	out.AppendWide(decimal128.New(sum.Hi, sum.Lo))
}

func updateSums(t *table, at int, ids []uint32, arg *columnar.Vector) {
	if arg.Valid == nil {
		for i, id := range ids {
			addInt(t.record(id)[at:at+sumWords], arg.Ints[i])
		}
		return
	}
	for i, id := range ids {
		if arg.Valid[i] {
			addInt(t.record(id)[at:at+sumWords], arg.Ints[i])
		}
	}
}

func mergeSums(t *table, at int, ids []uint32, sums *columnar.Vector) {
	for i, id := range ids {
		if !sums.IsNull(i) {
			addWide(t.record(id)[at:at+sumWords], sums.Wides[i])
		}
	}
}

func singleSums(arg *columnar.Vector, rows int, out *columnar.Vector) {
	for i := range rows {
		if arg.IsNull(i) {
			out.AppendNull()
		} else {
			out.AppendWide(decimal128.FromI64(arg.Ints[i]))
		}
	}
}

// sumState sums integers or decimals.
type sumState struct {
	inRecord
	name  string
	value columnar.Type
}

func (*sumState) words() int { return sumWords }

func (*sumState) update(t *table, at int, ids []uint32, arg *columnar.Vector) error {
	updateSums(t, at, ids, arg)
	return nil
}

func (*sumState) merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error {
	mergeSums(t, at, ids, cols[0])
	return nil
}

func (*sumState) appendState(words []uint64, out []*columnar.Vector) { appendSum(words, out[0]) }

func (s *sumState) appendValue(words []uint64, out *columnar.Vector) error {
	if s.value == columnar.Wide {
		appendSum(words, out)
		return nil
	}
	sum, any := sumOf(words)
	switch {
	case !any:
		out.AppendNull()
	case sum.Hi != int64(sum.Lo)>>63:
		return fmt.Errorf("the sum %q does not fit 64 bits; sum a decimal instead", s.name)
	default:
		out.AppendInt(int64(sum.Lo))
	}
	return nil
}

func (*sumState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	singleSums(arg, rows, out[0])
}

// avgState is an exact sum and the count of its values; the mean is one division.
type avgState struct {
	inRecord
	scale int64 // of the argument: 1, or a million for decimals
}

func scaleOf(t columnar.Type) int64 {
	if t == columnar.Decimal {
		return 1_000_000
	}
	return 1
}

func (*avgState) words() int { return sumWords + 1 }

func (*avgState) update(t *table, at int, ids []uint32, arg *columnar.Vector) error {
	updateSums(t, at, ids, arg)
	count := countState{}
	return count.update(t, at+sumWords, ids, arg)
}

func (*avgState) merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error {
	mergeSums(t, at, ids, cols[0])
	count := countState{}
	return count.merge(t, at+sumWords, ids, cols[1:])
}

func (*avgState) appendState(words []uint64, out []*columnar.Vector) {
	appendSum(words, out[0])
	out[1].AppendInt(int64(words[sumWords]))
}

func (a *avgState) appendValue(words []uint64, out *columnar.Vector) error {
	sum, any := sumOf(words)
	if !any {
		out.AppendNull()
		return nil
	}
	out.AppendFloat(sum.Mean(int64(words[sumWords]), a.scale))
	return nil
}

func (*avgState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	singleSums(arg, rows, out[0])
	count := countState{}
	count.single(arg, rows, out[1:])
}

// floatSumState sums floats exactly. The sums are too large for a record: its
// one word is the position of the sum plus one, a second the count of values.
type floatSumState struct {
	name    string
	avg     bool
	sums    []*number.FloatSum
	text    []byte
	allowed int // sums the budget has agreed to
}

// floatSumBytes is about what one sum takes.
const floatSumBytes = 320

func (*floatSumState) words() int { return 2 }

func (f *floatSumState) sum(rec []uint64) *number.FloatSum {
	if rec[0] == 0 {
		f.sums = append(f.sums, new(number.FloatSum))
		rec[0] = uint64(len(f.sums))
	}
	return f.sums[rec[0]-1]
}

func (f *floatSumState) appendSum(out *columnar.Vector, sum *number.FloatSum) {
	text, err := sum.AppendBinary(f.text[:0])
	if err != nil {
		panic(err) // encoding a sum cannot fail
	}
	f.text = text
	out.AppendBytes(text)
}

func (f *floatSumState) update(t *table, at int, ids []uint32, arg *columnar.Vector) error {
	for i, id := range ids {
		if !arg.IsNull(i) {
			rec := t.record(id)[at : at+2]
			f.sum(rec).Add(arg.Floats[i])
			rec[1]++
		}
	}
	return nil
}

func (f *floatSumState) merge(t *table, at int, ids []uint32, cols []*columnar.Vector) error {
	for i, id := range ids {
		if cols[0].IsNull(i) {
			continue
		}
		var part number.FloatSum
		if err := part.UnmarshalBinary(cols[0].Bytes(i)); err != nil {
			return fmt.Errorf("sum %q: %w", f.name, err)
		}
		rec := t.record(id)[at : at+2]
		f.sum(rec).AddSum(&part)
		if f.avg {
			rec[1] += uint64(cols[1].Ints[i])
		}
	}
	return nil
}

func (f *floatSumState) appendState(words []uint64, out []*columnar.Vector) {
	if words[0] == 0 {
		out[0].AppendNull()
	} else {
		f.appendSum(out[0], f.sums[words[0]-1])
	}
	if f.avg {
		out[1].AppendInt(int64(words[1]))
	}
}

func (f *floatSumState) appendValue(words []uint64, out *columnar.Vector) error {
	if words[0] == 0 {
		out.AppendNull()
		return nil
	}
	sum := f.sums[words[0]-1].Float64()
	if f.avg {
		sum /= float64(words[1])
	}
	out.AppendFloat(sum)
	return nil
}

func (f *floatSumState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) {
	for i := range rows {
		count := int64(0)
		if arg.IsNull(i) {
			out[0].AppendNull()
		} else {
			var sum number.FloatSum
			sum.Add(arg.Floats[i])
			f.appendSum(out[0], &sum)
			count = 1
		}
		if f.avg {
			out[1].AppendInt(count)
		}
	}
}

func (f *floatSumState) room(t *table, _ []*columnar.Vector, rows int, force bool) bool {
	missing := len(f.sums) + rows - f.allowed
	if missing <= 0 {
		return true
	}
	if force {
		t.reserved.Grow(int64(missing) * floatSumBytes)
	} else if !t.reserved.TryGrow(int64(missing) * floatSumBytes) {
		return false
	}
	f.allowed += missing
	return true
}

func (f *floatSumState) reset() {
	clear(f.sums)
	f.sums = f.sums[:0]
}

func (f *floatSumState) free() { f.sums, f.allowed = nil, 0 }

// compareFloatWords orders floats by value, with NaN above all.
func compareFloatWords(a, b uint64) int {
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x):
		return 1
	case math.IsNaN(y):
		return -1
	}
	return cmp.Compare(x, y)
}
