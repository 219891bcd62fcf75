package sql

import (
	"strings"
)

// quantified reads ANY or ALL with a query or a list, after a comparison operator.
func (p *parser) quantified(left *Expr, op string) *Expr {
	which := strings.ToUpper(p.take().text)
	if which == "SOME" {
		which = "ANY"
	}
	e := &Expr{Kind: Quantified, Text: op + " " + which, Args: []*Expr{left}}
	if p.queryInParentheses() {
		e.Query = parentheses(p, p.query)
	} else {
		e.Args = append(e.Args, parentheses(p, p.expr))
	}
	e.At = left.At.Join(p.last())
	return e
}

// seesQuantifier reports whether ANY or ALL with parentheses is next.
func (p *parser) seesQuantifier() bool {
	return p.peek().isAny("ANY", "ALL", "SOME") && p.ahead(1).is("(")
}

// queryInParentheses reports whether a query in one or more pairs of parentheses is next.
func (p *parser) queryInParentheses() bool {
	n := p.opened()
	return n > 0 && p.ahead(n).beginsQuery()
}

// opened is the number of opening parentheses that are next.
func (p *parser) opened() (n int) {
	for p.ahead(n).is("(") {
		n++
	}
	return n
}

// predicate reads IS, IN, BETWEEN or LIKE after an expression. It returns left if none that
// binds tighter than least is next.
func (p *parser) predicate(left *Expr, least int) *Expr {
	if p.peek().isAny("IS", "ISNULL", "NOTNULL") || p.sees("NOT", "NULL") {
		if bindIs <= least {
			return left
		}
		return p.is(left)
	}
	n := 0
	if p.sees("NOT") {
		n = 1
	}
	t := p.ahead(n)
	if !t.isAny("IN", "BETWEEN", "LIKE", "ILIKE", "GLOB") && !(t.is("SIMILAR") && p.ahead(n+1).is("TO")) || bindRange <= least {
		return left
	}
	not := p.accept("NOT")
	var e *Expr
	switch what := p.which("IN", "BETWEEN", "LIKE", "ILIKE", "GLOB", "SIMILAR TO"); what {
	case "IN":
		e = p.in(left)
	case "BETWEEN":
		e = p.between(left)
	default:
		e = p.like(left, what)
	}
	e.At = left.At.Join(p.last())
	if e.Kind == Call && not {
		return &Expr{Kind: Unary, Text: "NOT", Args: []*Expr{e}, At: e.At}
	}
	e.Not = not
	return e
}

// is reads a predicate that begins with IS, or is ISNULL, NOTNULL or NOT NULL.
func (p *parser) is(left *Expr) *Expr {
	e := &Expr{Kind: IsNull, Args: []*Expr{left}}
	switch t := p.take(); {
	case t.is("ISNULL"):
	case t.is("NOTNULL"):
		e.Not = true
	case t.is("NOT"):
		e.Not = p.accept("NULL")
	default:
		e.Not = p.accept("NOT")
		switch what := p.oneOf("NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM"); what {
		case "TRUE", "FALSE":
			e.Kind, e.Text = IsTruth, what
		case "DISTINCT FROM":
			e.Kind, e.Args = IsDistinct, append(e.Args, p.binding(bindIs))
		}
	}
	e.At = left.At.Join(p.last())
	return e
}

func (p *parser) in(left *Expr) *Expr {
	e := &Expr{Kind: In, Args: []*Expr{left}}
	switch {
	case !p.sees("("): // a list
		return &Expr{Kind: Call, Text: "contains", Args: []*Expr{p.binding(bindRange), left}}
	case p.ahead(1).beginsQuery():
		e.Query = parentheses(p, p.query)
	default:
		e.Args = append(e.Args, parentheses(p, p.exprs)...)
	}
	return e
}

func (p *parser) between(left *Expr) *Expr {
	low := p.binding(bindRange)
	p.expect("AND")
	high := p.binding(bindRange)
	return &Expr{Kind: Between, Args: []*Expr{left, low, high}}
}

func (p *parser) like(left *Expr, kind string) *Expr {
	if t := p.peek(); p.seesQuantifier() {
		panic(Unsupported(left.At.Join(t.at), "Next: write a condition for each pattern, with OR or AND between them.", "conditions with "+kind+" "+strings.ToUpper(t.text)))
	}
	e := &Expr{Kind: Like, Text: kind, Args: []*Expr{left, p.binding(bindRange)}}
	if p.accept("ESCAPE") {
		e.Args = append(e.Args, p.binding(bindRange))
	}
	return e
}
