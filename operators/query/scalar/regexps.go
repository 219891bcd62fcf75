package scalar

import (
	"fmt"
	"regexp"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// wholeText is the format of a regular expression that matches a whole text only.
const wholeText = `\A(?:%s)\z`

// regexpOf binds a regular expression with its options: i ignores case, c does not, s lets a dot
// match a newline, m, n and p do not, l takes the characters as they are, and others are further
// letters that the function takes.
func regexpOf(s *Scope, pattern, options *sql.Expr, others string) (text, given string) {
	text = s.LiteralText(pattern, "a regular expression")
	if options != nil {
		given = s.LiteralText(options, "options")
		if strings.Contains(given, "l") {
			text = regexp.QuoteMeta(text)
		}
		for _, o := range given {
			switch {
			case o == 'i' || o == 's':
				text = fmt.Sprintf("(?%c)%s", o, text)
			case !strings.ContainsRune("clmnp \t\n", o) && !strings.ContainsRune(others, o):
				panic(sql.Unsupported(options.At, "There are i, c, s, l and for regexp_replace g.", fmt.Sprintf("options %q of regular expressions", o)))
			}
		}
	}
	if err := expr.CheckRegexp(text, 0); err != nil {
		panic(sql.Wrong(pattern.At, "", "%v", err))
	}
	return text, given
}

// IsNull reports whether an expression is NULL whatever the row.
func (s *Scope) IsNull(e *sql.Expr) bool {
	v := s.Expr(e)
	return v.Null || v.Expr.Op == expr.OpLiteral && v.Expr.Value.Null
}

// unlessNullAt binds a function whose argument i must be known beforehand, and which is NULL where
// that one is.
func unlessNullAt(i int, gives columnar.Type, bind binding) binding {
	return func(s *Scope, e *sql.Expr) Value {
		if e.Args[i].Kind != sql.List && s.IsNull(e.Args[i]) {
			return Value{Expr: expr.Null(gives), Type: gives}
		}
		return bind(s, e)
	}
}

// optional returns argument i of a call, nil if there is none.
func optional(e *sql.Expr, i int) *sql.Expr {
	if i < len(e.Args) {
		return e.Args[i]
	}
	return nil
}

// bindMatches binds whether a text matches a regular expression, to which it applies a format.
func bindMatches(form string) binding {
	return unlessNullAt(1, columnar.Bool, func(s *Scope, e *sql.Expr) Value {
		text, given := s.text(e.Args[0]), s.text(e.Args[1])
		if len(e.Args) == 2 && given.Fold().Literal() == nil {
			before, behind, _ := strings.Cut(form, "%s")
			parts := each([]*expr.Expr{expr.Str(before), given, expr.Str(behind)}, func(e *expr.Expr) Value { return Value{Expr: e, Type: columnar.Text} })
			return Truth(expr.Call(expr.OpMatchEach, text, concat(parts).Expr))
		}
		pattern, _ := regexpOf(s, e.Args[1], optional(e, 2), "")
		return Truth(expr.Call(expr.OpMatch, text, expr.Str(fmt.Sprintf(form, pattern))))
	})
}

func bindRegexpReplace(s *Scope, e *sql.Expr) Value {
	text := s.text(e.Args[0])
	pattern, options := regexpOf(s, e.Args[1], optional(e, 3), "g")
	by := s.LiteralText(e.Args[2], "what takes the place")
	if err := expr.CheckReplacement(pattern, by); err != nil {
		panic(sql.Wrong(e.Args[2].At, "", "%v", err))
	}
	all := expr.Bool(strings.Contains(options, "g"))
	return Value{Expr: expr.Call(expr.OpRegexpReplace, text, expr.Str(pattern), expr.Str(by), all), Type: columnar.Text}
}

// namedGroups binds the groups of the first match of a regular expression as a struct, with the names
// of a list.
func namedGroups(s *Scope, e *sql.Expr, text *expr.Expr, pattern string) Value {
	names := literalTexts(s, e.Args[2], "the name of a group")
	groups := make([]Value, len(names))
	for i := range names {
		if err := expr.CheckRegexp(pattern, int64(i+1)); err != nil {
			panic(sql.Wrong(e.Args[2].Args[i].At, "", "%v", err))
		}
		groups[i] = Value{Expr: expr.Call(expr.OpRegexpExtract, text, expr.Str(pattern), expr.Int(int64(i+1))), Type: columnar.Text}
	}
	out := StructOf(e.At, names, groups)
	out.Expr = unlessNull(text, out.Expr, out.Type)
	return out
}

// bindRegexpExtract binds an operation on the matches of a regular expression, or a group of them.
func bindRegexpExtract(op expr.Op, gives columnar.Type) binding {
	return unlessNullAt(1, gives, func(s *Scope, e *sql.Expr) Value {
		text := s.text(e.Args[0])
		pattern, _ := regexpOf(s, e.Args[1], optional(e, 3), "")
		if len(e.Args) > 2 && e.Args[2].Kind == sql.List && op == expr.OpRegexpExtract {
			return namedGroups(s, e, text, pattern)
		}
		group := int64(0)
		if len(e.Args) > 2 {
			group = s.LiteralInt(e.Args[2], 0, "a group")
			if err := expr.CheckRegexp(pattern, group); err != nil {
				panic(sql.Wrong(e.Args[2].At, "", "%v", err))
			}
		}
		return Value{Expr: expr.Call(op, text, expr.Str(pattern), expr.Int(group)), Type: gives}
	})
}
