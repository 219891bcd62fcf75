package scalar

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// plainRegexp binds a regular expression without options.
func plainRegexp(s *Scope, e *sql.Expr) *expr.Expr {
	pattern, _ := regexpOf(s, e, nil, "")
	return pattern
}

// regexpOf binds a regular expression with its options: i ignores case, c does not, s lets a dot
// match a newline, m, n and p do not, l takes the characters as they are, and others are further
// letters that the function takes. The regular expression is a literal if it is known beforehand.
func regexpOf(s *Scope, pattern, options *sql.Expr, others string) (bound *expr.Expr, given string) {
	bound = s.text(pattern)
	if options != nil {
		given = s.LiteralText(options, "options")
		if strings.Contains(given, "l") {
			bound = escaped(bound)
		}
		for _, o := range given {
			switch {
			case o == 'i' && strings.LastIndexByte(given, 'c') > strings.LastIndexByte(given, 'i'): // the last one counts
			case o == 'i' || o == 's':
				bound = expr.Call(expr.OpConcat, expr.Str(fmt.Sprintf("(?%c)", o)), bound)
			case !strings.ContainsRune("clmnp \t\n", o) && !strings.ContainsRune(others, o):
				panic(sql.Unsupported(options.At, "There are i, c, s, l and for regexp_replace g.", fmt.Sprintf("options %q of regular expressions", o)))
			}
		}
	}
	return checkedRegexp(pattern.At, bound), given
}

// checkedRegexp folds a regular expression, and refuses a literal that is none.
func checkedRegexp(at sql.Span, pattern *expr.Expr) *expr.Expr {
	pattern = pattern.Fold()
	if literal := pattern.Literal(); literal != nil {
		if err := expr.CheckRegexp(literal.Text, 0); err != nil {
			panic(sql.Wrong(at, "", "%v", err))
		}
	}
	return pattern
}

// IsNull reports whether an expression is NULL whatever the row.
func (s *Scope) IsNull(e *sql.Expr) bool {
	v := s.Expr(e)
	return v.Null || v.Expr.Op == expr.OpLiteral && v.Expr.Value.Null
}

// optional returns argument i of a call, nil if there is none.
func optional(e *sql.Expr, i int) *sql.Expr {
	if i < len(e.Args) {
		return e.Args[i]
	}
	return nil
}

// bindMatches binds whether a regular expression matches a part of a text.
func bindMatches(s *Scope, e *sql.Expr) Value {
	pattern, _ := regexpOf(s, e.Args[1], optional(e, 2), "")
	return Truth(expr.Call(expr.OpMatch, s.text(e.Args[0]), pattern))
}

func bindFullMatch(s *Scope, e *sql.Expr) Value {
	pattern, _ := regexpOf(s, e.Args[1], optional(e, 2), "")
	return Truth(matchesWhole(s, e.Args[0], pattern))
}

// matchesWhole is whether a regular expression matches a whole text.
func matchesWhole(s *Scope, text *sql.Expr, pattern *expr.Expr) *expr.Expr {
	whole := expr.Call(expr.OpConcat, expr.Str(`\A(?:`), expr.Call(expr.OpConcat, pattern, expr.Str(`)\z`)))
	return expr.Call(expr.OpMatch, s.text(text), whole.Fold())
}

func bindRegexpReplace(s *Scope, e *sql.Expr) Value {
	text, by := s.text(e.Args[0]), s.text(e.Args[2]).Fold()
	pattern, options := regexpOf(s, e.Args[1], optional(e, 3), "g")
	if p, r := pattern.Literal(), by.Literal(); p != nil && r != nil {
		if err := expr.CheckReplacement(p.Text, r.Text); err != nil {
			panic(sql.Wrong(e.Args[2].At, "", "%v", err))
		}
	}
	all := expr.Bool(strings.Contains(options, "g"))
	return TextOf(expr.Call(expr.OpRegexpReplace, text, pattern, by, all))
}

// namedGroups binds the groups of the first match of a regular expression as a struct with the names of a list, or
// those of all matches as a list of such structs.
func namedGroups(s *Scope, e *sql.Expr, op expr.Op, text *expr.Expr, pattern string) Value {
	names := literalTexts(s, e.Args[2], "the name of a group")
	groups := make([]Value, len(names))
	for i := range names {
		if err := expr.CheckRegexp(pattern, int64(i+1)); err != nil {
			panic(sql.Wrong(e.Args[2].Args[i].At, "", "%v", err))
		}
		groups[i] = Value{Expr: expr.Call(op, text, expr.Str(pattern), expr.Int(int64(i+1))), Type: matchTypes[op]}
	}
	out := Value{}
	if op == expr.OpRegexpAll {
		out = s.sideBySide(e.At, names, groups, nil)
	} else {
		out = StructOf(e.At, names, groups)
	}
	out.Expr = unlessNull(text, out.Expr, out.Type)
	return out
}

// matchTypes are the types of what operations make of the matches of a regular expression.
var matchTypes = map[expr.Op]columnar.Type{expr.OpRegexpExtract: columnar.Text, expr.OpRegexpAll: columnar.TextList}

// bindRegexpExtract binds an operation on the matches of a regular expression, or a group of them.
func bindRegexpExtract(op expr.Op) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		text := s.text(e.Args[0])
		pattern, _ := regexpOf(s, e.Args[1], optional(e, 3), "")
		literal := pattern.Literal()
		if len(e.Args) > 2 && e.Args[2].Kind == sql.List {
			if literal == nil {
				panic(sql.Unsupported(e.Args[1].At, "Next: write the number of a group, or the regular expression as a text in quotes.", "names of groups of a regular expression that is not constant"))
			}
			return namedGroups(s, e, op, text, literal.Text)
		}
		group := int64(0)
		if len(e.Args) > 2 {
			if group = s.LiteralInt(e.Args[2], 0, "a group"); literal != nil {
				if err := expr.CheckRegexp(literal.Text, group); err != nil {
					panic(sql.Wrong(e.Args[2].At, "", "%v", err))
				}
			}
		}
		return Value{Expr: expr.Call(op, text, pattern, expr.Int(group)), Type: matchTypes[op]}
	}
}
