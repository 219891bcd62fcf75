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
		{[]string{"list_has_all", "array_has_all"}, "list_has_all(list, items)", 2, 2, ofOp(expr.OpListContainsAll)},
		{[]string{"list_has_any", "array_has_any"}, "list_has_any(list, [item, …])", 2, 2, bindHasAny},
		{[]string{"list_value", "list_pack"}, "list_value(value, …)", 1, -1, (*binder).list},
		{[]string{"string_split", "str_split", "string_to_array", "split"}, "string_split(text, separator)", 2, 2, ofOp(expr.OpSplit)},
		{[]string{"python_list"}, "python_list(text)", 1, 1, ofOp(expr.OpPythonList)},
		{[]string{"python_names"}, "python_names(text)", 1, 1, ofOp(expr.OpPythonNames)},
		{[]string{unnestName}, "unnest(list)", 1, 1, func(_ *binder, e *sql.Expr, _ *scope) typed {
			panic(sql.Unsupported(e.At, "Next: make it a column of SELECT by itself, in a query in FROM.", "unnest within expressions and conditions"))
		}},
		{[]string{"list_sort", "array_sort"}, "list_sort(list[, 'DESC'[, 'NULLS FIRST']])", 1, 3, bindListSort},
		{[]string{"list_reverse_sort", "array_reverse_sort"}, "list_reverse_sort(list)", 1, 1, onList(func(l typed) typed { return sorted(l, true, false) })},
		{[]string{"list_min", "array_min"}, "list_min(list)", 1, 1, onList(func(l typed) typed { return l.first(false) })},
		{[]string{"list_max", "array_max"}, "list_max(list)", 1, 1, onList(func(l typed) typed { return l.first(true) })},
		{[]string{"list_distinct", "array_distinct"}, "list_distinct(list)", 1, 1, ofList(expr.OpListDistinct)},
		{[]string{"list_unique", "array_unique"}, "list_unique(list)", 1, 1, onList(func(l typed) typed { return intOf(expr.Len(expr.Call(expr.OpListDistinct, l.e))) })},
		{[]string{"list_reverse", "array_reverse"}, "list_reverse(list)", 1, 1, ofList(expr.OpListReverse)},
		{[]string{"list_concat", "list_cat", "array_concat", "array_cat"}, "list_concat(list, list, …)", 2, -1, bindListConcat},
		{[]string{"list_append", "array_append", "array_push_back"}, "list_append(list, item)", 2, 2, bindListAppend},
		{[]string{"list_prepend"}, "list_prepend(item, list)", 2, 2, bindListAppend},
		{[]string{"list_position", "list_indexof", "array_position", "array_indexof"}, "list_position(list, item)", 2, 2, bindListPosition},
		{[]string{"list_sum", "array_sum"}, "list_sum(list)", 1, 1, on((*binder).numbers, func(l typed) typed { return typed{e: expr.Call(expr.OpListSum, l.e), t: sumType(l.t)} })},
		{[]string{"list_avg", "array_avg"}, "list_avg(list)", 1, 1, on((*binder).numbers, func(l typed) typed {
			return typed{e: expr.Div(expr.Call(expr.OpListSum, l.e), expr.Call(expr.OpListCount, l.e)), t: columnar.Float}
		})},
		{[]string{"list_count", "array_count"}, "list_count(list)", 1, 1, onList(func(l typed) typed { return intOf(expr.Call(expr.OpListCount, l.e)) })},
		{[]string{"list_any_value", "array_any_value"}, "list_any_value(list)", 1, 1, onList(func(l typed) typed {
			return typed{e: expr.Call(expr.OpListDistinct, l.e), t: l.t}.item(1)
		})},
		{[]string{"list_first", "array_first"}, "list_first(list)", 1, 1, onList(func(l typed) typed { return l.item(1) })},
		{[]string{"list_last", "array_last"}, "list_last(list)", 1, 1, onList(func(l typed) typed { return l.item(-1) })},
		{[]string{"list_aggregate", "list_aggr", "array_aggregate", "array_aggr"}, "list_aggregate(list, 'sum')", 2, 2, bindListAggregate},
		{[]string{"range"}, "range([first, ]end[, step])", 1, 3, bindRange},
		{[]string{"generate_series"}, "generate_series([first, ]last[, step])", 1, 3, bindRange},
		{[]string{"list_extract", "list_element", "array_extract"}, "list_extract(list, position)", 2, 2, (*binder).index},
		{[]string{"list_slice", "array_slice"}, "list_slice(list, first, last)", 3, 3, (*binder).slice},
		{[]string{"array_to_string"}, "array_to_string(list, separator)", 2, 2, bindListText},
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
