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
		{[]string{"lower", "lcase"}, "lower(text)", 1, 1, ofOp(expr.OpLower)},
		{[]string{"upper", "ucase"}, "upper(text)", 1, 1, ofOp(expr.OpUpper)},
		{[]string{"length", "len", "char_length", "character_length", "array_length"}, "length(text or list)", 1, 1, on((*binder).expr, lengthOf)},
		{[]string{"substr", "substring"}, "substr(text, first[, length])", 2, 3, bindSubstr},
		{[]string{"left"}, "left(text, length)", 2, 2, ofOp(expr.OpLeft)},
		{[]string{"right"}, "right(text, length)", 2, 2, ofOp(expr.OpRight)},
		{[]string{"strpos", "instr", "position"}, "strpos(text, part)", 2, 2, ofOp(expr.OpPosition)},
		{[]string{"split_part"}, "split_part(text, separator, number)", 3, 3, ofOp(expr.OpSplitPart)},
		{[]string{"reverse"}, "reverse(text)", 1, 1, ofOp(expr.OpReverse)},
		{[]string{"repeat"}, "repeat(text, times)", 2, 2, ofOp(expr.OpRepeat)},
		{[]string{"lpad"}, "lpad(text, length, filling)", 3, 3, ofOp(expr.OpLeftPad)},
		{[]string{"rpad"}, "rpad(text, length, filling)", 3, 3, ofOp(expr.OpRightPad)},
		{[]string{"ascii"}, "ascii(text)", 1, 1, ofOp(expr.OpCodePoint)},
		{[]string{"unicode", "ord"}, "unicode(text)", 1, 1, bindUnicode},
		{[]string{"chr"}, "chr(number)", 1, 1, ofOp(expr.OpChar)},
		{[]string{"trim"}, "trim(text[, characters])", 1, 2, bindTrim(expr.OpTrim, expr.OpTrimOf)},
		{[]string{"ltrim"}, "ltrim(text[, characters])", 1, 2, bindTrim(expr.OpLeftTrim, expr.OpLeftTrimOf)},
		{[]string{"rtrim"}, "rtrim(text[, characters])", 1, 2, bindTrim(expr.OpRightTrim, expr.OpRightTrimOf)},
		{[]string{"replace"}, "replace(text, old, new)", 3, 3, ofOp(expr.OpReplace)},
		{[]string{"starts_with", "prefix"}, "starts_with(text, beginning)", 2, 2, ofOp(expr.OpStartsWith)},
		{[]string{"ends_with", "suffix"}, "ends_with(text, end)", 2, 2, ofOp(expr.OpEndsWith)},
		{[]string{"contains"}, "contains(text or list, part)", 2, 2, bindContains},
		{[]string{"grouping", "grouping_id"}, "grouping(key, …)", 1, -1, func(_ *binder, e *sql.Expr, _ *scope) typed {
			panic(sql.Wrong(e.At, "", "%s stands beside GROUP BY, of whose keys it is", e.Text))
		}},
		{[]string{"concat"}, "concat(value, …)", 1, -1, bindConcat},
		{[]string{"concat_ws"}, "concat_ws(separator, value, …)", 2, -1, bindConcatWith},
		{[]string{"regexp_matches"}, "regexp_matches(text, pattern[, options])", 2, 3, bindMatches("%s")},
		{[]string{"regexp_full_match"}, "regexp_full_match(text, pattern[, options])", 2, 3, bindMatches(wholeText)},
		{[]string{"regexp_replace"}, "regexp_replace(text, pattern, new[, options])", 3, 4, bindRegexpReplace},
		{[]string{"regexp_extract"}, "regexp_extract(text, pattern[, group[, options]])", 2, 4, bindRegexpExtract},
		{[]string{"language"}, "language(text)", 1, 1, ofOp(expr.OpLanguage)},
		{[]string{"sentiment"}, "sentiment(text[, model])", 1, 2, bindModel(expr.Sentiment, columnar.Text)},
		{[]string{"polarity"}, "polarity(text[, model])", 1, 2, bindModel(expr.Polarity, columnar.Decimal)},
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
