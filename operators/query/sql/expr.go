package sql

import (
	"fmt"
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
	"<->": {Kind: Call, Text: "list_distance"}, "<=>": {Kind: Call, Text: "list_cosine_distance"},
}

// signs are the prefix operators, with their precedences.
var signs = map[string]int{"NOT": bindNot, "-": bindSign, "+": bindSign, "~": bindOther, "@": bindOther}

// otherSpellings maps operators to those they are synonyms of, which print in their place.
var otherSpellings = map[string]string{"==": "=", "!=": "<>", "**": "^"}

// binary returns the next token as a binary operator with its precedence, which is 0 if the
// token is not one.
func (p *parser) binary() (op string, binds int) {
	if p.sees("~", "*") || p.sees("!~", "*") {
		panic(Unsupported(p.peek().at, "Next: write regexp_matches(text, 'pattern', 'i'), which finds it anywhere; ~ is true where it is the whole text.", "comparisons by ~*"))
	}
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
			panic(Wrong(p.peek().at, "Next: write parentheses, or AND or OR between two comparisons.", "a comparison cannot follow another one"))
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
	if n == "DOUBLE" {
		p.accept("PRECISION")
	}
	if n == "CHARACTER" && p.accept("VARYING") {
		n = "VARCHAR"
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
