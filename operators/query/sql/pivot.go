package sql

import "strings"

// Pivot is a table with columns made of the values of columns.
type Pivot struct {
	Of      *From
	On      []PivotOn
	Using   []Item  // aggregates
	GroupBy []*Expr // empty: all columns that On and Using do not read
}

// PivotOn is an expression whose values become columns.
type PivotOn struct {
	Expr   *Expr
	Values []Item // in the order of the columns; none: those of the query, or all values that there are
	Query  *Query // whose first column has the values; nil: there is none
}

// Unpivot is a table with rows made of columns.
type Unpivot struct {
	Of     *From
	On     []Item   // columns, as many in parentheses as there are Values, or COLUMNS; the alias is the name that the rows have
	Name   string   // of the column with the names of columns
	Values []string // of the columns with their values
	Nulls  bool     // also rows whose values are NULL
}

// pivots reports whether the token begins a statement that turns a table round.
func (t token) pivots() bool { return t.isAny("PIVOT", "PIVOT_WIDER", "UNPIVOT", "PIVOT_LONGER") }

// pivotStatement reads PIVOT or UNPIVOT as a query of its own.
func (p *parser) pivotStatement() *Query {
	begin := p.peek().at
	from := &From{At: begin}
	if p.which("PIVOT", "PIVOT_WIDER") != "" {
		from.Pivot = &Pivot{Of: p.joined()}
		p.expect("ON")
		from.Pivot.On = commas(p, p.pivotOn)
		if p.accept("USING") {
			from.Pivot.Using = commas(p, p.item)
		}
		p.pivotGroups(from.Pivot)
	} else {
		p.oneOf("UNPIVOT", "PIVOT_LONGER")
		u := &Unpivot{Name: "name", Values: []string{"value"}, Nulls: p.unpivotNulls()}
		from.Unpivot, u.Of = u, p.joined()
		p.expect("ON")
		u.On = commas(p, p.item)
		if p.accept("INTO") {
			p.expect("NAME")
			u.Name = p.name("the name of a column")
			p.expect("VALUE")
			u.Values = commas(p, func() string { return p.name("the name of a column") })
		}
	}
	from.At = begin.Join(p.last())
	return StarOf(from)
}

// pivotClause reads PIVOT or UNPIVOT behind tables, with its alias.
func (p *parser) pivotClause(of *From) *From {
	from := &From{At: of.At}
	if p.accept("PIVOT") {
		from.Pivot = &Pivot{Of: of}
		parentheses(p, func() bool { p.pivotInside(from.Pivot); return true })
	} else {
		p.expect("UNPIVOT")
		from.Unpivot = &Unpivot{Of: of, Nulls: p.unpivotNulls()}
		parentheses(p, func() bool { p.unpivotInside(from.Unpivot); return true })
	}
	from.At = of.At.Join(p.last())
	if from.Alias = p.alias("the name of a table"); from.Alias != "" && p.sees("(") {
		from.Columns = p.names()
	}
	return from
}

func (p *parser) pivotInside(v *Pivot) {
	v.Using = commas(p, p.item)
	p.expect("FOR")
	for first := true; first || !p.sees("GROUP") && !p.sees(")"); first = false {
		on := p.pivotOn()
		if on.Values == nil && on.Query == nil {
			panic(p.unexpected("IN with a list of values"))
		}
		v.On = append(v.On, on)
	}
	p.pivotGroups(v)
}

func (p *parser) pivotGroups(v *Pivot) {
	if p.accept("GROUP", "BY") {
		v.GroupBy = p.exprs()
	}
}

// pivotOn reads an expression, and the list of its values if there is one.
func (p *parser) pivotOn() PivotOn {
	on := PivotOn{Expr: p.binding(bindRange)}
	if !p.accept("IN") {
		return on
	}
	if p.sees("(") && p.ahead(1).beginsQuery() {
		on.Query = parentheses(p, p.query)
		return on
	}
	on.Values = parentheses(p, func() []Item { return commas(p, p.pivotValue) })
	return on
}

// pivotValue reads a value that becomes a column. A name is a text.
func (p *parser) pivotValue() Item {
	i := p.item()
	if of := i.Expr; of.Kind == Column && len(of.Path) == 1 {
		i.Expr = of.At.Text(of.Path[0])
	}
	return i
}

func (p *parser) unpivotNulls() bool {
	return p.which("INCLUDE NULLS", "EXCLUDE NULLS") == "INCLUDE NULLS"
}

func (p *parser) unpivotInside(u *Unpivot) {
	column := func() string { return p.name("the name of a column") }
	if p.sees("(") {
		u.Values = parentheses(p, func() []string { return commas(p, column) })
	} else {
		u.Values = []string{column()}
	}
	p.expect("FOR")
	u.Name = p.name("the name of a column")
	p.expect("IN")
	u.On = parentheses(p, func() []Item { return commas(p, p.item) })
}

func (v *Pivot) text() string {
	of := v.Of.text()
	on, open := make([]string, len(v.On)), false
	for i, o := range v.On {
		on[i] = o.Expr.within(bindRange + 1)
		switch {
		case o.Values != nil:
			on[i] += " IN (" + list(o.Values, Item.text) + ")"
		case o.Query != nil:
			on[i] += " IN (" + o.Query.text() + ")"
		default:
			open = true
		}
	}
	using := v.Using
	if len(using) == 0 {
		using = []Item{CountOfRows(Span{})}
	}
	if open {
		return "(PIVOT " + words(of, "ON", strings.Join(on, ", "), "USING", list(using, Item.text), when(len(v.GroupBy) > 0, "GROUP BY "+exprs(v.GroupBy))) + ")"
	}
	return of + " PIVOT (" + words(list(using, Item.text), "FOR", strings.Join(on, " "), when(len(v.GroupBy) > 0, "GROUP BY "+exprs(v.GroupBy))) + ")"
}

// CountOfRows is count(*), which a PIVOT without aggregates uses.
func CountOfRows(at Span) Item {
	return Item{Expr: &Expr{Kind: Call, Text: "count", Args: []*Expr{{Kind: Star, At: at}}, At: at}}
}

func (u *Unpivot) text() string {
	return u.Of.text() + " UNPIVOT " + when(u.Nulls, "INCLUDE NULLS ") +
		"(" + when(len(u.Values) > 1, "(") + list(u.Values, QuoteName) + when(len(u.Values) > 1, ")") + " FOR " + QuoteName(u.Name) + " IN (" + list(u.On, Item.text) + "))"
}
