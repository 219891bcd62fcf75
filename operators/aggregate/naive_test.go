package aggregate_test

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/operators/aggregate"
)

// naive aggregates with a map of row numbers, each aggregate by itself, and
// returns the answer as lines.
func naive(schema columnar.Schema, rows columnar.Rows, keys []string, aggs []aggregate.Agg) []string {
	groups := make(map[string][]int)
	for i := range rows.Len {
		key := naiveKey(schema, rows, keys, i)
		groups[key] = append(groups[key], i)
	}
	if len(keys) == 0 && rows.Len == 0 {
		groups[""] = nil
	}
	var lines []string
	for key, group := range groups {
		out := columnar.Rows{Len: 1}
		for _, a := range aggs {
			var arg *columnar.Vector
			if len(a.Args) > 0 {
				arg = column(schema, rows, a.Args[0])
			}
			out.Cols = append(out.Cols, naiveAggregate(a, arg, group))
		}
		if len(keys) > 0 && len(aggs) > 0 {
			key += "|"
		}
		lines = append(lines, key+rowtest.Line(out, 0))
	}
	return lines
}

func column(schema columnar.Schema, rows columnar.Rows, name string) *columnar.Vector {
	if name == "" {
		return nil
	}
	return rows.Cols[schema.Index(name)]
}

// naiveKey writes a row's key as the answer does: floats of one group are written as the same
// float.
func naiveKey(schema columnar.Schema, rows columnar.Rows, keys []string, i int) string {
	parts := make([]string, len(keys))
	for c, k := range keys {
		v := column(schema, rows, k)
		if v.Type == columnar.Float && !v.IsNull(i) {
			canonical := columnar.NewVector(columnar.Float)
			canonical.AppendFloat(v.Floats[i] + 0)
			if math.IsNaN(v.Floats[i]) {
				canonical.Floats[0] = math.NaN()
			}
			parts[c] = rowtest.Value(canonical, 0)
			continue
		}
		parts[c] = rowtest.Value(v, i)
	}
	return strings.Join(parts, "|")
}

func naiveAggregate(a aggregate.Agg, v *columnar.Vector, group []int) *columnar.Vector {
	var some []int // rows whose argument is not null
	for _, i := range group {
		if v == nil || !v.IsNull(i) {
			some = append(some, i)
		}
	}
	switch a.Func {
	case aggregate.Count:
		return integer(int64(len(some)))
	case aggregate.CountIf:
		n := int64(0)
		for _, i := range some {
			if v.Bools[i] {
				n++
			}
		}
		return integer(n)
	case aggregate.List:
		out := columnar.NewVector(columnar.IntList)
		for _, i := range some {
			out.Child.AppendInt(v.Ints[i])
		}
		slices.Sort(out.Child.Ints)
		out.EndList()
		return out
	}
	if len(some) == 0 {
		out := columnar.NewVector(columnar.Int)
		out.AppendNull()
		return out
	}
	switch {
	case v.Type == columnar.Text:
		return naiveText(a, v, some)
	case a.Func == aggregate.QuantileCont || a.Func == aggregate.QuantileDisc || a.Func == aggregate.Mode:
		return naiveOrdered(a, v, some)
	}
	if bits := naiveBits(a, v, some); bits != nil {
		return bits
	}
	return naiveNumber(a, v, some)
}

// naiveBits counts how often each bit is set; nil if the aggregate does not depend on that.
func naiveBits(a aggregate.Agg, v *columnar.Vector, some []int) *columnar.Vector {
	keep := map[aggregate.Func]func(times int) bool{
		"bit_and": func(times int) bool { return times == len(some) },
		"bit_or":  func(times int) bool { return times > 0 },
		"bit_xor": func(times int) bool { return times%2 == 1 },
	}[a.Func]
	if keep == nil {
		return nil
	}
	n := int64(0)
	for bit := range 64 {
		times := 0
		for _, i := range some {
			times += int(uint64(v.Ints[i]) >> bit & 1)
		}
		if keep(times) {
			n |= 1 << bit
		}
	}
	return integer(n)
}

func naiveText(a aggregate.Agg, v *columnar.Vector, some []int) *columnar.Vector {
	var texts []string
	for _, i := range some {
		texts = append(texts, string(v.Bytes(i)))
	}
	slices.Sort(texts)
	out := columnar.NewVector(columnar.Text)
	switch a.Func {
	case aggregate.Min:
		out.AppendBytes([]byte(texts[0]))
	case aggregate.Max:
		out.AppendBytes([]byte(texts[len(texts)-1]))
	default:
		out.AppendBytes([]byte(strings.Join(texts, a.Param)))
	}
	return out
}

func naiveOrdered(a aggregate.Agg, v *columnar.Vector, some []int) *columnar.Vector {
	q := 0.5
	if a.Param != "" {
		q, _ = strconv.ParseFloat(a.Param, 64)
	}
	if v.Type == columnar.Float {
		var all []float64
		for _, i := range some {
			all = append(all, v.Floats[i])
		}
		slices.Sort(all)
		at := float64(len(all)-1) * q
		low, high := all[int(at)], all[int(math.Ceil(at))]
		return float(low + (high-low)*(at-math.Floor(at)))
	}
	var all []int64
	times := make(map[int64]int)
	for _, i := range some {
		all = append(all, v.Ints[i])
		times[v.Ints[i]]++
	}
	slices.Sort(all)
	switch a.Func {
	case aggregate.QuantileCont:
		at := float64(len(all)-1) * q
		low, high := float64(all[int(at)]), float64(all[int(math.Ceil(at))])
		return float(low + (high-low)*(at-math.Floor(at)))
	case aggregate.QuantileDisc:
		return integer(all[max(1, int(math.Ceil(float64(len(all))*q-1e-9)))-1])
	}
	best := all[0]
	for _, n := range all {
		if times[n] > times[best] {
			best = n
		}
	}
	return integer(best)
}

func integer(n int64) *columnar.Vector {
	out := columnar.NewVector(columnar.Int)
	out.AppendInt(n)
	return out
}

func float(f float64) *columnar.Vector {
	out := columnar.NewVector(columnar.Float)
	out.AppendFloat(f)
	return out
}

func naiveNumber(a aggregate.Agg, v *columnar.Vector, some []int) *columnar.Vector {
	sum, scale := exactSum(v, some)
	switch {
	case a.Func == aggregate.Avg && v.Type == columnar.Float:
		return float(ratFloat(sum) / float64(len(some)))
	case a.Func == aggregate.Avg:
		return float(ratFloat(new(big.Rat).Quo(sum, new(big.Rat).SetInt64(scale*int64(len(some))))))
	case a.Func == aggregate.Sum && v.Type == columnar.Float:
		return float(ratFloat(sum))
	case a.Func == aggregate.Sum && v.Type == columnar.Decimal:
		out := columnar.NewVector(columnar.Wide)
		out.AppendWide(decimal128.FromBigInt(sum.Num()))
		return out
	case a.Func == aggregate.Sum:
		return integer(sum.Num().Int64())
	}
	sign := 1
	if a.Func == aggregate.Max {
		sign = -1
	}
	if v.Type == columnar.Float {
		best := v.Floats[some[0]]
		for _, i := range some {
			if float64(sign)*v.Floats[i] < float64(sign)*best {
				best = v.Floats[i]
			}
		}
		return float(best)
	}
	best := v.Ints[some[0]]
	for _, i := range some {
		if sign > 0 && v.Ints[i] < best || sign < 0 && v.Ints[i] > best {
			best = v.Ints[i]
		}
	}
	return integer(best)
}

// exactSum sums values as fractions; scale is how many parts make one.
func exactSum(v *columnar.Vector, some []int) (sum *big.Rat, scale int64) {
	sum, scale = new(big.Rat), 1
	for _, i := range some {
		if v.Type == columnar.Float {
			sum.Add(sum, new(big.Rat).SetFloat64(v.Floats[i]))
		} else {
			sum.Add(sum, new(big.Rat).SetInt64(v.Ints[i]))
		}
	}
	if v.Type == columnar.Decimal {
		scale = 1_000_000
	}
	return sum, scale
}

func ratFloat(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
