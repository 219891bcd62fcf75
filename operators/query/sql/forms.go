package sql

import (
	"slices"
	"strings"
)

func (p *parser) caseOf() *Expr {
	p.take()
	e := &Expr{Kind: Case, Args: []*Expr{nil}}
	if !p.sees("WHEN") {
		e.Args[0] = p.expr()
	}
	for p.accept("WHEN") {
		when := p.expr()
		p.expect("THEN")
		e.Args = append(e.Args, when, p.expr())
	}
	if len(e.Args) == 1 {
		panic(p.unexpected("WHEN"))
	}
	e.Args = append(e.Args, p.after("ELSE"))
	p.expect("END")
	return e
}

func (p *parser) cast() *Expr {
	t := p.take()
	p.take()
	arg := p.expr()
	p.expect("AS")
	typ := p.typeName()
	p.expect(")")
	return &Expr{Kind: Cast, Text: typ, Args: []*Expr{arg}, Try: t.is("TRY_CAST")}
}

// extract reads EXTRACT(part FROM value), which is date_part('part', value).
func (p *parser) extract() *Expr {
	p.expect("EXTRACT", "(")
	part := p.taken("a part of a date", word, text)
	p.expect("FROM")
	value := p.expr()
	p.expect(")")
	name := part.at.Text(strings.ToLower(part.text))
	if unit := unitNamed(part.text); unit != "" && part.kind == word {
		name.Text = strings.ToLower(unit)
	}
	return &Expr{Kind: Call, Text: "date_part", Args: []*Expr{name, value}}
}

// position reads POSITION(part IN text), which is strpos(text, part).
func (p *parser) position() *Expr {
	p.expect("POSITION", "(")
	part := p.binding(bindRange)
	p.expect("IN")
	of := p.expr()
	p.expect(")")
	return &Expr{Kind: Call, Text: positionName, Args: []*Expr{of, part}}
}

// trim reads TRIM([BOTH | LEADING | TRAILING] [characters] FROM text), or a plain call.
func (p *parser) trim() *Expr {
	e := &Expr{Kind: Call, Text: "trim"}
	p.expect("TRIM", "(")
	switch p.which("BOTH", "LEADING", "TRAILING") {
	case "LEADING":
		e.Text = "ltrim"
	case "TRAILING":
		e.Text = "rtrim"
	}
	if !p.sees("FROM") && !p.sees(")") {
		e.Args = p.exprs() // the characters, or the arguments of a plain call
	}
	if p.accept("FROM") {
		e.Args = slices.Insert(e.Args, 0, p.expr())
	}
	p.expect(")")
	return e
}

// unitNamed returns the singular, in capitals, of the name of a unit of time in singular or
// plural, or "" if there is no such unit.
func unitNamed(name string) string {
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

func (p *parser) interval() *Expr {
	p.take()
	e := &Expr{Kind: Interval, Args: []*Expr{p.primary()}}
	switch t := p.peek(); {
	case t.kind == word && unitNamed(t.text) != "":
		e.Text = unitNamed(p.take().text)
	case e.Args[0].Kind == Number:
		panic(Wrong(e.Args[0].At, "Next: write INTERVAL "+e.Args[0].Text+" DAY, or HOUR and the like.", "an interval of a number has a unit behind it"))
	}
	return e
}

// call reads a function's arguments and the clauses after them. name was already taken; the arguments
// before stand before it.
func (p *parser) call(name token, before ...*Expr) *Expr {
	e := &Expr{Kind: Call, Text: strings.ToLower(name.text), Args: before}
	p.expect("(")
	e.Distinct = p.which("DISTINCT", "ALL") == "DISTINCT"
	if !p.sees(")") {
		p.arguments(e)
	}
	p.expect(")")
	p.behindCall(e)
	e.At = name.at.Join(p.last())
	return e
}

// arguments reads the arguments of a call. A named argument of a table function is an
// expression name = value.
func (p *parser) arguments(e *Expr) {
	if p.sees("ORDER", "BY") {
		p.argumentsEnd(e)
		return
	}
	at := len(e.Args)
	e.Args = append(e.Args, commas(p, func() *Expr {
		at++
		return p.inLambdaArgument(at == 2 && TakesLambda(e.Text), p.argument)
	})...)
	switch {
	case len(e.Args) > 1:
	case e.Text == "substring":
		p.substring(e)
		return
	case e.Text == "overlay" && p.accept("PLACING"):
		e.Args = append(e.Args, p.expr())
		p.substring(e)
		return
	}
	p.argumentsEnd(e)
}

// argumentsEnd reads what may stand behind the arguments of a call.
func (p *parser) argumentsEnd(e *Expr) {
	if p.accept("ORDER", "BY") {
		e.Order = commas(p, p.order)
	}
	e.IgnoreNulls = p.which("IGNORE NULLS", "RESPECT NULLS") == "IGNORE NULLS"
}

// arrayOf is ARRAY(query), the list of the rows of a query of one column, in their order.
func arrayOf(at Span, q *Query) *Expr {
	numbered := StarOf(&From{At: at, Query: q})
	numbered.Select.Items = append(numbered.Select.Items, Item{Expr: &Expr{Kind: Call, Text: "row_number", Window: &Window{At: at}, At: at}})
	list := &Expr{Kind: Call, Text: "list", Args: []*Expr{at.Column("item")}, Order: []Order{{Expr: at.Column("place"), At: at}}, At: at}
	all := StarOf(&From{At: at, Query: numbered, Alias: "items", Columns: []string{"item", "place"}})
	all.Select.Items = []Item{{Expr: at.Call("coalesce", list, at.List())}}
	return &Expr{Kind: Subquery, Query: all, At: at}
}

// argument reads an argument of a call, or one with its name before := or =>.
func (p *parser) argument() *Expr {
	e := p.expr()
	if e.Kind == Column && (p.accept(":=") || p.accept("=>")) {
		value := p.expr()
		return &Expr{Kind: Binary, Text: "=", Args: []*Expr{e, value}, Not: true, At: e.At.Join(value.At)}
	}
	return e
}

// substring reads FROM first FOR length, either of which may be missing, as further arguments.
func (p *parser) substring(e *Expr) {
	first, length := p.after("FROM"), p.after("FOR")
	if first == nil && length != nil {
		first = length.At.Number(1)
	}
	for _, a := range []*Expr{first, length} {
		if a != nil {
			e.Args = append(e.Args, a)
		}
	}
}

func (p *parser) behindCall(e *Expr) {
	if p.sees("WITHIN", "GROUP") {
		p.withinGroup(e)
	}
	if p.sees("IGNORE", "NULLS", "OVER") || p.sees("RESPECT", "NULLS", "OVER") {
		at := p.peek().at.Join(p.ahead(1).at)
		panic(Wrong(at, "Next: write it within the parentheses.", "%s stands behind the arguments", strings.ToUpper(p.spaced(at))))
	}
	if p.accept("FILTER") {
		p.expect("(")
		p.accept("WHERE")
		e.Filter = p.expr()
		p.expect(")")
	}
	if p.accept("OVER") {
		if p.sees("(") {
			e.Window = p.window()
			return
		}
		e.Window = &Window{At: p.peek().at}
		e.Window.Name = p.name("a window")
	}
}

// withinGroup reads WITHIN GROUP (ORDER BY value).
func (p *parser) withinGroup(e *Expr) {
	at := p.peek().at.Join(p.ahead(1).at)
	p.expect("WITHIN", "GROUP", "(", "ORDER", "BY")
	o := p.order()
	p.expect(")")
	name, ok := orderedSets[e.Text]
	switch {
	case e.Text == "string_agg" || e.Text == "listagg":
		e.Order = []Order{o}
		return
	case !ok:
		panic(Unsupported(at, "There are percentile_cont, percentile_disc, mode and string_agg.", "WITHIN GROUP clauses with "+e.Text))
	case o.Desc:
		e.Order = []Order{o}
	}
	e.Text, e.Args, e.Within = name, append([]*Expr{o.Expr}, e.Args...), true
}

// structure reads {'name': value, …}.
func (p *parser) structure() *Expr {
	p.take()
	e := &Expr{Kind: Struct}
	for more := true; more; more = p.accept(",") && !p.sees("}") {
		e.Path = append(e.Path, p.taken("a name", text, word, quotedName).text)
		p.expect(":")
		e.Args = append(e.Args, p.expr())
	}
	p.expect("}")
	return e
}

// mapping reads MAP {key: value, …}, which is map([key, …], [value, …]).
func (p *parser) mapping() *Expr {
	begin := p.take().at
	p.expect("{")
	keys, values := &Expr{Kind: List}, &Expr{Kind: List}
	for !p.sees("}") {
		keys.Args = append(keys.Args, p.expr())
		p.expect(":")
		values.Args = append(values.Args, p.expr())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	keys.At = begin.Join(p.last())
	values.At = keys.At
	return &Expr{Kind: Call, Text: "map", Args: []*Expr{keys, values}}
}
