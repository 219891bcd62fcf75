package expr

import (
	"math"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions that turn lists into other lists, or into other values.
const (
	OpListSort     Op = "list_sort"
	OpListGrade    Op = "list_grade_up"
	OpListDistinct Op = "list_distinct"
	OpListConcat   Op = "list_concat"
	OpListPosition Op = "list_position"
	OpListText     Op = "array_to_string"
	OpListSum      Op = "list_sum"
	OpListCount    Op = "list_count"
	OpRange        Op = "range"
)

func init() { functions.Add(listEditFunctions) }

func listEditFunctions() []function {
	return []function{
		{op: OpListSort, takes: "a list and two bools", types: only(anyList, anyList, columnar.Bool, columnar.Bool), cost: costCase * 2, build: buildListSort},
		{
			op: OpListGrade, takes: "a list and two bools", cost: costCase * 2, build: buildListGrade,
			types: only(columnar.IntList, anyList, columnar.Bool, columnar.Bool),
		},
		{
			op: OpListDistinct, takes: "a list", types: only(anyList, anyList), cost: costCase * 2, build: buildListDistinct,
			doc: registry.Lists.Doc("list_distinct array_distinct", "(list)", "the different items, without NULL",
				"list_sort(list_distinct([1, 1, 2]))", "[1, 2]"),
		},
		{
			op: "list_reverse", takes: "a list", types: only(anyList, anyList), cost: costList,
			build: just(listReverse),
			doc: registry.Lists.Doc("list_reverse array_reverse", "(list)", "the items from last to first",
				"list_reverse([1, 2, 3])", "[3, 2, 1]"),
		},
		{
			op: OpListConcat, takes: "two lists and a bool", types: only(anyList, anyList, anyList, columnar.Bool), cost: costList * 2, canFail: true, seesNulls: true, build: just(listConcat),
		},
		{
			op: OpListPosition, takes: "a list and a value like its items", cost: costList, seesNulls: true, coded: true, build: just(listPosition),
			types: only(columnar.Int, anyList, anyItem),
		},
		{
			op: OpListText, takes: "a list and a text", cost: costCase, canFail: true, build: just(listText),
			types: only(columnar.Text, anyList, columnar.Text),
		},
		{
			op: "flatten", takes: "a list of lists", types: only(anyList, columnar.ListOf(anyList)), cost: costList, build: just(flatten),
			doc: registry.Lists.Doc("flatten", "(list)", "the items of all lists in a list",
				"flatten([[1, 2], NULL, [3]])", "[1, 2, 3]"),
		},
		{
			op: OpListSum, takes: "a list of numbers", cost: costList, canFail: true, build: buildListSum,
			types: []registry.Signature{
				sig(columnar.Int, columnar.IntList), sig(columnar.Wide, columnar.ListOf(columnar.Decimal)),
				sig(columnar.Wide, columnar.ListOf(columnar.Wide)), sig(columnar.Huge, columnar.ListOf(columnar.Huge)), sig(columnar.Float, columnar.FloatList),
			},
		},
		{
			op: OpListCount, takes: "a list", types: only(columnar.Int, anyList), cost: costList, build: just(listCount),
			doc: registry.Lists.Doc("list_count array_count", "(list)", "how many items are not NULL",
				"list_count([1, NULL])", "1"),
		},
		{op: OpRange, takes: "three ints", types: only(columnar.IntList, columnar.Int, columnar.Int, columnar.Int), cost: costCase, canFail: true, build: just(rangeOf)},
	}
}

// itemsOf returns where the items of list i lie in the child of a vector of lists.
func itemsOf(lists *columnar.Vector, i int) (lo, hi int) {
	return int(lists.Offsets[i]), int(lists.Offsets[i+1])
}

// lists are the lists of a vector, which may be coded.
type lists struct {
	*columnar.Vector         // that has them
	places           []int32 // which of them the values are; nil: all in their order
}

func listsOf(v *columnar.Vector) lists {
	if v.Dictionary != nil {
		return lists{v.Dictionary, v.Places}
	}
	return lists{v, nil}
}

// items returns where the items of value i begin and end in the lists' child.
func (l lists) items(i int) (lo, hi int) {
	if l.places != nil {
		i = int(l.places[i])
	}
	return itemsOf(l.Vector, i)
}

func buildListSort(b *build) (kernel, error) {
	return sorting(b, func(out *result, items *columnar.Vector, _, j int) { out.Child.AppendRange(items, j, j+1) }), nil
}

// buildListGrade makes the kernel that gives the positions of the items in their order.
func buildListGrade(b *build) (kernel, error) {
	return sorting(b, func(out *result, _ *columnar.Vector, lo, j int) { out.Child.AppendInt(int64(j-lo) + 1) }), nil
}

// sorting sorts the items of lists, and hands over item j of a list that begins at lo.
//
//go:noinline
func sorting(b *build, take func(out *result, items *columnar.Vector, lo, j int)) kernel {
	var order []int
	compare := comparing(b.args[0].typ.Item())
	return func(out *result, args []*columnar.Vector) error {
		list, items := args[0], args[0].Child
		for i := range out.rows() {
			order = order[:0]
			lo, hi := itemsOf(list, i)
			for j := lo; j < hi; j++ {
				order = append(order, j)
			}
			sortItems(order, items, compare, args[1].Bools[i], args[2].Bools[i])
			for _, j := range order {
				take(out, items, lo, j)
			}
		}
		return nil
	}
}

func sortItems(order []int, items *columnar.Vector, compare comparer, desc, nullsFirst bool) {
	slices.SortStableFunc(order, func(a, b int) int {
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
		return compare(items, a, items, b)
	})
}

func listReverse(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		lo, hi := itemsOf(args[0], i)
		for j := hi - 1; j >= lo; j-- {
			out.Child.AppendRange(args[0].Child, j, j+1)
		}
	}
	return nil
}

// wordOf returns a word that is equal for equal numbers: the two zeros, and all NaNs.
func wordOf(v *columnar.Vector, i int) uint64 {
	if v.Type != columnar.Float {
		return uint64(v.Ints[i])
	}
	return number.FloatBits(v.Floats[i])
}

func buildListDistinct(b *build) (kernel, error) {
	switch b.typ.Item().Kind() {
	case columnar.KindInt64, columnar.KindFloat64:
		return distinctItems(wordOf), nil
	case columnar.KindInt128:
		return distinctItems(func(items *columnar.Vector, j int) number.Int128 { return items.Wides[j] }), nil
	case columnar.KindBool:
		return distinctItems(func(items *columnar.Vector, j int) bool { return items.Bools[j] }), nil
	case columnar.KindList:
		return distinctLists, nil
	}
	return distinctItems(func(items *columnar.Vector, j int) string { return string(items.Bytes(j)) }), nil
}

//go:noinline
func distinctItems[T comparable](item func(items *columnar.Vector, j int) T) kernel {
	seen := make(map[T]bool)
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			clear(seen)
			items := args[0].Child
			for j, hi := itemsOf(args[0], i); j < hi; j++ {
				if items.IsNull(j) {
					continue
				}
				if one := item(items, j); !seen[one] {
					seen[one] = true
					out.Child.AppendRange(items, j, j+1)
				}
			}
		}
		return nil
	}
}

// distinctLists keeps the different ones of lists of lists. Their hashes tell most of them apart.
func distinctLists(out *result, args []*columnar.Vector) error {
	list, items := args[0], args[0].Child
	hashes := columnar.HashRows(nil, []*columnar.Vector{items}, items.Len)
	kept := make(map[uint64][]int)
	for i := range out.rows() {
		clear(kept)
		for j, hi := itemsOf(list, i); j < hi; j++ {
			same := func(k int) bool { return columnar.Same(items, j, items, k) }
			if items.IsNull(j) || slices.ContainsFunc(kept[hashes[j]], same) {
				continue
			}
			kept[hashes[j]] = append(kept[hashes[j]], j)
			out.Child.AppendRange(items, j, j+1)
		}
	}
	return nil
}

func listConcat(out *result, args []*columnar.Vector) error {
	a, b := args[0], args[1]
	for i := range out.Len {
		if !args[2].Bools[i] && (a.IsNull(i) || b.IsNull(i)) {
			out.setNull(i)
		} else {
			out.Child.AppendRange(a.Child, int(a.Offsets[i]), int(a.Offsets[i+1]))
			out.Child.AppendRange(b.Child, int(b.Offsets[i]), int(b.Offsets[i+1]))
		}
		out.end(i)
		if len(out.Child.Data)+8*out.Child.Len > maxMade {
			return ErrMuchText
		}
	}
	return nil
}

func listPosition(out *result, args []*columnar.Vector) error {
	lists, wanted := listsOf(args[0]), args[1]
	valid := out.validity()
	for i := range valid {
		lo, hi := lists.items(i)
		at := lo
		for at < hi && !columnar.Same(lists.Child, at, wanted, i) {
			at++
		}
		valid[i], out.Ints[i] = at < hi && !args[0].IsNull(i), int64(at-lo)+1
	}
	return nil
}

func listText(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		items, between := args[0].Child, args[1].Bytes(i)
		lo, hi := itemsOf(args[0], i)
		first := true
		for j := lo; j < hi; j++ {
			if items.IsNull(j) {
				continue
			}
			if !first {
				out.Data = append(out.Data, between...)
			}
			first = false
			out.Data = items.AppendText(out.Data, j)
			if err := out.fits(0); err != nil {
				return err
			}
		}
		if first && lo < hi {
			out.setNull(i)
		}
	}
	return nil
}

func flatten(out *result, args []*columnar.Vector) error {
	lists := args[0].Child
	for i := range out.rows() {
		for j, hi := itemsOf(args[0], i); j < hi; j++ {
			if !lists.IsNull(j) {
				from, to := itemsOf(lists, j)
				out.Child.AppendRange(lists.Child, from, to)
			}
		}
	}
	return nil
}

func buildListSum(b *build) (kernel, error) {
	if b.typ == columnar.Float {
		return listSumFloats, nil
	}
	whole := b.typ == columnar.Int
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			items, some := args[0].Child, false
			sum, fits := number.Int128{}, true
			for j, hi := itemsOf(args[0], i); j < hi && fits; j++ {
				switch {
				case items.IsNull(j):
					continue
				case b.typ == columnar.Huge:
					sum, fits = number.Add128(sum, items.Wides[j])
				case items.Type.IsWide():
					sum, fits = addWide(sum, items.Wides[j])
				default:
					sum = sum.Add(number.Product(items.Ints[j], 1))
				}
				some = true
			}
			narrow, isNarrow := number.Narrow(sum)
			switch {
			case !fits || whole && !isNarrow:
				return overflow("the sum of a list does not fit " + nameOf(out.Type))
			case !some:
				out.setNull(i)
			case whole:
				out.Ints[i] = narrow
			default:
				out.Wides[i] = sum
			}
		}
		return nil
	}, nil
}

func listSumFloats(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		items, some := args[0].Child, false
		var sum number.FloatSum
		for j, hi := itemsOf(args[0], i); j < hi; j++ {
			if !items.IsNull(j) {
				sum.Add(items.Floats[j])
				some = true
			}
		}
		if out.Floats[i] = sum.Float64(); !some {
			out.setNull(i)
		}
	}
	return nil
}

func listCount(out *result, args []*columnar.Vector) error {
	list := args[0]
	for i := range out.Ints {
		n := int64(0)
		for j := list.Offsets[i]; j < list.Offsets[i+1]; j++ {
			if !list.Child.IsNull(int(j)) {
				n++
			}
		}
		out.Ints[i] = n
	}
	return nil
}

func rangeOf(out *result, args []*columnar.Vector) error {
	v := &out.Vector
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
