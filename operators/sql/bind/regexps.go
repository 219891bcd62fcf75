package bind

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/sql"
)

// wholeText is the form of a regular expression that fits all of a text or nothing.
const wholeText = `\A(?:%s)\z`

// regexpOf binds a regular expression with the options behind it, which can have those
// that are given beside i, c and s: whether letters are of one case, and whether a dot
// fits the end of a line.
func (b *binder) regexpOf(pattern, options *sql.Expr, s *scope, others string) (text, given string, err error) {
	if text, err = b.literalText(pattern, s, "a regular expression"); err != nil {
		return "", "", err
	}
	if options != nil {
		if given, err = b.literalText(options, s, "options"); err != nil {
			return "", "", err
		}
		for _, o := range given {
			switch {
			case o == 'i' || o == 's':
				text = fmt.Sprintf("(?%c)%s", o, text)
			case o != 'c' && !strings.ContainsRune(others, o):
				return "", "", sql.Unsupported(options.At, "There are i, c, s and for regexp_replace g.", fmt.Sprintf("options %q of regular expressions", o))
			}
		}
	}
	if err := expr.CheckRegexp(text, 0); err != nil {
		return "", "", sql.Wrong(pattern.At, "", "%v", err)
	}
	return text, given, nil
}

// optional returns argument i of a call, nil if there is none.
func optional(e *sql.Expr, i int) *sql.Expr {
	if i < len(e.Args) {
		return e.Args[i]
	}
	return nil
}

// bindMatches binds whether a text fits, with the regular expression in a form.
func bindMatches(form string) func(*binder, *sql.Expr, *scope) (typed, error) {
	return func(b *binder, e *sql.Expr, s *scope) (typed, error) {
		text, err := b.text(e.Args[0], s)
		if err != nil {
			return typed{}, err
		}
		pattern, _, err := b.regexpOf(e.Args[1], optional(e, 2), s, "")
		return truth(expr.Call(expr.OpMatch, text, expr.Str(fmt.Sprintf(form, pattern)))), err
	}
}

// similar binds SIMILAR TO, which takes a regular expression for the whole text.
func (b *binder) similar(e *sql.Expr, s *scope) (typed, error) {
	v, err := bindMatches(wholeText)(b, e, s)
	return truth(not(v.e, e.Not)), err
}

func bindRegexpReplace(b *binder, e *sql.Expr, s *scope) (typed, error) {
	text, err := b.text(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	pattern, options, err := b.regexpOf(e.Args[1], optional(e, 3), s, "g")
	if err != nil {
		return typed{}, err
	}
	by, err := b.literalText(e.Args[2], s, "what takes the place")
	if err != nil {
		return typed{}, err
	}
	if err := expr.CheckReplacement(pattern, by); err != nil {
		return typed{}, sql.Wrong(e.Args[2].At, "", "%v", err)
	}
	all := expr.Bool(strings.Contains(options, "g"))
	return typed{e: expr.Call(expr.OpRegexpReplace, text, expr.Str(pattern), expr.Str(by), all), t: columnar.Text}, nil
}

func bindRegexpExtract(b *binder, e *sql.Expr, s *scope) (typed, error) {
	text, err := b.text(e.Args[0], s)
	if err != nil {
		return typed{}, err
	}
	pattern, _, err := b.regexpOf(e.Args[1], optional(e, 3), s, "")
	if err != nil {
		return typed{}, err
	}
	group := expr.Int(0)
	if len(e.Args) > 2 {
		if group, err = b.literalInt(e.Args[2], s, 0, "a group"); err != nil {
			return typed{}, err
		}
		if err := expr.CheckRegexp(pattern, group.Value.Int); err != nil {
			return typed{}, sql.Wrong(e.Args[2].At, "", "%v", err)
		}
	}
	return typed{e: expr.Call(expr.OpRegexpExtract, text, expr.Str(pattern), group), t: columnar.Text}, nil
}
