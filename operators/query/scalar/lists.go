package scalar

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(listFunctions) }

// The functions of lists of any type that those of lists of texts are faster than.
var (
	hasAny = NewFormula("list, items", "CASE WHEN list IS NOT NULL THEN length(list_filter(items, lambda x: list_contains(list, x))) > 0 END")
	hasAll = NewFormula("list, items", "CASE WHEN list IS NOT NULL THEN length(list_filter(items, lambda x: NOT list_contains(list, x))) = 0 END")
)

func listFunctions() []Function {
	lists := in(registry.Lists)
	return []Function{
		lists("list_contains list_has array_contains array_has", "(list, item)", "whether a list has an item",
			"list_contains([1, 2], 2)", "true", rewritten(hasItem)),
		lists("list_has_any array_has_any", "(list, [item, …])", "whether a list has any of some items",
			"list_has_any(['a', 'b'], ['b', 'c'])", "true", bindHasAny).Taking(2, 2),
		lists("list_has_all array_has_all", "(list, items)", "whether a list has all of some items",
			"list_has_all(['a', 'b'], ['b'])", "true", bindHasAll),
		lists("list_value list_pack array_value", "([value, …])", "a list of the values",
			"list_value(1, 2)", "[1, 2]", bindList),
		lists("list_sort array_sort", "(list[, 'DESC'[, 'NULLS FIRST']])", "the items in order: 'ASC' or 'DESC', and 'NULLS LAST' or 'NULLS FIRST'",
			"list_sort([2, 3, 1], 'DESC')", "[3, 2, 1]", bindListSort),
		lists("list_grade_up array_grade_up grade_up", "(list[, 'DESC'[, 'NULLS FIRST']])", "the positions of the items in their order",
			"list_grade_up([5, 7, 6])", "[1, 3, 2]", bindListGrade),
		lists("list_reverse_sort array_reverse_sort", "(list[, nulls])", "the items from the greatest to the least; nulls is 'NULLS FIRST' or 'NULLS LAST'",
			"list_reverse_sort([2, 3, 1])", "[3, 2, 1]", bindListReverse),
		lists("list_min array_min", "(list)", "the least item",
			"list_min([2, 3, 1])", "1", onList(func(l Value) Value { return l.first(false) })),
		lists("list_max array_max", "(list)", "the greatest item",
			"list_max([2, 3, 1])", "3", onList(func(l Value) Value { return l.first(true) })),
		lists("list_unique array_unique", "(list)", "how many different items there are, without NULL",
			"list_unique([1, 1, 2])", "2", onList(func(l Value) Value { return IntOf(expr.Len(expr.Call(expr.OpListDistinct, l.Expr))) })),
		lists("list_concat list_cat array_concat array_cat", "(list, list, …)", "the items of several lists; a NULL list counts as empty",
			"list_concat([1], [2, 3])", "[1, 2, 3]", rewritten(func(c rowCall) Value { return joined(c.args, true) })),
		lists("list_append array_append array_push_back", "(list, item)", "a list with an item added at its end",
			"list_append([1, 2], 3)", "[1, 2, 3]", rewritten(appended)),
		lists("list_prepend array_prepend", "(item, list)", "a list with an item added at its beginning",
			"list_prepend(0, [1, 2])", "[0, 1, 2]", rewritten(appended)),
		lists("list_position list_indexof array_position array_indexof", "(list, item)", "the position of an item, counted from 1; NULL if the list does not have it",
			"list_position([5, 6], 6)", "2", rewritten(positionOf)),
		lists("list_sum array_sum", "(list)", "the sum of the items",
			"list_sum([1, 2, 3])", "6", on(asNumbers, func(l Value) Value { return Value{Expr: expr.Call(expr.OpListSum, l.Expr), Type: sumType(l.Type)} })),
		lists("list_avg array_avg", "(list)", "the mean of the items",
			"list_avg([1, 2])", "1.5", func(s *Scope, e *sql.Expr) Value {
				l := asNumbers(summable(s, e.Args[0]))
				return FloatOf(expr.Div(expr.Call(expr.OpListSum, l.Expr), expr.Call(expr.OpListCount, l.Expr)))
			}),
		lists("list_any_value array_any_value", "(list)", "the first item that is not NULL",
			"list_any_value([NULL, 7])", "7", onList(func(l Value) Value {
				return Value{Expr: expr.Call(expr.OpListDistinct, l.Expr), Type: l.Type}.item(1)
			})),
		lists("list_first array_first", "(list)", "the first item",
			"list_first([5, 6])", "5", onList(func(l Value) Value { return l.item(1) })),
		lists("list_last array_last", "(list)", "the last item",
			"list_last([5, 6])", "6", onList(func(l Value) Value { return l.item(-1) })),
		lists("range", "([first, ]end[, step])", "the integers from the first, 0 by default, up to but without the end, or the timestamps an INTERVAL apart",
			"range(3)", "[0, 1, 2]", bindRange),
		lists("generate_series", "([first, ]last[, step])", "the integers from the first, 0 by default, to the last, or the timestamps an INTERVAL apart",
			"generate_series(1, 3)", "[1, 2, 3]", bindRange),
		lists("list_extract list_element array_extract", "(list, position)", "the item at a position, counted from 1, or from the end if it is negative",
			"list_extract([5, 6, 7], -1)", "7", bindIndex),
		lists("list_slice array_slice", "(list, first, last[, step])", "the items from one position to another, or each so-many-th of them",
			"list_slice([5, 6, 7], 2, 3)", "[6, 7]", bindSlice),
		lists("array_to_string", "(list, separator)", "the items as a text, with a separator between them",
			"array_to_string(['a', 'b'], '-')", "a-b", rewritten(joinedText)),
	}
}

// ListOf binds an expression that must be a list. NULL is taken as a list of texts.
func (s *Scope) ListOf(e *sql.Expr) Value { return asList(s.Expr(e)) }

func asList(v Value) Value {
	switch {
	case v.Null:
		return Value{Expr: expr.Null(columnar.TextList), Type: columnar.TextList}
	case v.Type.Item() == columnar.Invalid:
		panic(notAList(v))
	}
	return v
}

// listAndItem makes a value an item of a list. [] and NULL become lists of the value's type.
func listAndItem(list, value Value) (Value, *expr.Expr) {
	if t := columnar.ListOf(value.Type); (list.bare() || list.Null) && t != columnar.Invalid {
		list = Value{Expr: list.As(t), Type: t}
	}
	list = asList(list)
	if t := list.Type.Item(); IsNumber(t) && IsNumber(value.Type) && !value.Null && Widest(t, value.Type) != t {
		wide := columnar.ListOf(Widest(t, value.Type))
		list = Value{Expr: list.As(wide), Type: wide, At: list.At}
	}
	return list, value.As(list.Type.Item())
}

// The items of a part of a list in steps, forwards and backwards.
var (
	forwards  = NewFormula("list, step", "list_transform(range(1, length(list) + 1, step), lambda i: list[i])")
	backwards = NewFormula("list, step", "list_transform(range(length(list), 0, step), lambda i: list[i])")
)

// stepped binds the part of a list between two positions, in steps.
func stepped(s *Scope, list Value, e *sql.Expr) Value {
	step := s.Expr(e.Args[3]).Expr.Fold().Literal()
	if step == nil || step.Type != columnar.Int || step.Int == 0 || list.Type == columnar.Text {
		panic(sql.Unsupported(e.Args[3].At, "Next: write list[first:last:2], of a list and with a number.", "such steps"))
	}
	ends, how := [2]*sql.Expr{e.Args[1], e.Args[2]}, forwards
	if step.Int < 0 {
		ends, how = [2]*sql.Expr{e.Args[2], e.Args[1]}, backwards
	}
	part := bindSlice(s, &sql.Expr{Kind: sql.Slice, Args: []*sql.Expr{e.Args[0], ends[0], ends[1]}, At: e.At})
	return how.Value(s.Statement, e.At, []Value{part, IntOf(expr.Int(step.Int))})
}

func notAList(v Value) error {
	hint := ""
	switch {
	case v.Type.IsStruct():
		hint = "Next: name it x in a query in FROM, and write x.* around that."
	case v.Type == columnar.Text:
		hint = "Next: json_each(x) in FROM has a row for each item of an array in JSON; string_split makes a list of other texts."
	}
	return sql.Wrong(v.At, hint, "a list is needed, and this is %s", TypeName(v.Type))
}

func sorted(list Value, desc, nullsFirst bool) Value {
	return Value{Expr: expr.Call(expr.OpListSort, list.Expr, expr.Bool(desc), expr.Bool(nullsFirst)), Type: list.Type}
}

// bindListSort binds a sort of a list. Optional texts give the direction and where nulls go.
func bindListSort(s *Scope, e *sql.Expr) Value {
	list := s.ListOf(e.Args[0])
	desc, nullsFirst := orderOf(s, e)
	return sorted(list, desc, nullsFirst)
}

// bindListReverse binds a sort of a list from its greatest item on.
func bindListReverse(s *Scope, e *sql.Expr) Value {
	same := *e
	same.Args = slices.Insert(slices.Clone(e.Args), 1, e.At.Text("DESC"))
	return bindListSort(s, &same)
}

// bindListGrade binds the positions of the items in their order.
func bindListGrade(s *Scope, e *sql.Expr) Value {
	list := s.ListOf(e.Args[0])
	desc, nullsFirst := orderOf(s, e)
	return Value{Expr: expr.Call(expr.OpListGrade, list.Expr, expr.Bool(desc), expr.Bool(nullsFirst)), Type: columnar.IntList}
}

// orderOf reads the order that the arguments behind a list give.
func orderOf(s *Scope, e *sql.Expr) (desc, nullsFirst bool) {
	var given [2]bool
	for i, words := range [][2]string{{"ASC", "DESC"}, {"NULLS LAST", "NULLS FIRST"}}[:len(e.Args)-1] {
		word := strings.ToUpper(s.LiteralText(e.Args[1+i], "an order"))
		if given[i] = word == words[1]; !given[i] && word != words[0] {
			panic(sql.Wrong(e.Args[1+i].At, "", "here stands '%s' or '%s'", words[0], words[1]))
		}
	}
	return given[0], given[1]
}

// first returns the first item of the sorted list: the least, or the greatest if desc is set.
func (v Value) first(desc bool) Value {
	out := sorted(v, desc, false).item(1)
	out.At = v.At
	return out
}

// item returns the item at a position of a list.
func (v Value) item(place int64) Value {
	return Value{Expr: expr.Element(v.Expr, expr.Int(place)), Type: v.Type.Item(), JSON: v.JSON}
}

// joined concatenates lists. The result is NULL if any list is, or, if nullsEmpty is set, only
// if all are.
func joined(values []Value, nullsEmpty bool) Value {
	lists, t := Common(values)
	if t.Item() == columnar.Invalid {
		panic(notAList(Value{Type: t, At: values[0].At}))
	}
	out := lists[0]
	for _, list := range lists[1:] {
		out = expr.Call(expr.OpListConcat, out, list, expr.Bool(nullsEmpty))
	}
	return Value{Expr: out, Type: t}
}

// appended adds an item to the end of a list, or to its beginning.
func appended(c rowCall) Value {
	at, item := 0, 1
	if strings.HasSuffix(c.name, "_prepend") {
		at, item = 1, 0
	}
	list, v := listAndItem(c.args[at], c.args[item])
	both := [2]*expr.Expr{list.Expr, expr.Call(expr.OpListOf, v)}
	return Value{Expr: expr.Call(expr.OpListConcat, both[at], both[item], expr.Bool(true)), Type: list.Type}
}

func positionOf(c rowCall) Value {
	list, item := listAndItem(c.args[0], c.args[1])
	return IntOf(expr.Call(expr.OpListPosition, list.Expr, item))
}

func joinedText(c rowCall) Value {
	return TextOf(expr.Call(expr.OpListText, asList(c.args[0]).Expr, c.args[1].As(columnar.Text)))
}

// bindContains binds the test whether a text contains a part, a list an item, or a map a key.
func bindContains(s *Scope, e *sql.Expr) Value {
	c := rowCall{e.Text, e.At, s.values(e.Args)}
	switch of := c.args[0]; {
	case of.Type == columnar.Text:
		return c.as(expr.OpContains)
	case of.Type.IsMap():
		c.args[0] = of.entries()
		return hasKey.Value(s.Statement, e.At, c.args)
	}
	return hasItem(c)
}

func hasItem(c rowCall) Value {
	list, item := listAndItem(c.args[0], c.args[1])
	return Truth(expr.Call(expr.OpListContains, list.Expr, item))
}

// bindHasAny binds the test whether a list has any of some items.
func bindHasAny(s *Scope, e *sql.Expr) Value {
	both := s.values(e.Args)
	if items := both[1].Expr.Fold().Literal(); both[0].Type == columnar.TextList && items != nil && len(items.Texts) > 0 {
		list := both[0].As(columnar.TextList)
		any := columnar.Each(items.Texts, func(item string) *expr.Expr { return expr.ListContains(list, expr.Str(item)) })
		return Truth(expr.Or(any...))
	}
	return hasAny.Value(s.Statement, e.At, both)
}

// bindHasAll binds the test whether a list has all of some items. Texts have an operation.
func bindHasAll(s *Scope, e *sql.Expr) Value {
	both := s.values(e.Args)
	if both[0].Type == columnar.TextList && both[1].Type == columnar.TextList {
		return Truth(expr.ListContainsAll(both[0].As(columnar.TextList), both[1].As(columnar.TextList)))
	}
	return hasAll.Value(s.Statement, e.At, both)
}

// asNumbers is a value that must be a list of numbers; NULL is taken as a list of integers.
func asNumbers(list Value) Value {
	if !IsNumber(list.Type.Item()) {
		list = Value{Expr: list.As(columnar.IntList), Type: columnar.IntList}
	}
	return list
}

// sumType is the type of the sum of a list of numbers.
func sumType(list columnar.Type) columnar.Type {
	if list.Item() == columnar.Decimal {
		return columnar.Wide
	}
	return list.Item()
}
