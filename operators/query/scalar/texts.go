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
	return []Function{
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"length", "len", "char_length", "character_length"}, Usage: "length(text or list)",
				Help:    "the number of characters of a text, or of items of a list",
				Example: "length('Köln')", Value: "4",
			},
			Least: 1, Most: 1, Bind: rewritten(lengthOf),
		},
		{
			Doc: registry.Doc{
				Group: registry.Lists, Names: []string{"array_length"}, Usage: "array_length(list[, dimension])",
				Help:    "the number of items of a list, which is its dimension 1",
				Example: "array_length([3, 4], 1)", Value: "2",
			},
			Least: 1, Most: 2, Bind: bindArrayLength,
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"substr", "substring"}, Usage: "substr(text, first[, length])",
				Help:    "the part of a text from a position on, counted from 1, or from the end if it is negative",
				Example: "substr('Bremen', 2, 3)", Value: "rem",
			},
			Least: 2, Most: 3, Bind: rewritten(substr),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"position"}, Usage: "position(part IN text)",
				Help:    "the position of the first occurrence of a part, counted from 1; 0 if there is none",
				Example: "position('me' IN 'Bremen')", Value: "4",
			},
			Least: 2, Most: 2, Bind: ofOp(expr.OpPosition),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"unicode", "ord"}, Usage: "unicode(text)",
				Help:    "the code point of the first character; -1 for an empty text",
				Example: "unicode('ß')", Value: "223",
			},
			Least: 1, Most: 1, Bind: rewritten(unicode),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"trim"}, Usage: "trim(text[, characters])",
				Help:    "a text without spaces, or without the given characters, at both ends",
				Example: "trim('  a ')", Value: "a",
			},
			Least: 1, Most: 2, Bind: trim(expr.OpTrim, expr.OpTrimOf),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"ltrim"}, Usage: "ltrim(text[, characters])",
				Help:    "a text without spaces, or without the given characters, at its beginning",
				Example: "ltrim('xxa', 'x')", Value: "a",
			},
			Least: 1, Most: 2, Bind: trim(expr.OpLeftTrim, expr.OpLeftTrimOf),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"rtrim"}, Usage: "rtrim(text[, characters])",
				Help:    "a text without spaces, or without the given characters, at its end",
				Example: "rtrim('a..', '.')", Value: "a",
			},
			Least: 1, Most: 2, Bind: trim(expr.OpRightTrim, expr.OpRightTrimOf),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"repeat"}, Usage: "repeat(text or list, times)",
				Help:    "a text, or the items of a list, repeated a number of times",
				Example: "repeat('ab', 3)", Value: "ababab",
			},
			Least: 2, Most: 2, Bind: bindRepeat,
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"contains"}, Usage: "contains(text or list, part)",
				Help:    "whether a text contains a part, or a list an item",
				Example: "contains('Bremen', 'eme')", Value: "true",
			},
			Least: 2, Most: 2, Bind: rewritten(contains),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"grouping", "grouping_id"}, Usage: "grouping(key, …)",
				Help:    "of GROUP BY ROLLUP and its like: a bit for each key, set where the row sums over it",
				Example: "grouping(s)", Value: "0",
			},
			Least: 1, Most: -1, Bind: func(_ *Scope, e *sql.Expr) Value {
				panic(sql.Wrong(e.At, "", "%s stands beside GROUP BY, of whose keys it is", e.Text))
			},
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"concat"}, Usage: "concat(value, …)",
				Help:    "the values one after the other as a text, or lists as a list; NULL counts as empty",
				Example: "concat('a', NULL, 1)", Value: "a1",
			},
			Least: 1, Most: -1, Bind: rewritten(concatAll),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"concat_ws"}, Usage: "concat_ws(separator, value, …)",
				Help:    "the values that are not NULL as a text, with a separator between them",
				Example: "concat_ws('-', 'a', NULL, 1)", Value: "a-1",
			},
			Least: 2, Most: -1, Bind: rewritten(concatWith),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"regexp_matches"}, Usage: "regexp_matches(text, pattern[, options])",
				Help:    "whether a regular expression matches a part of a text",
				Example: "regexp_matches('Bremen', 'r.m')", Value: "true",
			},
			Least: 2, Most: 3, Bind: bindMatches,
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"regexp_full_match"}, Usage: "regexp_full_match(text, pattern[, options])",
				Help:    "whether a regular expression matches a whole text",
				Example: "regexp_full_match('Bremen', 'B.*n')", Value: "true",
			},
			Least: 2, Most: 3, Bind: bindFullMatch,
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"regexp_replace"}, Usage: "regexp_replace(text, pattern, new[, options])",
				Help:    "a text in which the first match of a regular expression is replaced; with option 'g', each",
				Example: "regexp_replace('a1b2', '[0-9]', '#', 'g')", Value: "a#b#",
			},
			Least: 3, Most: 4, Bind: bindRegexpReplace,
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"regexp_extract"}, Usage: "regexp_extract(text, pattern[, group[, options]])",
				Help:    "the first match of a regular expression, or a group of it; empty if there is none",
				Example: "regexp_extract('id=42', 'id=([0-9]+)', 1)", Value: "42",
			},
			Least: 2, Most: 4, Bind: bindRegexpExtract(expr.OpRegexpExtract, columnar.Text),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"sentiment"}, Usage: "sentiment(text[, model])",
				Help:    "positive, neutral or negative; the models are lexicon and naive",
				Example: "sentiment('What a great film!')", Value: "positive",
			},
			Least: 1, Most: 2, Bind: bindModel(expr.Sentiment, columnar.Text),
		},
		{
			Doc: registry.Doc{
				Group: registry.Texts, Names: []string{"polarity"}, Usage: "polarity(text[, model])",
				Help:    "how positive a text is, from -1 to 1",
				Example: "polarity('What a great film!')", Value: "0.6588",
			},
			Least: 1, Most: 2, Bind: bindModel(expr.Polarity, columnar.Decimal),
		},
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
func trim(spaces, of expr.Op) binding {
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
var repeated = NewFormula("list, times", "flatten(list_transform(range(times), lambda i: list))")

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
	return concat(each(c.args, func(v Value) Value {
		return Value{Expr: expr.Coalesce(AsText(v), expr.Str("")), Type: columnar.Text}
	}))
}

// concatWith is the concatenation of the values that are not null, with a separator.
func concatWith(c rowCall) Value {
	between, texts := c.args[0].As(columnar.Text), each(c.args[1:], AsText)
	all := expr.Coalesce(expr.Call(expr.OpListText, expr.Call(expr.OpListOf, texts...), between), expr.Str(""))
	return Value{Expr: expr.If(expr.IsNull(between), expr.Null(columnar.Text), all), Type: columnar.Text}
}

// bindModel binds a function of a text and a sentiment model.
func bindModel(f func(text, model *expr.Expr) *expr.Expr, gives columnar.Type) binding {
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
