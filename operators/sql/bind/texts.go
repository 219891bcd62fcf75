package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sentiment"
	"analyzer/operators/sql"
)

func textFunctions() []function {
	return []function{
		{
			names: []string{"lower", "lcase"}, usage: "lower(text)", least: 1, most: 1,
			help:    "the text in small letters",
			example: "lower('Ulm')", value: "ulm",
			bind: ofOp(expr.OpLower),
		},
		{
			names: []string{"upper", "ucase"}, usage: "upper(text)", least: 1, most: 1,
			help:    "the text in capital letters",
			example: "upper('Ulm')", value: "ULM",
			bind: ofOp(expr.OpUpper),
		},
		{
			names: []string{"length", "len", "char_length", "character_length", "array_length"}, usage: "length(text or list)", least: 1, most: 1,
			help:    "the number of characters of a text, or of items of a list",
			example: "length('Köln')", value: "4",
			bind: on((*binder).expr, lengthOf),
		},
		{
			names: []string{"substr", "substring"}, usage: "substr(text, first[, length])", least: 2, most: 3,
			help:    "the part of a text from a position on, counted from 1, or from the end if it is negative",
			example: "substr('Bremen', 2, 3)", value: "rem",
			bind: bindSubstr,
		},
		{
			names: []string{"left"}, usage: "left(text, length)", least: 2, most: 2,
			help:    "the first characters of a text; all but so many from the end if the number is negative",
			example: "left('Bremen', 2)", value: "Br",
			bind: ofOp(expr.OpLeft),
		},
		{
			names: []string{"right"}, usage: "right(text, length)", least: 2, most: 2,
			help:    "the last characters of a text; all but so many from the beginning if the number is negative",
			example: "right('Bremen', 2)", value: "en",
			bind: ofOp(expr.OpRight),
		},
		{
			names: []string{"strpos", "instr"}, usage: "strpos(text, part)", least: 2, most: 2,
			help:    "the position of the first occurrence of a part, counted from 1; 0 if there is none",
			example: "strpos('Bremen', 'me')", value: "4",
			bind: ofOp(expr.OpPosition),
		},
		{
			names: []string{"position"}, usage: "position(part IN text)", least: 2, most: 2,
			help:    "the position of the first occurrence of a part, counted from 1; 0 if there is none",
			example: "position('me' IN 'Bremen')", value: "4",
			bind: ofOp(expr.OpPosition),
		},
		{
			names: []string{"split_part"}, usage: "split_part(text, separator, number)", least: 3, most: 3,
			help:    "a part of a text between separators, counted from 1, or from the end if the number is negative",
			example: "split_part('a-b-c', '-', 2)", value: "b",
			bind: ofOp(expr.OpSplitPart),
		},
		{
			names: []string{"reverse"}, usage: "reverse(text)", least: 1, most: 1,
			help:    "the characters of a text from last to first",
			example: "reverse('Ulm')", value: "mlU",
			bind: ofOp(expr.OpReverse),
		},
		{
			names: []string{"repeat"}, usage: "repeat(text, times)", least: 2, most: 2,
			help:    "a text repeated a number of times",
			example: "repeat('ab', 3)", value: "ababab",
			bind: ofOp(expr.OpRepeat),
		},
		{
			names: []string{"lpad"}, usage: "lpad(text, length, filling)", least: 3, most: 3,
			help:    "a text lengthened on the left, or cut, to a number of characters",
			example: "lpad('7', 3, '0')", value: "007",
			bind: ofOp(expr.OpLeftPad),
		},
		{
			names: []string{"rpad"}, usage: "rpad(text, length, filling)", least: 3, most: 3,
			help:    "a text lengthened on the right, or cut, to a number of characters",
			example: "rpad('7', 3, '.')", value: "7..",
			bind: ofOp(expr.OpRightPad),
		},
		{
			names: []string{"ascii"}, usage: "ascii(text)", least: 1, most: 1,
			help:    "the code point of the first character; 0 for an empty text",
			example: "ascii('A')", value: "65",
			bind: ofOp(expr.OpCodePoint),
		},
		{
			names: []string{"unicode", "ord"}, usage: "unicode(text)", least: 1, most: 1,
			help:    "the code point of the first character; -1 for an empty text",
			example: "unicode('ß')", value: "223",
			bind: bindUnicode,
		},
		{
			names: []string{"chr"}, usage: "chr(number)", least: 1, most: 1,
			help:    "the character of a code point",
			example: "chr(65)", value: "A",
			bind: ofOp(expr.OpChar),
		},
		{
			names: []string{"trim"}, usage: "trim(text[, characters])", least: 1, most: 2,
			help:    "a text without spaces, or without the given characters, at both ends",
			example: "trim('  a ')", value: "a",
			bind: bindTrim(expr.OpTrim, expr.OpTrimOf),
		},
		{
			names: []string{"ltrim"}, usage: "ltrim(text[, characters])", least: 1, most: 2,
			help:    "a text without spaces, or without the given characters, at its beginning",
			example: "ltrim('xxa', 'x')", value: "a",
			bind: bindTrim(expr.OpLeftTrim, expr.OpLeftTrimOf),
		},
		{
			names: []string{"rtrim"}, usage: "rtrim(text[, characters])", least: 1, most: 2,
			help:    "a text without spaces, or without the given characters, at its end",
			example: "rtrim('a..', '.')", value: "a",
			bind: bindTrim(expr.OpRightTrim, expr.OpRightTrimOf),
		},
		{
			names: []string{"replace"}, usage: "replace(text, old, new)", least: 3, most: 3,
			help:    "a text in which each occurrence of a part is replaced",
			example: "replace('a.b.c', '.', '-')", value: "a-b-c",
			bind: ofOp(expr.OpReplace),
		},
		{
			names: []string{"starts_with", "prefix"}, usage: "starts_with(text, beginning)", least: 2, most: 2,
			help:    "whether a text has this beginning",
			example: "starts_with('Bremen', 'Bre')", value: "true",
			bind: ofOp(expr.OpStartsWith),
		},
		{
			names: []string{"ends_with", "suffix"}, usage: "ends_with(text, end)", least: 2, most: 2,
			help:    "whether a text has this end",
			example: "ends_with('Bremen', 'men')", value: "true",
			bind: ofOp(expr.OpEndsWith),
		},
		{
			names: []string{"contains"}, usage: "contains(text or list, part)", least: 2, most: 2,
			help:    "whether a text contains a part, or a list an item",
			example: "contains('Bremen', 'eme')", value: "true",
			bind: bindContains,
		},
		{
			names: []string{"grouping", "grouping_id"}, usage: "grouping(key, …)", least: 1, most: -1,
			help:    "of GROUP BY ROLLUP and its like: a bit for each key, set where the row sums over it",
			example: "grouping(s)", value: "0",
			bind: func(_ *binder, e *sql.Expr, _ *scope) typed {
				panic(sql.Wrong(e.At, "", "%s stands beside GROUP BY, of whose keys it is", e.Text))
			},
		},
		{
			names: []string{"concat"}, usage: "concat(value, …)", least: 1, most: -1,
			help:    "the values one after the other as a text; NULL counts as empty",
			example: "concat('a', NULL, 1)", value: "a1",
			bind: bindConcat,
		},
		{
			names: []string{"concat_ws"}, usage: "concat_ws(separator, value, …)", least: 2, most: -1,
			help:    "the values that are not NULL as a text, with a separator between them",
			example: "concat_ws('-', 'a', NULL, 1)", value: "a-1",
			bind: bindConcatWith,
		},
		{
			names: []string{"regexp_matches"}, usage: "regexp_matches(text, pattern[, options])", least: 2, most: 3,
			help:    "whether a regular expression matches a part of a text",
			example: "regexp_matches('Bremen', 'r.m')", value: "true",
			bind: bindMatches("%s"),
		},
		{
			names: []string{"regexp_full_match"}, usage: "regexp_full_match(text, pattern[, options])", least: 2, most: 3,
			help:    "whether a regular expression matches a whole text",
			example: "regexp_full_match('Bremen', 'B.*n')", value: "true",
			bind: bindMatches(wholeText),
		},
		{
			names: []string{"regexp_replace"}, usage: "regexp_replace(text, pattern, new[, options])", least: 3, most: 4,
			help:    "a text in which the first match of a regular expression is replaced; with option 'g', each",
			example: "regexp_replace('a1b2', '[0-9]', '#', 'g')", value: "a#b#",
			bind: bindRegexpReplace,
		},
		{
			names: []string{"regexp_extract"}, usage: "regexp_extract(text, pattern[, group[, options]])", least: 2, most: 4,
			help:    "the first match of a regular expression, or a group of it; empty if there is none",
			example: "regexp_extract('id=42', 'id=([0-9]+)', 1)", value: "42",
			bind: bindRegexpExtract,
		},
		{
			names: []string{"language"}, usage: "language(text)", least: 1, most: 1,
			help:    "the language of a text, as a code of two letters",
			example: "language('Das ist ein kurzer Satz.')", value: "de",
			bind: ofOp(expr.OpLanguage),
		},
		{
			names: []string{"sentiment"}, usage: "sentiment(text[, model])", least: 1, most: 2,
			help:    "positive, neutral or negative; the models are lexicon and naive",
			example: "sentiment('What a great film!')", value: "positive",
			bind: bindModel(expr.Sentiment, columnar.Text),
		},
		{
			names: []string{"polarity"}, usage: "polarity(text[, model])", least: 1, most: 2,
			help:    "how positive a text is, from -1 to 1",
			example: "polarity('What a great film!')", value: "0.6588",
			bind: bindModel(expr.Polarity, columnar.Decimal),
		},
	}
}

func lengthOf(v typed) typed {
	if v.t.Item() != columnar.Invalid {
		return intOf(expr.Len(v.e))
	}
	return intOf(expr.Call(expr.OpLength, v.as(columnar.Text)))
}

func bindSubstr(b *binder, e *sql.Expr, s *scope) typed {
	text := b.text(e.Args[0], s)
	places := []*expr.Expr{nil, expr.Int(1 << 40)}
	for i, a := range e.Args[1:] {
		places[i] = b.valueOf(a, columnar.Int, s)
	}
	return typed{e: expr.Call(expr.OpSubstr, text, places[0], places[1]), t: columnar.Text}
}

// bindTrim binds a function that trims spaces, or the characters of a second argument.
func bindTrim(spaces, of expr.Op) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed {
		op := spaces
		if len(e.Args) > 1 {
			op = of
		}
		return ofOp(op)(b, e, s)
	}
}

// bindUnicode binds the first code point of a text, -1 for an empty text.
func bindUnicode(b *binder, e *sql.Expr, s *scope) typed {
	text := b.text(e.Args[0], s)
	return intOf(expr.If(expr.Eq(text, expr.Str("")), expr.Int(-1), expr.Call(expr.OpCodePoint, text)))
}

// bindConcat binds the concatenation of texts; NULL counts as the empty text.
func bindConcat(b *binder, e *sql.Expr, s *scope) typed {
	return concat(each(e.Args, func(a *sql.Expr) typed {
		return typed{e: expr.Coalesce(asText(b.expr(a, s)), expr.Str("")), t: columnar.Text}
	}))
}

// bindConcatWith binds the concatenation of the values that are not null, with a separator.
func bindConcatWith(b *binder, e *sql.Expr, s *scope) typed {
	between := b.text(e.Args[0], s)
	texts := each(e.Args[1:], func(a *sql.Expr) *expr.Expr { return asText(b.expr(a, s)) })
	all := expr.Coalesce(expr.Call(expr.OpListText, expr.Call(expr.OpListOf, texts...), between), expr.Str(""))
	return typed{e: expr.If(expr.IsNull(between), expr.Null(columnar.Text), all), t: columnar.Text}
}

// bindModel binds a function of a text and a sentiment model.
func bindModel(f func(text, model *expr.Expr) *expr.Expr, gives columnar.Type) binding {
	return func(b *binder, e *sql.Expr, s *scope) typed {
		text := b.text(e.Args[0], s)
		model := sentiment.Lexicon
		if len(e.Args) > 1 {
			model = b.literalText(e.Args[1], s, "a model")
			if !slices.Contains(sentiment.Names(), model) {
				panic(sql.Wrong(e.Args[1].At, "There are "+strings.Join(sentiment.Names(), ", ")+".", "there is no model %q", model))
			}
		}
		return typed{e: f(text, expr.Str(model)), t: gives}
	}
}
