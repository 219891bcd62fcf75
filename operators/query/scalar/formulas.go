package scalar

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// Formula is an expression with parameters, of which it uses each any number of times.
type Formula struct {
	parameters []string
	text       string
}

// NewFormula returns a formula of parameters with commas between them.
func NewFormula(parameters, text string) Formula {
	return Formula{strings.Split(parameters, ", "), text}
}

// Value binds a formula with values of its parameters. Those that lack one are NULL.
func (f Formula) Value(st *Statement, at sql.Span, values []Value) Value {
	e, err := sql.ParseExpr(st.Work, f.text)
	if err != nil {
		panic(err)
	}
	e.Walk(func(part *sql.Expr) bool {
		part.At = at
		return true
	})
	s := &Scope{Statement: st}
	for i, name := range f.parameters {
		v := NullAt(at)
		if i < len(values) {
			v = values[i]
		}
		s.parameters = &parameter{name, v, s.parameters}
	}
	return s.Expr(e)
}

// formula is the entry of a function that a formula of its parameters defines.
func (d describing) formula(names, parameters, text, help, example, value string) Function {
	f := NewFormula(parameters, text)
	return d(names, "("+parameters+")", help, example, value,
		func(s *Scope, e *sql.Expr) Value { return f.Value(s.Statement, e.At, s.values(e.Args)) })
}

// orNull binds a call as bind does, and one with NULL as its first argument as NULL.
func orNull(bind Binding) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		if s.IsNull(e.Args[0]) {
			return NullAt(e.At)
		}
		return bind(s, e)
	}
}

// The parts of medians.
var (
	wide    = NewFormula("list", "CAST(list AS HUGEINT[])")
	ordered = NewFormula("list", "list_sort(list_filter(list, lambda x: x IS NOT NULL))")
	middles = NewFormula("list", "list[(length(list) + 1) // 2] + list[length(list) // 2 + 1]")
	half    = NewFormula("number", "number / 2")
	// distances are twice as large as they are, so that those of DECIMALs are exact.
	distances = NewFormula("list, middles", "list_transform(list, lambda x: abs(x + x - middles))")
	// intervalOfMad has its time of day apart from its days, as a difference of timestamps has.
	intervalOfMad = NewFormula("list", "TIMESTAMP '1970-01-01' + to_microseconds(CAST(list_mad(list_transform(list, lambda x: epoch_us(x))) AS BIGINT)) - TIMESTAMP '1970-01-01'")
)

func init() { Functions.Add(definedFunctions) }

func definedFunctions() []Function {
	anyValue, lists, numbers, texts, times := in(registry.AnyValue), in(registry.Lists), in(registry.Numbers), in(registry.Texts), in(registry.Times)
	resize := lists.formula("list_resize array_resize", "list, length, item", "list[1:length] || list_transform(range(length - length(list)), lambda i: item)",
		"a list of so many items: those of a list, and then NULL or an item again and again", "list_resize([1, 2], 4, 0)", "[1, 2, 0, 0]")
	resize = resize.used("list_resize(list, length[, item])")
	resize.Bind = orNull(resize.Bind)
	logarithm := numbers.formula("log", "base, number", "ln(number) / ln(base)", "the logarithm to a base, or to base 10", "log(2, 8)", "3")
	logarithm = logarithm.used("log([base, ]number)")
	toBase := logarithm.Bind
	logarithm.Bind = func(s *Scope, e *sql.Expr) Value {
		if len(e.Args) == 1 {
			return Functions.Find("log10").Bind(s, e)
		}
		return toBase(s, e)
	}
	return []Function{
		lists.formula("list_where array_where", "list, conditions", "CASE WHEN list IS NOT NULL THEN list_transform(list_filter(range(1, length(conditions) + 1), lambda i: conditions[i]), lambda i: list[i]) END",
			"the items in whose places a list of conditions is true", "list_where([5, 6, 7], [true, false, true])", "[5, 7]"),
		lists.formula("list_select array_select", "list, positions", "CASE WHEN list IS NOT NULL THEN list_transform(positions, lambda i: CASE WHEN i > 0 THEN list[i] END) END",
			"the items at some positions", "list_select([5, 6, 7], [3, 1])", "[7, 5]"),
		lists.formula("list_intersect array_intersect", "list, other", "list_distinct(list_filter(list, lambda x: list_contains(other, x)))",
			"the different items that both lists have", "list_intersect([1, 2, 3], [2, 3, 4])", "[2, 3]"),
		lists.formula("array_pop_back", "list", "list[1:length(list) - 1]", "a list without its last item", "array_pop_back([1, 2, 3])", "[1, 2]"),
		lists.formula("array_pop_front", "list", "list[2:]", "a list without its first item", "array_pop_front([1, 2, 3])", "[2, 3]"),
		lists.formula("array_push_front", "list, item", "list_prepend(item, list)", "a list with an item added at its beginning", "array_push_front([2, 3], 1)", "[1, 2, 3]"),
		lists.formula("list_product array_product", "list", "list_reduce(list_filter(list_transform(list, lambda x: CAST(x AS DOUBLE)), lambda x: x IS NOT NULL), lambda product, x: product * x)",
			"the product of the items", "list_product([2, 3, 4])", "24"),
		lists.formula("list_inner_product list_dot_product array_inner_product array_dot_product", "list, other", "CAST(coalesce(list_sum(list_transform(list, lambda x, i: x * other[i])), 0) AS DOUBLE)",
			"the sum of the products of the items in the same places", "list_inner_product([1, 2], [3, 4])", "11"),
		lists.formula("list_negative_inner_product list_negative_dot_product array_negative_inner_product array_negative_dot_product", "list, other", "-list_inner_product(list, other)",
			"the sum of the products of the items in the same places, with the other sign", "list_negative_inner_product([1, 2], [3, 4])", "-11"),
		lists.formula("array_cross_product", "list, other", "CAST([CAST(list AS DOUBLE[3])[2] * CAST(other AS DOUBLE[3])[3] - list[3] * other[2], list[3] * other[1] - list[1] * other[3], list[1] * other[2] - list[2] * other[1]] AS DOUBLE[])",
			"the cross product of two vectors in space", "array_cross_product([1, 2, 3], [2, 3, 4])", "[-1, 2, -1]"),
		lists.formula("list_distance array_distance", "list, other", "sqrt(coalesce(list_sum(list_transform(list, lambda x, i: (x - other[i]) * (x - other[i]))), 0))",
			"the distance of two points whose coordinates the lists have", "list_distance([1, 2], [4, 6])", "5"),
		lists.formula("list_cosine_similarity array_cosine_similarity", "list, other", "list_inner_product(list, other) / sqrt(list_inner_product(list, list) * list_inner_product(other, other))",
			"the cosine of the angle between two vectors", "list_cosine_similarity([1, 2], [2, 4])", "1"),
		lists.formula("list_cosine_distance array_cosine_distance", "list, other", "1 - list_cosine_similarity(list, other)",
			"1 minus the cosine of the angle between two vectors", "list_cosine_distance([1, 2], [2, 4])", "0"),
		resize,
		numbers.formula("fdiv", "number, divisor", "floor(CAST(number AS DOUBLE) / divisor)", "the next lower whole number of a quotient", "fdiv(-7, 2)", "-4"),
		numbers.formula("fmod", "number, divisor", "number - divisor * floor(CAST(number AS DOUBLE) / divisor)", "the remainder of a division that rounds down", "fmod(-7, 2)", "1"),
		numbers.formula("round_even roundbankers", "number, places", "CASE WHEN (abs(number) * pow(10, places + 1)) % 10 = 5 THEN 2 * round(number * pow(10, places) / 2) ELSE round(number * pow(10, places)) END / pow(10, places)",
			"a number rounded to places after the decimal point; halves go to the even neighbour", "round_even(2.5, 0)", "2"),
		logarithm,
		times.formula("days_in_month", "date", "day(last_day(date))", "how many days its month has", "days_in_month(DATE '2024-02-10')", "29"),
		times.formula("ago", "span", "now() - CAST(span AS INTERVAL)", "the moment so long before the statement was given", "ago(INTERVAL 1 DAY) = now() - INTERVAL 1 DAY", "true"),
		times.formula("make_timestamp_ms", "number", "epoch_ms(number)", "the TIMESTAMP so many milliseconds after 1970", "make_timestamp_ms(1500)", "1970-01-01 00:00:01.5"),
		times.formula("make_timestamp_ns", "number", "make_timestamp(number // 1000)", "the TIMESTAMP so many nanoseconds after 1970, to the microsecond", "make_timestamp_ns(1500000)", "1970-01-01 00:00:00.0015"),
		anyValue.formula("pg_typeof", "value", "lower(typeof(value))", "the name of a value's type in small letters", "pg_typeof(1.5)", "decimal"),
		anyValue("cast_to_type", "(value, other)", "a value, cast to the type of another one", "cast_to_type('5', 1) + 1", "6", castLike),
		anyValue.formula("constant_or_null", "value, other", "CASE WHEN other IS NOT NULL THEN value END", "a value, or NULL where the other one is NULL", "constant_or_null(1, NULL)", "NULL"),
		texts.formula("like_escape", "text, pattern, escape", "text LIKE pattern ESCAPE escape", "whether a text matches a pattern, like text LIKE pattern ESCAPE escape", "like_escape('a%', 'a$%', '$')", "true"),
		texts.formula("not_like_escape", "text, pattern, escape", "text NOT LIKE pattern ESCAPE escape", "like text NOT LIKE pattern ESCAPE escape", "not_like_escape('a%', 'a$%', '$')", "false"),
		texts.formula("ilike_escape", "text, pattern, escape", "text ILIKE pattern ESCAPE escape", "like text ILIKE pattern ESCAPE escape", "ilike_escape('A%', 'a$%', '$')", "true"),
		texts.formula("not_ilike_escape", "text, pattern, escape", "text NOT ILIKE pattern ESCAPE escape", "like text NOT ILIKE pattern ESCAPE escape", "not_ilike_escape('A%', 'a$%', '$')", "false"),
		times.formula("date", "value", "CAST(value AS DATE)", "a DATE, like CAST(value AS DATE)", "date('2024-02-10')", "2024-02-10"),
		times.formula("timezone_hour", "timestamp", "CASE WHEN isfinite(timestamp) THEN 0 END", "the hours of the offset in which it is shown, that of UTC", "timezone_hour(TIMESTAMP '2024-02-10')", "0"),
		times.formula("timezone_minute", "timestamp", "timezone_hour(timestamp)", "the minutes of the offset in which it is shown, that of UTC", "timezone_minute(TIMESTAMP '2024-02-10')", "0"),
		times.formula("nanosecond", "date", "microsecond(date) * 1000", "the nanoseconds of the minute", "nanosecond(TIMESTAMP '2024-02-10 17:30:05')", "5000000000"),
		numbers.formula("divide", "integer, divisor", "integer // divisor", "the whole part of a quotient", "divide(-7, 2)", "-3"),
		numbers.formula("add", "number, other", "number + other", "a sum", "add(1, 2)", "3"),
		numbers.formula("subtract", "number, other", "number - other", "a difference", "subtract(3, 1)", "2"),
		numbers.formula("multiply", "number, other", "number * other", "a product", "multiply(2, 3)", "6"),
		lists("list_median array_median", "(list)", "the middle item; of an even number of them, the mean of the two in the middle",
			"list_median([1, 2, 9])", "2", func(s *Scope, e *sql.Expr) Value { return s.median(summable(s, e.Args[0]), e.At) }),
		lists("list_mad array_mad", "(list)", "the median of the distances from the median",
			"list_mad([1, 2, 9])", "1", func(s *Scope, e *sql.Expr) Value {
				list := summable(s, e.Args[0])
				if slices.Contains([]columnar.Type{columnar.Date, columnar.Time, columnar.Timestamp, columnar.Instant}, list.Type.Item()) {
					return intervalOfMad.Value(s.Statement, e.At, []Value{list})
				}
				twice := distances.Value(s.Statement, e.At, []Value{list, s.middles(list, e.At)})
				return half.Value(s.Statement, e.At, []Value{s.median(twice, e.At)})
			}),
	}
}

// summable is a list of which two items can be added: sums of two BIGINTs need more digits.
func summable(s *Scope, e *sql.Expr) Value {
	list := s.Expr(e)
	if list.Type.Item() == columnar.Int {
		return wide.Value(s.Statement, e.At, []Value{list})
	}
	return list
}

// median is the median of a list of numbers.
func (st *Statement) median(list Value, at sql.Span) Value {
	return half.Value(st, at, []Value{st.middles(list, at)})
}

// middles is the sum of the two items in the middle of a list of numbers, twice the one if there is one.
func (st *Statement) middles(list Value, at sql.Span) Value {
	return middles.Value(st, at, []Value{ordered.Value(st, at, []Value{list})})
}
