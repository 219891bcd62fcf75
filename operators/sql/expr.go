package sql

import (
	"slices"
	"strings"
)

// How tightly operators bind, as in PostgreSQL.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindIs
	bindCompare
	bindRange // BETWEEN, IN, LIKE
	bindOther // ||, ->
	bindAdd
	bindMul
	bindPower
	bindSign
	bindPostfix
)

// binary returns the operator that the next tokens are, how many tokens it is and
// how tightly it binds; 0 if they are none.
func (p *parser) binary() (op string, binds int) {
	t := p.peek()
	switch t.kind {
	case word:
		switch strings.ToUpper(t.text) {
		case "OR":
			return "OR", bindOr
		case "AND":
			return "AND", bindAnd
		}
	case symbol:
		switch t.text {
		case "=", "<>", "<", "<=", ">", ">=":
			return t.text, bindCompare
		case "==":
			return "=", bindCompare
		case "!=":
			return "<>", bindCompare
		case "||", "->", "->>", "~", "!~", "&", "|", "<<", ">>":
			return t.text, bindOther
		case "+", "-":
			return t.text, bindAdd
		case "*", "/", "//", "%":
			return t.text, bindMul
		case "^", "**":
			return "^", bindPower
		}
	}
	return "", 0
}

// expr reads an expression.
func (p *parser) expr() (*Expr, error) { return p.binding(0) }

// exprs reads expressions separated by commas.
func (p *parser) exprs() ([]*Expr, error) {
	var all []*Expr
	for {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
		if !p.accept(",") {
			return all, nil
		}
	}
}

// binding reads an expression of operators that bind tighter than least.
func (p *parser) binding(least int) (*Expr, error) {
	leave, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer leave()
	left, err := p.prefix()
	if err != nil {
		return nil, err
	}
	compared := false
	for {
		op, binds := p.binary()
		if binds == 0 {
			next, err := p.predicate(left, least)
			if err != nil {
				return nil, err
			}
			if next == left {
				return left, nil
			}
			left = next
			continue
		}
		if binds <= least {
			return left, nil
		}
		if compared && binds == bindCompare {
			return nil, Wrong(p.peek().at, "Next: write parentheses, or AND between two comparisons.", "a comparison cannot follow another one")
		}
		compared = binds == bindCompare
		p.take()
		if binds == bindCompare && (p.sees("ANY", "(") || p.sees("ALL", "(") || p.sees("SOME", "(")) {
			if left, err = p.quantified(left, op); err != nil {
				return nil, err
			}
			continue
		}
		right, err := p.binding(binds)
		if err != nil {
			return nil, err
		}
		left = &Expr{Kind: Binary, Text: op, Args: []*Expr{left, right}, At: left.At.Join(right.At)}
	}
}

func (p *parser) quantified(left *Expr, op string) (*Expr, error) {
	which := strings.ToUpper(p.take().text)
	if which == "SOME" {
		which = "ANY"
	}
	q, err := p.parenthesised()
	if err != nil {
		return nil, err
	}
	return &Expr{Kind: Quantified, Text: op + " " + which, Args: []*Expr{left}, Query: q, At: left.At.Join(p.last())}, nil
}

// parenthesised reads a query in parentheses.
func (p *parser) parenthesised() (*Query, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	return q, p.expect(")")
}

// predicate reads IS, IN, BETWEEN and LIKE behind an expression. It returns left if
// none is there that binds tighter than least.
func (p *parser) predicate(left *Expr, least int) (*Expr, error) {
	if p.sees("IS") || p.sees("ISNULL") || p.sees("NOTNULL") {
		if bindIs <= least {
			return left, nil
		}
		return p.is(left)
	}
	n := 0
	if p.sees("NOT") {
		n = 1
	}
	t := p.ahead(n)
	if !t.is("IN") && !t.is("BETWEEN") && !t.is("LIKE") && !t.is("ILIKE") && !t.is("GLOB") && !(t.is("SIMILAR") && p.ahead(n+1).is("TO")) || bindRange <= least {
		return left, nil
	}
	not := p.accept("NOT")
	p.take()
	var e *Expr
	var err error
	switch {
	case t.is("IN"):
		e, err = p.in(left)
	case t.is("BETWEEN"):
		e, err = p.between(left)
	default:
		e, err = p.like(left, strings.ToUpper(t.text))
	}
	if err != nil {
		return nil, err
	}
	e.At = left.At.Join(p.last())
	if e.Kind == Call && not {
		return &Expr{Kind: Unary, Text: "NOT", Args: []*Expr{e}, At: e.At}, nil
	}
	e.Not = not
	return e, nil
}

// is reads what begins with IS.
func (p *parser) is(left *Expr) (*Expr, error) {
	e := &Expr{Kind: IsNull, Args: []*Expr{left}}
	switch t := p.take(); {
	case t.is("ISNULL"):
	case t.is("NOTNULL"):
		e.Not = true
	default:
		e.Not = p.accept("NOT")
		switch {
		case p.accept("NULL"):
		case p.sees("TRUE"), p.sees("FALSE"):
			e.Kind, e.Text = IsTruth, strings.ToUpper(p.take().text)
		case p.accept("DISTINCT", "FROM"):
			right, err := p.binding(bindIs)
			if err != nil {
				return nil, err
			}
			e.Kind, e.Args = IsDistinct, append(e.Args, right)
		default:
			return nil, p.unexpected("NULL, TRUE, FALSE or DISTINCT FROM")
		}
	}
	e.At = left.At.Join(p.last())
	return e, nil
}

func (p *parser) in(left *Expr) (*Expr, error) {
	e := &Expr{Kind: In, Args: []*Expr{left}}
	if p.sees("(") && (p.ahead(1).is("SELECT") || p.ahead(1).is("FROM") || p.ahead(1).is("WITH") || p.ahead(1).is("VALUES")) {
		var err error
		e.Query, err = p.parenthesised()
		return e, err
	}
	if !p.sees("(") { // a list
		list, err := p.binding(bindRange)
		if err != nil {
			return nil, err
		}
		return &Expr{Kind: Call, Text: "contains", Args: []*Expr{list, left}}, nil
	}
	p.take()
	all, err := p.exprs()
	if err != nil {
		return nil, err
	}
	e.Args = append(e.Args, all...)
	return e, p.expect(")")
}

func (p *parser) between(left *Expr) (*Expr, error) {
	low, err := p.binding(bindRange)
	if err != nil {
		return nil, err
	}
	if err := p.expect("AND"); err != nil {
		return nil, err
	}
	high, err := p.binding(bindRange)
	if err != nil {
		return nil, err
	}
	return &Expr{Kind: Between, Args: []*Expr{left, low, high}}, nil
}

func (p *parser) like(left *Expr, kind string) (*Expr, error) {
	if kind == "SIMILAR" {
		p.take()
		kind = "SIMILAR TO"
	}
	pattern, err := p.binding(bindRange)
	if err != nil {
		return nil, err
	}
	e := &Expr{Kind: Like, Text: kind, Args: []*Expr{left, pattern}}
	if p.accept("ESCAPE") {
		escape, err := p.binding(bindRange)
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, escape)
	}
	return e, nil
}

// prefix reads an expression that begins with a sign or NOT, or a primary one.
func (p *parser) prefix() (*Expr, error) {
	t := p.peek()
	binds := 0
	switch {
	case t.is("NOT"):
		binds = bindNot
	case t.is("-"), t.is("+"):
		binds = bindSign
	default:
		e, err := p.primary()
		if err != nil {
			return nil, err
		}
		return p.postfix(e)
	}
	p.take()
	arg, err := p.binding(binds)
	if err != nil {
		return nil, err
	}
	if binds == bindNot && arg.Kind == Exists && !arg.Not {
		arg.Not, arg.At = true, t.at.Join(arg.At)
		return arg, nil
	}
	return &Expr{Kind: Unary, Text: strings.ToUpper(t.text), Args: []*Expr{arg}, At: t.at.Join(arg.At)}, nil
}

// postfix reads casts and subscripts behind an expression.
func (p *parser) postfix(e *Expr) (*Expr, error) {
	for {
		switch {
		case p.accept("::"):
			typ, err := p.typeName()
			if err != nil {
				return nil, err
			}
			e = &Expr{Kind: Cast, Text: typ, Args: []*Expr{e}, At: e.At.Join(p.last())}
		case p.sees("["):
			var err error
			if e, err = p.subscript(e); err != nil {
				return nil, err
			}
		case p.sees("COLLATE"):
			return nil, Unsupported(p.peek().at, "Next: order by lower(…).", "COLLATE clauses")
		case p.sees("AT") && p.ahead(1).is("TIME") && p.ahead(2).is("ZONE"):
			return nil, Unsupported(p.peek().at, "Next: add an INTERVAL to what is UTC.", "time zones")
		default:
			return e, nil
		}
	}
}

func (p *parser) subscript(e *Expr) (*Expr, error) {
	p.take()
	out := &Expr{Kind: Index, Args: []*Expr{e}}
	var first, last *Expr
	var err error
	if !p.sees(":") {
		if first, err = p.expr(); err != nil {
			return nil, err
		}
	}
	out.Args = append(out.Args, first)
	if p.accept(":") {
		if !p.sees("]") {
			if last, err = p.expr(); err != nil {
				return nil, err
			}
		}
		out.Kind, out.Args = Slice, append(out.Args, last)
	}
	err = p.expect("]")
	out.At = e.At.Join(p.last())
	return out, err
}

// typeName reads the name of a type, with what stands in parentheses behind it.
func (p *parser) typeName() (string, error) {
	t := p.peek()
	if t.kind != word || reserved(t.text) {
		return "", p.unexpected("the name of a type")
	}
	n := strings.ToUpper(p.take().text)
	if n == "DOUBLE" && p.accept("PRECISION") {
		n = "DOUBLE"
	}
	if p.accept("(") {
		var sizes []string
		for {
			if p.peek().kind != number {
				return "", p.unexpected("a number")
			}
			sizes = append(sizes, p.take().text)
			if !p.accept(",") {
				break
			}
		}
		if err := p.expect(")"); err != nil {
			return "", err
		}
		n += "(" + strings.Join(sizes, ", ") + ")"
	}
	for p.accept("[", "]") {
		n += "[]"
	}
	return n, nil
}

// primary reads an expression without operators.
func (p *parser) primary() (*Expr, error) {
	t := p.peek()
	switch t.kind {
	case number:
		p.take()
		return &Expr{Kind: Number, Text: t.text, At: t.at}, nil
	case text:
		p.take()
		return &Expr{Kind: String, Text: t.text, At: t.at}, nil
	case param:
		p.take()
		return &Expr{Kind: Param, Text: t.text, At: t.at}, nil
	case symbol:
		return p.symbolic(t)
	case word:
		if e, err := p.keyword(t); e != nil || err != nil {
			return e, err
		}
		if p.ahead(1).is("(") && (!reserved(t.text) || t.is("LEFT") || t.is("RIGHT")) {
			return p.call(p.take())
		}
	}
	return p.column()
}

// symbolic reads what begins with a mark.
func (p *parser) symbolic(t token) (*Expr, error) {
	switch {
	case t.is("*"):
		p.take()
		return p.star(&Expr{Kind: Star, At: t.at})
	case t.is("{"):
		return p.structure()
	case t.is("["):
		p.take()
		e := &Expr{Kind: List}
		if !p.sees("]") {
			var err error
			if e.Args, err = p.exprs(); err != nil {
				return nil, err
			}
		}
		err := p.expect("]")
		e.At = t.at.Join(p.last())
		return e, err
	case t.is("?"):
		return nil, Wrong(t.at, "Next: write $name and give --param name=value.", "parameters have names")
	case !t.is("("):
		return nil, p.unexpected("an expression")
	}
	return p.parentheses(t)
}

// parentheses reads an expression, a query or a row in parentheses.
func (p *parser) parentheses(t token) (*Expr, error) {
	if u := p.ahead(1); u.is("SELECT") || u.is("FROM") || u.is("WITH") || u.is("VALUES") {
		q, err := p.parenthesised()
		return &Expr{Kind: Subquery, Query: q, At: t.at.Join(p.last())}, err
	}
	p.take()
	all, err := p.exprs()
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	at := t.at.Join(p.last())
	if len(all) == 1 {
		all[0].At = at
		return all[0], nil
	}
	return &Expr{Kind: Tuple, Args: all, At: at}, nil
}

// keyword reads what begins with a keyword; nil if the word is none.
func (p *parser) keyword(t token) (*Expr, error) {
	called := p.ahead(1).is("(")
	switch upper := strings.ToUpper(t.text); {
	case upper == "NULL":
		p.take()
		return &Expr{Kind: Null, At: t.at}, nil
	case upper == "TRUE", upper == "FALSE":
		p.take()
		return &Expr{Kind: Boolean, Text: upper, At: t.at}, nil
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
		q, err := p.parenthesised()
		return &Expr{Kind: Exists, Query: q, At: t.at.Join(p.last())}, err
	case upper == "INTERVAL":
		return p.interval()
	case (upper == "DATE" || upper == "TIMESTAMP" || upper == "TIME") && p.ahead(1).kind == text:
		p.take()
		s := p.take()
		arg := &Expr{Kind: String, Text: s.text, At: s.at}
		return &Expr{Kind: Cast, Text: upper, Args: []*Expr{arg}, At: t.at.Join(s.at)}, nil
	case upper == "COLUMNS" && called:
		return nil, Unsupported(t.at, "Next: name the columns.", "COLUMNS expressions")
	}
	return nil, nil
}

func (p *parser) caseOf() (*Expr, error) {
	begin := p.take().at
	e := &Expr{Kind: Case, Args: []*Expr{nil}}
	var err error
	if !p.sees("WHEN") {
		if e.Args[0], err = p.expr(); err != nil {
			return nil, err
		}
	}
	for p.accept("WHEN") {
		when, err := p.expr()
		if err != nil {
			return nil, err
		}
		if err := p.expect("THEN"); err != nil {
			return nil, err
		}
		then, err := p.expr()
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, when, then)
	}
	if len(e.Args) == 1 {
		return nil, p.unexpected("WHEN")
	}
	var otherwise *Expr
	if p.accept("ELSE") {
		if otherwise, err = p.expr(); err != nil {
			return nil, err
		}
	}
	e.Args = append(e.Args, otherwise)
	err = p.expect("END")
	e.At = begin.Join(p.last())
	return e, err
}

func (p *parser) cast() (*Expr, error) {
	t := p.take()
	p.take()
	arg, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.expect("AS"); err != nil {
		return nil, err
	}
	typ, err := p.typeName()
	if err != nil {
		return nil, err
	}
	err = p.expect(")")
	return &Expr{Kind: Cast, Text: typ, Args: []*Expr{arg}, Try: t.is("TRY_CAST"), At: t.at.Join(p.last())}, err
}

// extract reads EXTRACT(part FROM value), which is date_part('part', value).
func (p *parser) extract() (*Expr, error) {
	begin := p.take().at
	p.take()
	part := p.peek()
	if part.kind != word && part.kind != text {
		return nil, p.unexpected("a part of a date")
	}
	p.take()
	if err := p.expect("FROM"); err != nil {
		return nil, err
	}
	value, err := p.expr()
	if err != nil {
		return nil, err
	}
	err = p.expect(")")
	name := &Expr{Kind: String, Text: strings.ToLower(part.text), At: part.at}
	if unit := UnitNamed(part.text); unit != "" && part.kind == word {
		name.Text = strings.ToLower(unit)
	}
	return &Expr{Kind: Call, Text: "date_part", Args: []*Expr{name, value}, At: begin.Join(p.last())}, err
}

// positionName is the function that has no other form than POSITION(part IN text).
const positionName = "position"

// position reads POSITION(part IN text), which is strpos(text, part).
func (p *parser) position() (*Expr, error) {
	begin := p.take().at
	p.take()
	part, err := p.binding(bindRange)
	if err != nil {
		return nil, err
	}
	if err := p.expect("IN"); err != nil {
		return nil, err
	}
	of, err := p.expr()
	if err != nil {
		return nil, err
	}
	err = p.expect(")")
	return &Expr{Kind: Call, Text: positionName, Args: []*Expr{of, part}, At: begin.Join(p.last())}, err
}

// trim reads TRIM([BOTH | LEADING | TRAILING] [characters] FROM text); nil if it is a plain call.
func (p *parser) trim() (*Expr, error) {
	name := map[string]string{"BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[strings.ToUpper(p.ahead(2).text)]
	if name == "" || p.ahead(2).kind != word {
		return nil, nil
	}
	begin := p.take().at
	p.take()
	p.take()
	e := &Expr{Kind: Call, Text: name}
	var characters []*Expr
	if !p.sees("FROM") {
		of, err := p.expr()
		if err != nil {
			return nil, err
		}
		characters = []*Expr{of}
	}
	if err := p.expect("FROM"); err != nil {
		return nil, err
	}
	of, err := p.expr()
	if err != nil {
		return nil, err
	}
	err = p.expect(")")
	e.Args, e.At = append([]*Expr{of}, characters...), begin.Join(p.last())
	return e, err
}

// UnitNamed is the one name of a unit of time that one name, or several, stand for, "" if
// it is none.
func UnitNamed(name string) string {
	name = strings.ToUpper(name)
	switch name {
	case "CENTURIES":
		return "CENTURY"
	case "MILLENNIA":
		return "MILLENNIUM"
	}
	name = strings.TrimSuffix(name, "S")
	if slices.Contains([]string{
		"MILLENNIUM", "CENTURY", "DECADE", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND",
	}, name) {
		return name
	}
	return ""
}

func (p *parser) interval() (*Expr, error) {
	begin := p.take().at
	value, err := p.primary()
	if err != nil {
		return nil, err
	}
	e := &Expr{Kind: Interval, Args: []*Expr{value}}
	if t := p.peek(); t.kind == word && UnitNamed(t.text) != "" {
		e.Text = UnitNamed(p.take().text)
	}
	e.At = begin.Join(p.last())
	return e, nil
}

// column reads the name of a column, or of a table with a star.
func (p *parser) column() (*Expr, error) {
	begin := p.peek().at
	path, err := p.path("an expression")
	if err != nil {
		return nil, err
	}
	e := &Expr{Kind: Column, Path: path, At: begin.Join(p.last())}
	if p.sees(".", "*") {
		p.take()
		p.take()
		e.Kind = Star
		return p.star(e)
	}
	return e, nil
}

// star reads what may stand behind one.
func (p *parser) star(e *Expr) (*Expr, error) {
	var err error
	if p.accept("EXCLUDE") || p.sees("EXCEPT", "(") && p.accept("EXCEPT") {
		if p.sees("(") {
			e.Exclude, err = p.names()
		} else {
			var n string
			n, err = p.name("the name of a column")
			e.Exclude = []string{n}
		}
		if err != nil {
			return nil, err
		}
	}
	if p.accept("REPLACE") {
		if err := p.expect("("); err != nil {
			return nil, err
		}
		for {
			item, err := p.item()
			if err != nil {
				return nil, err
			}
			if item.Alias == "" {
				return nil, p.unexpected("AS and the name of a column")
			}
			e.Replace = append(e.Replace, item)
			if !p.accept(",") {
				break
			}
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
	}
	e.At = e.At.Join(p.last())
	return e, nil
}

// call reads a function's arguments and what follows them. name was taken.
func (p *parser) call(name token) (*Expr, error) {
	e := &Expr{Kind: Call, Text: strings.ToLower(name.text)}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if e.Distinct = p.accept("DISTINCT"); !e.Distinct {
		p.accept("ALL")
	}
	if !p.sees(")") {
		if err := p.arguments(e); err != nil {
			return nil, err
		}
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if err := p.behindCall(e); err != nil {
		return nil, err
	}
	e.At = name.at.Join(p.last())
	return e, nil
}

// arguments reads those of a call; name = value stands for a named one of a table
// function.
func (p *parser) arguments(e *Expr) (err error) {
	if e.Args, err = p.exprs(); err != nil {
		return err
	}
	if e.Text == "substring" && len(e.Args) == 1 {
		return p.substring(e)
	}
	if p.accept("ORDER", "BY") {
		if e.Order, err = p.orders(); err != nil {
			return err
		}
	}
	return p.noNullsClause()
}

// noNullsClause refuses what says which nulls count.
func (p *parser) noNullsClause() error {
	if !p.sees("IGNORE", "NULLS") && !p.sees("RESPECT", "NULLS") {
		return nil
	}
	at := p.peek().at.Join(p.ahead(1).at)
	return Unsupported(at, "", strings.ToUpper(p.spaced(at))+" clauses")
}

// substring reads FROM first FOR length, which are arguments as well.
func (p *parser) substring(e *Expr) error {
	for _, word := range []string{"FROM", "FOR"} {
		if !p.accept(word) {
			break
		}
		argument, err := p.expr()
		if err != nil {
			return err
		}
		e.Args = append(e.Args, argument)
	}
	return nil
}

func (p *parser) behindCall(e *Expr) (err error) {
	if p.sees("WITHIN", "GROUP") {
		return Unsupported(p.peek().at.Join(p.ahead(1).at), "Next: write quantile_cont(value, 0.5).", "WITHIN GROUP clauses")
	}
	if err := p.noNullsClause(); err != nil {
		return err
	}
	if p.accept("FILTER") {
		if err := p.expect("("); err != nil {
			return err
		}
		p.accept("WHERE")
		if e.Filter, err = p.expr(); err != nil {
			return err
		}
		if err := p.expect(")"); err != nil {
			return err
		}
	}
	if p.accept("OVER") {
		if p.sees("(") {
			e.Window, err = p.window()
			return err
		}
		e.Window = &Window{At: p.peek().at}
		e.Window.Name, err = p.name("a window")
	}
	return err
}

// structure reads {'name': value, …}.
func (p *parser) structure() (*Expr, error) {
	e := &Expr{Kind: Struct, At: p.take().at}
	for {
		t := p.peek()
		if t.kind != text && t.kind != word && t.kind != quotedName {
			return nil, p.unexpected("a name")
		}
		e.Path = append(e.Path, p.take().text)
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		value, err := p.expr()
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, value)
		if !p.accept(",") {
			break
		}
	}
	err := p.expect("}")
	e.At = e.At.Join(p.last())
	return e, err
}
