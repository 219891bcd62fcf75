package expr

import "analyzer/columnar"

// The functions of lists.
const (
	OpListContains    Op = "list_contains"
	OpListContainsAll Op = "list_contains_all"
	OpLen             Op = "len"
	OpElement         Op = "element"
)

// ListContains is true where an item of the list equals item: a Text in a
// TextList or an Int in an IntList. Null items of the list equal nothing.
func ListContains(list, item *Expr) *Expr { return Call(OpListContains, list, item) }

// ListContainsAll is true where every item of the TextList items is in the
// TextList list. Null items are not looked for.
func ListContainsAll(list, items *Expr) *Expr { return Call(OpListContainsAll, list, items) }

// Len is the number of items in a list, as an Int.
func Len(list *Expr) *Expr { return Call(OpLen, list) }

// Element is item i of a list, counted from 1, and null where there is none.
func Element(list, i *Expr) *Expr { return Call(OpElement, list, i) }

var listFunctions = []function{
	{
		op: OpListContains, takes: "a textlist and a text, or an intlist and an int",
		types: []signature{
			sig(columnar.Bool, columnar.TextList, columnar.Text),
			sig(columnar.Bool, columnar.IntList, columnar.Int),
		},
		cost: costList, build: buildListContains,
		help: "whether an item of the list equals the other value", example: ListContains(Texts("a", "b"), Str("b")),
	},
	{
		op: OpListContainsAll, takes: "two textlists",
		types: []signature{sig(columnar.Bool, columnar.TextList, columnar.TextList)},
		cost:  costList, build: buildListContainsAll,
		help: "whether the first list has all items of the second", example: ListContainsAll(Texts("a", "b"), Texts("b", "c")),
	},
	{
		op: OpLen, takes: "a list", types: oneOf(columnar.Int, columnar.TextList, columnar.IntList),
		cost: costFixed, build: just(length),
		help: "how many items the list has", example: Len(Texts("a", "b")),
	},
	{
		op: OpElement, takes: "a list and an int",
		types: []signature{
			sig(columnar.Text, columnar.TextList, columnar.Int),
			sig(columnar.Int, columnar.IntList, columnar.Int),
		},
		cost: costList, build: just(element),
		help: "the item at a position from 1; null if there is none", example: Element(Texts("a", "b"), Int(2)),
	},
}

// buildListContains makes a loop of its own if the item is a literal, and a set
// if the list is one.
func buildListContains(b *build) (kernel, error) {
	list, item := b.literal(0), b.literal(1)
	switch {
	case b.args[0].typ == columnar.IntList:
		return predicate(func(a, b *columnar.Vector, i int) bool {
			return hasInt(a.Child, a.Offsets[i], a.Offsets[i+1], b.Ints[i])
		}), nil
	case item != nil:
		b.keep(0)
		return listHasAll([]string{item.Text}), nil
	case list != nil:
		b.keep(1)
		set := make(map[string]bool, len(list.Texts))
		for _, t := range list.Texts {
			set[t] = true
		}
		return predicate(func(a, _ *columnar.Vector, i int) bool { return set[string(a.Bytes(i))] }), nil
	}
	return predicate(func(a, b *columnar.Vector, i int) bool {
		return hasText(a.Child, a.Offsets[i], a.Offsets[i+1], b.Bytes(i))
	}), nil
}

func buildListContainsAll(b *build) (kernel, error) {
	if items := b.literal(1); items != nil {
		b.keep(0)
		return listHasAll(items.Texts), nil
	}
	return predicate(func(a, b *columnar.Vector, i int) bool {
		for j := b.Offsets[i]; j < b.Offsets[i+1]; j++ {
			if !b.Child.IsNull(int(j)) && !hasText(a.Child, a.Offsets[i], a.Offsets[i+1], b.Child.Bytes(int(j))) {
				return false
			}
		}
		return true
	}), nil
}

// listHasAll looks for all of some literals in lists.
//
//go:noinline
func listHasAll(items []string) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a := args[0]
		for i := range out.vec.Bools {
			lo, hi := a.Offsets[i], a.Offsets[i+1]
			has := true
			for _, item := range items {
				if has = hasText(a.Child, lo, hi, item); !has {
					break
				}
			}
			out.vec.Bools[i] = has
		}
		return nil
	}
}

// hasText reports whether one of the texts from lo to hi is the given one. Most
// differ in length already.
func hasText[T string | []byte](texts *columnar.Vector, lo, hi int32, text T) bool {
	if lo == hi {
		return false
	}
	data, start := texts.Data, texts.Offsets[lo]
	for j, end := range texts.Offsets[lo+1 : hi+1] {
		if int(end-start) == len(text) && string(data[start:end]) == string(text) && !texts.IsNull(int(lo)+j) {
			return true
		}
		start = end
	}
	return false
}

func hasInt(ints *columnar.Vector, lo, hi int32, n int64) bool {
	for j, item := range ints.Ints[lo:hi] {
		if item == n && !ints.IsNull(int(lo)+j) {
			return true
		}
	}
	return false
}

func length(out *result, args []*columnar.Vector) error {
	offsets := args[0].Offsets
	lo := offsets[0]
	for i, hi := range offsets[1 : out.vec.Len+1] {
		out.vec.Ints[i] = int64(hi - lo)
		lo = hi
	}
	return nil
}

func element(out *result, args []*columnar.Vector) error {
	lists, items, index := args[0], args[0].Child, args[1].Ints
	before := out.vec.Valid
	valid := out.validity()
	for i := range valid {
		lo, hi, k := lists.Offsets[i], lists.Offsets[i+1], index[i]
		at := int(lo) + int(k) - 1
		valid[i] = k >= 1 && k <= int64(hi-lo) && (before == nil || before[i]) && !items.IsNull(at)
		out.setItem(i, items, at)
	}
	return nil
}

// setItem makes row i an item of a list, if the row is valid.
func (r *result) setItem(i int, items *columnar.Vector, at int) {
	v, ok := &r.vec, r.valid[i]
	if v.Type == columnar.Text {
		if ok {
			v.Data = append(v.Data, items.Bytes(at)...)
		}
		v.Offsets[i+1] = int32(len(v.Data))
	} else if ok {
		v.Ints[i] = items.Ints[at]
	}
}
