package aggregate

import (
	"fmt"
	"unsafe"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// floatSumState sums floats exactly, or takes their mean. The sums are too large
// for a record: one of its words is the number of the sum, counted from one, and
// another the count of values.
type floatSumState struct {
	name  string
	avg   bool
	mem   *memory
	slabs [][]number.FloatSum
	used  int // sums

	text   []byte
	sums   columnar.Vector // states of single rows
	counts columnar.Vector
}

const (
	slabSums      = 16
	floatSumBytes = int64(unsafe.Sizeof(number.FloatSum{}))
)

func (*floatSumState) words() int { return 2 }

// sum returns the sum of a group, a new one if it has none.
func (f *floatSumState) sum(rec *[2]uint64) *number.FloatSum {
	if rec[0] == 0 {
		if f.used == len(f.slabs)*slabSums {
			f.mem.claim(slabSums * floatSumBytes)
			f.slabs = append(f.slabs, make([]number.FloatSum, slabSums))
		}
		f.used++
		rec[0] = uint64(f.used)
		*f.at(rec[0]) = number.FloatSum{}
	}
	return f.at(rec[0])
}

func (f *floatSumState) at(number uint64) *number.FloatSum {
	return &f.slabs[(number-1)/slabSums][(number-1)%slabSums]
}

func (f *floatSumState) update(r records, arg *columnar.Vector) error {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			rec := r.pages.pair(ref, r.at)
			f.sum(rec).Add(arg.Floats[i])
			rec[1]++
		}
	}
	return nil
}

func (f *floatSumState) merge(r records, cols []*columnar.Vector) error {
	var part number.FloatSum
	for i, ref := range r.refs {
		if cols[0].IsNull(i) {
			continue
		}
		if err := part.UnmarshalBinary(cols[0].Bytes(i)); err != nil {
			return fmt.Errorf("aggregate: sum %q: %w", f.name, err)
		}
		rec := r.pages.pair(ref, r.at)
		f.sum(rec).AddSum(&part)
		if f.avg {
			rec[1] += uint64(cols[1].Ints[i])
		}
	}
	return nil
}

func (f *floatSumState) appendSum(out *columnar.Vector, sum *number.FloatSum) error {
	text, err := sum.AppendBinary(f.text[:0])
	if err != nil {
		return fmt.Errorf("aggregate: sum %q: %w", f.name, err)
	}
	f.text = text
	out.AppendBytes(text)
	return nil
}

func (f *floatSumState) appendStates(r records, out []*columnar.Vector) error {
	for _, ref := range r.refs {
		rec := r.pages.pair(ref, r.at)
		if rec[0] == 0 {
			out[0].AppendNull()
		} else if err := f.appendSum(out[0], f.at(rec[0])); err != nil {
			return err
		}
		if f.avg {
			out[1].AppendInt(int64(rec[1]))
		}
	}
	return nil
}

func (f *floatSumState) appendValues(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		rec := r.pages.pair(ref, r.at)
		if rec[0] == 0 {
			out.AppendNull()
			continue
		}
		sum := f.at(rec[0]).Float64()
		if f.avg {
			sum /= float64(rec[1])
		}
		out.AppendFloat(sum)
	}
	return nil
}

func (f *floatSumState) single(arg *columnar.Vector, rows int, out []*columnar.Vector) error {
	if f.sums.Type == columnar.Invalid {
		f.sums, f.counts = *columnar.NewVector(columnar.FloatSum), *columnar.NewVector(columnar.Int)
	}
	f.sums.Reset()
	f.counts.Reset()
	for i := range rows {
		if arg.IsNull(i) {
			f.sums.AppendNull()
			f.counts.AppendInt(0)
			continue
		}
		var sum number.FloatSum
		sum.Add(arg.Floats[i])
		if err := f.appendSum(&f.sums, &sum); err != nil {
			return err
		}
		f.counts.AppendInt(1)
	}
	out[0] = &f.sums
	if f.avg {
		out[1] = &f.counts
	}
	return nil
}

func (*floatSumState) size([]uint64) int { return 0 }
func (f *floatSumState) reset()          { f.used = 0 }
func (f *floatSumState) free()           { f.slabs, f.used = nil, 0 }
