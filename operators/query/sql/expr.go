package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The precedences of operators and predicates, as in PostgreSQL.
const (
	bindArrow = iota + 1 // of lambdas
	bindOr
	bindAnd
	bindNot
	bindIs
	bindCompare
	bindRange // BETWEEN, IN, LIKE
	bindOther // ||, ->, operators on bits
	bindAdd
	bindMul
	bindPower
	bindSign
	bindPostfix
)

// operators are the binary operators, as they print, with their precedences.
var operators = map[string]int{
	"OR": bindOr, "AND": bindAnd,
	"=": bindCompare, "<>": bindCompare, "<": bindCompare, "<=": bindCompare, ">": bindCompare, ">=": bindCompare,
	"||": bindOther, "->": bindOther, "->>": bindOther, "~": bindOther, "!~": bindOther,
	"&": bindOther, "|": bindOther, "<<": bindOther, ">>": bindOther,
	"+": bindAdd, "-": bindAdd,
	"*": bindMul, "/": bindMul, "//": bindMul, "%": bindMul,
	"^": bindPower,
}

// operatorForms are the binary operators that are other spellings of conditions and calls, which print
// in their place.
var operatorForms = map[string]Expr{
	"~~": {Kind: Like, Text: "LIKE"}, "!~~": {Kind: Like, Text: "LIKE", Not: true},
	"~~*": {Kind: Like, Text: "ILIKE"}, "!~~*": {Kind: Like, Text: "ILIKE", Not: true}, "~~~": {Kind: Like, Text: "GLOB"},
	"^@": {Kind: Call, Text: "starts_with"}, "&&": {Kind: Call, Text: "list_has_any"}, "@>": {Kind: Call, Text: "list_has_all"}, "<@": {Kind: Call, Text: "list_has_all"},
}

// signs are the prefix operators, with their precedences.
var signs = map[string]int{"NOT": bindNot, "-": bindSign, "+": bindSign, "~": bindOther, "@": bindOther}

// otherSpellings maps operators to those they are synonyms of, which print in their place.
var otherSpellings = map[string]string{"==": "=", "!=": "<>", "**": "^"}

// binary returns the next token as a binary operator with its precedence, which is 0 if the
// token is not one.
func (p *parser) binary() (op string, binds int) {
	op = p.peek().upper()
	if other := otherSpellings[op]; other != "" {
		op = other
	}
	if _, ok := operatorForms[op]; ok {
		return op, bindOther
	}
	return op, operators[op]
}

// operation is a binary operator with its operands.
func operation(op string, left, right *Expr) *Expr {
	form, ok := operatorForms[op]
	if !ok {
		form = Expr{Kind: Binary, Text: op}
	}
	if form.Args = []*Expr{left, right}; op == "<@" {
		form.Args = []*Expr{right, left}
	}
	form.At = left.At.Join(right.At)
	return &form
}

// expr reads an expression.
func (p *parser) expr() *Expr { return p.binding(0) }

// exprs reads expressions separated by commas.
func (p *parser) exprs() []*Expr { return commas(p, p.expr) }

// binding reads an expression whose binary operators bind tighter than least.
func (p *parser) binding(least int) *Expr {
	defer p.deeper()()
	left := p.prefix()
	compared := false
	for n := 0; ; n++ {
		if n > maxChain {
			panic(Wrong(p.peek().at, "Next: put values into a file and write IN (SELECT …), or compute parts of it in a query in FROM.",
				"more than %d operators follow each other without parentheses", maxChain))
		}
		if p.sees("!") && bindRange > least { // it follows what it is of: 5! is a factorial
			left = p.postfix(&Expr{Kind: Call, Text: "factorial", Args: []*Expr{left}, At: left.At.Join(p.take().at)})
			continue
		}
		op, binds := p.binary()
		if binds == 0 {
			next := p.predicate(left, least)
			if next == left {
				return left
			}
			left = next
			continue
		}
		names := left.parameters()
		isLambda := op == "->" && p.lambdaNext && names != nil
		if isLambda {
			binds = bindArrow
		}
		if binds <= least {
			return left
		}
		if compared && binds == bindCompare {
			panic(Wrong(p.peek().at, "Next: write parentheses, or AND between two comparisons.", "a comparison cannot follow another one"))
		}
		compared = binds == bindCompare
		p.take()
		if binds == bindCompare && p.seesQuantifier() {
			left, compared = p.quantified(left, op), false
			continue
		}
		if isLambda {
			body := p.lambdaBody()
			left = &Expr{Kind: Lambda, Path: names, Args: []*Expr{body}, Not: true, At: left.At.Join(body.At)}
			continue
		}
		left = operation(op, left, p.binding(binds))
	}
}

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
	if p.peek().isAny("IS", "ISNULL", "NOTNULL") {
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

// is reads a predicate that begins with IS, or is ISNULL or NOTNULL.
func (p *parser) is(left *Expr) *Expr {
	e := &Expr{Kind: IsNull, Args: []*Expr{left}}
	switch t := p.take(); {
	case t.is("ISNULL"):
	case t.is("NOTNULL"):
		e.Not = true
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

// prefix reads an expression that begins with a sign or NOT, or else a primary expression.
func (p *parser) prefix() *Expr {
	t := p.peek()
	op := t.upper()
	binds := signs[op]
	if binds == 0 {
		return p.postfix(p.primary())
	}
	p.take()
	arg := p.binding(binds)
	if op == "@" {
		return &Expr{Kind: Call, Text: "abs", Args: []*Expr{arg}, At: t.at.Join(arg.At)}
	}
	if binds == bindNot && arg.Kind == Exists && !arg.Not {
		arg.Not, arg.At = true, t.at.Join(arg.At)
		return arg
	}
	return &Expr{Kind: Unary, Text: op, Args: []*Expr{arg}, At: t.at.Join(arg.At)}
}

// postfix reads the casts and subscripts after an expression.
func (p *parser) postfix(e *Expr) *Expr {
	for {
		switch {
		case p.accept("::"):
			e = &Expr{Kind: Cast, Text: p.typeName(), Args: []*Expr{e}, At: e.At.Join(p.last())}
		case p.sees("["):
			e = p.subscript(e)
		case p.sees(".") && p.ahead(1).kind == word && p.ahead(2).is("("):
			p.take()
			e = p.method(e, p.take())
		case p.sees(".") && (p.ahead(1).kind == word || p.ahead(1).kind == quotedName):
			p.take()
			name := p.take()
			e = &Expr{Kind: Field, Path: []string{name.text}, Args: []*Expr{e}, At: e.At.Join(p.last())}
		case p.accept("COLLATE"):
			e = p.collated(e)
		case p.sees("AT") && p.ahead(1).is("TIME") && p.ahead(2).is("ZONE"):
			for range 3 {
				p.take()
			}
			zone := p.primary()
			e = &Expr{Kind: Call, Text: "timezone", Args: []*Expr{zone, e}, At: e.At.Join(p.last())}
		default:
			return e
		}
	}
}

// collated reads the names behind COLLATE.
func (p *parser) collated(of *Expr) *Expr {
	e := &Expr{Kind: Collate, Args: []*Expr{of}}
	for {
		name := strings.ToUpper(p.name("the name of a collation"))
		switch name {
		case "NOCASE", "NOACCENT":
			e.Path = append(e.Path, name)
		case "BINARY", "C", "POSIX": // texts compare so anyway
		default:
			panic(Unsupported(p.last(), "There are NOCASE, NOACCENT and BINARY (C, POSIX).", "collations "+name))
		}
		if !p.accept(".") {
			break
		}
	}
	if len(e.Path) == 0 {
		return of
	}
	e.At = of.At.Join(p.last())
	return e
}

// method reads a call behind a dot, whose first argument stands before the dot.
func (p *parser) method(of *Expr, name token) *Expr {
	e := p.call(name, of)
	e.At = of.At.Join(e.At)
	return e
}

func (p *parser) subscript(e *Expr) *Expr {
	p.take()
	out := &Expr{Kind: Index, Args: []*Expr{e}}
	var first, last *Expr
	if !p.sees(":") {
		first = p.expr()
	}
	out.Args = append(out.Args, first)
	if p.accept(":") {
		if !p.accept("-", ":") {
			if !p.sees("]") {
				last = p.expr()
			}
			out.Kind, out.Args = Slice, append(out.Args, last)
			if p.accept(":") {
				out.Args = append(out.Args, p.expr())
			}
		} else {
			out.Kind, out.Args = Slice, append(out.Args, nil, p.expr())
		}
	}
	p.expect("]")
	out.At = e.At.Join(p.last())
	return out
}

// typeName reads the name of a type, with the sizes in parentheses and the brackets after it.
func (p *parser) typeName() string {
	if p.types++; p.types > maxTypes {
		panic(Unsupported(p.peek().at, "", fmt.Sprintf("types within more than %d others", maxTypes)))
	}
	defer func() { p.types-- }()
	t := p.peek()
	if t.kind != word || reserved(t.text) && !t.is("INTERVAL") {
		panic(p.unexpected("the name of a type"))
	}
	n := strings.ToUpper(p.take().text)
	if n == "DOUBLE" && p.accept("PRECISION") {
		n = "DOUBLE"
	}
	if n == "TIME" || n == "TIMESTAMP" {
		for _, zone := range []string{"WITH", "WITHOUT"} {
			if p.accept(zone, "TIME", "ZONE") {
				n += " " + zone + " TIME ZONE"
			}
		}
	}
	switch isStruct := n == "STRUCT" || n == "ROW"; {
	case n == "MAP" && p.accept("("):
		key := p.typeName()
		p.expect(",")
		n = mapType + key + ", " + p.typeName() + ")"
		p.expect(")")
	case isStruct && p.accept("("):
		fields := commas(p, func() string { return QuoteName(p.name("the name of a field")) + " " + p.typeName() })
		p.expect(")")
		n = structType + strings.Join(fields, ", ") + ")"
	case p.accept("("):
		sizes := commas(p, func() string {
			if n == "ENUM" {
				return QuoteText(p.taken("a text", text).text)
			}
			return p.taken("a number", number).text
		})
		p.expect(")")
		n += "(" + strings.Join(sizes, ", ") + ")"
	}
	if p.accept("ARRAY") && !p.sees("[") {
		n += "[]"
	}
	for p.accept("[") {
		size := ""
		if p.peek().kind == number {
			size = p.take().text
		}
		p.expect("]")
		n += "[" + size + "]"
	}
	return n
}

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
		panic(p.unexpected("an expression"))
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
	case upper == "INTERVAL":
		return p.interval()
	case (isTimeType(upper) || slices.Contains(literalTypes, upper)) && (p.ahead(1).kind == text || p.sees(upper, "WITH", "TIME", "ZONE") && p.ahead(4).kind == text):
		upper = p.typeName()
		s := p.take()
		arg := &Expr{Kind: String, Text: s.text, At: s.at}
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

// Unpacked is the text of *COLUMNS(…), which stands for several arguments.
const Unpacked = "*"

// literalTypes are further types of which a text may stand behind the name.
var literalTypes = []string{"BIGINT", "BLOB", "BOOLEAN", "DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "INT", "INTEGER", "REAL", "SMALLINT", "TINYINT", "UUID", "VARCHAR"}

// isTimeType reports whether a name is that of a type whose values are written as the name and a text.
func isTimeType(name string) bool {
	return name == "DATE" || name == "TIME" || name == "TIMESTAMP" || name == "TIMESTAMPTZ" || strings.HasPrefix(name, "TIMESTAMP_")
}

// positionName is the name of the function that is always written POSITION(part IN text).
const positionName = "position"

// column reads the name of a column, or of a table with a star.
func (p *parser) column() *Expr {
	begin := p.peek().at
	e := &Expr{Kind: Column, Path: inSchema(p.path("an expression"), 2)}
	if last := len(e.Path) - 1; last > 0 && p.sees("(") {
		of := &Expr{Kind: Column, Path: e.Path[:last], At: begin}
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
		if p.sees("(") {
			e.Exclude = p.names()
		} else {
			e.Exclude = []string{p.name("the name of a column")}
		}
	}
	if e.Not = p.sees("NOT", "LIKE") || p.sees("NOT", "ILIKE") || p.sees("NOT", "SIMILAR") || p.sees("NOT", "GLOB"); e.Not {
		p.take()
	}
	if kind := p.which("LIKE", "ILIKE", "SIMILAR TO", "GLOB"); kind != "" {
		e.Text, e.Args = kind, []*Expr{p.binding(bindRange)}
	}
	named := func() []Item {
		return commas(p, func() Item {
			item := p.item()
			if item.Alias == "" {
				panic(p.unexpected("AS and the name of a column"))
			}
			return item
		})
	}
	if p.accept("REPLACE") {
		e.Replace = parentheses(p, named)
	}
	if p.sees("RENAME", "(") {
		p.take()
		e.Rename = parentheses(p, named)
	}
	return e
}

// orderedSets are the functions that take their first argument in WITHIN GROUP. It maps the
// names written with WITHIN GROUP to those of the same functions in plain calls.
var orderedSets = map[string]string{"percentile_cont": "quantile_cont", "percentile_disc": "quantile_disc", "mode": "mode"}
