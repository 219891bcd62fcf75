package expr

import (
	"analyzer/columnar"
)

// newListContains makes the node that looks for an item in lists: with a loop of
// its own if the item is a literal, and with a set if the list is one.
func newListContains(list, item operand) node {
	switch {
	case list.typ == columnar.IntList:
		return &intListContains{list: list.node, item: item.node}
	case item.value != nil:
		return &listHasLiterals{list: list.node, items: []string{item.value.Text}}
	case list.value != nil:
		set := make(map[string]bool, len(list.value.Texts))
		for _, t := range list.value.Texts {
			set[t] = true
		}
		return &inSet{set: set, item: item.node}
	}
	return &listContains{list: list.node, item: item.node}
}

func newListContainsAll(list, items operand) node {
	if items.value != nil {
		return &listHasLiterals{list: list.node, items: items.value.Texts}
	}
	return &listContainsAll{list: list.node, items: items.node}
}

// listHasLiterals looks for all of some literals in lists.
type listHasLiterals struct {
	result
	list  node
	items []string
}

func (n *listHasLiterals) eval(in *input) (*columnar.Vector, error) {
	a, err := n.list.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf1(a)
	for i := range out.Bools {
		lo, hi := a.Offsets[i], a.Offsets[i+1]
		has := true
		for _, item := range n.items {
			if has = hasText(a.Child, lo, hi, item); !has {
				break
			}
		}
		out.Bools[i] = has
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
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

// inSet looks for texts in a literal list.
type inSet struct {
	result
	set  map[string]bool
	item node
}

func (n *inSet) eval(in *input) (*columnar.Vector, error) {
	a, err := n.item.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf1(a)
	for i := range out.Bools {
		out.Bools[i] = n.set[string(a.Bytes(i))]
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// listContains looks for texts in lists.
type listContains struct {
	result
	list, item node
}

func (n *listContains) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, n.list, n.item)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf(a, b)
	for i := range out.Bools {
		out.Bools[i] = hasText(a.Child, a.Offsets[i], a.Offsets[i+1], b.Bytes(i))
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// intListContains looks for Ints in lists.
type intListContains struct {
	result
	list, item node
}

func (n *intListContains) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, n.list, n.item)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf(a, b)
	for i := range out.Bools {
		out.Bools[i] = hasInt(a.Child, a.Offsets[i], a.Offsets[i+1], b.Ints[i])
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

func hasInt(ints *columnar.Vector, lo, hi int32, n int64) bool {
	for j, item := range ints.Ints[lo:hi] {
		if item == n && !ints.IsNull(int(lo)+j) {
			return true
		}
	}
	return false
}

// listContainsAll looks for all texts of lists in lists.
type listContainsAll struct {
	result
	list, items node
}

func (n *listContainsAll) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, n.list, n.items)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Bool, in.rows)
	n.nullsOf(a, b)
	for i := range out.Bools {
		has := true
		for j := b.Offsets[i]; j < b.Offsets[i+1] && has; j++ {
			has = b.Child.IsNull(int(j)) || hasText(a.Child, a.Offsets[i], a.Offsets[i+1], b.Child.Bytes(int(j)))
		}
		out.Bools[i] = has
	}
	zeroNulls(out.Bools, out.Valid)
	return out, nil
}

// length counts the items of lists.
type length struct {
	result
	list node
}

func (n *length) eval(in *input) (*columnar.Vector, error) {
	a, err := n.list.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Int, in.rows)
	n.nullsOf1(a)
	lo := a.Offsets[0]
	for i, hi := range a.Offsets[1 : in.rows+1] {
		out.Ints[i] = int64(hi - lo)
		lo = hi
	}
	zeroNulls(out.Ints, out.Valid)
	return out, nil
}

// element takes items out of lists.
type element struct {
	result
	list, index node
}

func (n *element) eval(in *input) (*columnar.Vector, error) {
	a, b, err := eval2(in, n.list, n.index)
	if err != nil {
		return nil, err
	}
	out := n.start(itemType(a.Type), in.rows)
	valid := n.validity()
	for i := range valid {
		at, ok := itemAt(a, i, b.Ints[i])
		valid[i] = ok && !a.IsNull(i) && !b.IsNull(i) && !a.Child.IsNull(at)
		n.set(i, a.Child, at)
	}
	return out, nil
}

// itemAt returns the position in list i's Child of its item k, from 1.
func itemAt(lists *columnar.Vector, i int, k int64) (int, bool) {
	lo, hi := lists.Offsets[i], lists.Offsets[i+1]
	if k < 1 || k > int64(hi-lo) {
		return 0, false
	}
	return int(lo) + int(k) - 1, true
}

// set makes row i the item at a position, if the row is valid.
func (n *element) set(i int, items *columnar.Vector, at int) {
	out, ok := &n.vec, n.valid[i]
	if out.Type == columnar.Int {
		out.Ints[i] = 0
		if ok {
			out.Ints[i] = items.Ints[at]
		}
		return
	}
	if ok {
		out.Data = append(out.Data, items.Bytes(at)...)
	}
	out.Offsets[i+1] = int32(len(out.Data))
}
