package expr

import (
	"slices"

	"analyzer/columnar"
)

// leastSet is the number of literals from which it is quicker to look a value up among them than to compare it with each.
const leastSet = 12

// equalities returns how many of the first arguments of or compare the same value, an integer or a text, with a literal of
// its type.
func (c *compiler) equalities(args []*Expr) int {
	of := func(e *Expr) *Value {
		if e.Op != OpEq {
			return nil
		}
		return e.Args[1].Literal()
	}
	first := of(args[0])
	if first == nil || first.Type != columnar.Text && first.Type.Kind() != columnar.KindInt64 {
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
	var run kernel
	if value.typ == columnar.Text {
		run = amongTexts(columnar.Each(equal, func(e *Expr) string { return e.Args[1].Value.Text }))
	} else {
		run = amongInts(columnar.Each(equal, func(e *Expr) int64 { return e.Args[1].Value.Int }))
	}
	return &once{node: newCall(columnar.Bool, run, e, value)}, nil
}

//go:noinline
func amongInts(ints []int64) kernel {
	set, least, most := make(map[int64]struct{}, len(ints)), slices.Min(ints), slices.Max(ints)
	for _, n := range ints {
		set[n] = struct{}{}
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

//go:noinline
func amongTexts(texts []string) kernel {
	set := columnar.SetOf(texts)
	return func(out *result, args []*columnar.Vector) error {
		v := args[0]
		for i := range out.Bools {
			out.Bools[i] = set[string(v.Bytes(i))]
		}
		return nil
	}
}
