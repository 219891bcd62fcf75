package sql

import (
	"slices"
	"strconv"
	"strings"
)

// primary reads an expression without operators.
func (p *parser) primary() *Expr {
	begin := p.peek().at
	e := p.simple()
	e.At = begin.Join(p.last())
	return e
}

// simple reads a primary expression; primary adds its position.
func (p *parser) simple() *Expr {
	t := p.peek()
	switch t.kind {
	case number:
		return &Expr{Kind: Number, Text: p.take().text}
	case text:
		return &Expr{Kind: String, Text: p.take().text}
	case param:
		return &Expr{Kind: Param, Text: p.take().text}
	case symbol:
		return p.symbolic(t)
	case word:
		if e := p.keyword(t); e != nil {
			return e
		}
		if p.ahead(1).is("(") && (!reserved(t.text) || t.is("LEFT") || t.is("RIGHT")) {
			return p.call(p.take())
		}
	}
	return p.column()
}

// symbolic reads an expression that begins with a symbol.
func (p *parser) symbolic(t token) *Expr {
	switch {
	case t.is("*") && p.ahead(1).is("COLUMNS") && p.ahead(2).is("("):
		p.take()
		e := p.keyword(p.peek())
		e.Text = Unpacked
		return e
	case p.accept("*"):
		return p.star(&Expr{Kind: Star})
	case t.is("{"):
		return p.structure()
	case p.accept("["):
		e := &Expr{Kind: List}
		if !p.sees("]") {
			first := p.expr()
			if p.sees("FOR") {
				return p.comprehension(first)
			}
			e.Args = append(e.Args, first)
			p.accept(",")
		}
		for !p.sees("]") {
			if e.Args = append(e.Args, p.expr()); !p.accept(",") { // a comma may follow the last one
				break
			}
		}
		p.expect("]")
		return e
	case t.is("#") && p.ahead(1).kind == number:
		p.take()
		return &Expr{Kind: Place, Text: p.take().text}
	case p.accept("@"):
		return &Expr{Kind: Call, Text: "abs", Args: []*Expr{p.binding(bindSign)}}
	case t.is("?"):
		if !p.preparing {
			panic(Wrong(t.at, "Next: write $name and give --param name=value.", "parameters have names"))
		}
		p.take()
		p.questions++
		return &Expr{Kind: Param, Text: strconv.Itoa(p.questions)}
	case !t.is("("):
		panic(p.unexpected(anExpression))
	}
	return p.nested()
}

// nested reads an expression, a query or a row in parentheses.
func (p *parser) nested() *Expr {
	if p.ahead(1).beginsQuery() {
		return &Expr{Kind: Subquery, Query: parentheses(p, p.query)}
	}
	all := parentheses(p, p.exprs)
	if len(all) == 1 {
		return all[0]
	}
	return &Expr{Kind: Tuple, Args: all}
}

// keyword reads an expression that begins with a keyword. It returns nil if t is not one.
func (p *parser) keyword(t token) *Expr {
	called := p.ahead(1).is("(")
	switch upper := strings.ToUpper(t.text); {
	case upper == "NULL":
		p.take()
		return &Expr{Kind: Null}
	case upper == "TRUE", upper == "FALSE":
		p.take()
		return &Expr{Kind: Boolean, Text: upper}
	case upper == "CASE":
		return p.caseOf()
	case called && (upper == "CAST" || upper == "TRY_CAST"):
		return p.cast()
	case called && upper == "EXTRACT":
		return p.extract()
	case called && upper == "POSITION":
		return p.position()
	case called && upper == "TRIM":
		return p.trim()
	case called && upper == "EXISTS":
		p.take()
		return &Expr{Kind: Exists, Query: parentheses(p, p.query)}
	case (upper == "INTERVAL" || upper == "VALUES") && p.ahead(1).endsName():
		return p.take().at.Column(t.text)
	case upper == "INTERVAL":
		return p.interval()
	case (isTimeType(upper) || slices.Contains(literalTypes, upper)) && p.ahead(p.typeLength()).kind == text:
		upper = p.typeName()
		s := p.take()
		arg := s.at.Text(s.text)
		return &Expr{Kind: Cast, Text: upper, Args: []*Expr{arg}}
	case upper == "LAMBDA" && (p.ahead(1).kind == word || p.ahead(1).kind == quotedName) && p.ahead(2).isAny(",", ":"):
		return p.lambda()
	case upper == "MAP" && p.ahead(1).is("{"):
		return p.mapping()
	case upper == "ARRAY" && p.ahead(1).is("["):
		p.take()
		return p.symbolic(p.peek())
	case upper == "ARRAY" && called && p.ahead(2).beginsQuery():
		return arrayOf(p.take().at, parentheses(p, p.query))
	case upper == "COLUMNS" && called:
		p.take()
		return &Expr{Kind: Columns, Args: []*Expr{parentheses(p, func() *Expr { return p.inLambdaArgument(true, p.expr) })}}
	}
	return nil
}

// endsName reports whether a word before the token, with which something else could begin, is the name of a column.
func (t token) endsName() bool {
	return t.kind == endOfText || t.kind == word && reserved(t.text) && !t.isAny("CASE", "CAST") || t.isAny(",", ")", ";", "=", "<", ">", "<=", ">=", "<>", "!=", "+", "*", "/", "||", "::")
}

// Unpacked is the text of *COLUMNS(…), which stands for several arguments.
const Unpacked = "*"

// literalTypes are further types of which a text may stand behind the name.
var literalTypes = []string{
	"BIGINT", "BLOB", "BOOL", "BOOLEAN", "DATETIME", "DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "INT", "INTEGER", "JSON", "NUMERIC", "REAL", "SMALLINT",
	"STRING", "TEXT", "TINYINT", "UBIGINT", "UINTEGER", "USMALLINT", "UTINYINT", "UUID", "VARCHAR",
}

// typeLength is of how many tokens the name of a type before its value is: DATE, TIME WITH TIME ZONE, or DECIMAL(5, 2).
func (p *parser) typeLength() int {
	switch {
	case p.ahead(1).isAny("WITH", "WITHOUT"):
		return 4
	case p.ahead(1).is("(") && p.ahead(3).is(")"):
		return 4
	case p.ahead(1).is("(") && p.ahead(3).is(",") && p.ahead(5).is(")"):
		return 6
	}
	return 1
}

// isTimeType reports whether a name is that of a type whose values are written as the name and a text.
func isTimeType(name string) bool {
	return name == "DATE" || name == "TIME" || name == "TIMESTAMP" || name == "TIMESTAMPTZ" || strings.HasPrefix(name, "TIMESTAMP_")
}

// positionName is the name of the function that is always written POSITION(part IN text).
const positionName = "position"

// column reads the name of a column, or of a table with a star.
func (p *parser) column() *Expr {
	begin := p.peek().at
	whole := p.path(anExpression)
	if path := inSchema(whole, 1); len(path) == 1 && len(whole) > 1 && p.sees("(") && !p.ahead(1).is(")") { // main.f(x)
		return p.call(token{kind: word, text: path[0], at: begin.Join(p.last())})
	}
	e := &Expr{Kind: Column, Path: inSchema(whole, 2)}
	if last := len(e.Path) - 1; last > 0 && p.sees("(") {
		of := begin.Column(e.Path[:last]...)
		return p.method(of, token{kind: word, text: e.Path[last], at: p.last()})
	}
	if p.accept(".", "*") {
		e.Kind = Star
		return p.star(e)
	}
	return e
}

// star reads the EXCLUDE, REPLACE and RENAME after a star.
func (p *parser) star(e *Expr) *Expr {
	if p.accept("EXCLUDE") || p.sees("EXCEPT", "(") && p.accept("EXCEPT") {
		e.Exclude = either(p, func() []string { return p.path("the name of a column") })
	}
	if e.Not = p.sees("NOT", "LIKE") || p.sees("NOT", "ILIKE") || p.sees("NOT", "SIMILAR") || p.sees("NOT", "GLOB"); e.Not {
		p.take()
	}
	if kind := p.which("LIKE", "ILIKE", "SIMILAR TO", "GLOB"); kind != "" {
		e.Text, e.Args = kind, []*Expr{p.binding(bindRange)}
	}
	if p.accept("REPLACE") {
		e.Replace = either(p, p.named)
	}
	if p.sees("RENAME") && (p.ahead(1).is("(") || p.ahead(1).isName()) {
		p.take()
		e.Rename = either(p, p.named)
	}
	return e
}

// named reads an expression that has a name.
func (p *parser) named() Item {
	item := p.item()
	if item.Alias == "" {
		panic(p.unexpected("AS and the name of a column"))
	}
	return item
}

// either reads one item, or several in parentheses.
func either[T any](p *parser, one func() T) []T {
	if !p.sees("(") {
		return []T{one()}
	}
	return parentheses(p, func() []T { return commas(p, one) })
}

// orderedSets are the functions that take their first argument in WITHIN GROUP. It maps the
// names written with WITHIN GROUP to those of the same functions in plain calls.
var orderedSets = map[string]string{"percentile_cont": "quantile_cont", "percentile_disc": "quantile_disc", "mode": "mode"}
