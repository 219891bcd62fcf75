package expr

import (
	"bytes"
	"cmp"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The greatest and the least of several values.
const (
	OpGreatest Op = "greatest"
	OpLeast    Op = "least"
)

func init() { functions.Add(extremeFunctions) }

func extremeFunctions() []function {
	return []function{
		extreme(registry.Numbers.Doc("greatest", "(value, …)", "the greatest of the values that are not NULL", "greatest(3, NULL, 7)", "7"), 1),
		extreme(registry.Numbers.Doc("least", "(value, …)", "the least of the values that are not NULL", "least(3, NULL, 7)", "3"), -1),
	}
}

func extreme(doc registry.Doc, sign int) function {
	return function{
		op: Op(doc.Names[0]), doc: doc, takes: "values of one type", types: sameOf(anyItem), many: true, cost: costFixed * 2, seesNulls: true,
		build: func(b *build) (kernel, error) { return extremes(comparing(b.typ), sign), nil },
	}
}

// comparer compares two values of a type, neither of which is null.
type comparer func(a *columnar.Vector, i int, b *columnar.Vector, j int) int

func comparing(t columnar.Type) comparer {
	if t == columnar.Interval {
		return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int {
			return number.IntervalLength(a.Wides[i]).Cmp(number.IntervalLength(b.Wides[j]))
		}
	}
	switch t.Kind() {
	case columnar.KindList:
		return comparingLists(comparing(t.Item()))
	case columnar.KindBool:
		return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int {
			return cmp.Compare(bitOf(a.Bools[i]), bitOf(b.Bools[j]))
		}
	case columnar.KindFloat64:
		return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int {
			return number.CompareFloats(a.Floats[i], b.Floats[j])
		}
	case columnar.KindInt128:
		return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int { return a.Wides[i].Cmp(b.Wides[j]) }
	case columnar.KindBytes:
		return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int {
			return bytes.Compare(a.Bytes(i), b.Bytes(j))
		}
	}
	return func(a *columnar.Vector, i int, b *columnar.Vector, j int) int {
		return cmp.Compare(a.Ints[i], b.Ints[j])
	}
}

// extremes is the kernel that gives the greatest of each row's values, or the least if the
// sign is negative. Of equal values it takes the last.
//
//go:noinline
func extremes(compare comparer, sign int) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.Len {
			var best *columnar.Vector
			for _, a := range args {
				if !a.IsNull(i) && (best == nil || sign*compare(a, i, best, i) >= 0) {
					best = a
				}
			}
			if best == nil {
				out.setNull(i)
			} else {
				out.set(i, best, i)
			}
			out.end(i)
		}
		return nil
	}
}
