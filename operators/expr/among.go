package expr

import (
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// leastSet is the number of literals from which it is quicker to look a value up among them than to compare it with each.
const leastSet = 12

// equalities returns how many of the first arguments of or compare the same value with a literal of its type.
func (c *compiler) equalities(args []*Expr) int {
	of := func(e *Expr) *Value {
		if e.Op != OpEq {
			return nil
		}
		return e.Args[1].Literal()
	}
	first := of(args[0])
	if first == nil {
		return 0
	}
	value, n := c.id(args[0].Args[0]), 1
	for ; n < len(args); n++ {
		if v := of(args[n]); v == nil || v.Type != first.Type || c.id(args[n].Args[0]) != value {
			break
		}
	}
	return n
}

// among compiles equalities of a value with literals, or returns nil if the value has another type than they have.
func (c *compiler) among(e *Expr, equal []*Expr) (node, error) {
	value, err := c.compile(equal[0].Args[0])
	if err != nil || value.typ != equal[0].Args[1].Value.Type {
		return nil, err
	}
	items := columnar.NewVector(value.typ)
	for _, e := range equal {
		e.Args[1].Value.appendTo(items)
	}
	run := amongItems(items, 0, items.Len)
	if run == nil {
		return nil, nil
	}
	return &once{node: newCall(columnar.Bool, run, e, value)}, nil
}

// amongItems is the kernel that looks values up in the set of the items from lo to hi, without nulls; nil if these are of
// a kind of which there are no sets.
func amongItems(items *columnar.Vector, lo, hi int) kernel {
	some := make([]int, 0, hi-lo)
	for i := lo; i < hi; i++ {
		if !items.IsNull(i) {
			some = append(some, i)
		}
	}
	switch kind := items.Type.Kind(); {
	case kind == columnar.KindInt64:
		return amongInts(columnar.Each(some, func(i int) int64 { return items.Ints[i] }))
	case kind == columnar.KindFloat64:
		return amongFloats(columnar.Each(some, func(i int) float64 { return items.Floats[i] }))
	case kind == columnar.KindInt128:
		return amongWides(columnar.Each(some, func(i int) number.Int128 { return items.Wides[i] }))
	case kind == columnar.KindBytes && !items.Type.IsNested():
		return amongTexts(columnar.Each(some, func(i int) string { return string(items.Bytes(i)) }))
	}
	return nil
}

//go:noinline
func amongInts(ints []int64) kernel {
	set, least, most := setOf(ints), int64(math.MaxInt64), int64(math.MinInt64)
	if len(ints) > 0 {
		least, most = slices.Min(ints), slices.Max(ints)
	}
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:len(out.Bools)] {
			has := least <= n && n <= most
			if has {
				_, has = set[n]
			}
			out.Bools[i] = has
		}
		return nil
	}
}

// amongFloats finds -0 where 0 is, and NaN where that is.
//
//go:noinline
func amongFloats(floats []float64) kernel {
	set, nan := setOf(floats), slices.ContainsFunc(floats, math.IsNaN)
	return func(out *result, args []*columnar.Vector) error {
		for i, f := range args[0].Floats[:len(out.Bools)] {
			_, has := set[f]
			out.Bools[i] = has || nan && f != f
		}
		return nil
	}
}

//go:noinline
func amongWides(wides []number.Int128) kernel {
	set := setOf(wides)
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Wides[:len(out.Bools)] {
			_, out.Bools[i] = set[n]
		}
		return nil
	}
}

//go:noinline
func amongTexts(texts []string) kernel {
	set := setOf(texts)
	return func(out *result, args []*columnar.Vector) error {
		v := args[0]
		for i := range out.Bools {
			_, out.Bools[i] = set[string(v.Bytes(i))]
		}
		return nil
	}
}

func setOf[K comparable](items []K) map[K]struct{} {
	set := make(map[K]struct{}, len(items))
	for _, k := range items {
		set[k] = struct{}{}
	}
	return set
}
