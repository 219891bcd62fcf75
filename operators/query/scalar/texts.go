package scalar

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
	"analyzer/operators/sentiment"
)

func init() { Functions.Add(textFunctions) }

func textFunctions() []Function {
	lists, texts := in(registry.Lists), in(registry.Texts)
	return []Function{
		texts("length len char_length character_length", "(text or list)", "the number of characters of a text, or of items of a list",
			"length('Köln')", "4", rewritten(lengthOf)),
		lists("array_length", "(list[, dimension])", "the number of items of a list, which is its dimension 1",
			"array_length([3, 4], 1)", "2", bindArrayLength),
		texts("substr substring", "(text, first[, length])", "the part of a text from a position on, counted from 1, or from the end if it is negative",
			"substr('Bremen', 2, 3)", "rem", rewritten(substr)),
		texts("position", "(part IN text)", "the position of the first occurrence of a part, counted from 1; 0 if there is none",
			"position('me' IN 'Bremen')", "4", ofOp(expr.OpPosition)),
		texts("unicode ord", "(text)", "the code point of the first character; -1 for an empty text",
			"unicode('ß')", "223", rewritten(unicode)),
		texts("trim", "(text[, characters])", "a text without spaces, or without the given characters, at both ends",
			"trim('  a ')", "a", trim(expr.OpTrim, expr.OpTrimOf)),
		texts("ltrim", "(text[, characters])", "a text without spaces, or without the given characters, at its beginning",
			"ltrim('xxa', 'x')", "a", trim(expr.OpLeftTrim, expr.OpLeftTrimOf)),
		texts("rtrim", "(text[, characters])", "a text without spaces, or without the given characters, at its end",
			"rtrim('a..', '.')", "a", trim(expr.OpRightTrim, expr.OpRightTrimOf)),
		texts("repeat", "(text or list, times)", "a text, or the items of a list, repeated a number of times",
			"repeat('ab', 3)", "ababab", bindRepeat),
		texts("contains", "(text, list or map, part)", "whether a text contains a part, a list an item, or a map a key",
			"contains('Bremen', 'eme')", "true", bindContains).Taking(2, 2),
		texts("grouping grouping_id", "(key, …)", "of GROUP BY ROLLUP and its like: a bit for each key, set where the row sums over it",
			"grouping(s)", "0", func(_ *Scope, e *sql.Expr) Value {
				panic(sql.Wrong(e.At, "", "%s stands beside GROUP BY, of whose keys it is", e.Text))
			}),
		texts("concat", "(value, …)", "the values one after the other as a text, or lists as a list; NULL counts as empty",
			"concat('a', NULL, 1)", "a1", rewritten(concatAll)),
		texts("concat_ws", "(separator, value, …)", "the values that are not NULL as a text, with a separator between them",
			"concat_ws('-', 'a', NULL, 1)", "a-1", rewritten(concatWith)),
		texts("regexp_matches", "(text, pattern[, options])", "whether a regular expression matches a part of a text",
			"regexp_matches('Bremen', 'r.m')", "true", bindMatches),
		texts("regexp_full_match", "(text, pattern[, options])", "whether a regular expression matches a whole text",
			"regexp_full_match('Bremen', 'B.*n')", "true", bindFullMatch),
		texts("regexp_replace", "(text, pattern, new[, options])", "a text in which the first match of a regular expression is replaced; with option 'g', each",
			"regexp_replace('a1b2', '[0-9]', '#', 'g')", "a#b#", bindRegexpReplace),
		texts("regexp_extract", "(text, pattern[, group[, options]])", "the first match of a regular expression, or a group of it; empty if there is none",
			"regexp_extract('id=42', 'id=([0-9]+)', 1)", "42", bindRegexpExtract(expr.OpRegexpExtract)),
		texts("sentiment", "(text[, model])", "positive, neutral or negative; the models are lexicon and naive",
			"sentiment('What a great film!')", "positive", bindModel(expr.Sentiment, columnar.Text)),
		texts("polarity", "(text[, model])", "how positive a text is, from -1 to 1",
			"polarity('What a great film!')", "0.6588", bindModel(expr.Polarity, columnar.Decimal)),
	}
}

func lengthOf(c rowCall) Value {
	if v := c.args[0]; v.Type.Item() != columnar.Invalid {
		return IntOf(expr.Len(v.Expr))
	}
	return c.as(expr.OpLength)
}

func bindArrayLength(s *Scope, e *sql.Expr) Value {
	if d := optional(e, 1); d != nil && s.LiteralInt(d, 1, "a dimension") > 1 {
		panic(sql.Unsupported(d.At, "Next: write length(list[1]).", "lengths of further dimensions"))
	}
	return lengthOf(rowCall{at: e.At, args: []Value{s.Expr(e.Args[0])}})
}

func substr(c rowCall) Value {
	if len(c.args) == 2 {
		c.args = append(c.args, IntOf(expr.Int(1<<40)))
	}
	return c.as(expr.OpSubstr)
}

// trim binds a function that trims spaces, or the characters of a second argument.
func trim(spaces, of expr.Op) Binding {
	return rewritten(func(c rowCall) Value {
		if len(c.args) > 1 {
			return c.as(of)
		}
		return c.as(spaces)
	})
}

// unicode is the first code point of a text, -1 for an empty text.
func unicode(c rowCall) Value {
	text := c.args[0].As(columnar.Text)
	return IntOf(expr.If(expr.Eq(text, expr.Str("")), expr.Int(-1), expr.Call(expr.OpCodePoint, text)))
}

// repeated is repeat of a list.
var repeated = NewFormula("list, times", "CASE WHEN list IS NOT NULL THEN flatten(list_transform(range(times), lambda i: list)) END")

func bindRepeat(s *Scope, e *sql.Expr) Value {
	c := rowCall{e.Text, e.At, s.values(e.Args)}
	if c.args[0].Type.Item() != columnar.Invalid {
		return repeated.Value(s.Statement, e.At, c.args)
	}
	return c.as(expr.OpRepeat)
}

// concatAll is the concatenation of texts; NULL counts as the empty text.
func concatAll(c rowCall) Value {
	isList := func(v Value) bool { return v.Type.Item() != columnar.Invalid }
	if slices.ContainsFunc(c.args, isList) {
		if no := slices.IndexFunc(c.args, func(v Value) bool { return !v.Null && !isList(v) }); no >= 0 {
			panic(sql.Wrong(c.args[no].At, "Next: write CAST(… AS VARCHAR) of the list, or [value].", "a list and %s are not concatenated", TypeName(c.args[no].Type)))
		}
		return joined(c.args, true)
	}
	return concat(columnar.Each(c.args, func(v Value) Value {
		return TextOf(expr.Coalesce(AsText(v), expr.Str("")))
	}))
}

// concatWith is the concatenation of the values that are not null, with a separator.
func concatWith(c rowCall) Value {
	between, texts := c.args[0].As(columnar.Text), columnar.Each(c.args[1:], AsText)
	all := expr.Coalesce(expr.Call(expr.OpListText, expr.Call(expr.OpListOf, texts...), between), expr.Str(""))
	return TextOf(expr.If(expr.IsNull(between), expr.Null(columnar.Text), all))
}

// bindModel binds a function of a text and a sentiment model.
func bindModel(f func(text, model *expr.Expr) *expr.Expr, gives columnar.Type) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		text := s.text(e.Args[0])
		model := sentiment.Lexicon
		if len(e.Args) > 1 {
			model = s.LiteralText(e.Args[1], "a model")
			if !slices.Contains(sentiment.Names(), model) {
				panic(sql.Wrong(e.Args[1].At, "There are "+strings.Join(sentiment.Names(), ", ")+".", "there is no model %q", model))
			}
		}
		return Value{Expr: f(text, expr.Str(model)), Type: gives}
	}
}
