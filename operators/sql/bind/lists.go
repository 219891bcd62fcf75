package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

func listFunctions() []function {
	return []function{
		{[]string{"list_contains", "list_has", "array_contains"}, "list_contains(list, item)", 2, 2, bindContains},
		{[]string{"list_has_all", "array_has_all"}, "list_has_all(list, items)", 2, 2, bindHasAll},
		{[]string{"list_has_any", "array_has_any"}, "list_has_any(list, [item, …])", 2, 2, bindHasAny},
		{[]string{"list_value", "list_pack"}, "list_value(value, …)", 1, -1, func(b *binder, e *sql.Expr, s *scope) (typed, error) { return b.list(e, s) }},
		{[]string{"string_split", "str_split", "string_to_array"}, "string_split(text, separator)", 2, 2, ofTexts(expr.OpSplit, columnar.TextList)},
		{[]string{"python_list"}, "python_list(text)", 1, 1, ofTexts(expr.OpPythonList, columnar.TextList)},
		{[]string{"python_names"}, "python_names(text)", 1, 1, ofTexts(expr.OpPythonNames, columnar.TextList)},
		{[]string{unnestName}, "unnest(list)", 1, 1, func(_ *binder, e *sql.Expr, _ *scope) (typed, error) {
			return typed{}, sql.Unsupported(e.At, "Next: make it a column of SELECT by itself, in a query in FROM.", "unnest within expressions and conditions")
		}},
		{[]string{"list_sort", "array_sort"}, "list_sort(list[, 'DESC'[, 'NULLS FIRST']])", 1, 3, bindListSort},
		{[]string{"list_reverse_sort", "array_reverse_sort"}, "list_reverse_sort(list)", 1, 1, func(b *binder, e *sql.Expr, s *scope) (typed, error) {
			list, err := b.listOf(e.Args[0], s)
			return sorted(list, true, false), err
		}},
		{[]string{"list_min", "array_min"}, "list_min(list)", 1, 1, firstOf(false)},
		{[]string{"list_max", "array_max"}, "list_max(list)", 1, 1, firstOf(true)},
		{[]string{"list_distinct", "array_distinct"}, "list_distinct(list)", 1, 1, ofList(expr.OpListDistinct)},
		{[]string{"list_unique", "array_unique"}, "list_unique(list)", 1, 1, func(b *binder, e *sql.Expr, s *scope) (typed, error) {
			list, err := b.listOf(e.Args[0], s)
			return typed{e: expr.Len(expr.Call(expr.OpListDistinct, list.e)), t: columnar.Int}, err
		}},
		{[]string{"list_reverse", "array_reverse"}, "list_reverse(list)", 1, 1, ofList(expr.OpListReverse)},
		{[]string{"list_concat", "list_cat", "array_concat", "array_cat"}, "list_concat(list, list, …)", 2, -1, bindListConcat},
		{[]string{"list_append", "array_append", "array_push_back"}, "list_append(list, item)", 2, 2, bindListAppend},
		{[]string{"list_prepend"}, "list_prepend(item, list)", 2, 2, bindListAppend},
		{[]string{"list_position", "list_indexof", "array_position", "array_indexof"}, "list_position(list, item)", 2, 2, bindListPosition},
		{[]string{"list_extract", "list_element"}, "list_extract(list, position)", 2, 2, func(b *binder, e *sql.Expr, s *scope) (typed, error) { return b.index(e, s) }},
		{[]string{"list_slice", "array_slice"}, "list_slice(list, first, last)", 3, 3, func(b *binder, e *sql.Expr, s *scope) (typed, error) { return b.slice(e, s) }},
		{[]string{"array_to_string"}, "array_to_string(list, separator)", 2, 2, bindListText},
	}
}

// listOf binds an expression that must be a list; NULL is one of texts.
func (b *binder) listOf(e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e, s)
	switch {
	case err != nil:
		return v, err
	case v.null:
		return typed{e: expr.Null(columnar.TextList), t: columnar.TextList}, nil
	case v.t.Item() == columnar.Invalid:
		return v, notAList(v, e)
	}
	return v, nil
}

func notAList(v typed, e *sql.Expr) error {
	return sql.Wrong(e.At, "", "a list is needed, and this is %s", TypeName(v.t))
}

// ofList binds a function of a list that keeps its type.
func ofList(op expr.Op) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		list, err := b.listOf(e.Args[0], s)
		return typed{e: expr.Call(op, list.e), t: list.t}, err
	}
}

func sorted(list typed, desc, nullsFirst bool) typed {
	return typed{e: expr.Call(expr.OpListSort, list.e, expr.Bool(desc), expr.Bool(nullsFirst)), t: list.t}
}

// bindListSort takes an order and where nulls stand as texts.
func bindListSort(b *binder, e *sql.Expr, s *scope) (typed, error) {
	list, err := b.listOf(e.Args[0], s)
	if err != nil {
		return list, err
	}
	var given [2]bool
	for i, words := range [][2]string{{"ASC", "DESC"}, {"NULLS LAST", "NULLS FIRST"}}[:len(e.Args)-1] {
		word, err := b.literalText(e.Args[1+i], s, "an order")
		if err != nil {
			return list, err
		}
		word = strings.ToUpper(word)
		if given[i] = word == words[1]; !given[i] && word != words[0] {
			return list, sql.Wrong(e.Args[1+i].At, "", "here stands '%s' or '%s'", words[0], words[1])
		}
	}
	return sorted(list, given[0], given[1]), nil
}

// firstOf binds the least or greatest item of a list.
func firstOf(desc bool) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		list, err := b.listOf(e.Args[0], s)
		return typed{e: expr.Element(sorted(list, desc, false).e, expr.Int(1)), t: list.t.Item()}, err
	}
}

// bindListConcat takes a list that is NULL as an empty one.
func bindListConcat(b *binder, e *sql.Expr, s *scope) (typed, error) {
	values, err := b.values(e.Args, s)
	if err != nil {
		return typed{}, err
	}
	return b.joined(values, e.Args, true)
}

// joined puts lists together, each of which, or only all of which, make NULL.
func (b *binder) joined(values []typed, args []*sql.Expr, nullsEmpty bool) (typed, error) {
	lists, t, err := b.common(values, spans(args))
	if err != nil {
		return typed{}, err
	}
	if t.Item() == columnar.Invalid {
		return typed{}, notAList(typed{t: t}, args[0])
	}
	out := lists[0]
	for _, list := range lists[1:] {
		out = expr.Call(expr.OpListConcat, out, list, expr.Bool(nullsEmpty))
	}
	return typed{e: out, t: t}, nil
}

// bindListAppend puts an item behind a list, or before it.
func bindListAppend(b *binder, e *sql.Expr, s *scope) (typed, error) {
	at, item := 0, 1
	if e.Text == "list_prepend" {
		at, item = 1, 0
	}
	list, err := b.listOf(e.Args[at], s)
	if err != nil {
		return list, err
	}
	v, err := b.valueOf(e.Args[item], list.t.Item(), s)
	if err != nil {
		return list, err
	}
	both := [2]*expr.Expr{list.e, expr.Call(expr.OpListOf, v)}
	return typed{e: expr.Call(expr.OpListConcat, both[at], both[item], expr.Bool(true)), t: list.t}, nil
}

func bindListPosition(b *binder, e *sql.Expr, s *scope) (typed, error) {
	list, err := b.listOf(e.Args[0], s)
	if err != nil {
		return list, err
	}
	item, err := b.valueOf(e.Args[1], list.t.Item(), s)
	return typed{e: expr.Call(expr.OpListPosition, list.e, item), t: columnar.Int}, err
}

func bindListText(b *binder, e *sql.Expr, s *scope) (typed, error) {
	list, err := b.listOf(e.Args[0], s)
	if err != nil {
		return list, err
	}
	between, err := b.text(e.Args[1], s)
	return typed{e: expr.Call(expr.OpListText, list.e, between), t: columnar.Text}, err
}

func bindContains(b *binder, e *sql.Expr, s *scope) (typed, error) {
	v, err := b.expr(e.Args[0], s)
	if err != nil {
		return v, err
	}
	w, err := b.expr(e.Args[1], s)
	if err != nil {
		return w, err
	}
	op, want := expr.OpListContains, v.t.Item()
	if want == columnar.Invalid {
		if e.Text != "contains" || v.t != columnar.Text {
			return v, sql.Wrong(e.Args[0].At, "", "a list is needed, and this is %s", TypeName(v.t))
		}
		op, want = expr.OpContains, columnar.Text
	}
	item, err := w.as(want, e.Args[1].At)
	return truth(expr.Call(op, v.e, item)), err
}

// bindLists binds two lists of texts.
func (b *binder) bindLists(e *sql.Expr, s *scope) (lists [2]*expr.Expr, err error) {
	for i := range lists {
		v, err := b.expr(e.Args[i], s)
		if err != nil {
			return lists, err
		}
		if lists[i], err = v.as(columnar.TextList, e.Args[i].At); err != nil {
			return lists, err
		}
	}
	return lists, nil
}

func bindHasAll(b *binder, e *sql.Expr, s *scope) (typed, error) {
	lists, err := b.bindLists(e, s)
	return truth(expr.ListContainsAll(lists[0], lists[1])), err
}

// bindHasAny looks for each of some items that are known beforehand.
func bindHasAny(b *binder, e *sql.Expr, s *scope) (typed, error) {
	lists, err := b.bindLists(e, s)
	if err != nil {
		return typed{}, err
	}
	items := lists[1].Fold()
	if items.Op != expr.OpLiteral || items.Value.Null {
		return typed{}, sql.Unsupported(e.Args[1].At, "Next: write them as ['a', 'b'].", "items that are not known beforehand")
	}
	any := make([]*expr.Expr, len(items.Value.Texts))
	for i, item := range items.Value.Texts {
		any[i] = expr.ListContains(lists[0], expr.Str(item))
	}
	return truth(expr.Or(any...)), nil
}
