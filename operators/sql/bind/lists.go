package bind

import (
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

func listFunctions() []function {
	return []function{
		{
			names: []string{"list_contains", "list_has", "array_contains"}, usage: "list_contains(list, item)", least: 2, most: 2,
			help:    "whether a list has an item",
			example: "list_contains([1, 2], 2)", value: "true",
			bind: bindContains,
		},
		{
			names: []string{"list_has_all", "array_has_all"}, usage: "list_has_all(list, items)", least: 2, most: 2,
			help:    "whether a list has all of some items",
			example: "list_has_all(['a', 'b'], ['b'])", value: "true",
			bind: ofOp(expr.OpListContainsAll),
		},
		{
			names: []string{"list_has_any", "array_has_any"}, usage: "list_has_any(list, [item, …])", least: 2, most: 2,
			help:    "whether a list has any of some constant items",
			example: "list_has_any(['a', 'b'], ['b', 'c'])", value: "true",
			bind: bindHasAny,
		},
		{
			names: []string{"list_value", "list_pack"}, usage: "list_value(value, …)", least: 1, most: -1,
			help:    "a list of the values",
			example: "list_value(1, 2)", value: "[1, 2]",
			bind: (*binder).list,
		},
		{
			names: []string{"string_split", "str_split", "string_to_array", "split"}, usage: "string_split(text, separator)", least: 2, most: 2,
			help:    "the parts of a text between separators",
			example: "string_split('a-b', '-')", value: `["a", "b"]`,
			bind: ofOp(expr.OpSplit),
		},
		{
			names: []string{"python_list"}, usage: "python_list(text)", least: 1, most: 1,
			help:    "the items of a list as Python prints it",
			example: "python_list('[''a'', ''b'']')", value: `["a", "b"]`,
			bind: ofOp(expr.OpPythonList),
		},
		{
			names: []string{"python_names"}, usage: "python_names(text)", least: 1, most: 1,
			help:    "the values of 'name' in a list of dictionaries as Python prints it",
			example: "python_names('[{''id'': 1, ''name'': ''Drama''}]')", value: `["Drama"]`,
			bind: ofOp(expr.OpPythonNames),
		},
		{
			names: []string{unnestName}, usage: "unnest(list)", least: 1, most: 1,
			help:    "a row for each item of a list",
			example: "unnest([1, 2])", value: "1, 2",
			bind: func(_ *binder, e *sql.Expr, _ *scope) typed {
				panic(sql.Unsupported(e.At, "Next: make it a column of SELECT by itself, in a query in FROM.", "unnest within expressions and conditions"))
			},
		},
		{
			names: []string{"list_sort", "array_sort"}, usage: "list_sort(list[, 'DESC'[, 'NULLS FIRST']])", least: 1, most: 3,
			help:    "the items in order: 'ASC' or 'DESC', and 'NULLS LAST' or 'NULLS FIRST'",
			example: "list_sort([2, 3, 1], 'DESC')", value: "[3, 2, 1]",
			bind: bindListSort,
		},
		{
			names: []string{"list_reverse_sort", "array_reverse_sort"}, usage: "list_reverse_sort(list)", least: 1, most: 1,
			help:    "the items from the greatest to the least",
			example: "list_reverse_sort([2, 3, 1])", value: "[3, 2, 1]",
			bind: onList(func(l typed) typed { return sorted(l, true, false) }),
		},
		{
			names: []string{"list_min", "array_min"}, usage: "list_min(list)", least: 1, most: 1,
			help:    "the least item",
			example: "list_min([2, 3, 1])", value: "1",
			bind: onList(func(l typed) typed { return l.first(false) }),
		},
		{
			names: []string{"list_max", "array_max"}, usage: "list_max(list)", least: 1, most: 1,
			help:    "the greatest item",
			example: "list_max([2, 3, 1])", value: "3",
			bind: onList(func(l typed) typed { return l.first(true) }),
		},
		{
			names: []string{"list_distinct", "array_distinct"}, usage: "list_distinct(list)", least: 1, most: 1,
			help:    "the different items, without NULL",
			example: "list_sort(list_distinct([1, 1, 2]))", value: "[1, 2]",
			bind: ofList(expr.OpListDistinct),
		},
		{
			names: []string{"list_unique", "array_unique"}, usage: "list_unique(list)", least: 1, most: 1,
			help:    "how many different items there are, without NULL",
			example: "list_unique([1, 1, 2])", value: "2",
			bind: onList(func(l typed) typed { return intOf(expr.Len(expr.Call(expr.OpListDistinct, l.e))) }),
		},
		{
			names: []string{"list_reverse", "array_reverse"}, usage: "list_reverse(list)", least: 1, most: 1,
			help:    "the items from last to first",
			example: "list_reverse([1, 2, 3])", value: "[3, 2, 1]",
			bind: ofList(expr.OpListReverse),
		},
		{
			names: []string{"list_concat", "list_cat", "array_concat", "array_cat"}, usage: "list_concat(list, list, …)", least: 2, most: -1,
			help:    "the items of several lists; a NULL list counts as empty",
			example: "list_concat([1], [2, 3])", value: "[1, 2, 3]",
			bind: bindListConcat,
		},
		{
			names: []string{"list_append", "array_append", "array_push_back"}, usage: "list_append(list, item)", least: 2, most: 2,
			help:    "a list with an item added at its end",
			example: "list_append([1, 2], 3)", value: "[1, 2, 3]",
			bind: bindListAppend,
		},
		{
			names: []string{"list_prepend"}, usage: "list_prepend(item, list)", least: 2, most: 2,
			help:    "a list with an item added at its beginning",
			example: "list_prepend(0, [1, 2])", value: "[0, 1, 2]",
			bind: bindListAppend,
		},
		{
			names: []string{"list_position", "list_indexof", "array_position", "array_indexof"}, usage: "list_position(list, item)", least: 2, most: 2,
			help:    "the position of an item, counted from 1; NULL if the list does not have it",
			example: "list_position([5, 6], 6)", value: "2",
			bind: bindListPosition,
		},
		{
			names: []string{"list_sum", "array_sum"}, usage: "list_sum(list)", least: 1, most: 1,
			help:    "the sum of the items",
			example: "list_sum([1, 2, 3])", value: "6",
			bind: on((*binder).numbers, func(l typed) typed { return typed{e: expr.Call(expr.OpListSum, l.e), t: sumType(l.t)} }),
		},
		{
			names: []string{"list_avg", "array_avg"}, usage: "list_avg(list)", least: 1, most: 1,
			help:    "the mean of the items",
			example: "list_avg([1, 2])", value: "1.5",
			bind: on((*binder).numbers, func(l typed) typed {
				return typed{e: expr.Div(expr.Call(expr.OpListSum, l.e), expr.Call(expr.OpListCount, l.e)), t: columnar.Float}
			}),
		},
		{
			names: []string{"list_count", "array_count"}, usage: "list_count(list)", least: 1, most: 1,
			help:    "how many items are not NULL",
			example: "list_count([1, NULL])", value: "1",
			bind: onList(func(l typed) typed { return intOf(expr.Call(expr.OpListCount, l.e)) }),
		},
		{
			names: []string{"list_any_value", "array_any_value"}, usage: "list_any_value(list)", least: 1, most: 1,
			help:    "the first item that is not NULL",
			example: "list_any_value([NULL, 7])", value: "7",
			bind: onList(func(l typed) typed {
				return typed{e: expr.Call(expr.OpListDistinct, l.e), t: l.t}.item(1)
			}),
		},
		{
			names: []string{"list_first", "array_first"}, usage: "list_first(list)", least: 1, most: 1,
			help:    "the first item",
			example: "list_first([5, 6])", value: "5",
			bind: onList(func(l typed) typed { return l.item(1) }),
		},
		{
			names: []string{"list_last", "array_last"}, usage: "list_last(list)", least: 1, most: 1,
			help:    "the last item",
			example: "list_last([5, 6])", value: "6",
			bind: onList(func(l typed) typed { return l.item(-1) }),
		},
		{
			names: []string{"list_aggregate", "list_aggr", "array_aggregate", "array_aggr"}, usage: "list_aggregate(list, 'sum')", least: 2, most: 2,
			help:    "the sum, avg, count, min, max or any_value of the items",
			example: "list_aggregate([1, 2, 3], 'sum')", value: "6",
			bind: bindListAggregate,
		},
		{
			names: []string{"range"}, usage: "range([first, ]end[, step])", least: 1, most: 3,
			help:    "the integers from the first, 0 by default, up to but without the end",
			example: "range(3)", value: "[0, 1, 2]",
			bind: bindRange,
		},
		{
			names: []string{"generate_series"}, usage: "generate_series([first, ]last[, step])", least: 1, most: 3,
			help:    "the integers from the first, 0 by default, to the last",
			example: "generate_series(1, 3)", value: "[1, 2, 3]",
			bind: bindRange,
		},
		{
			names: []string{"list_extract", "list_element", "array_extract"}, usage: "list_extract(list, position)", least: 2, most: 2,
			help:    "the item at a position, counted from 1, or from the end if it is negative",
			example: "list_extract([5, 6, 7], -1)", value: "7",
			bind: (*binder).index,
		},
		{
			names: []string{"list_slice", "array_slice"}, usage: "list_slice(list, first, last)", least: 3, most: 3,
			help:    "the items from one position to another",
			example: "list_slice([5, 6, 7], 2, 3)", value: "[6, 7]",
			bind: (*binder).slice,
		},
		{
			names: []string{"array_to_string"}, usage: "array_to_string(list, separator)", least: 2, most: 2,
			help:    "the items as a text, with a separator between them",
			example: "array_to_string(['a', 'b'], '-')", value: "a-b",
			bind: bindListText,
		},
	}
}

// listOf binds an expression that must be a list. NULL is taken as a list of texts.
func (b *binder) listOf(e *sql.Expr, s *scope) typed { return asList(b.expr(e, s)) }

func asList(v typed) typed {
	switch {
	case v.null:
		return typed{e: expr.Null(columnar.TextList), t: columnar.TextList}
	case v.t.Item() == columnar.Invalid:
		panic(notAList(v))
	}
	return v
}

// listAndItem makes a value an item of a list. [] and NULL become lists of the value's type.
func listAndItem(list, value typed) (typed, *expr.Expr) {
	if t := columnar.ListOf(value.t); (list.empty || list.null) && t != columnar.Invalid {
		list = typed{e: list.as(t), t: t}
	}
	list = asList(list)
	return list, value.as(list.t.Item())
}

func notAList(v typed) error {
	return sql.Wrong(v.at, "", "a list is needed, and this is %s", TypeName(v.t))
}

// noList refuses a list as an argument of a function that does not take lists.
func noList(t columnar.Type, at sql.Span, function string) {
	if t.Item() != columnar.Invalid {
		panic(sql.Unsupported(at, "", function+" of "+TypeName(t)))
	}
}

// ofList binds a function of a list that keeps its type.
func ofList(op expr.Op) binding {
	return onList(func(l typed) typed { return typed{e: expr.Call(op, l.e), t: l.t} })
}

func sorted(list typed, desc, nullsFirst bool) typed {
	return typed{e: expr.Call(expr.OpListSort, list.e, expr.Bool(desc), expr.Bool(nullsFirst)), t: list.t}
}

// bindListSort binds a sort of a list. Optional texts give the direction and where nulls go.
func bindListSort(b *binder, e *sql.Expr, s *scope) typed {
	list := b.listOf(e.Args[0], s)
	var given [2]bool
	for i, words := range [][2]string{{"ASC", "DESC"}, {"NULLS LAST", "NULLS FIRST"}}[:len(e.Args)-1] {
		word := strings.ToUpper(b.literalText(e.Args[1+i], s, "an order"))
		if given[i] = word == words[1]; !given[i] && word != words[0] {
			panic(sql.Wrong(e.Args[1+i].At, "", "here stands '%s' or '%s'", words[0], words[1]))
		}
	}
	return sorted(list, given[0], given[1])
}

// first returns the first item of the sorted list: the least, or the greatest if desc is set.
func (v typed) first(desc bool) typed {
	out := sorted(v, desc, false).item(1)
	out.at = v.at
	return out
}

// item returns the item at a position of a list.
func (v typed) item(place int64) typed {
	return typed{e: expr.Element(v.e, expr.Int(place)), t: v.t.Item()}
}

// bindListConcat binds list_concat, which takes a NULL list as an empty one.
func bindListConcat(b *binder, e *sql.Expr, s *scope) typed {
	return b.joined(b.values(e.Args, s), true)
}

// joined concatenates lists. The result is NULL if any list is, or, if nullsEmpty is set, only
// if all are.
func (b *binder) joined(values []typed, nullsEmpty bool) typed {
	lists, t := b.common(values)
	if t.Item() == columnar.Invalid {
		panic(notAList(typed{t: t, at: values[0].at}))
	}
	out := lists[0]
	for _, list := range lists[1:] {
		out = expr.Call(expr.OpListConcat, out, list, expr.Bool(nullsEmpty))
	}
	return typed{e: out, t: t}
}

// bindListAppend binds adding an item to the end of a list, or to its beginning.
func bindListAppend(b *binder, e *sql.Expr, s *scope) typed {
	at, item := 0, 1
	if e.Text == "list_prepend" {
		at, item = 1, 0
	}
	list, v := listAndItem(b.expr(e.Args[at], s), b.expr(e.Args[item], s))
	both := [2]*expr.Expr{list.e, expr.Call(expr.OpListOf, v)}
	return typed{e: expr.Call(expr.OpListConcat, both[at], both[item], expr.Bool(true)), t: list.t}
}

func bindListPosition(b *binder, e *sql.Expr, s *scope) typed {
	list, item := listAndItem(b.expr(e.Args[0], s), b.expr(e.Args[1], s))
	return intOf(expr.Call(expr.OpListPosition, list.e, item))
}

func bindListText(b *binder, e *sql.Expr, s *scope) typed {
	return typed{e: expr.Call(expr.OpListText, b.listOf(e.Args[0], s).e, b.text(e.Args[1], s)), t: columnar.Text}
}

func bindContains(b *binder, e *sql.Expr, s *scope) typed {
	v, w := b.expr(e.Args[0], s), b.expr(e.Args[1], s)
	if e.Text == "contains" && v.t == columnar.Text {
		return truth(expr.Call(expr.OpContains, v.e, w.as(columnar.Text)))
	}
	list, item := listAndItem(v, w)
	return truth(expr.Call(expr.OpListContains, list.e, item))
}

// bindHasAny binds the test whether a list has any of some constant items.
func bindHasAny(b *binder, e *sql.Expr, s *scope) typed {
	list, items := b.valueOf(e.Args[0], columnar.TextList, s), b.valueOf(e.Args[1], columnar.TextList, s).Fold().Literal()
	if items == nil {
		panic(sql.Unsupported(e.Args[1].At, "Next: write them as ['a', 'b'].", "items that are not known beforehand"))
	}
	any := each(items.Texts, func(item string) *expr.Expr { return expr.ListContains(list, expr.Str(item)) })
	return truth(expr.Or(any...))
}

// numbers binds an expression that must be a list of numbers; NULL is taken as a list of
// integers.
func (b *binder) numbers(e *sql.Expr, s *scope) typed {
	list := b.expr(e, s)
	if !isNumber(list.t.Item()) {
		list = typed{e: list.as(columnar.IntList), t: columnar.IntList}
	}
	return list
}

// sumType is the type of the sum of a list of numbers.
func sumType(list columnar.Type) columnar.Type {
	if list == columnar.DecimalList {
		return columnar.Wide
	}
	return list.Item()
}

// bindListAggregate binds list_aggregate, which names an aggregate to compute over a list.
func bindListAggregate(b *binder, e *sql.Expr, s *scope) typed {
	name := strings.ToLower(b.literalText(e.Args[1], s, "the name of an aggregate"))
	if f, ok := known().functions["list_"+name]; ok && f.least == 1 && f.most == 1 && isAggregate(name) {
		return f.bind(b, &sql.Expr{Kind: sql.Call, Text: "list_" + name, Args: e.Args[:1], At: e.At}, s)
	}
	panic(sql.Unsupported(e.Args[1].At, "There are sum, avg, count, min, max and any_value.", name+" of lists"))
}

// bindRange binds range and generate_series, which are lists of integers. Only generate_series
// includes the end.
func bindRange(b *binder, e *sql.Expr, s *scope) typed {
	return typed{e: expr.Call(expr.OpRange, b.rangeOf(e, s)...), t: columnar.IntList}
}

// rangeOf returns the begin, the exclusive end and the step of a range.
func (b *binder) rangeOf(e *sql.Expr, s *scope) []*expr.Expr {
	args := []*expr.Expr{expr.Int(0), nil, expr.Int(1)}
	if len(e.Args) == 1 {
		args[1] = b.rangeEnd(e.Args[0], s)
	} else {
		for i, a := range e.Args {
			args[i] = b.rangeEnd(a, s)
		}
	}
	if n := args[2].Literal(); n != nil && n.Int == 0 {
		panic(sql.Wrong(e.Args[2].At, "", "a step is no 0"))
	}
	if e.Text == "generate_series" {
		one := expr.If(expr.Lt(args[2], expr.Int(0)), expr.Int(-1), expr.Int(1))
		args[1] = expr.Add(args[1], one)
	}
	return args
}

func (b *binder) rangeEnd(e *sql.Expr, s *scope) *expr.Expr {
	v := b.expr(e, s)
	if v.t == columnar.Date || v.t == columnar.Timestamp || e.Kind == sql.Interval {
		panic(sql.Unsupported(e.At, "Next: write it in FROM, as FROM range(DATE '2020-01-01', DATE '2021-01-01', INTERVAL 1 MONTH).", "ranges of "+TypeName(v.t)))
	}
	return v.as(columnar.Int)
}
