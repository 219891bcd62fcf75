package expr

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The functions that make other lists, and what is not a list, of lists.
const (
	OpListSort     Op = "list_sort"
	OpListDistinct Op = "list_distinct"
	OpListReverse  Op = "list_reverse"
	OpListConcat   Op = "list_concat"
	OpListPosition Op = "list_position"
	OpListText     Op = "array_to_string"
	OpListSum      Op = "list_sum"
	OpListCount    Op = "list_count"
	OpListTexts    Op = "texts_of"
	OpListInts     Op = "ints_of"
	OpRange        Op = "range"
)

// ofLists are the signatures of a function that keeps the type of its lists and takes other
// arguments behind them.
func ofLists(lists int, behind ...columnar.Type) []signature {
	return eachSig(func(list columnar.Type) signature {
		return sig(list, append(slices.Repeat([]columnar.Type{list}, lists), behind...)...)
	})
}

var listEditFunctions = []function{
	{
		op: OpListSort, takes: "a list and two bools", types: ofLists(1, columnar.Bool, columnar.Bool), cost: costCase * 2, build: buildListSort,
		help: "the items in order, descending if the second is true, nulls first if the third is", example: Call(OpListSort, Texts("b", "a"), Bool(false), Bool(false)),
	},
	{
		op: OpListDistinct, takes: "a list", types: ofLists(1), cost: costCase * 2, build: buildListDistinct,
		help: "the items that are not null, each where it stands first", example: Call(OpListDistinct, Texts("b", "a", "b")),
	},
	{
		op: OpListReverse, takes: "a list", types: ofLists(1), cost: costList,
		build: just(eachList(func(v, list *columnar.Vector, lo, hi int) {
			for j := hi - 1; j >= lo; j-- {
				v.Child.AppendRange(list.Child, j, j+1)
			}
		})),
		help: "the items from the last to the first", example: Call(OpListReverse, Texts("a", "b")),
	},
	{
		op: OpListConcat, takes: "two lists and a bool", types: ofLists(2, columnar.Bool), cost: costList * 2, canFail: true, seesNulls: true, build: just(listConcat),
		help:    "the items of the second list behind those of the first; where a list is null that is null, or the other list if the third is true",
		example: Call(OpListConcat, Texts("a"), Texts("b"), Bool(false)),
	},
	{
		op: OpListPosition, takes: "a list and a value like its items", cost: costList, seesNulls: true, build: just(listPosition),
		types: withItems(columnar.Int),
		help:  "the position from 1 of the first item that is the other value, or as null as it; null if there is none", example: Call(OpListPosition, Texts("a", "b"), Str("b")),
	},
	{
		op: OpListText, takes: "a list and a text", cost: costCase, canFail: true, build: just(listText),
		types: eachSig(func(list columnar.Type) signature { return sig(columnar.Text, list, columnar.Text) }),
		help:  "the items that are not null as one text, with the other text between them; null if all are null", example: Call(OpListText, Texts("a", "b"), Str("-")),
	},
	{
		op: OpListSum, takes: "a list of numbers", cost: costList, canFail: true, build: buildListSum,
		types: []signature{
			sig(columnar.Int, columnar.IntList), sig(columnar.Wide, columnar.DecimalList),
			sig(columnar.Wide, columnar.WideList), sig(columnar.Float, columnar.FloatList),
		},
		help: "the sum of the items that are not null; null if there are none", example: Call(OpListSum, Call(OpListOf, Int(1), Int(2))),
	},
	{
		op: OpListCount, takes: "a list", types: oneOf(columnar.Int, columnar.Lists()...), cost: costList, build: just(listCount),
		help: "how many items are not null", example: Call(OpListCount, Texts("a", "b")),
	},
	{
		op: OpListTexts, takes: "a list", types: oneOf(columnar.TextList, columnar.Lists()...), cost: costCase, build: just(listTexts),
		help: "the items as texts", example: Call(OpListTexts, Call(OpListOf, Int(1), Int(2))),
	},
	{
		op: OpListInts, takes: "a textlist and a bool", types: []signature{sig(columnar.IntList, columnar.TextList, columnar.Bool)}, cost: costCase, canFail: true, build: buildListInts,
		help: "the items as ints; of what is none an error, or null if the bool is true", example: Call(OpListInts, Null(columnar.TextList), Bool(true)),
	},
	{
		op: OpRange, takes: "three ints", types: []signature{sig(columnar.IntList, columnar.Int, columnar.Int, columnar.Int)}, cost: costCase, canFail: true, build: just(rangeOf),
		help: "the ints from the first on up to before the second, or down, in steps of the third", example: Call(OpRange, Int(0), Null(columnar.Int), Int(1)),
	},
}

// eachList is the kernel of a function from lists to lists that appends the items of one
// that is not null, which are those from lo to hi of its child.
func eachList(one func(v, list *columnar.Vector, lo, hi int)) kernel {
	return func(out *result, args []*columnar.Vector) error {
		v, list := &out.vec, args[0]
		for i := range v.Len {
			if !v.IsNull(i) {
				one(v, list, int(list.Offsets[i]), int(list.Offsets[i+1]))
			}
			v.Offsets[i+1] = int32(v.Child.Len)
		}
		return nil
	}
}

func compareItems(items *columnar.Vector, i, j int) int {
	switch items.Type.Kind() {
	case columnar.KindBytes:
		return bytes.Compare(items.Bytes(i), items.Bytes(j))
	case columnar.KindInt128:
		return items.Wides[i].Cmp(items.Wides[j])
	case columnar.KindBool:
		return bitOf(items.Bools[i]) - bitOf(items.Bools[j])
	case columnar.KindFloat64:
		return cmp.Compare(orderedWord(items, i), orderedWord(items, j))
	}
	return cmp.Compare(items.Ints[i], items.Ints[j])
}

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func buildListSort(*build) (kernel, error) {
	var order []int
	return func(out *result, args []*columnar.Vector) error {
		v, list := &out.vec, args[0]
		items := list.Child
		for i := range v.Len {
			if !v.IsNull(i) {
				order = order[:0]
				for j := int(list.Offsets[i]); j < int(list.Offsets[i+1]); j++ {
					order = append(order, j)
				}
				desc, nullsFirst := args[1].Bools[i], args[2].Bools[i]
				slices.SortFunc(order, func(a, b int) int {
					switch p, q := items.IsNull(a), items.IsNull(b); {
					case p && q:
						return 0
					case p || q:
						if p == nullsFirst {
							return -1
						}
						return 1
					case desc:
						a, b = b, a
					}
					return compareItems(items, a, b)
				})
				for _, j := range order {
					v.Child.AppendRange(items, j, j+1)
				}
			}
			v.Offsets[i+1] = int32(v.Child.Len)
		}
		return nil
	}, nil
}

func buildListDistinct(b *build) (kernel, error) {
	switch b.typ.Item().Kind() {
	case columnar.KindInt64, columnar.KindFloat64:
		return distinctItems(orderedWord), nil
	case columnar.KindInt128:
		return distinctItems(func(items *columnar.Vector, j int) number.Int128 { return items.Wides[j] }), nil
	case columnar.KindBool:
		return distinctItems(func(items *columnar.Vector, j int) bool { return items.Bools[j] }), nil
	}
	return distinctItems(func(items *columnar.Vector, j int) string { return string(items.Bytes(j)) }), nil
}

func distinctItems[T comparable](item func(items *columnar.Vector, j int) T) kernel {
	seen := make(map[T]bool)
	return eachList(func(v, list *columnar.Vector, lo, hi int) {
		clear(seen)
		for j := lo; j < hi; j++ {
			if list.Child.IsNull(j) {
				continue
			}
			if one := item(list.Child, j); !seen[one] {
				seen[one] = true
				v.Child.AppendRange(list.Child, j, j+1)
			}
		}
	})
}

func listConcat(out *result, args []*columnar.Vector) error {
	v := &out.vec
	valid := out.validity()
	for i := range v.Len {
		valid[i] = args[2].Bools[i] || !args[0].IsNull(i) && !args[1].IsNull(i)
		if valid[i] {
			for _, a := range args[:2] {
				v.Child.AppendRange(a.Child, int(a.Offsets[i]), int(a.Offsets[i+1]))
			}
		}
		if len(v.Child.Data)+8*v.Child.Len > maxMade {
			return ErrMuchText
		}
		v.Offsets[i+1] = int32(v.Child.Len)
	}
	return nil
}

func listPosition(out *result, args []*columnar.Vector) error {
	list, wanted := args[0], args[1]
	items := list.Child
	valid := out.validity()
	for i := range valid {
		lo := int(list.Offsets[i])
		at := -1
		for j := lo; at < 0 && !list.IsNull(i) && j < int(list.Offsets[i+1]); j++ {
			if columnar.Same(items, j, wanted, i) {
				at = j - lo
			}
		}
		valid[i], out.vec.Ints[i] = at >= 0, int64(at)+1
	}
	return nil
}

func listText(out *result, args []*columnar.Vector) error {
	v, list, between := &out.vec, args[0], args[1]
	items, before := list.Child, v.Valid
	valid := out.validity()
	for i := range v.Len {
		valid[i] = before == nil || before[i]
		if valid[i] {
			first, lo, hi := true, int(list.Offsets[i]), int(list.Offsets[i+1])
			for j := lo; j < hi; j++ {
				if items.IsNull(j) {
					continue
				}
				if !first {
					v.Data = append(v.Data, between.Bytes(i)...)
				}
				first = false
				v.Data = items.AppendText(v.Data, j)
				if err := out.fits(0); err != nil {
					return err
				}
			}
			valid[i] = !first || lo == hi
		}
		v.Offsets[i+1] = int32(len(v.Data))
	}
	return nil
}

func buildListSum(b *build) (kernel, error) {
	add, value := (*itemSum).addInt, func(v *columnar.Vector, i int, s *itemSum) { v.Ints[i], _ = number.Narrow(s.whole) }
	switch b.args[0].typ {
	case columnar.FloatList:
		add, value = (*itemSum).addFloat, func(v *columnar.Vector, i int, s *itemSum) { v.Floats[i] = s.float.Float64() }
	case columnar.WideList:
		add, value = (*itemSum).addWide, func(v *columnar.Vector, i int, s *itemSum) { v.Wides[i] = s.whole }
	case columnar.DecimalList:
		value = func(v *columnar.Vector, i int, s *itemSum) { v.Wides[i] = s.whole }
	}
	e, whole, floats := b.expr, b.typ == columnar.Int, b.typ == columnar.Float
	return func(out *result, args []*columnar.Vector) error {
		list, items, before := args[0], args[0].Child, out.vec.Valid
		valid := out.validity()
		var sum itemSum
		for i := range valid {
			some := false
			if sum.whole = (number.Int128{}); floats {
				sum.float = number.FloatSum{}
			}
			for j := int(list.Offsets[i]); j < int(list.Offsets[i+1]) && (before == nil || before[i]); j++ {
				if !items.IsNull(j) {
					add(&sum, items, j)
					some = true
				}
			}
			if _, fits := number.Narrow(sum.whole); sum.over || whole && !fits {
				return overflow(e, "the sum of a list does not fit "+b.typ.String())
			}
			if valid[i] = some; some {
				value(&out.vec, i, &sum)
			}
		}
		return nil
	}, nil
}

// itemSum is an exact sum of items; what is over has more digits than a Wide.
type itemSum struct {
	whole number.Int128
	float number.FloatSum
	over  bool
}

func (s *itemSum) addInt(items *columnar.Vector, j int) {
	s.whole = s.whole.Add(number.Product(items.Ints[j], 1))
}

func (s *itemSum) addFloat(items *columnar.Vector, j int) { s.float.Add(items.Floats[j]) }

func (s *itemSum) addWide(items *columnar.Vector, j int) {
	sum, fits := addWide(s.whole, items.Wides[j])
	s.whole, s.over = sum, s.over || !fits
}

func listCount(out *result, args []*columnar.Vector) error {
	list := args[0]
	for i := range out.vec.Len {
		n := int64(0)
		for j := list.Offsets[i]; j < list.Offsets[i+1]; j++ {
			if !list.Child.IsNull(int(j)) {
				n++
			}
		}
		out.vec.Ints[i] = n
	}
	return nil
}

func listTexts(out *result, args []*columnar.Vector) error {
	var text []byte
	return eachList(func(v, list *columnar.Vector, lo, hi int) {
		for j := lo; j < hi; j++ {
			if list.Child.IsNull(j) {
				v.Child.AppendNull()
				continue
			}
			text = list.Child.AppendText(text[:0], j)
			v.Child.AppendBytes(text)
		}
	})(out, args)
}

func buildListInts(b *build) (kernel, error) {
	e := b.expr
	return func(out *result, args []*columnar.Vector) error {
		v, list := &out.vec, args[0]
		for i := range v.Len {
			for j := list.Offsets[i]; j < list.Offsets[i+1] && !v.IsNull(i); j++ {
				if list.Child.IsNull(int(j)) {
					v.Child.AppendNull()
					continue
				}
				text := list.Child.Bytes(int(j))
				switch n, ok := intOf(text); {
				case ok:
					v.Child.AppendInt(n)
				case args[1].Bools[i]:
					v.Child.AppendNull()
				default:
					return fmt.Errorf("evaluate %s: the text %q is no %s: %w", e.brief(), brief(text), columnar.Int, ErrCast)
				}
			}
			v.Offsets[i+1] = int32(v.Child.Len)
		}
		return nil
	}, nil
}

func rangeOf(out *result, args []*columnar.Vector) error {
	v := &out.vec
	for i := range v.Len {
		if !v.IsNull(i) {
			first, end, step := args[0].Ints[i], args[1].Ints[i], args[2].Ints[i]
			if step == 0 { // there is no end
				return ErrMuchText
			}
			for n := first; step > 0 && n < end || step < 0 && n > end; n += step {
				if v.Child.Len > maxMade/8 {
					return ErrMuchText
				}
				v.Child.AppendInt(n)
				if step > 0 && n > math.MaxInt64-step || step < 0 && n < math.MinInt64-step {
					break
				}
			}
		}
		v.Offsets[i+1] = int32(v.Child.Len)
	}
	return nil
}
