package expr

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/pyliteral"
	"analyzer/operators/registry"
)

// The functions of lists.
const (
	OpListContains    Op = "list_contains"
	OpListContainsAll Op = "list_contains_all"
	OpLen             Op = "len"
	OpElement         Op = "element"
	OpSlice           Op = "slice"
	OpListOf          Op = "list_value"
)

// ListContains is true where an item of the list equals item, which is of their type.
// Null items of the list equal nothing.
func ListContains(list, item *Expr) *Expr { return Call(OpListContains, list, item) }

// ListContainsAll is true where every item of the TextList items is in the
// TextList list. Null items are not looked for.
func ListContainsAll(list, items *Expr) *Expr { return Call(OpListContainsAll, list, items) }

// Len is the number of items in a list, as an Int.
func Len(list *Expr) *Expr { return Call(OpLen, list) }

// Element is item i of a list, counted from 1, or from the end if i is negative. It is null
// where there is no such item.
func Element(list, i *Expr) *Expr { return Call(OpElement, list, i) }

func init() { functions.Add(listFunctions) }

func listFunctions() []function {
	return []function{
		{
			op: OpListContains, takes: "a list and a value like its items",
			types: only(columnar.Bool, anyList, anyItem),
			cost:  costList, coded: true, build: buildListContains,
		},
		{
			op: OpListContainsAll, takes: "two textlists",
			types: only(columnar.Bool, columnar.TextList, columnar.TextList),
			cost:  costList, build: buildListContainsAll,
		},
		{
			op: OpLen, takes: "a list", types: only(columnar.Int, anyList),
			cost: costFixed, build: just(length),
		},
		{
			op: OpElement, takes: "a list and an int",
			types: only(anyItem, anyList, columnar.Int),
			cost:  costList, coded: true, build: just(element),
		},
		{
			op: OpSlice, takes: "a list or a text, and two ints",
			types: []registry.Signature{sig(anyList, anyList, columnar.Int, columnar.Int), sig(columnar.Text, columnar.Text, columnar.Int, columnar.Int)},
			cost:  costList * 2, build: buildSlice,
		},
		{
			op: OpListOf, takes: "values of one type", types: only(anyList, anyItem),
			many: true, seesNulls: true, cost: costList, canFail: true, build: just(listOf),
		},
		{
			op: "string_split", takes: "two texts", types: only(columnar.TextList, columnar.Text, columnar.Text),
			cost: costText * 4, seesNulls: true, build: just(split),
			doc: registry.Lists.Doc("string_split str_split string_to_array split", "(text, separator)", "the parts of a text between separators",
				"string_split('a-b', '-')", `["a", "b"]`),
		},
		python(registry.Lists.Doc("python_list", "(text)", "the items of a list as Python prints it", "python_list('[''a'', ''b'']')", `["a", "b"]`), pyliteral.AppendStrings),
		python(registry.Lists.Doc("python_names", "(text)", "the values of 'name' in a list of dictionaries as Python prints it",
			"python_names('[{''id'': 1, ''name'': ''Drama''}]')", `["Drama"]`),
			func(dst *pyliteral.Strings, text []byte) error { return pyliteral.AppendNames(dst, text, "name") }),
	}
}

func python(doc registry.Doc, items func(*pyliteral.Strings, []byte) error) function {
	return function{
		op: Op(doc.Names[0]), doc: doc, takes: "a text", types: oneOf(columnar.TextList, columnar.Text), cost: costCase * 4,
		build: func(*build) (kernel, error) {
			var found pyliteral.Strings
			return eachRow(func(out *result, args []*columnar.Vector, i int) error {
				found.Reset()
				if items(&found, args[0].Bytes(i)) == nil {
					for j := range found.Len() {
						out.Child.AppendBytes(found.Value(j))
					}
				}
				return nil
			}), nil
		},
	}
}

// fromEnd converts a position that counts from the end of n items to one that counts from 1.
func fromEnd(k, n int64) int64 {
	if k < 0 {
		k += n + 1
	}
	return k
}

func buildSlice(b *build) (kernel, error) {
	if b.typ != columnar.Text {
		return slice, nil
	}
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			text, first, last := args[0].Bytes(i), args[1].Ints[i], args[2].Ints[i]
			if first < 0 || last < 0 {
				n := int64(codePointsOf(text))
				first, last = fromEnd(first, n), fromEnd(last, n)
			}
			first = max(first, 1)
			out.Data = append(out.Data, codePoints(text, first, max(last-first+1, 0))...)
		}
		return nil
	}, nil
}

func slice(out *result, args []*columnar.Vector) error {
	lists := args[0]
	for i := range out.rows() {
		lo, n := int64(lists.Offsets[i]), int64(lists.Offsets[i+1]-lists.Offsets[i])
		first, last := max(fromEnd(args[1].Ints[i], n), 1), min(fromEnd(args[2].Ints[i], n), n)
		if first <= last {
			out.Child.AppendRange(lists.Child, int(lo+first-1), int(lo+last))
		}
	}
	return nil
}

// listOf makes lists of its arguments. Nulls become items, too.
func listOf(out *result, args []*columnar.Vector) error {
	v := &out.Vector
	for i := range v.Len {
		for _, a := range args {
			v.Child.AppendRange(a, i, i+1)
		}
		if len(v.Child.Data) > maxMade {
			return ErrMuchText
		}
		v.Offsets[i+1] = int32(v.Child.Len)
	}
	return nil
}

// split cuts texts at a separator, or between code points if the separator is empty.
// longText is how long texts are of which the parts are counted before they are made.
const longText = 64 << 10

// roomForParts makes room for the parts of a text. It takes that of many at once, and returns ErrMuchText if there are too many.
func roomForParts(parts *columnar.Vector, text, by []byte) error {
	n := 1
	if len(text) >= longText {
		n += bytes.Count(text, by)
	}
	if len(parts.Data)+len(text)+4*(parts.Len+n) > maxMade {
		return ErrMuchText
	}
	parts.Offsets = slices.Grow(parts.Offsets, n)
	return nil
}

func split(out *result, args []*columnar.Vector) error {
	parts := out.Child
	for i := range out.rows() {
		if args[0].IsNull(i) {
			out.setNull(i)
			continue
		}
		text, by := args[0].Bytes(i), args[1].Bytes(i)
		if args[1].IsNull(i) { // nothing separates parts
			parts.AppendBytes(text)
			continue
		}
		if err := roomForParts(parts, text, by); err != nil {
			return err
		}
		if len(by) == 1 {
			parts.AppendParts(text, by[0])
			continue
		}
		for len(by) > 0 {
			part, rest, found := bytes.Cut(text, by)
			if !found {
				break
			}
			parts.AppendBytes(part)
			text = rest
		}
		for len(by) == 0 && len(text) > 0 {
			_, size := utf8.DecodeRune(text)
			parts.AppendBytes(text[:size])
			text = text[size:]
		}
		if len(by) > 0 || args[0].Offsets[i] == args[0].Offsets[i+1] {
			parts.AppendBytes(text)
		}
	}
	return nil
}

// buildListContains builds a set of a list that is the same in all rows, and a faster loop if the item is a literal.
func buildListContains(b *build) (kernel, error) {
	if list := b.args[0].list; list != nil {
		if among := amongItems(list.Child, int(list.Offsets[0]), int(list.Offsets[1])); among != nil {
			b.keep(1)
			return among, nil
		}
	}
	switch item := b.literal(1); {
	case b.args[0].typ.Item().Kind() == columnar.KindInt64:
		return listHas(func(items *columnar.Vector, lo, hi int, b *columnar.Vector, i int) bool {
			return hasInt(items, lo, hi, b.Ints[i])
		}), nil
	case b.args[0].typ != columnar.TextList:
		return listHas(hasItem), nil
	case item != nil:
		b.keep(0)
		return listHasAll([]string{item.Text}), nil
	}
	return listHas(func(items *columnar.Vector, lo, hi int, b *columnar.Vector, i int) bool {
		return hasText(items, int32(lo), int32(hi), b.Bytes(i))
	}), nil
}

// listHas looks for a value in the items of each list from lo to hi.
func listHas(has func(items *columnar.Vector, lo, hi int, values *columnar.Vector, i int) bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		lists := listsOf(args[0])
		for i := range out.Bools {
			lo, hi := lists.items(i)
			out.Bools[i] = has(lists.Child, lo, hi, args[1], i)
		}
		return nil
	}
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
		for i := range out.Bools {
			lo, hi := a.Offsets[i], a.Offsets[i+1]
			has := true
			for _, item := range items {
				if has = hasText(a.Child, lo, hi, item); !has {
					break
				}
			}
			out.Bools[i] = has
		}
		return nil
	}
}

// hasText reports whether one of the texts from lo to hi equals text. It compares lengths
// first, since most texts differ in length.
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

// hasItem reports whether value i, if it is not null, is among the items from lo to hi.
func hasItem(items *columnar.Vector, lo, hi int, values *columnar.Vector, i int) bool {
	for j := lo; j < hi; j++ {
		if !values.IsNull(i) && columnar.Same(items, j, values, i) {
			return true
		}
	}
	return false
}

func hasInt(ints *columnar.Vector, lo, hi int, n int64) bool {
	for j, item := range ints.Ints[lo:hi] {
		if item == n && !ints.IsNull(lo+j) {
			return true
		}
	}
	return false
}

func length(out *result, args []*columnar.Vector) error {
	offsets := args[0].Offsets
	lo := offsets[0]
	for i, hi := range offsets[1 : out.Len+1] {
		out.Ints[i] = int64(hi - lo)
		lo = hi
	}
	return nil
}

func element(out *result, args []*columnar.Vector) error {
	lists, index := listsOf(args[0]), args[1].Ints
	items := lists.Child
	before := out.Valid
	valid := out.validity()
	for i := range valid {
		lo, hi := lists.items(i)
		n := int64(hi - lo)
		k := fromEnd(index[i], n)
		at := lo + int(k) - 1
		valid[i] = k >= 1 && k <= n && (before == nil || before[i]) && !items.IsNull(at)
		if valid[i] {
			out.set(i, items, at)
		}
		out.end(i)
	}
	return nil
}
